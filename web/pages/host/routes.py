"""What is the host's: the PIN, new games, freezing, other games, corrections, and the way back through the history."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from flask import Blueprint, jsonify, redirect, render_template, request, url_for
from flask import session as cookie

from companion.cards.loader import builtin_names
from companion.cards.pack_text import overlay_of
from companion.games.shelter.house_rules import NAMES
from companion.games.shelter.words import COLOURS
from companion.refusal import Refusal
from companion.table.session.intents import ChangeSettings, ChooseGame, Decide, Freeze, StartGame, Thaw
from companion.table.sight.reconcile import OFF
from companion.version import version
from web.base import past_games
from web.base.context import current, house, is_form, payload, speaker, the_host
from web.base.preferences import words
from web.games.wasteland import lazy_routes
from web.pages.api.routes import refuse_while_waiting
from web.pages.history import view
from web.pages.host.view import relaying, setup_of
from web.pages.play import disagreements, people, status

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from companion.table.session.intents import Intent
    from companion.table.session.snapshots import Snapshot

blueprint = Blueprint("host", __name__)
PICTURE = "/api/camera.jpg"


@blueprint.get("/host")
def page() -> ResponseReturnValue:
    """The host's page; before the PIN it only asks for it."""
    texts, snapshot = words(), current()
    head = status.head(texts, snapshot.state)
    if not speaker().host:
        return render_template("login.html", head=head)
    return render_template(
        "host.html",
        head=head,
        state=snapshot.state,
        **_own(snapshot),
        picture=PICTURE if snapshot.state["table"]["camera"] != OFF else "",
        names={colour: people.name_of(texts, snapshot.state, colour) for colour in COLOURS},
        seats=[
            {"colour": colour, "free": house().access.is_free(colour), "code": house().access.code(colour)}
            for colour in snapshot.state["order"] or COLOURS
        ],
        table_language=snapshot.state["table"]["language"] or texts.language,
        packs=builtin_names(),
        house_rules=NAMES,
        version=version(),
    )


def _own(snapshot: Snapshot) -> dict[str, Any]:
    """What each game says in words of its own: where the table disagrees, and how it is laid."""
    if lazy_routes.is_played():
        return {"differing": [], "laying": lazy_routes.wasteland.laying(snapshot)}
    texts, cards = words(), house().cards()
    return {
        "differing": disagreements.disagreements(texts, snapshot.state, cards, speaker()),
        "laying": relaying(texts, snapshot.state, cards),
    }


@blueprint.get("/host/back")
def back() -> ResponseReturnValue:
    """The way back: any point of the history, round by round, the newest first."""
    texts, snapshot = words(), current()
    if not speaker().host:
        return redirect(url_for("host.page"), 303)
    steps = _steps(snapshot)
    rounds = [(number, list(found)) for number, found in groupby(steps, lambda step: step.round)]
    return render_template("back.html", head=status.head(texts, snapshot.state), rounds=rounds)


def _steps(snapshot: Snapshot) -> list[view.Entry]:
    if lazy_routes.is_played():
        return lazy_routes.wasteland.entries(snapshot)
    story = house().stories.story(snapshot.state["id"] or "")
    return [] if story is None else view.entries(words(), story, house().cards())


@blueprint.post("/api/host/login")
def login() -> ResponseReturnValue:
    """The PIN, once for a phone."""
    pin = payload().get("pin")
    if not isinstance(pin, str):
        raise Refusal("malformed", None, "pin is not a text.", field="pin")
    refuse_while_waiting()
    if not house().access.locks.is_pin(pin):
        house().limiter.failed(str(request.remote_addr))
        raise Refusal("wrong_pin", None, "That is not the host's PIN.")
    cookie["host"] = house().access.locks.mark
    return _done()


@blueprint.post("/api/host/logout")
def logout() -> ResponseReturnValue:
    """This phone is the host's no longer."""
    cookie.pop("host", None)
    return _done()


@blueprint.post("/api/host/games")
def start() -> ResponseReturnValue:
    """A new game; the language that is named with it is the table's from then on."""
    who = the_host()
    raw = payload()
    setup = setup_of(raw) if is_form() else raw.get("setup")
    plays = raw.get("game", "shelter")
    language = raw.get("language")
    if language:
        house().do(ChangeSettings(speaker=who, language=language))
    if plays == lazy_routes.GAME:
        return _do(lazy_routes.wasteland.starting(setup, raw.get("pack", ""), who))
    pack = raw.get("pack", "standard")
    if not isinstance(setup, dict) or plays != "shelter" or pack not in builtin_names():
        raise Refusal("malformed", None, "setup is an object and pack one of ours.", packs=list(builtin_names()))
    return _do(StartGame(setup, pack=pack, overlay=overlay_of(house().folder, pack), speaker=who))


@blueprint.post("/api/host/freeze")
def freeze() -> ResponseReturnValue:
    """Put the game away for another evening, with a picture of the table where a camera sees it."""
    who, state = the_host(), current().state
    sees = state["id"] is not None and state["table"]["camera"] != OFF
    photo = past_games.take(house().folder, house().sight, state["id"], state["version"]) if sees else None
    return _do(Freeze(photo, speaker=who))


@blueprint.post("/api/host/thaw")
def thaw() -> ResponseReturnValue:
    """Go on with the frozen game."""
    return _do(Thaw(speaker=the_host()))


@blueprint.post("/api/host/decide")
def decide() -> ResponseReturnValue:
    """The host's word on a record that is damaged, or an entry that cannot be replayed."""
    option = payload().get("option")
    if not isinstance(option, str):
        raise Refusal("malformed", None, "option is not a text.", field="option")
    return _do(Decide(option, speaker=the_host()))


@blueprint.post("/api/host/games/<game>/resume")
def resume(game: str) -> ResponseReturnValue:
    """Go on with another game of the record."""
    return _do(ChooseGame(game, speaker=the_host()))


def _do(intent: Intent) -> ResponseReturnValue:
    answer: dict[str, Any] = house().do(intent).as_json()
    return redirect(url_for("host.page"), 303) if is_form() else jsonify(answer)


def _done() -> ResponseReturnValue:
    return redirect(url_for("host.page"), 303) if is_form() else jsonify(host=speaker().host)
