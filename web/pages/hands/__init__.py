"""What hands owe the table, on every page; ticked off by a tap. A seat says that it is not at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, jsonify, redirect, render_template, request

from companion.refusal import Refusal
from companion.table.session.intents import GoAway, HandsDone
from web.base.request import acting, context, head, inside, is_form, known_colour, payload, plays, reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask.typing import ResponseReturnValue

    from web.games.port import HandLine

blueprint = Blueprint("hands", __name__)
MOST: Final = 100
"""Places that are ticked off at once: more than there are."""


@blueprint.app_context_processor
def shown() -> dict[str, Any]:
    """For the foot of every page, which asks only where it is drawn."""
    return {"hand_lines": _lines}


def _lines() -> Sequence[HandLine]:
    return plays().hands(reader())


@blueprint.get("/hands")
def page() -> ResponseReturnValue:
    """The whole list; with the script it opens over the page from which it is asked for."""
    return render_template("hands/slip.html", head=head())


@blueprint.post("/api/hands/done")
def done() -> ResponseReturnValue:
    """Tick off what is done at a place, or at several."""
    who = acting()
    raw: object = request.form.getlist("place") if is_form() else payload().get("place")
    places = [raw] if isinstance(raw, str) else raw
    if not isinstance(places, list) or not 0 < len(places) <= MOST or not all(isinstance(one, str) for one in places):
        raise Refusal("malformed", None, "place is a place that hands owe something, or a list of such.", field="place")
    if not is_form():
        return jsonify(context().do(HandsDone(tuple(places), who)).as_json())
    owed = {place for line in _lines() for place in line.places}  # others may have ticked off some of it meanwhile
    left = tuple(place for one in places for place in one.split() if place in owed)
    if left:
        context().do(HandsDone(left, who))
    return redirect(inside(request.form.get("back", "/")), 303)


@blueprint.post("/api/seats/<colour>/away")
def away(colour: str) -> ResponseReturnValue:
    """Say that a seat is not at the table, or back at it."""
    who, raw = acting(), payload()
    gone = raw.get("away") == "yes" if is_form() else raw.get("away")
    if not isinstance(gone, bool):
        raise Refusal("malformed", None, "away is true or false.", field="away")
    context().do(GoAway(known_colour(colour), gone, who))
    return redirect(inside(request.form.get("back", "/")), 303) if is_form() else jsonify(seat=colour, away=gone)
