"""What is the host's: the PIN, new games, freezing, other games, corrections, and the way back through the history."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, abort, jsonify, make_response, redirect, render_template, request, url_for
from flask import session as cookie

from companion.games import registry
from companion.games.api import COLOURS
from companion.refusal import Refusal
from companion.table.session.intents import ChangeSettings, ChooseGame, Decide, Freeze, Thaw
from companion.table.sight.reconcile import OFF
from companion.version import version
from web.base import past_games
from web.base.errors import status_of, told_of
from web.base.preferences import words
from web.base.request import (
    context,
    current,
    head,
    inside,
    is_form,
    is_page,
    let_in,
    opened,
    payload,
    plays,
    reader,
    speaker,
    the_host,
    with_number,
)
from web.base.words import name_of
from web.games.port import Door, doors, pages_of

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.session.intents import Intent, StartGame

blueprint = Blueprint("host", __name__)
door = Door("/host", "nav_host", place=9)
PICTURE: Final = "/api/camera.jpg"


@blueprint.get("/host")
def page() -> ResponseReturnValue:
    """Show the host's page; before the PIN it only asks for it."""
    texts, snapshot = words(), current()
    if not speaker().host:
        return render_template("host/login.html", head=head(), back=request.args.get("back", ""))
    return render_template(
        "host/host.html",
        head=head(),
        state=snapshot.state,
        differing=plays().differing(reader()),
        laying=plays().laying(reader()),
        games=doors(),
        picture=PICTURE if snapshot.state["table"]["camera"] != OFF else "",
        names={colour: name_of(texts, snapshot.state, colour) for colour in COLOURS},
        seats=[
            {"colour": colour, "free": context().access.is_free(colour), "code": context().access.code(colour)}
            for colour in snapshot.state["order"] or COLOURS
        ],
        table_language=snapshot.state["table"]["language"] or texts.language,
        version=version(),
    )


@blueprint.get("/host/back")
def back() -> ResponseReturnValue:
    """Offer the way back: any point of the history, round by round, the newest first."""
    entries = plays().entries(reader()) if speaker().host else []
    return opened(
        "host/back.html", rounds=[(number, list(found)) for number, found in groupby(entries, lambda one: one.round)]
    )


@blueprint.post("/api/host/login")
def login() -> ResponseReturnValue:
    """Let a phone in with the PIN, which it gives once."""
    raw = payload()
    back = str(raw.get("back") or "")
    try:
        let_in(raw.get("pin"))
    except Refusal as refusal:
        if not (is_form() and is_page()):
            raise
        again = render_template("host/login.html", head=head(), back=back, refused=told_of(refusal))
        return make_response(again, status_of(refusal))
    return redirect(inside(back), 303) if is_form() and back else _done()


@blueprint.post("/api/host/logout")
def logout() -> ResponseReturnValue:
    cookie.pop("host", None)
    return _done()


@blueprint.post("/api/host/games")
def start() -> ResponseReturnValue:
    """Start a game; the language that is named with it is the table's from then on."""
    the_host()
    return _do(beginning(payload()))


def beginning(raw: dict[str, Any]) -> StartGame:
    """Return the game that was agreed on; what is posted by a form has a field for each answer."""
    who = the_host()
    game = raw.get("game", registry.DEFAULT)
    if game not in registry.names():
        raise Refusal("malformed", None, f"game is one of {', '.join(registry.names())}.", field="game")
    language = raw.get("language")
    if language:
        context().do(ChangeSettings(speaker=who, language=language))
    pages = pages_of(game)
    setup = pages.setup_of(raw) if is_form() else raw.get("setup")
    return with_number(pages.start(reader(), setup, raw.get("pack", pages.default_pack)), raw)


@blueprint.get("/games/<game>/new")
def new_game(game: str) -> ResponseReturnValue:
    """Lead to the questions before a game, where they were asked by one form once."""
    if game not in registry.names():
        abort(404)
    return redirect(url_for("start.page", game=game), 303)


@blueprint.post("/api/host/freeze")
def freeze() -> ResponseReturnValue:
    """Put the game away for another evening, with a picture of the table where a camera sees it."""
    who, state = the_host(), current().state
    game, sees = state["id"], state["table"]["camera"] != OFF
    photo = past_games.take(context().folder, context().sight, game, state["version"]) if game and sees else None
    return _do(Freeze(photo, speaker=who))


@blueprint.post("/api/host/thaw")
def thaw() -> ResponseReturnValue:
    return _do(Thaw(speaker=the_host()))


@blueprint.post("/api/host/decide")
def decide() -> ResponseReturnValue:
    """Decide about a record that is damaged, or an entry that cannot be replayed."""
    option = payload().get("option")
    if not isinstance(option, str):
        raise Refusal("malformed", None, "option is not a text.", field="option")
    return _do(Decide(option, speaker=the_host()))


@blueprint.post("/api/host/games/<game>/resume")
def resume(game: str) -> ResponseReturnValue:
    return _do(ChooseGame(game, speaker=the_host()))


def _do(intent: Intent) -> ResponseReturnValue:
    answer = context().do(intent).as_json()
    return redirect(url_for("host.page"), 303) if is_form() else jsonify(answer)


def _done() -> ResponseReturnValue:
    return redirect(url_for("host.page"), 303) if is_form() else jsonify(host=speaker().host)


@blueprint.get("/host/tokens")
def tokens_page() -> ResponseReturnValue:
    return opened("host/tokens.html", tokens=context().access.locks.tokens, secret="")


@blueprint.post("/api/host/tokens")
def new_token() -> ResponseReturnValue:
    """Make one token more; this answer is the only place where it can be read."""
    the_host()
    name = payload().get("name")
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise Refusal("malformed", None, "name says what the token is for.", field="name")
    made, secret = context().access.locks.new_token(name)
    if is_form():
        return opened("host/tokens.html", tokens=context().access.locks.tokens, secret=secret)
    return jsonify(id=made.id, name=made.name, token=secret)


@blueprint.post("/api/host/tokens/<token>/revoke")
def revoke(token: str) -> ResponseReturnValue:
    the_host()
    context().access.locks.revoke(token)
    return redirect(url_for("host.tokens_page"), 303) if is_form() else jsonify(id=token)
