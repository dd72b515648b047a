"""Threads that answer requests, shared fairly: addresses take turns, and none has all of them."""

from __future__ import annotations

import logging
import threading
from collections import Counter, deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

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
