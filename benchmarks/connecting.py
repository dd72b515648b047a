"""Measure what bad neighbours cost: idle and dripping connections of one address, and a thousand open at once."""

from __future__ import annotations

import json
import os
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import TYPE_CHECKING

from benchmarks.tabling import quantiles

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).resolve().parent.parent
IDLE, DRIPPING = 1000, 300
HELD, OF_ONE = 1000, 50
"""Connections that are open at once, so many of each address."""
HURRIED = 32
"""Connections that ask for the first page without a pause."""
SECONDS = 20.0
PAUSE = 0.02
"""Seconds between two visits."""
WATCHDOG = 1.0
"""Seconds without a sign of life after which systemd would start the table again; a service of ours has 30."""
PATIENCE = 5.0
NEIGHBOUR, VISITOR = "127.0.0.1", "127.0.0.2"


class Neighbour:
    """Somebody who opens connections, sends nothing or a byte a second, and opens again what is closed."""

    def __init__(self, port: int, idle: int, dripping: int) -> None:
        self._port = port
        self._wanted = {False: idle, True: dripping}
        self._selector = selectors.DefaultSelector()
        self._open: dict[socket.socket, bool] = {}

    def run(self) -> None:
        """Go on until the process is ended."""
        due = monotonic()
        while True:
            for key, _ in self._selector.select(max(due - monotonic(), 0)):
                self._read(key.fileobj)
            if monotonic() >= due:
                due = monotonic() + 1
                self._drip()
                self._open_again()

    def _read(self, line: object) -> None:
        if not isinstance(line, socket.socket):
            raise TypeError(line)
        try:
            if line.recv(1 << 16):
                return
        except OSError:
            pass  # as good as the end
        self._selector.unregister(line)
        del self._open[line]
        line.close()

    def _drip(self) -> None:
        for line, drips in self._open.items():
            if drips:
                try:
                    line.send(b"G")
                except OSError:
                    continue  # it is read next

    def _open_again(self) -> None:
        for drips, wanted in self._wanted.items():
            for _ in range(wanted - sum(one is drips for one in self._open.values())):
                line = socket.socket()
                line.setblocking(False)
                line.connect_ex((NEIGHBOUR, self._port))
                self._selector.register(line, selectors.EVENT_READ)
                self._open[line] = drips


def hurry(port: int, number: int) -> None:
    """Ask for the first page on so many connections, again as soon as it has come, until the process is ended."""

    def ask() -> None:
        while True:
            visited(port, NEIGHBOUR, "/")

    for _ in range(number):
        threading.Thread(target=ask).start()


@contextmanager
def neighbour(port: int, kind: str) -> Iterator[None]:
    """Have a bad neighbour for a while, in a process of its own."""
    with subprocess.Popen([sys.executable, "-m", "benchmarks.connecting", str(port), kind], cwd=HERE) as process:
        try:
            sleep(2)  # what it holds is never all there: it is closed and opened again
            yield
        finally:
            process.kill()


class Systemd:
    """What listens for signs of life, and how long it was without one."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "notify"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(self.path))
        self.gaps: list[float] = []
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        last = 0.0
        while True:
            if self._socket.recv(64) == b"WATCHDOG=1":
                now = monotonic()
                if last:
                    self.gaps.append(now - last)
                last = now

    @property
    def missed(self) -> int:
        """How often systemd would have started the table again."""
        return sum(gap > WATCHDOG for gap in self.gaps)


@contextmanager
def companion(folder: Path, systemd: Systemd) -> Iterator[int]:
    """Start `companion run` as a service; yield its port."""
    told = {"NOTIFY_SOCKET": str(systemd.path), "WATCHDOG_USEC": f"{WATCHDOG * 1e6:.0f}"}
    command = [sys.executable, "-m", "companion.cli", "run", "--port", "0", "--data", str(folder)]
    environment = os.environ | told
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=HERE, env=environment) as process:
        try:
            found = re.search(r":(\d+) ", process.stdout.readline() if process.stdout else "")
            if found is None:
                raise RuntimeError("companion run did not say where it is")
            yield int(found[1])
        finally:
            process.terminate()


def visits(port: int, seconds: float) -> tuple[list[float], int]:
    """Ask for the state from another address, each time on a new connection; return milliseconds and failures."""
    times, failed, end = [], 0, monotonic() + seconds
    while monotonic() < end:
        began = perf_counter()
        failed += not visited(port, VISITOR)
        times.append(1000 * (perf_counter() - began))
        sleep(PAUSE)
    return times, failed


def visited(port: int, source: str, path: str = "/api/state") -> bool:
    """Whether a page is answered."""
    try:
        with socket.create_connection((NEIGHBOUR, port), PATIENCE, (source, 0)) as line:
            return asked(line, path)
    except OSError:
        return False


def asked(line: socket.socket, path: str = "/api/state") -> bool:
    """Whether a page is answered on a connection."""
    line.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    got = b"".join(iter(lambda: line.recv(1 << 16), b""))
    return got.startswith(b"HTTP/1.1 200 ")


def held(port: int, number: int) -> int:
    """Open so many connections from many addresses; return how many are answered once all are open."""
    with ExitStack() as stack:
        lines = [
            stack.enter_context(
                socket.create_connection((NEIGHBOUR, port), PATIENCE, (f"127.0.1.{1 + nth // OF_ONE}", 0))
            )
            for nth in range(number)
        ]
        answered = 0
        for line in lines:
            try:
                answered += asked(line)
            except OSError:
                continue
        return answered


def measure() -> dict[str, float]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        systemd = Systemd(folder)
        port = stack.enter_context(companion(folder / "data", systemd))
        visited(port, VISITOR)
        alone, _ = visits(port, SECONDS / 4)
        with neighbour(port, "holding"):
            beside, failed = visits(port, SECONDS)
        with neighbour(port, "hurrying"):
            hurried, _ = visits(port, SECONDS / 4)
        return {
            **quantiles("alone_ms", alone),
            **quantiles("beside_ms", beside),
            **quantiles("hurried_ms", hurried),
            "failed": failed,
            "held": held(port, HELD),
            "signs": len(systemd.gaps),
            "missed": systemd.missed,
        }


if __name__ == "__main__":
    if sys.argv[2:] == ["holding"]:
        Neighbour(int(sys.argv[1]), IDLE, DRIPPING).run()
    elif sys.argv[2:] == ["hurrying"]:
        hurry(int(sys.argv[1]), HURRIED)
    else:
        print(json.dumps(measure(), indent=1))
