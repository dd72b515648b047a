"""Watches a stream: waits for rest, reads what changed, now and then everything, and steadies it all."""

from dataclasses import dataclass, field

from companion.vision.arrays import Array
from companion.vision.eyes import Eyes, Look
from companion.vision.motion import Changes, Rest, luma
from companion.vision.reading import Reading
from companion.vision.steadier import LEAVE, Steadier

WHOLE_EVERY = 20.0


@dataclass(slots=True)
class Watcher:
    """Turns pictures in time into steady readings; idle costs next to nothing."""

    eyes: Eyes
    whole_every: float = WHOLE_EVERY
    rest: Rest = field(default_factory=Rest)
    steadier: Steadier = field(default_factory=Steadier)
    _look: Look | None = None
    _read: Array | None = None
    _changes: Changes | None = None
    _whole_at: float = 0.0
    _again: int = 0
    _open: set[str] = field(default_factory=set)

    def feed(self, picture: Array, at: float) -> Reading | None:
        """Take in one picture taken at a time in seconds; a steady reading whenever something was read."""
        small = luma(picture)
        if not self.rest.feed(small, at):
            return None
        if self._look is None or self._look.pose is None or self._read is None or self._changes is None:
            return self._look_whole(picture, small, at)
        changed = self._changes.between(self._read, small)
        if changed is None:
            self.steadier.disturb()
            return self._look_whole(picture, small, at)
        if changed:
            self._open |= changed
            self._again = LEAVE
        elif at - self._whole_at > self.whole_every:
            return self._look_whole(picture, small, at)
        if self._again == 0:
            return None
        self._again -= 1
        return self._look_part(picture, small)

    def _look_whole(self, picture: Array, small: Array, at: float) -> Reading:
        self._look, self._read, self._whole_at = self.eyes.look(picture), small, at
        self._changes = None
        if self._look.pose is not None:
            size = (picture.shape[1], picture.shape[0])
            self._changes = Changes(self._look.pose, self.eyes.profile, size, (small.shape[1], small.shape[0]))
        self._open = {slot.name for slot in self.eyes.profile.slots}
        self._again = LEAVE - 1
        return self.steadier.see(self._look.reading)

    def _look_part(self, picture: Array, small: Array) -> Reading:
        if self._look is None:
            raise RuntimeError("a part is looked at after a whole look only")
        self._look, self._read = self.eyes.look_again(picture, self._look, self._open), small
        if self._again == 0:
            self._open = set()
        return self.steadier.see(self._look.reading)
