"""Serve the pages in a process of their own, and a bare Flask route with the same answer on the same server."""

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


def main(folder: Path) -> None:
    """Serve until the input ends."""
    with Record(folder) as record, bound(0, "127.0.0.1") as listening:
        session = Session(record)
        session.start()
        session.ask(StartGame({"players": FOUR}, seed="1")).result()
        latest = session.snapshots.latest
        app = create_app(session, folder, token=TOKEN)
        beside = bare(latest.text if latest else "")
        ours = app.wsgi_app

        def both(environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
            return (beside.wsgi_app if environ["PATH_INFO"] == "/bare" else ours)(environ, start)

        app.wsgi_app = both  # type: ignore[method-assign]
        sys.stdout.write(f"{listening.getsockname()[1]}\n")
        sys.stdout.flush()
        server_of(app, listening).run()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
