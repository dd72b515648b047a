"""Tell things that lie on the table (a phone, a mug on the mat's edge) from hands: they stay where they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from companion.vision.arrays import Array

LONG: Final = 10.0
"""Seconds that something covers the same spot until it counts as a thing: no arm rests for so long."""


@dataclass(slots=True)
class Things:
    """Since when each spot of the table is covered by something wider than a figure."""

    _since: Array | None = None

    def see(self, core: Array, at: float) -> None:
        """Take in the cover of one whole look."""
        if self._since is None or self._since.shape != core.shape:
            self._since = np.full(core.shape, np.inf)
        self._since = np.where(core, np.minimum(self._since, at), np.inf)

    def at(self, now: float) -> Array | None:
        """Return where things lie by now; None before the first look."""
        return None if self._since is None else np.asarray(now - self._since >= LONG)
