"""Watches a stream: waits for rest, reads what changed, now and then everything, and steadies it all."""

import math
from dataclasses import dataclass, field

from companion.vision.arrays import Array
from companion.vision.eyes import Eyes, Look
from companion.vision.reading import Reading
from companion.vision.time.motion import Changes, Rest, luma
from companion.vision.time.steadier import LEAVE, Steadier

WHOLE_EVERY = 20.0
LOST_EVERY = 0.5
"""Seconds between looks for a table that was not found."""


@dataclass(slots=True)
class Watcher:
    """Turns pictures in time into steady readings; idle costs next to nothing."""

    eyes: Eyes
    whole_every: float = WHOLE_EVERY
    rest: Rest = field(default_factory=Rest)
    steadier: Steadier = field(default_factory=Steadier)
    resting: bool = False
    """Whether nothing moved in the last small picture, nor shortly before."""
    _look: Look | None = None
    _read: Array | None = None
    _changes: Changes | None = None
    _whole_at: float = -math.inf
    _whole: bool = False
    _again: int = 0
    _open: set[str] = field(default_factory=set)

    @property
    def last(self) -> Look | None:
        """What the last picture that was read showed, as that one frame told it."""
        return self._look

    def feed(self, picture: Array, at: float) -> Reading | None:
        """Take in one picture taken at a time in seconds; a steady reading whenever something was read."""
        small = luma(picture)
        return self.look(picture, small, at) if self.due(small, at) else None

    def due(self, small: Array, at: float) -> bool:
        """Take in one small picture (see `luma`); whether it is time to look at a full one."""
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

    def look(self, picture: Array, small: Array, at: float, *, whole: bool = False) -> Reading:
        """Read a full picture, taken when the small one was: all of it or what has changed; a steady reading."""
        if whole or self._whole or self._look is None or self._changes is None:
            return self._look_whole(picture, small, at)
        self._look, self._read = self._look_again(picture), small
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
        elif at - self._whole_at > self.whole_every:
            self._whole = True

    def _look_whole(self, picture: Array, small: Array, at: float) -> Reading:
        self._look = None  # its memory is needed for the next one
        self._look, self._read, self._whole_at = self.eyes.look(picture), small, at
        self._changes, self._whole, self._again = None, False, 0
        if self._look.pose is not None:
            self._again = LEAVE - 1
            size = (picture.shape[1], picture.shape[0])
            self._changes = Changes(self._look.pose, self.eyes.profile, size, (small.shape[1], small.shape[0]))
        self._open = {slot.name for slot in self.eyes.profile.slots}
        return self.steadier.see(self._look.reading)

    def _look_again(self, picture: Array) -> Look:
        """Read what is open; where that is most of the table, the look before is of no use, and its memory is."""
        before = self._look
        if before is None or 2 * len(self._open) > len(self.eyes.profile.slots):
            self._look = before = None
            return self.eyes.look(picture)
        return self.eyes.look_again(picture, before, self._open)
