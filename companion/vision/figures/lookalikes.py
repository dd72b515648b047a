"""Tells a threat's picture that looks like a figure from a figure: nobody puts a figure on a threat as it is laid.

What is seen on a threat from its first look on, before anything moved there again, is its picture. The same figure is
not believed there until the threat was read with nobody on it, or has gone. Where there is no look at the bare space
before, or the room came with the threat, everything may have come together, and figures are read as ever.
"""

from collections import Counter
from dataclasses import dataclass, field, replace

from companion.vision.places import slot_of
from companion.vision.reading import Dweller, Reading

BELIEVED = 3
"""Looks that show a threat with nobody on it, or that it has gone."""


@dataclass(slots=True)
class _Picture:
    """What a threat's own picture was taken for; `new` until something moves there again."""

    figures: set[tuple[str, str]] = field(default_factory=set)
    new: bool = True
    against: int = 0


class LookAlikes:
    """The threats whose pictures may look like figures, by space."""

    def __init__(self) -> None:
        self._pictures: dict[str, _Picture] = {}
        self._before: Reading | None = None
        self._bare: Counter[str] = Counter()

    def moved(self, slots: set[str] | None = None) -> None:
        """From now on a figure may have been put down, in some slots or everywhere."""
        for space, picture in self._pictures.items():
            picture.new = picture.new and slots is not None and slot_of(space) not in slots

    def without(self, reading: Reading) -> Reading:
        """Give a look without the figures that are a threat's picture."""
        if reading.hand:
            self._bare.update(space for space in reading.threats if is_clear(reading, space))
            return reading
        for space in reading.threats.keys() - self._pictures.keys():
            if self._has_come(space, reading):
                self._pictures[space] = _Picture()
        for space in list(self._pictures):
            self._learn(space, reading)
        self._bare.clear()
        self._before = reading
        return self._left(reading)

    def _has_come(self, space: str, reading: Reading) -> bool:
        """Whether a threat was laid since the last look without a hand, and no look at it alone was had meanwhile."""
        before, slot = self._before, slot_of(space)
        if before is None or slot not in before.rooms or before.rooms[slot].card != _room(reading, slot):
            return False
        return space not in before.threats and is_clear(before, space) and self._bare[space] < BELIEVED

    def _learn(self, space: str, reading: Reading) -> None:
        picture = self._pictures[space]
        seen = _figures(reading, space)
        if picture.new:
            picture.figures |= seen
        if space in reading.threats and seen:
            picture.against = 0
        elif not _is_hidden(reading, space):
            picture.against += 1
        if picture.against >= BELIEVED:
            del self._pictures[space]

    def _left(self, reading: Reading) -> Reading:
        def believed(one: Dweller) -> bool:
            picture = self._pictures.get(one.space)
            return picture is None or (one.player, one.pose) not in picture.figures

        dwellers = tuple(one for one in reading.dwellers if believed(one))
        chances = {
            space: chance
            for space, chance in reading.chances.items()
            if space not in self._pictures or chance.player not in {one for one, _ in self._pictures[space].figures}
        }
        return replace(reading, dwellers=dwellers, chances=chances)


def is_clear(reading: Reading, space: str) -> bool:
    """Whether a look tells that nobody is on a space."""
    return not _figures(reading, space) and not _is_hidden(reading, space)


def _figures(reading: Reading, space: str) -> set[tuple[str, str]]:
    return {(one.player, one.pose) for one in reading.dwellers if one.space == space}


def _is_hidden(reading: Reading, space: str) -> bool:
    return space in reading.unsure or slot_of(space) in reading.unsure


def _room(reading: Reading, slot: str) -> str | None:
    seen = reading.rooms.get(slot)
    return None if seen is None else seen.card
