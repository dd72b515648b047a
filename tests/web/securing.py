"""An authority as the table makes one, once a run, and clients that trust it."""

import socket
import ssl
import time
from functools import cache

from connecting import HERE

from companion.app.authority import certificate_in, new_authority, new_leaf
from tests.serving import WAIT
from web.base.serving import bound
from web.server.server import Door

NAME = "table.local"


@cache
def authority():
    return new_authority("Table companion table", ["table.local", "table"], ["127.0.0.0/24"], now=time.time())


@cache
def leaf(*names):
    return new_leaf(authority().pem, names or (NAME,), (HERE,), now=time.time()).pem


def serving(folder):
    """What a server agrees on TLS by."""
    file = folder / "table.pem"
    file.write_bytes(leaf())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    return context


def trusting(pem=None):
    """A browser with the authority installed."""
    return ssl.create_default_context(cadata=certificate_in(pem or authority().pem))


def secured(server, folder):
    """Open a second, secure door of a server that runs; return its port."""
    door = Door(bound(0, HERE), serving(folder))
    port = door.listening.getsockname()[1]
    server.open_door(door)
    return door, port


def secure_line(port, source=HERE, name=NAME, sends=b"", context=None):
    plain = socket.create_connection((HERE, port), WAIT, (source, 0))
    found = (context or trusting()).wrap_socket(plain, server_hostname=name)
    if sends:
        found.sendall(sends)
    return found
