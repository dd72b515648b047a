"""What is promised of chance, the numbers that phones of seats add, and the check of a finished game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, jsonify, render_template, request

from companion.fair.check import check
from companion.refusal import Refusal
from companion.table.session.intents import AddNumber
from web.base.preferences import words
from web.base.request import acting, context, current, head, known_colour, payload, speaker
from web.base.words import name_of
from web.pages.fair import view

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

TOO_LATE: Final = ("promise_changed", "number_added")
"""A phone can come too late by no fault of its own, as when another has held the same seat a moment ago."""
blueprint = Blueprint("fair", __name__)


@blueprint.app_context_processor
def promised() -> dict[str, Any]:
    """For the foot of every page, and for forms that begin a game or take a seat; who draws it asks."""
    return {
        "fingerprint": _fingerprint,
        "wants_number": _wants_number,
        "next_promise": _next_promise,
        "shorter": view.short,
    }


def _fingerprint() -> str | None:
    return view.promise_shown(current().state)


def _next_promise() -> str:
    return current().state["fair"]["next"]["promise"]


def _wants_number() -> bool:
    """Whether this page is that of a seat whose phone has still to add its number."""
    colour = (request.view_args or {}).get("colour", "")
    return colour in speaker().seats and view.promise_wanted(current().state, colour) is not None


@blueprint.get("/fair")
def page() -> ResponseReturnValue:
    """What is promised of this game and of the next one, and whose phones have added to it."""
    texts, state = words(), current().state
    played = view.is_played(state)
    numbers = state["fair"]["numbers"] if played else state["fair"]["next"]["numbers"]
    names = [texts.text("fair_starter") if one == "start" else name_of(texts, state, one) for one in numbers]
    return render_template(
        "fair/promise.html", head=head(), state=state, played=played, promise=_fingerprint(), names=names
    )


@blueprint.get("/api/seats/<colour>/number")
def wanted(colour: str) -> ResponseReturnValue:
    """Return the promise to which this seat has still to add its number."""
    return jsonify(promise=view.promise_wanted(current().state, known_colour(colour)))


@blueprint.post("/api/seats/<colour>/number")
def add(colour: str) -> ResponseReturnValue:
    """Take the number of the phone that holds a seat; where another came first, or another game, it is told why not."""
    who, raw = acting(), payload()
    try:
        answer = context().do(AddNumber(known_colour(colour), raw.get("number"), who, raw.get("promise")))
    except Refusal as refusal:
        if refusal.code not in TOO_LATE:
            raise
        return jsonify(seat=colour, taken=False, why=refusal.code)
    return jsonify(seat=colour, taken=True, version=answer.version)


@blueprint.get("/history/<game>/fair")
def checked(game: str) -> ResponseReturnValue:
    """Check the chance of a game that is over; the page's script does it again on the phone."""
    entries, story = context().stories.entries(game), context().stories.story(game)
    if not entries or story is None or story.state is None:
        raise Refusal("no_such_game", None, "There is no such game.")
    if not story.over:
        raise Refusal("secret_until_over", None, "The secret of its chance is told after the end.")
    texts, fairness = words(), check(entries, story.reopened)
    names = {colour: player.get("name") or colour for colour, player in story.state["players"].items()}
    return render_template(
        "fair/checked.html",
        game=game,
        fairness=fairness,
        reopened=story.reopened,
        secret=str(entries[0].body.get("seed", "")),
        rows=view.rows(texts, fairness, names),
    )
