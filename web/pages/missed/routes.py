"""What happened while a phone slept, or since the seat's own last move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, render_template, request

from companion.table.outside import read_number
from web.base.request import current, head, known_colour, plays, reader

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("missed", __name__)


@blueprint.get("/seat/<colour>/missed")
def page(colour: str) -> ResponseReturnValue:
    """What happened since this phone last looked, or since the seat's own last move."""
    known_colour(colour)
    since = request.args.get("since", "")
    found = plays().missed(reader(), colour, read_number(since, "since"))
    return render_template(
        "missed/missed.html", head=head(), colour=colour, missed=found, since=since, state=current().state
    )
