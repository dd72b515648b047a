"""Measure the pages: the state beside a bare route, a move to fifty streams, and what the first page weighs."""

from __future__ import annotations

import http.client
import json
import os
import re
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from benchmarks.served import TOKEN
from benchmarks.tabling import bare_database, commit, quantiles

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

HERE = Path(__file__).resolve().parent.parent
STREAMS = 50
MOVES = 300
ROUNDS = 40
ASKED = 50
"""Requests in a row; the two routes take turns so many times in `ROUNDS` rounds."""
PATIENCE = 30.0
THINKING = ["-m", "companion.cli", "simulate", "--games", "100000", "--policy", "greedy", "--json"]
NIGHT = 19
LINKED = re.compile(r'(?:href|src)="(/static/[^"]+)"')
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}


@contextmanager
def served(folder: Path, *pin: str, still: bool = False) -> Iterator[tuple[int, int]]:
    """Serve the pages of a game, `still` without its scenes, or with a host's PIN those of an empty table.

    Yield the port, and the process.
    """
    command = [sys.executable, "-m", "benchmarks.served", str(folder), *pin, *(["--still"] if still else [])]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=HERE) as process:
        try:
            yield int(process.stdout.readline() if process.stdout else ""), process.pid
        finally:
            process.terminate()


def _patient() -> None:
    """Lower the priority, as a bot's process does, whatever has started this one."""
    os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    os.nice(NIGHT)


@contextmanager
def thinking() -> Iterator[None]:
    """Run a bot beside it, in a process of its own with low priority."""
    with subprocess.Popen(
        [sys.executable, *THINKING],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=HERE,
        preexec_fn=_patient,  # noqa: PLW1509 - no thread of ours runs yet
    ) as process:
        try:
            yield
        finally:
            process.kill()


class Phones:
    """Fifty phones on their streams and one that taps, on one thread."""

    def __init__(self, port: int, number: int) -> None:
        self._selector = selectors.DefaultSelector()
        self._phones = [self._phone(port) for _ in range(number)]
        self.tapping = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def _phone(self, port: int) -> socket.socket:
        phone = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        phone.sendall(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        while b"event: state" not in phone.recv(1 << 20):
            pass
        phone.setblocking(False)
        self._selector.register(phone, selectors.EVENT_READ)
        return phone

    def tap(self, move: dict[str, Any]) -> list[float]:
        """Post a move; after how many seconds each phone had it."""
        began = perf_counter()
        self.tapping.request("POST", "/api/moves", json.dumps(move), HEADERS)
        waiting, seen = set(self._phones), []
        while waiting:
            for key, _ in self._selector.select(PATIENCE):
                phone = key.fileobj
                if isinstance(phone, socket.socket) and b"event: state" in phone.recv(1 << 20) and phone in waiting:
                    waiting.remove(phone)
                    seen.append(perf_counter() - began)
        answer = self.tapping.getresponse()
        answer.read()
        if answer.status != http.client.OK:
            raise RuntimeError(f"{move} was answered with {answer.status}")
        return seen

    def read_all(self) -> None:
        """Read what is still on its way from before."""
        while found := self._selector.select(0.05):
            for key, _ in found:
                if isinstance(key.fileobj, socket.socket):
                    key.fileobj.recv(1 << 20)

    def close(self) -> None:
        """Hang up."""
        for phone in self._phones:
            phone.close()
        self.tapping.close()


def of_processor(process: int) -> dict[str, tuple[int, int]]:
    """Return how long each thread has run, and has waited for a processor that others had, in nanoseconds."""
    found = {}
    for thread in Path(f"/proc/{process}/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):
            ran, waited, _ = (thread / "schedstat").read_text(encoding="ascii").split()
            found[thread.name] = int(ran), int(waited)
    return found


def spread(phones: Phones, name: str, bare: sqlite3.Connection, process: int) -> dict[str, float]:
    """Time moves and undos until the last of fifty phones has seen each; and what the disk alone takes, in between.

    Beside it: how long the server's threads ran for a move, and how long they waited for a processor, which is the
    machine's and other programs' doing.
    """
    last, alone, ran, waited = [], [], [], []
    for _ in range(MOVES // 2):
        for move in ({"do": "place", "by": "red", "space": "1:R1a"}, {"do": "undo"}):
            phones.read_all()
            before = of_processor(process)
            last.append(1000 * max(phones.tap(move)))
            after = of_processor(process)
            for times, which in ((ran, 0), (waited, 1)):
                times.append(sum(after[one][which] - before.get(one, (0, 0))[which] for one in after) / 1e6)
            alone.append(commit(bare))
    return {
        **quantiles(name, last),
        **quantiles(f"{name}_disk", alone),
        **quantiles(f"{name}_ran", ran),
        **quantiles(f"{name}_waited", waited),
    }


def beside_bare(port: int, name: str) -> dict[str, float]:
    """Return the same text from our route and from a bare one, in turns on one connection."""
    asking = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    times: dict[str, list[float]] = {"/api/state": [], "/bare": []}
    for _ in range(ROUNDS):
        for path, taken in times.items():
            for _ in range(ASKED):
                began = perf_counter()
                asking.request("GET", path)
                asking.getresponse().read()
                taken.append(perf_counter() - began)
    asking.close()
    ours, theirs = (statistics.median(taken) for taken in times.values())
    return {f"{name}_ratio": ours / theirs, f"{name}_ms": 1000 * ours}


def first_page(port: int) -> dict[str, float]:
    """Return everything that a phone fetches for its first page."""
    base = f"http://127.0.0.1:{port}"

    def got(path: str) -> bytes:
        with urllib.request.urlopen(base + path, timeout=PATIENCE) as answer:  # noqa: S310 - our own address
            content: bytes = answer.read()
            return content

    page = got("/")
    linked = set(LINKED.findall(page.decode()))
    sizes = [len(page), *(len(got(path)) for path in linked)]
    return {"first_page_bytes": sum(sizes), "first_page_html": len(page), "first_page_requests": len(sizes)}


def measure() -> dict[str, float]:
    """Return all of it, on one server."""
    found: dict[str, float] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        bare = bare_database(folder / "bare.sqlite3")
        stack.callback(bare.close)
        port, process = stack.enter_context(served(folder / "data"))
        found |= first_page(port)
        found |= beside_bare(port, "state")
        phones = Phones(port, STREAMS)
        stack.callback(phones.close)
        found |= beside_bare(port, "state_with_streams")
        found |= spread(phones, "move_to_last_stream_ms", bare, process)
        with thinking():
            found |= spread(phones, "move_while_thinking_ms", bare, process)
    return found
