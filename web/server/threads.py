"""The threads of the server: one waits for sockets, calls and a regular tick; others answer requests, shared fairly."""

from __future__ import annotations

import logging
import os
import random
import selectors
import threading
import time
from collections import Counter, deque
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from web.server.connection import Connection

logger = logging.getLogger(__name__)
P = ParamSpec("P")


def contained(does: Callable[Concatenate[Connection, P], None]) -> Callable[Concatenate[Connection, P], None]:
    """Let a mistake that something on a connection brings out end that connection, and not the server."""

    @wraps(does)
    def attempted(self: Connection, /, *args: P.args, **named: P.kwargs) -> None:
        try:
            does(self, *args, **named)
        except Exception:
            logger.exception("a connection from %s is closed", self.addr[0])
            self.close()

    return attempted


class Loop:
    """Waits for sockets with epoll, so that connections on which nothing happens cost nothing.

    The standard library's asyncio would do, but takes 20 ms to import: a fifth of what Flask takes, before the first
    page.
    """

    def __init__(self, tick: Callable[[], None], every: float) -> None:
        self._tick = tick
        self._every = every
        self._selector = selectors.DefaultSelector()
        self._calls: deque[Callable[[], None]] = deque()
        self._waker = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._is_awake = False
        self.turn = 0
        """How often everything that was ready has had its turn."""
        self._selector.register(self._waker, selectors.EVENT_READ, self._woken)

    def call(self, wanted: Callable[[], None]) -> None:
        """Let the loop's thread call something soon. Any thread may ask, and a signal handler."""
        self._calls.append(wanted)
        if not self._is_awake:
            self._is_awake = True
            os.eventfd_write(self._waker, 1)

    def watch(self, sock: socket.socket, events: int, before: int, ready: Callable[[int], None]) -> None:
        """Call `ready` whenever one of the events happens on the socket; `before` is what was watched for until now."""
        if not events:
            self._selector.unregister(sock)
        elif not before:
            self._selector.register(sock, events, ready)
        else:
            self._selector.modify(sock, events, ready)

    def run(self, until: Callable[[], bool]) -> None:
        """Run until there is an end to it, which is looked for after each turn."""
        due = time.monotonic() + self._every
        while not until():
            self.turn += 1
            ready = self._selector.select(0 if self._calls else max(due - time.monotonic(), 0))
            random.shuffle(ready)  # the kernel tells them in the same order again, and only the first may have room
            for key, events in ready:
                key.data(events)
            for _ in range(len(self._calls)):
                self._calls.popleft()()
            if time.monotonic() >= due:
                self._tick()
                due = time.monotonic() + self._every

    def close(self) -> None:
        """Wait for nothing any more."""
        self._selector.close()

    def __del__(self) -> None:
        """Close the waker only now: any thread that knows the loop may still call, and must not hit another's file."""
        os.close(self._waker)

    def _woken(self, _: int) -> None:
        os.eventfd_read(self._waker)
        self._is_awake = False


logger = logging.getLogger(__name__)


class Workers:
    """Some threads, and a queue of jobs for each address.

    Whoever asks for a hundred pages at once waits for them alone: everybody else's next job comes before their second.
    """

    def __init__(self, threads: int, most_of_one: int) -> None:
        self._most_of_one = most_of_one
        self._changed = threading.Condition()
        self._queues: dict[str, deque[Callable[[], None]]] = {}
        self._running: Counter[str] = Counter()
        self._is_closed = False
        self._threads = [
            threading.Thread(target=self._work, name=f"web-{number}", daemon=True) for number in range(threads)
        ]
        for thread in self._threads:
            thread.start()

    def add(self, address: str, job: Callable[[], None]) -> None:
        """Do a job for an address when it is its turn."""
        with self._changed:
            self._queues.setdefault(address, deque()).append(job)
            self._changed.notify()

    def close(self, patience: float) -> bool:
        """End all threads, each with the job that it is doing; return whether they have ended."""
        with self._changed:
            self._is_closed = True
            self._queues.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(patience)
        return not any(thread.is_alive() for thread in self._threads)

    def _work(self) -> None:
        done: str | None = None
        while True:
            with self._changed:
                if done is not None:
                    self._running[done] -= 1
                    if not self._running[done]:
                        del self._running[done]
                while (found := self._next()) is None:
                    if self._is_closed:
                        return
                    self._changed.wait()
                done, job = found
                self._running[done] += 1
            try:
                job()
            except Exception:
                logger.exception("something for %s was left undone", done)

    def _next(self) -> tuple[str, Callable[[], None]] | None:
        """Return the next job of the address that has waited longest for a turn and may have one thread more."""
        for address, queue in self._queues.items():
            if self._running[address] < self._most_of_one:
                del self._queues[address]
                job = queue.popleft()
                if queue:
                    self._queues[address] = queue  # behind all others
                return address, job
        return None
