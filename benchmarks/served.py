"""Serve pages in a process of their own: a game beside a bare Flask route with the same answer, or an empty table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Flask, Response

from companion.table.record.record import Record
from companion.table.session.intents import StartGame
from companion.table.session.session import Session
from web.base.app import create_app
from web.base.serving import bound, server_of

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterable

TOKEN = "of-the-benchmark"  # noqa: S105 - it opens a game that nobody plays
FOUR = ["red", "blue", "green", "yellow"]


def bare(text: str) -> Flask:
    """Serve one route with one text by Flask and nothing else."""
    app = Flask("bare")

    @app.get("/bare")
    def told() -> Response:
        return Response(text, mimetype="application/json")

    return app


def empty(folder: Path, pin: str) -> None:
    """Serve a table at which nobody has played yet, without camera and panel."""
    with Record(folder) as record, bound(0, "127.0.0.1") as listening:
        session = Session(record)
        session.start()
        _serve(create_app(session, folder, pin=pin), listening)


def _serve(app: Flask, listening: socket.socket) -> None:
    sys.stdout.write(f"{listening.getsockname()[1]}\n")
    sys.stdout.flush()
    server_of(app, listening).run()


def main(folder: Path, pace: float) -> None:
    """Serve a game of four until the input ends."""
    with Record(folder) as record, bound(0, "127.0.0.1") as listening:
        session = Session(record)
        session.start()
        session.ask(StartGame({"players": FOUR}, seed="1")).result()
        latest = session.snapshots.latest
        app = create_app(session, folder, token=TOKEN, pace=pace)
        beside = bare(latest.text if latest else "")
        ours = app.wsgi_app

        def both(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
            return (beside.wsgi_app if environ["PATH_INFO"] == "/bare" else ours)(environ, start)

        app.wsgi_app = both  # type: ignore[method-assign]
        _serve(app, listening)


if __name__ == "__main__":
    match sys.argv[1:]:
        case [folder]:
            main(Path(folder), pace=1.0)
        case [folder, "--still"]:
            main(Path(folder), pace=0.0)
        case [folder, pin]:
            empty(Path(folder), pin)
