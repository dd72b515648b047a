"""Under systemd: the socket that it holds, and the signs of life that it waits for."""

from __future__ import annotations

import os
import socket
import threading
from concurrent.futures import TimeoutError as TooLateError
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from companion.refusal import Refusal
from companion.table.session.intents import AskCards
from web.base.serving import bound

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from companion.table.session.session import Session

FIRST_SOCKET: Final = 3
PATIENCE: Final = 5.0


@contextmanager
def listening(port: int, environment: Mapping[str, str]) -> Iterator[socket.socket]:
    """The socket that systemd has opened for us, which may be at port 80; else one of our own."""
    with _handed_over(environment) or bound(port) as found:
        yield found


def _handed_over(environment: Mapping[str, str]) -> socket.socket | None:
    if environment.get("LISTEN_PID") != str(os.getpid()) or environment.get("LISTEN_FDS") != "1":
        return None
    found = socket.socket(fileno=FIRST_SOCKET)
    found.setblocking(False)
    return found


class Watchdog:
    """Says that all is up, and from then on that it is alive, as often as systemd wants to hear it."""

    def __init__(self, session: Session, port: int, environment: Mapping[str, str]) -> None:
        self._session = session
        self._port = port
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._every = int(environment.get("WATCHDOG_USEC", "0")) / 2e6
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def start(self) -> None:
        """The pages have been served once: we are up."""
        self._say("READY=1")
        if self._address and self._every:
            self._thread.start()

    def close(self) -> None:
        """We end on purpose."""
        self._say("STOPPING=1")
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(self._every):
            if self._is_alive():
                self._say("WATCHDOG=1")

    def _is_alive(self) -> bool:
        """The session answers, and the page is served."""
        return _answers(lambda: self._session.question(AskCards()).result(PATIENCE)) and _answers(self._visit)

    def _visit(self) -> None:
        with socket.create_connection(("127.0.0.1", self._port), PATIENCE) as visitor:
            visitor.sendall(b"GET /healthz HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
            if not visitor.recv(1):
                raise OSError("the page was closed")

    def _say(self, what: str) -> None:
        if not self._address:
            return
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
            systemd.sendto(what.encode(), address)


def _answers(asked: Callable[[], object]) -> bool:
    try:
        asked()
    except (OSError, Refusal, TooLateError):
        return False
    return True
