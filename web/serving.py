"""Serves the pages with waitress: a thread for every stream that may be open, and some more for everything else."""

from __future__ import annotations

import socket
from typing import TYPE_CHECKING, Final

from waitress.server import create_server

from web.house import EXTENSION

if TYPE_CHECKING:
    from flask import Flask
    from waitress.server import BaseWSGIServer, MultiSocketServer

    Server = BaseWSGIServer | MultiSocketServer

OTHERS: Final = 8
GONE_AFTER: Final = 15_000
"""Milliseconds after which a phone that acknowledges nothing is gone."""
SOCKET_OPTIONS: Final = (
    (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
    (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, GONE_AFTER),
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    (socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 5),
    (socket.IPPROTO_TCP, socket.TCP_KEEPINTVL, 5),
    (socket.IPPROTO_TCP, socket.TCP_KEEPCNT, 2),
)


def server_of(app: Flask, port: int, address: str = "0.0.0.0") -> Server:  # noqa: S104 - phones come from outside
    """A server that is bound and not yet running."""
    streams = app.extensions[EXTENSION].streams
    server: Server = create_server(
        app,
        host=address,
        port=port,
        threads=streams.most + OTHERS,
        connection_limit=4 * streams.most,
        channel_request_lookahead=1,
        ident="companion",
    )
    server.adj.socket_options = list(SOCKET_OPTIONS)
    return server
