"""How the people play, tokens for scripts, and the record to take away: the host's."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, jsonify, make_response, redirect, render_template, url_for

from companion.languages import catalogues
from companion.refusal import Refusal
from companion.table.record.backup import backup
from companion.table.record.entries import RecordError
from companion.table.session.intents import ChangeSettings
from companion.table.session.settings import LONGEST_REST, WAYS
from web.base.context import current, house, is_form, payload, speaker, the_host
from web.base.past_games import find
from web.base.preferences import words
from web.pages.history import view
from web.pages.play import status

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("keeping", __name__)


def opened(template: str, code: int = 200, **shown: Any) -> Response:
    """A page of the host's; others are led to the PIN."""
    if not speaker().host:
        return make_response(redirect(url_for("host.page"), 303))
    return make_response(render_template(template, head=status.head(words(), current().state), **shown), code)


@blueprint.get("/host/settings")
def settings_page() -> ResponseReturnValue:
    """The way of playing, the rest, the voice."""
    return opened(
        "settings.html",
        table=current().state["table"],
        voice=current().state["devices"].get("voice", {}),
        ways=WAYS,
        languages_of_table=catalogues.names(),
        longest=LONGEST_REST,
    )


@blueprint.post("/api/host/settings")
def settings() -> ResponseReturnValue:
    """Change them; what is not named stays, but for a form's ticks."""
    who, raw = the_host(), payload()
    unknown = set(raw) - {"way", "rest", "voice", "language"}
    if unknown and not is_form():
        raise Refusal("malformed", None, f"{min(unknown)[:40]!r} is no setting.", field=min(unknown)[:40])
    if is_form():
        raw = {
            "way": raw.get("way"),
            "rest": number_of(raw.get("rest")),
            "voice": raw.get("voice") == "on",
            "language": raw.get("language") or None,
        }
    named = {name: raw.get(name) for name in ("way", "rest", "voice", "language")}
    house().do(ChangeSettings(speaker=who, **named))
    return redirect(url_for("keeping.settings_page"), 303) if is_form() else jsonify(played())


def number_of(raw: object) -> float | None:
    """A number as people write it, also with a comma; what is none is refused by the settings themselves."""
    try:
        return float(str(raw).replace(",", "."))
    except ValueError:
        return float("nan")


def played() -> dict[str, Any]:
    """The settings now."""
    table = house().latest.state["table"]
    return {name: table[name] for name in ("way", "rest", "voice", "language")}


@blueprint.get("/host/tokens")
def tokens_page() -> ResponseReturnValue:
    """The tokens for scripts."""
    return opened("tokens.html", tokens=house().access.locks.tokens, secret="")


@blueprint.post("/api/host/tokens")
def new_token() -> ResponseReturnValue:
    """One token more; this answer is the only place where it can be read."""
    the_host()
    name = payload().get("name")
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise Refusal("malformed", None, "name says what the token is for.", field="name")
    made, secret = house().access.locks.new_token(name)
    if is_form():
        return opened("tokens.html", tokens=house().access.locks.tokens, secret=secret)
    return jsonify(id=made.id, name=made.name, token=secret)


@blueprint.post("/api/host/tokens/<token>/revoke")
def revoke(token: str) -> ResponseReturnValue:
    """That token opens nothing any more."""
    the_host()
    house().access.locks.revoke(token)
    return redirect(url_for("keeping.tokens_page"), 303) if is_form() else jsonify(id=token)


@blueprint.get("/host/record")
def record_page() -> ResponseReturnValue:
    """The record to take away: all of it, or a game."""
    if not speaker().host:
        return redirect(url_for("host.page"), 303)
    texts, record, stories = words(), house().stories.record(), house().stories.all()
    games = [view.past(texts, story, current=story.game == record.current) for story in reversed(stories)]
    return opened(
        "record.html",
        games=[game for game in games if game],
        record=current().state["record"],
        running=not all(story.over for story in stories),
    )


@blueprint.get("/api/host/backup")
def download() -> ResponseReturnValue:
    """All of the record in one file, verified; `companion restore` takes it. The host plays too, so it waits."""
    the_host()
    running = [story.game for story in house().stories.all() if not story.over]
    if running:
        raise Refusal("secret_until_over", None, "A game that is not over would tell its seed.", games=running)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "record"
        try:
            backup(house().folder, out)
        except RecordError as error:
            raise Refusal("no_backup", None, str(error)) from error
        whole = out.read_bytes()
    name = f"table-companion-{time.strftime('%Y-%m-%d-%H%M')}.backup"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(whole, mimetype="application/vnd.sqlite3", headers=headers)


@blueprint.get("/api/host/photos/<name>")
def photo(name: str) -> ResponseReturnValue:
    """The picture of a game that was put away."""
    the_host()
    return Response(find(house().folder, name).read_bytes(), mimetype="image/jpeg")
