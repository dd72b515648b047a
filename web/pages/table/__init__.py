"""The pages of the game being played. Looking is open; to act takes the seat."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import Blueprint, abort, redirect, render_template, request, url_for

from companion.refusal import Refusal
from companion.table.outside import read_number
from web.base.request import (
    acting,
    context,
    current,
    head,
    inside,
    known_colour,
    moment,
    plays,
    reader,
    speaker,
    watching,
    with_number,
)
from web.base.stage import OVER
from web.base.templating import render
from web.games.port import Door
from web.pages.join import joining

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("table", __name__)
door = Door("/table", "nav_table", place=3)
OF_ONE_GAME: Final = frozenset({"start", "decks", "discards", "dice"})
"""What a setup may say of one game alone: a position, and the order of cards."""


@blueprint.get("/")
def status() -> ResponseReturnValue:
    """The first page of a phone."""
    found = watching()
    me = next(iter(found.who.seats)) if len(found.who.seats) == 1 else ""
    return render(plays().status(found), moment=moment(found, me))


@blueprint.get("/rooms")
def in_words() -> ResponseReturnValue:
    """The whole table as a list, where the game has one."""
    found = plays().in_words(reader())
    return render(found) if found else redirect(url_for("table.status"), 303)


@blueprint.get("/table")
def screen() -> ResponseReturnValue:
    """The big screen, which nobody touches."""
    found = watching()
    return render(plays().screen(found), moment=moment(found, big=True), **joining())


@blueprint.get("/seat/<colour>")
def seat(colour: str) -> ResponseReturnValue:
    """A player's own page; without the seat it shows the same and offers nothing."""
    state = current().state
    known_colour(colour)
    if colour in state["players"]:
        found = watching()
        mine = colour in found.who.seats or found.who.host
        return render(plays().seat(found, colour), moment=moment(found.as_seat(colour), colour if mine else ""))
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


@blueprint.post("/moments/next")
def go_on() -> ResponseReturnValue:
    """Show everybody the next step: somebody has seen enough of this one."""
    acting()
    context().stage.go_on(request.form.get("key", ""), read_number(request.form.get("step", ""), "step") or 0)
    return redirect(inside(request.form.get("back", "/")), 303)


@blueprint.post("/again")
def again() -> ResponseReturnValue:
    """Begin another game with the same people, by whoever played the last one to its end."""
    who, state = acting(), current().state
    if state["phase"] != OVER:
        raise Refusal("not_over", None, "The game is not over yet.", phase=state["phase"])
    opening = context().stories.entries(state["id"] or "")[0]
    setup = {key: value for key, value in opening.body["setup"].items() if key not in OF_ONE_GAME}
    names = {colour: player["name"] for colour, player in state["players"].items() if player.get("name")}
    bots = {colour: bot for colour, player in state["players"].items() if (bot := player.get("bot"))}
    found = plays().again(reader(), {**setup, "names": names, **({"bots": bots} if bots or "bots" in setup else {})})
    if found is None:
        return redirect(url_for("host.page"), 303)
    context().do(with_number(found, request.form))
    mine = [colour for colour in state["order"] if colour in who.seats]
    return redirect(url_for("table.seat", colour=mine[0]) if len(mine) == 1 else url_for("table.status"), 303)
