"""A player's own page, and what its phone missed. Looking is open; to act takes the seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, render_template, request

from companion.table.outside import read_number
from web.base.request import current, head, known_colour, plays, reader, speaker
from web.base.templating import render

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("seat", __name__)


@blueprint.get("/seat/<colour>")
def page(colour: str) -> ResponseReturnValue:
    """A player's own page; without the seat it shows the same and offers nothing."""
    state = current().state
    known_colour(colour)
    if colour in state["players"]:
        return render(plays().seat(reader(), colour))
    mine = colour in speaker().seats
    return render_template("seat/noseat.html", colour=colour, head=head(), playing=bool(state["id"]), mine=mine)


@blueprint.get("/seat/<colour>/missed")
def missed(colour: str) -> ResponseReturnValue:
    """What happened since this phone last looked, or since the seat's own last move."""
    known_colour(colour)
    since = request.args.get("since", "")
    found = plays().missed(reader(), colour, read_number(since, "since"))
    return render_template(
        "seat/missed.html", head=head(), colour=colour, missed=found, since=since, state=current().state
    )
