"""Serves the pages: the listening socket, what a phone's socket is set to, and what the server asks the application."""

from __future__ import annotations

import signal
import socket
from typing import TYPE_CHECKING, Final

from web.base.context import EXTENSION
from web.base.guard import largest_body
from web.server.server import Server

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from flask import Flask

    from web.server.limits import Limits

BACKLOG: Final = 1024
GONE_AFTER: Final = 7
"""Seconds after which a phone that acknowledges nothing is gone.

They count twice at worst: a heartbeat that goes out just before an idle phone is given up begins them anew.
"""


def options(gone_after: int) -> list[tuple[int, int, int]]:
    """Return the options of a phone's socket: what is written goes out at once, and silence has an end."""
    probe = max(gone_after // 3, 1)
    return [
        (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
        (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 1000 * gone_after),
        (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
        (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, probe),
        (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, probe),
        (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 2),
    ]


def bound(port: int, address: str = "0.0.0.0") -> socket.socket:  # noqa: S104 - phones come from outside
    """Return a socket that listens at a port, 0 for any free one; the caller closes it."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((address, port))
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def server_of(
    app: Flask, listening: socket.socket, *, gone_after: int = GONE_AFTER, limits: Limits | None = None
) -> Server:
    """Return a server on a listening socket, not yet running."""
    server = Server(
        app,
        listening,
        options=options(gone_after),
        largest_body=lambda request: largest_body(app, *request.target, request.headers, request.adj.url_scheme),
        limits=limits,
    )
    app.extensions[EXTENSION].streams.watch(server.news)
    return server


def stop_on_signals(server: Server, let_go: Callable[[], None]) -> None:
    """End the server when a person or systemd says so; `let_go` releases those who wait for something.

    The handler only leaves a note for the loop: an exception raised in the loop's thread could come between watching a
    socket and noting that it is watched.
    """

    def handle(signum: int, frame: FrameType | None) -> None:  # noqa: ARG001 - the shape of a handler
        server.stop(let_go)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, handle)


def let_go(app: Flask) -> None:
    """End everything that stays open for long."""
    shared = app.extensions[EXTENSION]
    shared.streams.close()
    shared.films.close()
