"""Tell things that lie on the table (a phone, a mug on the mat's edge) from hands: they stay where they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from companion.vision.arrays import Array

LONG: Final = 10.0
"""Seconds that something covers the same spot until it counts as a thing: no arm rests for so long."""
GONE: Final = 2.0
"""Seconds for which a spot may be found bare and still count as covered: an arm changes the light, and is over soon."""


@dataclass(slots=True)
class Things:
    """Since when each spot of the table is covered by something wider than a figure, and since when it is bare."""

    _since: Array | None = None
    _bare: Array | None = None

    def see(self, core: Array, at: float, *, hand: bool = False) -> None:
        """Take in the cover of one whole look; while a hand is over the table nothing is found bare."""
        if self._since is None or self._bare is None or self._since.shape != core.shape:
            self._since, self._bare = (np.full(core.shape, np.inf) for _ in range(2))
        anew = at - self._bare >= GONE
        self._since = np.where(core, np.where(anew, at, np.minimum(self._since, at)), self._since)
        self._bare = np.where(core, np.inf, self._bare if hand else np.minimum(self._bare, at))

    def at(self, now: float) -> Array | None:
        """Return where things lie by now; None before the first look."""
        if self._since is None or self._bare is None:
            return None
        return np.asarray((now - self._since >= LONG) & (now - self._bare < GONE))
