"""The doctor's page: how everything is that the table needs, for the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from companion.table.health import Running
from web.base.context import current, house
from web.base.preferences import words
from web.pages.doctor import view
from web.pages.doctor.routes import how_the_parts_are
from web.pages.host.keeping_routes import opened

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("examining", __name__)


@blueprint.get("/host/doctor")
def page() -> ResponseReturnValue:
    """Each check a line, looked at now."""
    ask = house().doctor
    running = Running(how_the_parts_are(), current().state["devices"])
    return opened("doctor.html", findings=lambda: view.findings(words(), ask(running) if ask else ()))
