"""The record to take away: all of it, or a game; and the picture of a game that was put away."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Blueprint, Response

from companion.refusal import Refusal
from companion.table.record.backup import backup
from companion.table.record.entries import RecordError
from web.base.past_games import find
from web.base.preferences import words
from web.base.request import context, current, opened, the_host
from web.pages.history.view import past_games

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("record", __name__)


@blueprint.get("/host/record")
def page() -> ResponseReturnValue:
    stories = context().stories.all()
    return opened(
        "record/record.html",
        games=past_games(words(), stories, context().stories.record().current),
        record=current().state["record"],
        running=not all(story.over for story in stories),
    )


@blueprint.get("/api/host/backup")
def download() -> ResponseReturnValue:
    """Send all of the record in one file, verified; `companion restore` takes it. The host plays too, so it waits."""
    the_host()
    running = [story.game for story in context().stories.all() if not story.over]
    if running:
        raise Refusal("secret_until_over", None, "A game that is not over would tell its seed.", games=running)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "record"
        try:
            backup(context().folder, out)
        except RecordError as error:
            raise Refusal("no_backup", None, str(error)) from error
        whole = out.read_bytes()
    name = f"table-companion-{time.strftime('%Y-%m-%d-%H%M')}.backup"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(whole, mimetype="application/vnd.sqlite3", headers=headers)


@blueprint.get("/api/host/photos/<name>")
def photo(name: str) -> ResponseReturnValue:
    the_host()
    return Response(find(context().folder, name).read_bytes(), mimetype="image/jpeg")
