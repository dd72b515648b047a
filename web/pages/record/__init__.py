"""The record to take away: all of it, or a game; and the picture of a game that was put away."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, BinaryIO, Final

from flask import Blueprint, Response, request

from companion.refusal import Refusal
from companion.table.record.backup import ask_restore, finished_backup
from companion.table.record.entries import RecordError
from web.base.errors import status_of, told_of
from web.base.past_games import find
from web.base.preferences import words
from web.base.request import context, current, opened, takes_file, the_host
from web.pages.history.routes import page_asked_for
from web.pages.history.view import past_games

if TYPE_CHECKING:
    from collections.abc import Iterator

    from flask.typing import ResponseReturnValue

PIECE: Final = 1 << 16
LARGEST: Final = 64 << 20
"""Bytes of a backup that a page takes; `companion restore` takes any."""
blueprint = Blueprint("record", __name__)


@blueprint.get("/host/record")
def page() -> ResponseReturnValue:
    return _shown()


def _shown(code: int = 200, **more: object) -> ResponseReturnValue:
    results, _ = context().stories.results()
    shown = page_asked_for()
    return opened(
        "record/record.html",
        games=past_games(words(), shown),
        page=shown,
        record=current().state["record"],
        unfinished=sum(1 for result in results if not result.over),
        finished=any(result.over for result in results),
        code=code,
        **more,
    )


@blueprint.post("/host/record")
def restore() -> ResponseReturnValue:
    """Take a backup that is to be the record from the next start on; nothing of it is played before."""
    the_host()
    file = request.files.get("file")
    if file is None or not file.filename:
        return _refused(Refusal("malformed", None, "A backup is a file.", field="file"))
    try:
        return _shown(asked=ask_restore(context().folder, file.read()))
    except RecordError as error:
        return _refused(Refusal("no_restore", None, f"That is no whole backup: {error}", why=str(error)))


takes_file(restore, LARGEST)


def _refused(refusal: Refusal) -> ResponseReturnValue:
    return _shown(status_of(refusal), refused=told_of(refusal))


@blueprint.get("/api/host/backup")
def download() -> ResponseReturnValue:
    """Send the games that are over in one file, verified; `companion restore` takes it.

    The host plays too: a game that may still be played keeps its seed and its decks to itself.
    """
    the_host()
    results, missing = context().stories.results()
    if results and not missing and not any(result.over for result in results):
        games = [result.game for result in results]
        raise Refusal("secret_until_over", None, "A game that is not over would tell its seed.", games=games)
    try:
        file = finished_backup(context().folder)
    except RecordError as error:
        raise Refusal("no_backup", None, str(error)) from error
    name = f"table-companion-{time.strftime('%Y-%m-%d-%H%M')}.backup"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Content-Length": str(size_of(file))}
    return Response(pieces_of(file), mimetype="application/vnd.sqlite3", headers=headers)


def size_of(file: BinaryIO) -> int:
    return os.fstat(file.fileno()).st_size


def pieces_of(file: BinaryIO) -> Iterator[bytes]:
    """Yield a file piece by piece: years of evenings do not lie in memory while a phone takes them."""
    with file:
        while piece := file.read(PIECE):
            yield piece


@blueprint.get("/api/host/photos/<name>")
def photo(name: str) -> ResponseReturnValue:
    the_host()
    return Response(find(context().folder, name).read_bytes(), mimetype="image/jpeg")
