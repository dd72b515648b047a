"""The big screen, which nobody touches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint

from web.base.request import plays, reader
from web.base.templating import render
from web.pages.join.routes import joining

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("screen", __name__)


@blueprint.get("/table")
def page() -> ResponseReturnValue:
    return render(plays().screen(reader()), **joining())
