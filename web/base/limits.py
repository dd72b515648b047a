"""How often: wrong tries of PIN and codes, and how many moves a seat may make, how large."""

from __future__ import annotations

import threading
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeVar

from companion.canonical import text_of
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable


def too_many_tries(seconds: int) -> Refusal:
    return Refusal("too_many_tries", None, f"Too many tries; wait {seconds} seconds.", seconds=seconds)


WINDOW: Final = 60.0
TRIES: Final = 5
TRIES_OF_ALL: Final = 30
"""From so many wrong tries on, of all together, each has one."""


Found = TypeVar("Found")


class Limiter:
    """The wrong tries of the last minute, by who made them; one for the PIN, another for the codes of seats.

    A try counts as wrong from before it is looked at, so that a hundred at once are no more than one after the other.
    Where many addresses guess, each has a single try: whoever has not guessed is let in even then.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._wrong: dict[str, deque[float]] = {}

    def judge(self, who: str, judged: Callable[[], Found]) -> Found:
        """Return what comes of a try, which was wrong if that is nothing; refuse who has tried too often."""
        mine, at = self._reserve(who)
        right = True
        try:
            found = judged()
            right = bool(found)
        finally:
            if right:
                with self._lock, suppress(ValueError):
                    mine.remove(at)
        return found

    def _reserve(self, who: str) -> tuple[deque[float], float]:
        with self._lock:
            now = self._clock()
            self._forget(now - WINDOW)
            mine = self._wrong.get(who, deque())
            most = TRIES if sum(map(len, self._wrong.values())) < TRIES_OF_ALL else 1
            if len(mine) >= most:
                raise too_many_tries(int(mine[-most] + WINDOW - now) + 1)
            mine.append(now)
            self._wrong[who] = mine
            return mine, now

    def _forget(self, since: float) -> None:
        for who, tries in list(self._wrong.items()):
            while tries and tries[0] <= since:
                tries.popleft()
            if not tries:
                del self._wrong[who]


LARGEST_MOVE: Final = 16 * 1024
"""Characters; the whole board of a seat, sent back as a correction, is a fifth of it."""
BURST: Final = 200.0
A_SECOND: Final = 10.0
"""Moves that a seat may make in the long run, each with a kilobyte: ten times what fingers do."""


class Pace:
    """How many moves each seat has left: they come back with time. Host and scripts have no limit."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._left: dict[str, tuple[float, float]] = {}

    def spend(self, who: str, move: object) -> None:
        """Take a move off what is left, a large one as several; or refuse it."""
        size = len(text_of(move))
        if size > LARGEST_MOVE:
            message = f"A seat's move has {LARGEST_MOVE} characters at most."
            raise Refusal("too_large", None, message, characters=size)
        cost = 1 + size / 1024
        with self._lock:
            now = self._clock()
            left, at = self._left.get(who, (BURST, now))
            left = min(BURST, left + (now - at) * A_SECOND)
            if left < cost:
                seconds = int((cost - left) / A_SECOND) + 1
                raise Refusal("too_many_moves", None, f"Too many moves; wait {seconds} seconds.", seconds=seconds)
            self._left[who] = left - cost, now
