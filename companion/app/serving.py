"""Serve an evening: the pages at a port, under systemd's socket and watchdog, until somebody or a bug ends it."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from concurrent.futures import TimeoutError as TooLateError
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from companion.app.network_services import PageAddress, network_services, own_address
from companion.app.runtime import TableRuntime
from companion.app.secure_pages import SecurePages
from companion.app.sight.vision_thread import return_pictures_to_system
from companion.network.broker_settings import label
from companion.refusal import Refusal
from companion.table.session.containment import Bugs
from companion.table.session.intents import AskCards
from web.base.access import Locks, new_pin
from web.base.app import create_app
from web.base.serving import bound, let_go, server_of, stop_on_signals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from flask import Flask

    from companion.app.config import Config
    from companion.app.devices import Devices
    from companion.app.runtime import Service
    from companion.table.ports import Check, Playground, Running
    from companion.table.record.record import Record
    from companion.table.session.session import Session
    from web.server.server import Server


FIRST_SOCKET: Final = 3
PATIENCE: Final = 5.0
HEALTH: Final = "/healthz"


@contextmanager
def listening(port: int, environment: Mapping[str, str]) -> Iterator[socket.socket]:
    """Return the socket that systemd has opened for us, which may be at port 80; else one of our own."""
    with _handed_over(environment) or bound(port) as found:
        yield found


def _handed_over(environment: Mapping[str, str]) -> socket.socket | None:
    if environment.get("LISTEN_PID") != str(os.getpid()) or environment.get("LISTEN_FDS") != "1":
        return None
    found = socket.socket(fileno=FIRST_SOCKET)
    found.setblocking(False)
    return found


class Watchdog:
    """Tells systemd that all is up, and from then on that it is alive, as often as systemd wants to hear it.

    It asks for a page without a connection: whoever holds all connections must not have the table started again.
    """

    def __init__(self, session: Session, is_served: Callable[[], bool], environment: Mapping[str, str]) -> None:
        self._session = session
        self._is_served = is_served
        self._address = environment.get("NOTIFY_SOCKET", "")
        self._every = int(environment.get("WATCHDOG_USEC", "0")) / 2e6
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="watchdog", daemon=True)

    def start(self) -> None:
        """Report that the pages have been served once."""
        self._say("READY=1")
        if self._address and self._every:
            self._thread.start()

    def close(self) -> None:
        """Report that we end on purpose."""
        self._say("STOPPING=1")
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._ended.wait(self._every):
            if self._is_alive():
                self._say("WATCHDOG=1")

    def _is_alive(self) -> bool:
        """Return whether the session answers and the page is served."""
        try:
            self._session.question(AskCards()).result(PATIENCE)
        except (OSError, Refusal, TooLateError):
            return False
        return self._is_served()

    def _say(self, what: str) -> None:
        if not self._address:
            return
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
            systemd.sendto(what.encode(), address)


IN_A_LOG: Final = "JOURNAL_STREAM"
"""Systemd sets it where the output of a service goes into its journal."""
FIRST_ANSWER: Final = 60.0
"""Seconds in which the own page answers, or everything else begins without it."""


@dataclass(frozen=True, slots=True)
class Served:
    """Where the pages are, and the host's PIN there."""

    address: str
    pin: str | None
    """None where it is the stored one, which nobody can read."""
    folder: Path


def serve(  # noqa: PLR0913 - what an evening is served with, all named
    record: Record,
    config: Config,
    devices: Devices,
    *,
    token: str | None,
    greet: Callable[[Served], None],
    fresh_pin: bool = False,
    then: Callable[[Served], None] = lambda _: None,
    parts: Sequence[Callable[[TableRuntime], Service]] = (),
    playground: Playground | None = None,
) -> bool:
    """Serve until the end; return whether it ended well. `greet` is called before pages are served, `then` after."""
    return_pictures_to_system()
    with listening(config.port, os.environ) as door, Threads() as threads:
        place = _place(config, door.getsockname()[1])
        evening = _runtime_of(record, config, devices, place, parts)
        secure = SecurePages(record.folder, place.name, config.secure_port, place.now_at)
        evening.add(secure)
        threads.bugs = evening.session.bugs
        served = Served(place.address(), pin_to_tell(record.folder, fresh=fresh_pin), record.folder)
        evening.start_session()
        try:
            app = _pages(evening, config, place, secure, token, playground)
            server = server_of(app, door)
            secure.serve_with(server)
            evening.add(Watchdog(evening.session, lambda: server.answers(HEALTH, PATIENCE), os.environ))
            stop_on_signals(server, lambda: let_go(app))
            _beside("end", lambda: _end_behind(evening.session))
            greet(served)
            _beside("begin", lambda: _begin(server, evening, served, then))
            server.run()
        finally:
            evening.close()
    return evening.session.failure is None and not threads.ended_by


def _place(config: Config, port: int) -> PageAddress:
    """Return the table's address and name in the network."""
    return PageAddress(config.name or socket.gethostname(), port, own_address)


def _runtime_of(
    record: Record,
    config: Config,
    devices: Devices,
    place: PageAddress,
    parts: Sequence[Callable[[TableRuntime], Service]],
) -> TableRuntime:
    """Return a table with all its services; nothing has started yet."""
    evening = TableRuntime(record, config, devices)
    for part in parts:
        evening.add(part(evening))
    for neighbour in network_services(config, evening.session, record.folder, place):
        evening.add(neighbour, neighbour.device)
    return evening


def _pages(
    evening: TableRuntime,
    config: Config,
    place: PageAddress,
    secure: SecurePages,
    token: str | None,
    playground: Playground | None,
) -> Flask:
    """Return the application, known by every name that phones may call this machine."""
    name = config.name or socket.gethostname()

    def checks(running: Running) -> Sequence[Check]:
        from companion.app.doctor.table_checks import examine  # noqa: PLC0415 - the first page does not wait for it

        return examine(config, running)

    return create_app(
        evening.session,
        evening.folder,
        token=token,
        address=place.address,
        hosts={name, f"{name}.local", label(name), f"{label(name)}.local", socket.gethostname()},
        sight=evening.sight,
        playground=playground,
        calibrator=None if evening.eye is None else evening.guide,
        cameras=evening.choice,
        phone_eye=evening.phone,
        machine=evening.machine,
        panel_check=None if evening.panel is None else evening.panel.check,
        doctor=checks,
        reviewer=evening.reviews,
        secure=secure,
    )


def pin_to_tell(folder: Path, *, fresh: bool) -> str | None:
    """Return a new PIN on the first start and on request; never where the output goes into a log."""
    locks = Locks(folder)
    if IN_A_LOG in os.environ or (locks.has_pin and not fresh):
        return None
    pin = new_pin()
    locks.set_pin(pin)
    return pin


def _beside(name: str, does: Callable[[], None]) -> None:
    threading.Thread(target=does, daemon=True, name=name).start()


def _begin(server: Server, evening: TableRuntime, served: Served, then: Callable[[Served], None]) -> None:
    """Start what is slow to load or to open, once the own page has answered."""
    server.answers(HEALTH, FIRST_ANSWER)
    evening.start_services()
    then(served)


NEEDED: Final = ("end", "watchdog")
"""Threads without which nobody would notice that the rest has stopped. The session's looks after itself."""


class Threads:
    """Takes note of threads that a bug has ended.

    One that is needed ends the companion, to be started again. Every other is a device's, a helper's or a library's:
    it is counted and logged, and people play on.
    """

    def __init__(self) -> None:
        self.bugs = Bugs()
        self.ended_by = ""
        """The bug for which the companion ends."""
        self._usual = threading.excepthook

    def __enter__(self) -> Self:
        threading.excepthook = self._ended
        return self

    def __exit__(self, *_: object) -> None:
        threading.excepthook = self._usual

    def _ended(self, dead: threading.ExceptHookArgs) -> None:
        name = dead.thread.name if dead.thread else "of nobody"
        self.bugs.note(f"the thread {name} has ended", dead.exc_value or dead.exc_type())
        if name in NEEDED:
            self.ended_by = f"{dead.exc_type.__name__} in the thread {name}"
            sys.stderr.write(f"the companion ends: {self.ended_by}\n")
            os.kill(os.getpid(), signal.SIGTERM)


def _end_behind(session: Session) -> None:
    """End when the session ends, to be started again: a page without it would only show what was."""
    session.wait()
    if session.failure is not None:
        os.kill(os.getpid(), signal.SIGTERM)
