"""A step before a live camera: says when a full picture is to be taken, so that hands need touch nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from calibration.steps.step import Pace
from companion.vision.time.motion import Rest, difference

if TYPE_CHECKING:
    from calibration.notes import Note
    from calibration.steps.step import Step
    from companion.vision.arrays import Array

EVERY: Final = 0.5
"""Seconds between two looks of a step that always looks."""
SETTLED: Final = 0.7
"""Seconds that something must lie still to be taken."""
NEW: Final = 0.001
"""Of the small picture: so much must differ from what was taken last. A pale threat on a pale mat is no more."""


class Live:
    """Feeds a step with pictures at its own pace."""

    def __init__(self, step: Step) -> None:
        self.step = step
        self._rest = Rest(SETTLED)
        self._small: Array | None = None
        self._taken: Array | None = None
        self._looked = -EVERY
        self._told = step.pace is Pace.ALWAYS

    def tell(self) -> None:
        """Somebody wants a picture taken now."""
        self._told = True

    def due(self, small: Array, at: float) -> bool:
        """Take in a small picture; whether a full one is to be taken."""
        self._small = np.array(small)
        resting = self._rest.feed(self._small, at)
        if self._told:
            return True
        if self.step.eager:
            return at - self._looked >= EVERY
        return self.step.pace is Pace.NEW and resting and self._is_new(self._small)

    def take(self, picture: Array, at: float = 0.0) -> list[Note]:
        """Give the step its picture."""
        self._told, self._looked, self._taken = False, at, self._small
        return self.step.see(picture)

    def _is_new(self, small: Array) -> bool:
        before = self._taken
        if before is None or before.shape != small.shape:
            return True
        return cv2.countNonZero(difference(before, small)) > NEW * small.size
