"""The server: takes connections within a budget for each address, and tells streams that there is news."""

from __future__ import annotations

import copy
import fcntl
import io
import logging
import resource
import socket
import sys
import threading
import time
from collections import Counter, deque
from contextlib import suppress
from selectors import EVENT_READ
from typing import TYPE_CHECKING, Final, TypeGuard

from waitress.adjustments import Adjustments

from web.server.answers import CROWDED, LASTING
from web.server.connection import Connection
from web.server.limits import Limits
from web.server.threads import Loop, Workers

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Iterable
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from web.server.answers import HttpRequest, Lasting
    from web.server.tls import Tls

BODY: Final = 64 * 1024
"""Bytes of a request's body, where its page takes no file."""
HEADER: Final = 32 * 1024
AT_ONCE: Final = 32
"""Connections that are taken before those that are there get their turn again."""
SELECTABLE: Final = 1024
"""Descriptors below are left to libraries that wait with select(), which knows no others."""
FILES: Final = 4096
"""Descriptors that are asked for; a service of systemd has 1,024 at first."""
RESERVED: Final = 200
"""Descriptors for everything that is no connection."""
logger = logging.getLogger(__name__)


class Door:
    """A listening socket, and what TLS is agreed on by where it is for secure pages."""

    def __init__(self, listening: socket.socket, context: ssl.SSLContext | None = None) -> None:
        self.listening = listening
        self.context = context
        """Newcomers are let in by this one; who is in stays with theirs."""


class Server:
    """Serves a WSGI application on a listening socket, and over TLS on another where one is opened."""

    def __init__(
        self,
        application: WSGIApplication,
        listening: socket.socket,
        *,
        options: Iterable[tuple[int, int, int]] = (),
        largest_body: Callable[[HttpRequest], int] = lambda _: BODY,
        limits: Limits | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.largest_body = largest_body
        self._application = application
        self._doors = [Door(listening)]
        self._options = tuple(options)
        self.adj = Adjustments(
            sockets=[listening],
            ident="companion",
            log_socket_errors=False,  # a phone that has gone is no error
            max_request_body_size=BODY + 1,  # waitress refuses what has as many
            max_request_header_size=HEADER,
        )
        self.secure_adj = copy.copy(self.adj)
        self.secure_adj.url_scheme = "https"
        self.server_name = self.adj.server_name
        self.effective_port = listening.getsockname()[1]
        self.loop = Loop(self._tick, self.limits.tick)
        self.workers = Workers(self.limits.threads, self.limits.threads_of_one)
        self._held: dict[str, set[Connection]] = {}
        self._waiting: dict[str, dict[Connection, None]] = {}
        self._listeners: dict[Connection, None] = {}
        self._newcomers: Counter[str] = Counter()
        self._handshakes: Counter[str] = Counter()
        self._turn = 0
        self._reads: Counter[str] = Counter()
        self._asked: deque[threading.Event] = deque()
        self._number = 0
        self._has_news = False
        self._is_accepting = False
        self._is_stopped = False
        self._room = _room(self.limits.connections)
        listening.setblocking(False)

    # Any thread

    def run(self) -> None:
        """Serve until `stop`, or until the thread is interrupted; answers under way are still sent."""
        try:
            self._accept_again()
            with suppress(SystemExit, KeyboardInterrupt):
                self.loop.run(lambda: self._is_stopped)
        finally:
            self._end()

    def stop(self, then: Callable[[], None] = lambda: None) -> None:
        """End soon; `then` runs in the loop's thread. Any thread may ask, and a signal handler."""
        self._is_stopped = True
        self.loop.call(then)

    def open_door(self, door: Door) -> None:
        """Serve secure pages at a door soon; its socket is ours from now on."""
        door.listening.setblocking(False)
        self.loop.call(lambda: self._open(door))

    def close_door(self, door: Door) -> None:
        """Take nobody in there any more, and let go who came in by it."""
        self.loop.call(lambda: self._close(door))

    def news(self) -> None:
        """Note that streams have something to send. A signal may call this."""
        if not self._has_news:
            self._has_news = True
            self.loop.call(self._push)

    def answers(self, path: str, patience: float) -> bool:
        """Whether loop, worker and application answer a request; it comes through no connection, so none delays it."""
        answered = threading.Event()
        self._asked.append(answered)
        if not self._is_stopped:
            self.loop.call(lambda: self.workers.add("", lambda: self._visit(path, answered)))
            answered.wait(patience)
        self._asked.remove(answered)
        return answered.is_set() and not self._is_stopped

    def application(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Call the application; an answer that stays open is set aside, for no worker to wait with it."""
        answer = self._application(environ, start)
        if _stays_open(answer):
            environ[LASTING] = answer
            return iter((answer.due() or b"",))
        return answer

    # The loop's thread, for its connections

    def may_read(self, address: str) -> bool:
        """Whether one more connection of an address is read in this turn of the loop; the others are in the next ones.

        What one sends can be much to parse, and while it is parsed nobody else's is.
        """
        if self._turn != self.loop.turn:
            self._turn = self.loop.turn
            self._reads.clear()
        self._reads[address] += 1
        return self._reads[address] <= self.limits.reads

    def is_busy(self, connection: Connection) -> None:
        """Note that it is no longer waiting: nobody's newcomer takes its place."""
        self._waiting.get(connection.addr[0], {}).pop(connection, None)

    def is_waiting(self, connection: Connection) -> None:
        """Note that it is the last of those that wait."""
        waiting = self._waiting.setdefault(connection.addr[0], {})
        waiting.pop(connection, None)
        waiting[connection] = None

    def is_listening(self, connection: Connection) -> None:
        self._listeners[connection] = None

    def forget(self, connection: Connection) -> None:
        address = connection.addr[0]
        self._listeners.pop(connection, None)
        self.is_busy(connection)
        if not self._waiting.get(address, True):
            del self._waiting[address]
        held = self._held.get(address, set())
        if connection in held:
            self._number -= 1
            held.remove(connection)
            if not held:
                del self._held[address]

    # The loop's thread

    def _open(self, door: Door) -> None:
        if self._is_stopped:
            door.listening.close()
            return
        self._doors.append(door)
        if self._is_accepting:
            self._watch(door)

    def _close(self, door: Door) -> None:
        if door not in self._doors:
            return
        if self._is_accepting:
            self.loop.watch(door.listening, 0, EVENT_READ, lambda _: None)
        self._doors.remove(door)
        door.listening.close()
        for connection in self._all():
            if connection.tls is not None:
                connection.close()

    def _watch(self, door: Door) -> None:
        self.loop.watch(door.listening, EVENT_READ, 0, lambda _: self._accept(door))

    def _accept(self, door: Door) -> None:
        for _ in range(AT_ONCE):
            if not self._is_accepting or door not in self._doors:
                return
            try:
                found, addr = door.listening.accept()
            except BlockingIOError:
                return
            except ConnectionError:
                continue
            except OSError as error:
                logger.warning("no connection can be taken: %s", error.strerror)
                self._make_room(None)
                self._pause()
                return
            self._take(found, addr, door.context)

    def _take(self, found: socket.socket, addr: tuple[str, int], context: ssl.SSLContext | None) -> None:
        self._newcomers[addr[0]] += 1
        self._handshakes[addr[0]] += context is not None
        is_flood = context is not None and self._handshakes[addr[0]] > self.limits.handshakes
        if is_flood or not self._has_room(addr[0]):
            in_words = context is None and self._newcomers[addr[0]] <= self.limits.newcomers
            _turn_away(found, in_words=in_words)
            return
        try:
            lifted = _lifted(found)
            for option in self._options:
                lifted.setsockopt(*option)
        except OSError:
            found.close()
            return
        connection = Connection(self, lifted, addr, None if context is None else _tls_of(context))
        self._number += 1
        self._held.setdefault(addr[0], set()).add(connection)
        self.is_waiting(connection)

    def _has_room(self, address: str) -> bool:
        """Whether one more is within the budget; one that waits gives way, the one that has waited longest first."""
        if len(self._held.get(address, ())) < self.limits.of_one and self._number < self._room:
            return True
        if self._newcomers[address] > self.limits.newcomers:
            return False
        return self._make_room(address if len(self._held.get(address, ())) >= self.limits.of_one else None)

    def _make_room(self, address: str | None) -> bool:
        """Close what has waited longest of an address, or of the one of which most are waiting."""
        if address is None:
            address = max(self._waiting, key=lambda one: len(self._waiting[one]), default="")
        longest = next(iter(self._waiting.get(address, ())), None)
        if longest is not None:
            longest.close()
        return longest is not None

    def _pause(self) -> None:
        for door in self._doors:
            self.loop.watch(door.listening, 0, EVENT_READ, lambda _: None)
        self._is_accepting = False

    def _accept_again(self) -> None:
        for door in self._doors:
            self._watch(door)
        self._is_accepting = True

    def _push(self) -> None:
        self._has_news = False
        for connection in tuple(self._listeners):
            connection.push()

    def _tick(self) -> None:
        now = time.monotonic()
        self._newcomers.clear()
        self._handshakes.clear()
        for connection in self._all():
            connection.check(now)
        if not self._is_accepting and not self._is_stopped:
            self._accept_again()

    def _all(self) -> list[Connection]:
        return [connection for held in self._held.values() for connection in held]

    def _end(self) -> None:
        """Send what is under way, then close everything; a phone finds the end of its stream, not a broken one."""
        self._is_stopped = True
        for answered in tuple(self._asked):
            answered.set()
        if self._is_accepting:
            self._pause()
        for door in self._doors[1:]:
            door.listening.close()
        for connection in tuple(self._listeners):
            connection.end_lasting()
        late = time.monotonic() + self.limits.ending
        self.loop.run(lambda: time.monotonic() > late or not any(one.is_under_way for one in self._all()))
        if not self.workers.close(max(late - time.monotonic(), 0.1)):
            logger.warning("requests are still running")
        for connection in self._all():
            connection.close()
        self.loop.close()

    # A worker's thread

    def _visit(self, path: str, answered: threading.Event) -> None:
        """Ask the application for a page as a request would."""
        environ: WSGIEnvironment = {
            "REQUEST_METHOD": "GET",
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "QUERY_STRING": "",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": str(self.effective_port),
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_HOST": "localhost",
            "wsgi.url_scheme": "http",
            "wsgi.version": (1, 0),
            "wsgi.input": io.BytesIO(),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
        }
        try:
            answer = self._application(environ, lambda *_: lambda _: None)
            if hasattr(answer, "close"):
                answer.close()
        except Exception:
            logger.exception("%s does not answer", path)
        else:
            answered.set()


def _stays_open(answer: Iterable[bytes]) -> TypeGuard[Lasting]:
    return hasattr(answer, "is_due")


def _room(wanted: int) -> int:
    """Return how many connections may be open, having asked the system for enough descriptors."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    enough = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < enough:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (enough, hard))
            soft = enough
    return wanted if soft == resource.RLIM_INFINITY else min(wanted, soft - RESERVED)


def _lifted(found: socket.socket) -> socket.socket:
    """Return a connection under a descriptor that leaves the low ones to others, where there are so many."""
    try:
        number = fcntl.fcntl(found.fileno(), fcntl.F_DUPFD_CLOEXEC, SELECTABLE)
    except OSError:
        lifted = found
    else:
        lifted = socket.socket(found.family, found.type, found.proto, number)
        found.close()
    lifted.setblocking(False)
    return lifted


def _tls_of(context: ssl.SSLContext) -> Tls:
    from web.server.tls import Tls  # noqa: PLC0415 - only secure pages wait for what it loads

    return Tls(context)


def _turn_away(found: socket.socket, *, in_words: bool) -> None:
    """Close a connection, having said that there are too many; nobody waits for it."""
    if in_words:
        with suppress(OSError):
            found.setblocking(False)
            found.send(CROWDED)
            found.shutdown(socket.SHUT_WR)
            found.recv(HEADER)  # what is not read would make an error of the answer
    found.close()
