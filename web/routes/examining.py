"""The doctor's page: how everything is that the table needs, for the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from companion.table.check import Running
from web.house import current, house
from web.presenting import doctor
from web.routes.health import how_the_parts_are
from web.routes.keeping import opened
from web.wording import words

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("examining", __name__)


@blueprint.get("/host/doctor")
def page() -> ResponseReturnValue:
    """Each check a line, looked at now."""
    ask = house().doctor
    running = Running(how_the_parts_are(), current().state["devices"])
    return opened("doctor.html", findings=lambda: doctor.findings(words(), ask(running) if ask else ()))
