"""Counts failed tries, so that nobody guesses a code: so many a minute from one address, more from all together."""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

WINDOW: Final = 60.0
TRIES: Final = 5
TRIES_OF_ALL: Final = 30
_ALL: Final = "*"


class Limiter:
    """Remembers the failures of the last minute."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures: defaultdict[str, deque[float]] = defaultdict(deque)

    def wait(self, address: str) -> int:
        """For how many seconds this address has to wait; 0 when it may try."""
        with self._lock:
            return max(self._wait(address, TRIES), self._wait(_ALL, TRIES_OF_ALL))

    def failed(self, address: str) -> None:
        """One more failure."""
        with self._lock:
            now = self._clock()
            for key in (address, _ALL):
                self._failures[key].append(now)

    def _wait(self, key: str, tries: int) -> int:
        since = self._clock() - WINDOW
        failures = self._failures[key]
        while failures and failures[0] <= since:
            failures.popleft()
        if not failures:
            del self._failures[key]
        return int(failures[-tries] - since) + 1 if len(failures) >= tries else 0
