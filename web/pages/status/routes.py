"""The first page of a phone, and the same in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, redirect, url_for

from web.base.request import plays, reader
from web.base.templating import render

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("status", __name__)


@blueprint.get("/")
def page() -> ResponseReturnValue:
    return render(plays().status(reader()))


@blueprint.get("/rooms")
def in_words() -> ResponseReturnValue:
    """The whole table as a list, where the game has one."""
    found = plays().in_words(reader())
    return render(found) if found else redirect(url_for("status.page"), 303)
