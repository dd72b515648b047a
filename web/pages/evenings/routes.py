"""Evenings that differ: the challenge of the week is begun here, house calls are listed, deeds are told."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from flask import Blueprint, make_response, redirect, render_template, request, url_for

from companion.fair.week import week_of
from companion.games import registry
from companion.games.api import COLOURS
from companion.games.registry import game_of
from companion.refusal import Refusal
from companion.table.outside import read_number
from web.base.errors import status_of, told_of
from web.base.preferences import words
from web.base.request import context, current, head, let_in, reader, speaker
from web.games.port import Door, NextEvening, pages_of
from web.pages.evenings import view

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask.typing import ResponseReturnValue

    from companion.table.session.intents import StartGame
    from web.base.words import ToldRefusal

blueprint = Blueprint("evenings", __name__, url_prefix="/evenings")
door = Door("/evenings", "nav_evenings", place=3)
MOST_PLAYERS: Final = 4


@blueprint.get("")
def page() -> ResponseReturnValue:
    return _shown()


def _shown(refused: ToldRefusal | None = None) -> str:
    results, _ = context().stories.results()
    return render_template(
        "evenings/evenings.html",
        head=head(),
        state=current().state,
        week=week_of(context().today()),
        played=view.weeks(results),
        campaigns=[view.campaign_run(one, results) for one in pages_of(registry.DEFAULT).campaigns(reader())],
        packs=game_of(registry.DEFAULT).packs(),
        calls=pages_of(registry.DEFAULT).house_calls(reader()),
        refused=refused,
    )


@blueprint.post("/week")
def begin_week() -> ResponseReturnValue:
    """Begin the challenge of this week; who is not the host yet sends the PIN along."""
    return _begun(_game_of_the_week)


@blueprint.post("/campaign")
def begin_evening() -> ResponseReturnValue:
    """Begin the next evening of a campaign, or its first one again."""
    return _begun(_next_evening)


def _begun(made: Callable[[], StartGame]) -> ResponseReturnValue:
    try:
        if not speaker().host:
            let_in(request.form.get("pin"))
        context().do(made())
    except Refusal as refusal:
        return make_response(_shown(told_of(refusal)), status_of(refusal))
    return redirect(url_for("start.phones"), 303)


def _players() -> int:
    players = read_number(request.form.get("players", "1"), "players") or 0
    if not 1 <= players <= MOST_PLAYERS:
        raise Refusal("malformed", None, "One to four play.", field="players")
    return players


def _next_evening() -> StartGame:
    results, _ = context().stories.results()
    form, pages = request.form, pages_of(registry.DEFAULT)
    text = next((one for one in pages.campaigns(reader()) if one.id == form.get("campaign")), None)
    if text is None:
        raise Refusal("malformed", None, "There is no such campaign.", field="campaign")
    run = view.campaign_run(text, results)
    anew = bool(form.get("anew")) or not run.next
    number, run_id = (1, "") if anew else (run.next, run.run)
    names = {colour: run.names.get(colour, "") for colour in COLOURS[: _players()]}
    evening = NextEvening(text.id, number, None if anew else run.won_before, names)
    game = pages.next_evening(reader(), evening, form)
    if game is None:
        raise Refusal("malformed", None, "There is no such evening.", field="campaign")
    return replace(game, campaign={"id": text.id, "run": run_id, "evening": number})


def _game_of_the_week() -> StartGame:
    players = _players()
    game = pages_of(registry.DEFAULT).of_the_week(reader(), week_of(context().today()), players)
    if game is None:
        raise Refusal("malformed", None, "This game has no challenge of the week.", field="week")
    return game


@blueprint.get("/achievements")
def achievements() -> ResponseReturnValue:
    """What of all evenings is worth telling: worked out from the record whenever somebody asks."""
    results, missing = context().stories.results()
    return render_template(
        "evenings/achievements.html", deeds=view.achievements(words(), results), missing=missing, head=head()
    )
