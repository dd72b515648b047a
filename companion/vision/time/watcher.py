"""Detect rest and changes in a small grey picture, nearly for free, and read the table when it pays."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.vision.places import slot_of
from companion.vision.time.steadier import LEAVE, Steadier
from companion.vision.time.things import LONG, Things

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.profile import Profile
    from companion.vision.reading import VisionReading
    from companion.vision.table_reader import LookResult, TableReader

LUMA_WIDTH = 320
DIFFERENT = 14  # threshold in grey levels, above noise and a flickering lamp
MOVING_SHARE = 0.002
STILL_SECONDS = 0.3
FROZEN_FRAMES = 100  # a real sensor never gives the same picture twice
EVERYTHING = 0.15  # of the pixels: a bump, a lamp
TOUCHED_PIXELS = 3
MARGIN_MM = 10.0
QUIET = 0.6  # of a mat tag's size, from its middle to the edge of its quiet zone


def luma(picture: Array) -> Array:
    """Return the small grey picture of a large one: its green, every few pixels."""
    step = max(1, picture.shape[1] // LUMA_WIDTH)
    return np.ascontiguousarray(picture[::step, ::step, 1] if picture.ndim == 3 else picture[::step, ::step])  # noqa: PLR2004


def difference(before: Array, now: Array) -> Array:
    """Mark the pixels that differ by more than the threshold (255)."""
    return np.asarray(cv2.threshold(cv2.absdiff(before, now), DIFFERENT, 255, cv2.THRESH_BINARY)[1])


@dataclass(slots=True)
class Rest:
    """Detects rest in the small stream."""

    seconds: float = STILL_SECONDS
    _last: Array | None = field(default=None, repr=False)
    _since: float = 0.0
    _same: int = 0

    def feed(self, small: Array, at: float) -> bool:
        """Take in one small picture at a time in seconds; return whether the table has been at rest long enough."""
        last, self._last = self._last, small
        if last is None or last.shape != small.shape:
            self._since = at
            return False
        changed = cv2.countNonZero(difference(last, small))
        self._same = self._same + 1 if changed == 0 and np.array_equal(last, small) else 0
        if changed > MOVING_SHARE * small.size:
            self._since = at
        return at - self._since >= self.seconds

    @property
    def frozen(self) -> bool:
        """Whether the camera gives the very same picture again and again."""
        return self._same >= FROZEN_FRAMES


class Changes:
    """Finds the slots that changed between two small pictures, for one pose of the camera."""

    def __init__(self, pose: Pose, profile: Profile, size: tuple[int, int], small: tuple[int, int]) -> None:
        scale = np.array([small[0] / size[0], small[1] / size[1]])
        half_x, half_y = profile.card[0] / 2 + MARGIN_MM, profile.card[1] / 2 + MARGIN_MM
        self._boxes = {slot.name: _box(pose, scale, (slot.x, slot.y), (half_x, half_y)) for slot in profile.slots}
        tracks = [(f"{name}:{i}", middle) for name, row in profile.tracks.items() for i, middle in enumerate(row)]
        self._boxes |= {name: _box(pose, scale, middle, (half_x, half_y)) for name, middle in tracks}
        self._marks = [_box(pose, scale, tag.centre, (tag.size * QUIET, tag.size * QUIET)) for tag in profile.mat_tags]

    def between(self, before: Array, now: Array) -> set[str] | None:
        """Return the changed slots, their neighbours and places of tracks; None if all changed or the camera moved.

        A camera that was nudged shows at the mat's own tags first; one of them alone may be under a hand.
        """
        if before.shape != now.shape:
            return None
        mask = difference(before, now)
        if cv2.countNonZero(mask) > EVERYTHING * mask.size:
            return None
        if sum(_touched(mask, box) for box in self._marks) > 1:
            return None
        return {name for name, box in self._boxes.items() if _touched(mask, box)}


def _touched(mask: Array, box: tuple[slice, slice]) -> bool:
    return bool(np.count_nonzero(mask[box]) >= TOUCHED_PIXELS)


def _box(pose: Pose, scale: Array, middle: tuple[float, float], half: tuple[float, float]) -> tuple[slice, slice]:
    """Return the pixels of a small picture that show a rectangle of the mat."""
    around = [(middle[0] + x, middle[1] + y, 0.0) for x in (-half[0], half[0]) for y in (-half[1], half[1])]
    points = pose.project(np.array(around)) * scale
    left, top = np.maximum(np.floor(points.min(axis=0)).astype(int), 0)
    right, low = np.maximum(np.ceil(points.max(axis=0)).astype(int), 1)
    return slice(int(top), int(low)), slice(int(left), int(right))


WHOLE_EVERY = 20.0
LOST_EVERY = 0.5
"""Seconds between looks for a table that was not found."""


@dataclass(slots=True)
class Watcher:
    """Turns pictures over time into steady readings; idle it costs next to nothing."""

    eyes: TableReader
    whole_every: float = WHOLE_EVERY
    rest: Rest = field(default_factory=Rest)
    steadier: Steadier = field(default_factory=Steadier)
    things: Things = field(default_factory=Things)
    resting: bool = False
    """Whether nothing moved in the last small picture, nor shortly before."""
    _look: LookResult | None = None
    _read: Array | None = None
    _changes: Changes | None = None
    _whole_at: float = -math.inf
    _whole: bool = False
    _again: int = 0
    _open: set[str] = field(default_factory=set)

    @property
    def last(self) -> LookResult | None:
        """What the last picture that was read showed, by itself."""
        return self._look

    def feed(self, picture: Array, at: float) -> VisionReading | None:
        """Take in one picture taken at a time in seconds; return a steady reading whenever something was read."""
        small = luma(picture)
        return self.look(picture, small, at) if self.due(small, at) else None

    def due(self, small: Array, at: float) -> bool:
        """Take in one small picture (see `luma`); return whether it is time to look at a full one."""
        self.resting = self.rest.feed(small, at)
        if not self.resting:
            return False
        if self._look is None or self._read is None:
            self._whole = True
        elif self._changes is None:
            self._whole = at - self._whole_at >= LOST_EVERY
        else:
            self._compare(self._changes.between(self._read, small), at)
        return self._whole or self._again > 0

    def reconsider(self, space: str) -> None:
        """Look again at a space though nothing has changed there: something was learned about it."""
        slots = {slot_of(space)}
        self.steadier.changed(slots)
        self.steadier.forget(space)
        self._open |= slots
        self._again = LEAVE

    def look(self, picture: Array, small: Array, at: float, *, whole: bool = False) -> VisionReading:
        """Read a full picture, taken when the small one was: all of it or what has changed; return a steady reading."""
        if whole or self._whole or self._look is None or self._changes is None:
            return self._look_whole(picture, small, at)
        self._look, self._read = self._look_again(picture, at), small
        self._again = max(0, self._again - 1)
        if self._again == 0:
            self._open = set()
        return self.steadier.see(self._look.reading)

    def _compare(self, changed: set[str] | None, at: float) -> None:
        if changed is None:
            self.steadier.disturb()
            self._whole = True
        elif changed:
            self.steadier.changed(changed)
            self._open |= changed
            self._again = LEAVE
        elif at - self._whole_at > (min(LONG / 2, self.whole_every) if self._sees_hand else self.whole_every):
            self._whole = True

    @property
    def _sees_hand(self) -> bool:
        return self._look is not None and self._look.reading.hand

    def _look_whole(self, picture: Array, small: Array, at: float) -> VisionReading:
        self._look = None  # its memory is needed for the next one
        self._look, self._read, self._whole_at = self.eyes.look(picture, things=self.things.at(at)), small, at
        self._changes, self._whole, self._again = None, False, 0
        if self._look.found is not None:
            self.things.see(self._look.found.cover.core, at, hand=self._look.reading.hand)
        if self._look.pose is not None:
            self._again = LEAVE - 1
            size = (picture.shape[1], picture.shape[0])
            self._changes = Changes(self._look.pose, self.eyes.profile, size, (small.shape[1], small.shape[0]))
        self._open = {slot.name for slot in self.eyes.profile.slots}
        return self.steadier.see(self._look.reading)

    def _look_again(self, picture: Array, at: float) -> LookResult:
        """Read what is open; where that is most of the table, the look before is of no use, and its memory is."""
        before = self._look
        if before is None or 2 * len(self._open) > len(self.eyes.profile.slots):
            self._look = before = None
            return self.eyes.look(picture, things=self.things.at(at))
        return self.eyes.look_again(picture, before, self._open, things=self.things.at(at))
