"""How long a bot may think: sent to the process that thinks, so it is not among what is compiled."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Budget:
    """How long to think: until a number of walks, or of milliseconds, whichever comes first.

    At the table time is the clock's on the wall. A study counts the time on its core (`time.process_time`), so that a
    machine busy with other things does not play worse.
    """

    def __init__(self, walks: int = 0, milliseconds: float = 0.0, clock: Callable[[], float] = perf_counter) -> None:
        if not walks and not milliseconds:
            raise ValueError("a budget is a number of walks, or of milliseconds")
        self.walks = walks
        self.seconds = milliseconds / 1000
        self._clock = clock

    def begin(self) -> float:
        return self._clock()

    def lasts(self, walked: int, since: float) -> bool:
        """Return whether there is time for another walk of average length."""
        if self.walks and walked >= self.walks:
            return False
        if not self.seconds:
            return True
        gone = self._clock() - since
        return gone + gone / max(1, walked) < self.seconds

    def left(self, walked: int, since: float) -> float:
        """Return how many walks are left at the pace so far."""
        bounds = []
        if self.walks:
            bounds.append(float(self.walks - walked))
        if self.seconds:
            gone = self._clock() - since
            bounds.append(max(0.0, self.seconds - gone) * walked / max(gone, 1e-9))
        return min(bounds)
