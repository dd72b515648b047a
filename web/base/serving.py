"""Serves the pages with waitress: a thread for every stream that may be open, and some more for everything else."""

from __future__ import annotations

import json
import socket
from typing import TYPE_CHECKING, Any, Final, cast

from waitress.channel import HTTPChannel
from waitress.server import create_server
from waitress.task import ErrorTask

from web.base.context import EXTENSION

if TYPE_CHECKING:
    from flask import Flask
    from waitress.server import BaseWSGIServer, MultiSocketServer

    Server = BaseWSGIServer | MultiSocketServer

OTHERS: Final = 8
BACKLOG: Final = 1024
LARGEST: Final = 32 * 1024 * 1024
"""Bytes that are read to the end, so that whoever sends too much reads the answer; beyond, the line is cut."""
CODES: Final = {413: "too_large", 431: "too_large", 500: "internal"}
GONE_AFTER: Final = 7
"""Seconds after which a phone that acknowledges nothing is gone.

They count twice at worst: a heartbeat that goes out just before an idle phone is given up begins them anew.
"""


class NoRequest(ErrorTask):
    """The answer to bytes that are no HTTP request, in the shape of every error."""

    def execute(self) -> None:
        error = cast("Any", self.request).error
        code = CODES.get(error.code, "malformed")
        told = json.dumps({"error": {"code": code, "fields": {}, "message": f"{error.body}."}}).encode()
        self.status = f"{error.code} {error.reason}"
        self.response_headers = [("Content-Type", "application/json")]
        self.set_close_on_finish()
        self.content_length = len(told)
        self.write(told)


class Channel(HTTPChannel):
    """A connection whose errors have our shape."""

    error_task_class = NoRequest


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


def server_of(app: Flask, listening: socket.socket, *, gone_after: int = GONE_AFTER) -> Server:
    """Return a server on a listening socket, not yet running."""
    streams = app.extensions[EXTENSION].streams
    made = create_server(
        app,
        sockets=[listening],
        threads=streams.most + OTHERS,
        connection_limit=4 * streams.most + OTHERS,
        channel_request_lookahead=1,
        log_socket_errors=False,  # a phone that has gone is no error
        ident="companion",
        max_request_body_size=LARGEST,
    )
    server = cast("BaseWSGIServer", made)  # on one socket it is one server
    server.channel_class = Channel
    server.adj.socket_options = options(gone_after)
    return server


def let_go(app: Flask) -> None:
    """End everything that stays open for long."""
    shared = app.extensions[EXTENSION]
    shared.streams.close()
    shared.films.close()
