"""The application of a league: one page, its parts as they change, its exports; only the language can be changed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from flask import Blueprint, Flask, current_app, jsonify, make_response, redirect, render_template, request

from companion.languages import catalogues
from companion.refusal import Refusal
from companion.table.outside import read_number
from web.base import errors, guard, templating
from web.base.context import EXTENSION
from web.base.preferences import choose, words
from web.base.request import event_stream
from web.base.streams import MOST, Streams
from web.league import view

if TYPE_CHECKING:
    from collections.abc import Iterable

    from flask.typing import ResponseReturnValue
    from jinja2 import Environment

    from companion.table.league_picture import LeaguePicture, LeagueTableJson, StateInShort
    from companion.table.session.snapshots import Snapshot, Snapshots
    from web.base.words import Words


SMALL: Final = ("top", "standings", "notes")


class Parts:
    """What one reader has, in their language, and what they need next."""

    def __init__(self, environment: Environment, words: Words) -> None:
        self._made = environment.get_template("league/league_parts.html").module
        self._words = words
        self._had: dict[str, str] = {}
        self._order: list[str] = []

    def whole(self, picture: LeaguePicture) -> dict[str, object]:
        return {
            "cards": [self._card(table, state) for table, state in view.here(picture)],
            **{name: self._small(name, picture) for name in SMALL},
        }

    def frame(self, snapshot: Snapshot, seen: int) -> bytes:
        """Return one event: what has changed since the reader looked, and the order where that is another."""
        picture = cast("LeaguePicture", snapshot.state)
        here = view.here(picture)
        changed = [(table, state) for table, state in here if table["changed"] > seen]
        parts = {view.id_of(table["name"]): self._card(table, state) for table, state in changed}
        for name in SMALL:
            text = self._small(name, picture)
            if self._had.get(name) != text:
                parts[name] = self._had[name] = text
        told: dict[str, object] = {"parts": parts}
        order = [view.id_of(table["name"]) for table, _ in here]
        if order != self._order or not seen:
            told["order"] = self._order = order
        data = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
        return f"event: league\nid: {snapshot.seq}\ndata: {data}\n\n".encode()

    def _card(self, table: LeagueTableJson, state: StateInShort) -> str:
        return str(self._macro("card", view.card(self._words, table, state)))

    def _small(self, name: str, picture: LeaguePicture) -> str:
        words = self._words
        if name == "standings":
            return str(self._macro("standings", view.rows(words, picture["standings"]), picture["earlier"]))
        if name == "notes":
            return str(self._macro("notes", picture, view.away(picture)))
        return str(self._macro("top", picture, view.since(words, picture), len(view.here(picture))))

    def _macro(self, name: str, *what: object) -> object:
        return getattr(self._made, name)(self._words, *what)


blueprint = Blueprint("league", __name__)
EXPORTS: Final = {
    "standings.csv": (view.standings_csv, "text/csv"),
    "games.csv": (view.games_csv, "text/csv"),
    "evening.json": (view.as_json, "application/json"),
}


@dataclass(frozen=True, slots=True)
class Hall:
    """What the routes share: pictures of the league, and the streams of who looks on."""

    snapshots: Snapshots
    streams: Streams

    @property
    def picture(self) -> LeaguePicture:
        latest = self.snapshots.latest
        if latest is None:
            raise AssertionError("a league has a picture from its first moment")
        return cast("LeaguePicture", latest.state)


def create_app(snapshots: Snapshots, hosts: Iterable[str] = (), most_streams: int = MOST) -> Flask:
    """Return the pages of a league whose pictures come as snapshots."""
    app = Flask("web", static_folder=None)
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = 3600
    templating.install(app)
    app.extensions[EXTENSION] = Hall(snapshots, Streams(snapshots, most_streams))
    guard.install(app, frozenset(name.lower() for name in hosts))
    errors.install(app)
    app.register_blueprint(blueprint)
    return app


def hall() -> Hall:
    found = current_app.extensions[EXTENSION]
    if not isinstance(found, Hall):
        raise TypeError(found)
    return found


@blueprint.get("/")
def page() -> ResponseReturnValue:
    picture, texts = hall().picture, words()
    parts = Parts(current_app.jinja_env, texts).whole(picture)
    return render_template(
        "league/league.html", w=texts, seq=picture["seq"], languages=catalogues.names(), exports=EXPORTS, **parts
    )


@blueprint.get("/api/league")
def league() -> ResponseReturnValue:
    return jsonify(hall().picture)


@blueprint.get("/api/events")
def events() -> ResponseReturnValue:
    """Send what changes, part by part."""
    seen = request.headers.get("Last-Event-ID", request.args.get("seen", ""))
    gone = request.environ.get("waitress.client_disconnected", lambda: False)
    parts = Parts(current_app.jinja_env, words())
    number = read_number(seen, "Last-Event-ID") or 0
    return event_stream(hall().streams.stream(number, gone, parts.frame, address=str(request.remote_addr)))


@blueprint.get("/export/<name>")
def export(name: str) -> ResponseReturnValue:
    """The evening to take away."""
    if name not in EXPORTS:
        raise Refusal("no_such_page", None, "There is no such export.", exports=sorted(EXPORTS))
    made, kind = EXPORTS[name]
    response = make_response(made(hall().picture))
    response.mimetype = kind
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@blueprint.post("/language")
def language() -> ResponseReturnValue:
    return choose(make_response(redirect("/", 303)))


@blueprint.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Whether the page lives, and whether the broker is there."""
    broker = hall().picture["broker"]
    return jsonify(ok=True, parts={"broker": "ok" if broker["online"] else "failing"}, hint=broker["hint"])
