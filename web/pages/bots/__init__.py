"""Bots and odds: who plays which seat, the figure that a bot waits for, and which odds are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import Blueprint, jsonify, redirect, render_template, request, url_for

from companion.games.registry import game_of
from companion.refusal import Refusal
from companion.table.session.intents import ChangeSettings, Follow, SeatBot
from companion.table.session.settings import ODDS
from web.base.preferences import words
from web.base.request import acting, context, current, head, inside, is_form, known_colour, payload, speaker, the_host
from web.games import chairs

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue


blueprint = Blueprint("bots", __name__)
HELPERS: Final = ("officer", "seer")
"""Processes that play for bots and tell chances; what is wrong with one is told where bots are seated."""


@blueprint.app_context_processor
def characters() -> dict[str, object]:
    """For every page on which a seat of the game that is played may be given to a bot."""
    return {"CHARACTERS": game_of(current().state["game"]).characters}


@blueprint.get("/host/bots")
def page() -> ResponseReturnValue:
    if not speaker().host:
        return redirect(url_for("host.page"), 303)
    texts, state = words(), current().state
    played = game_of(current().state["game"])
    return render_template(
        "bots/bots.html",
        head=head(),
        character=lambda name: chairs.character(texts, name),
        chairs=chairs.chairs(texts, state),
        other="" if played.has_bots else played.title,
        can_play=any("bot" in player for player in state["players"].values()),
        shown=state["odds"]["shown"],
        odds=_odds(),
        troubles=[told for name in HELPERS if (told := state["devices"].get(name)) and told["hint"]],
    )


def _odds() -> list[str]:
    """Return the odds that pages of the game that is played can show."""
    played = game_of(current().state["game"])
    return [one for one in ODDS if one in played.odds]


@blueprint.post("/api/seats/<colour>/bot")
def seat(colour: str) -> ResponseReturnValue:
    """Hand a seat to a bot, or take it back."""
    who, raw = acting(), payload()
    character = raw.get("character")
    if character is not None and not isinstance(character, str):
        raise Refusal("malformed", None, "character is a text, or null.", field="character")
    context().do(SeatBot(known_colour(colour), character or None, who))
    if is_form():
        return redirect(inside(raw.get("back", "")) if raw.get("back") else url_for("bots.page"), 303)
    return jsonify(seat=colour, character=character or None)


@blueprint.post("/api/suggestion/done")
def done() -> ResponseReturnValue:
    answer = context().do(Follow(acting()))
    return redirect(inside(request.form.get("back", "/")), 303) if is_form() else jsonify(answer.as_json())


@blueprint.post("/api/host/odds")
def show() -> ResponseReturnValue:
    """Choose which odds are shown: what is not named stays, but for a form's ticks."""
    who, raw = the_host(), payload()
    if is_form():
        raw = {name: name in raw for name in _odds()}
    unknown = set(raw) - set(ODDS)
    if unknown:
        raise Refusal("malformed", None, f"It is {', '.join(ODDS)}.", field=min(unknown)[:40])
    context().do(ChangeSettings(speaker=who, **{f"odds_{name}": value for name, value in raw.items()}))
    return redirect(url_for("bots.page"), 303) if is_form() else jsonify(shown=context().latest.state["odds"]["shown"])
