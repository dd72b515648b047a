"""Connections as tests open them, and what they read from one."""

import json
import socket
import threading

from tests.serving import WAIT, Serving
from web.base.serving import bound
from web.server.limits import Limits
from web.server.server import Server

PATIENT = Limits(tick=0.05, idle=60.0, header=60.0, body=60.0, stalled=60.0, leaving=60.0)
SOON = 0.3
STATE = b"GET /api/state HTTP/1.1\r\nHost: localhost\r\n\r\n"
EVENTS = b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
HERE, THERE = "127.0.0.1", "127.0.0.2"
CHUNKED = b"POST /api/moves HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


def line(port, source=HERE, sends=b""):
    found = socket.create_connection((HERE, port), WAIT, (source, 0))
    if sends:
        found.sendall(sends)
    return found


def everything(found):
    return b"".join(iter(lambda: found.recv(1 << 16), b""))


def until(found, wanted):
    got = b""
    while wanted not in got:
        more = found.recv(1 << 16)
        assert more, got
        got += more
    return got


def refused(answer, status, code):
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.split()[1] == str(status).encode(), answer
    assert json.loads(body)["error"]["code"] == code
    assert set(json.loads(body)["error"]) == {"code", "fields", "message"}


def dripped(found, sends):
    """Send one byte after the other until the other side has had enough; return what it says."""
    found.settimeout(0.02)
    for nth in range(len(sends)):
        try:
            found.sendall(sends[nth : nth + 1])
            got = found.recv(1 << 16)
        except TimeoutError:
            continue
        found.settimeout(WAIT)
        return got + everything(found)
    raise AssertionError("all of it was taken")


class Raw:
    """A bare application on the server."""

    def __init__(self, application, limits=PATIENT):
        self.listening = bound(0, HERE)
        self.port = self.listening.getsockname()[1]
        self.server = Server(application, self.listening, limits=limits)
        self.thread = threading.Thread(target=self.server.run, daemon=True)
        self.thread.start()

    close = Serving.close
