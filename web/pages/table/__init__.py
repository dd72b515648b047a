"""The pages of the game being played. Looking is open; to act takes the seat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, redirect, render_template, request, url_for

from companion.table.outside import read_number
from web.base.request import current, head, known_colour, plays, reader, speaker
from web.base.templating import render
from web.games.port import Door
from web.pages.join import joining

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("table", __name__)
door = Door("/table", "nav_table", place=3)


@blueprint.get("/")
def status() -> ResponseReturnValue:
    """The first page of a phone."""
    return render(plays().status(reader()))


@blueprint.get("/rooms")
def in_words() -> ResponseReturnValue:
    """The whole table as a list, where the game has one."""
    found = plays().in_words(reader())
    return render(found) if found else redirect(url_for("table.status"), 303)


@blueprint.get("/table")
def screen() -> ResponseReturnValue:
    """The big screen, which nobody touches."""
    return render(plays().screen(reader()), **joining())


@blueprint.get("/seat/<colour>")
def seat(colour: str) -> ResponseReturnValue:
    """A player's own page; without the seat it shows the same and offers nothing."""
    state = current().state
    known_colour(colour)
    if colour in state["players"]:
        return render(plays().seat(reader(), colour))
    mine = colour in speaker().seats
    return render_template("table/noseat.html", colour=colour, head=head(), playing=bool(state["id"]), mine=mine)


@blueprint.get("/seat/<colour>/at/<place>")
def space(colour: str, place: str) -> ResponseReturnValue:
    """What a seat can do at one place of the table: a page, and the sheet that slides over the seat's own."""
    known_colour(colour)
    asked = request.args.get("way", ""), request.args.get("who", "")
    found = plays().space(reader(), colour, place, asked) if colour in current().state["players"] else None
    if found is None:
        abort(404)
    return render(found, head=head())


@blueprint.get("/seat/<colour>/missed")
def missed(colour: str) -> ResponseReturnValue:
    """What happened since this phone last looked, or since the seat's own last move."""
    known_colour(colour)
    since = request.args.get("since", "")
    found = plays().missed(reader(), colour, read_number(since, "since"))
    return render_template(
        "table/missed.html", head=head(), colour=colour, missed=found, since=since, state=current().state
    )
