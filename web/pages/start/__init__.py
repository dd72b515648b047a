"""The first evening: from the empty table, one question at a time, to a game and everybody's phone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlencode

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for

from companion.games import registry
from companion.games.registry import game_of
from companion.refusal import Refusal
from web.base.errors import status_of, told_of
from web.base.preferences import words
from web.base.request import context, current, head, let_in, plays, reader, speaker
from web.base.templating import render
from web.base.words import name_of
from web.games.asking import LAST, PHONES
from web.games.port import doors, pages_of
from web.pages.host import beginning
from web.pages.join import address, qr

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from flask.typing import ResponseReturnValue

    from web.base.words import ToldRefusal
    from web.games.port import GamePages

blueprint = Blueprint("start", __name__)


NO_ANSWERS: Final = frozenset({"pin", "number", "promise"})
"""Fields of the last step that are for the one phone that begins the game; no address has them."""


class GameBeginning(NamedTuple):
    """A game as the empty table offers it."""

    game: str
    title: str
    href: str
    nobody: str
    """The key of what is said while nobody plays."""
    hero: str
    """The template of its picture, if it has one."""
    intro: Sequence[str]


def beginnings() -> list[GameBeginning]:
    """Return the games that can be begun, the usual one first."""
    games = [registry.DEFAULT, *(one.game for one in doors())]
    return [_beginning(game, pages_of(game)) for game in games]


def _beginning(game: str, pages: GamePages) -> GameBeginning:
    href = url_for("start.page", game=game)
    return GameBeginning(game, game_of(game).title, href, pages.nobody, pages.hero, pages.intro)


@blueprint.app_context_processor
def offered() -> dict[str, object]:
    """For the first page, while nothing is played."""
    if request.path != "/" or current().state["id"]:
        return {}
    found = beginnings()
    asked = request.args.get("plays", "")
    return {"beginnings": found, "beginning": next((one for one in found if one.game == asked), found[0])}


@blueprint.get("/start")
def page() -> ResponseReturnValue:
    """Ask one thing before a new game; the answers so far are in the address."""
    return _asked(request.args)


@blueprint.post("/start")
def begin() -> ResponseReturnValue:
    """Begin the game that was agreed on; who is not the host yet sends the PIN along. Or go back a step."""
    if "step" in request.form:
        answers = {key: value for key, value in request.form.items() if key not in NO_ANSWERS}
        return redirect(f"{url_for('start.page')}?{urlencode(answers)}", 303)
    try:
        if not speaker().host:
            let_in(request.form.get("pin"))
        context().do(beginning(request.form.to_dict()))
    except Refusal as refusal:
        again = _asked({**request.form.to_dict(), "step": LAST}, told_of(refusal))
        return make_response(again, status_of(refusal))
    return redirect(url_for("start.phones"), 303)


def _asked(answers: Mapping[str, str], refused: ToldRefusal | None = None) -> str:
    """Return a step of the questions of the game that is asked for."""
    game = answers.get("game", registry.DEFAULT)
    if game not in registry.names():
        abort(404)
    found, state = reader(), current().state
    language = state["table"]["language"] or found.words.language
    asked = pages_of(game).new_game(found, answers)
    return render(asked, head=head(), state=state, table_language=language, refused=refused)


@blueprint.get("/start/phones")
def phones() -> ResponseReturnValue:
    """Give every player a phone, one code at a time."""
    texts, state, access, mine = words(), current().state, context().access, speaker().seats
    skipped = [colour for colour in request.args.get("skip", "").split(".") if colour in state["order"]]
    seats = [
        {
            "colour": colour,
            "name": name_of(texts, state, colour),
            "free": access.is_free(colour),
            "mine": colour in mine,
            "bot": bool(state["players"][colour].get("bot")),
            "code": access.code(colour),
        }
        for colour in state["order"]
    ]
    waiting = [str(one["colour"]) for one in seats if one["free"] and not one["bot"] and one["colour"] not in skipped]
    now = next(iter(waiting), "")
    link = address() + url_for("join.page", seat=now, code=access.code(now)) if now else ""
    own = [colour for colour in state["order"] if colour in mine]
    return render_template(
        "start/phones.html",
        head=head(),
        seats=seats,
        steps=(*plays().asks, PHONES),
        skipped=skipped,
        now=now,
        qr=qr(link) if link else "",
        address=address() + url_for("join.page"),
        play=url_for("table.seat", colour=own[0]) if len(own) == 1 else "/",
    )
