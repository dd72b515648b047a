"""Combine looks at a resting table: sum evidence for doubtful figures, reject card art that looks like one."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass, field, replace
from math import exp, log

from companion.vision.places import slot_of
from companion.vision.reading import Dweller, FigureChance, VisionReading

BELIEVED = 3
"""Looks that show a threat with nobody on it, or that it has gone, until a figure on it is believed."""


@dataclass(slots=True)
class _Picture:
    """What a threat's own picture was taken for; `new` until something moves there again."""

    figures: set[tuple[str, str]] = field(default_factory=set)
    new: bool = True
    against: int = 0


class LookAlikes:
    """Rejects figures that are a threat's art: nobody puts a figure on a threat in the moment it is laid.

    What is seen on a threat from its first look on, before anything moved there again, is its picture. The same figure
    is not believed there until the threat was read with nobody on it, or has gone. Where there is no look at the bare
    space before, or the room came with the threat, everything may have come together, and figures are read as usual.
    """

    def __init__(self) -> None:
        self._pictures: dict[str, _Picture] = {}
        self._before: VisionReading | None = None
        self._bare: Counter[str] = Counter()

    def moved(self, slots: set[str] | None = None) -> None:
        """From now on a figure may have been put down, in some slots or everywhere."""
        for space, picture in self._pictures.items():
            picture.new = picture.new and slots is not None and slot_of(space) not in slots

    def without(self, reading: VisionReading) -> VisionReading:
        """Return a reading without the figures that are a threat's picture."""
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

    def _has_come(self, space: str, reading: VisionReading) -> bool:
        """Return whether a threat was laid since the last look without a hand, without a look at it alone meanwhile."""
        before, slot = self._before, slot_of(space)
        if before is None or slot not in before.rooms or before.rooms[slot].card != _room(reading, slot):
            return False
        return space not in before.threats and is_clear(before, space) and self._bare[space] < BELIEVED

    def _learn(self, space: str, reading: VisionReading) -> None:
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

    def _left(self, reading: VisionReading) -> VisionReading:
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


def is_clear(reading: VisionReading, space: str) -> bool:
    """Return whether a look shows that nobody is on a space."""
    return not _figures(reading, space) and not _is_hidden(reading, space)


def _figures(reading: VisionReading, space: str) -> set[tuple[str, str]]:
    return {(one.player, one.pose) for one in reading.dwellers if one.space == space}


def _is_hidden(reading: VisionReading, space: str) -> bool:
    return space in reading.unsure or slot_of(space) in reading.unsure


def _room(reading: VisionReading, slot: str) -> str | None:
    seen = reading.rooms.get(slot)
    return None if seen is None else seen.card


LOOKS = 3
FIGURE, POSE = 0.6, 0.6  # of all looks together: more than one look needs, since what fools one may fool them all
NOTHING = 0.1
SURELY, OPEN = 0.9, 0.1  # of a figure that is there, and of a pose that is not out of the question
LEAST = 0.001
GONE = FigureChance("", 0.0, 0.5, 0.0, 0.0)


class MultiLook:
    """Combines several looks at each space since something changed there: independent noise averages out."""

    def __init__(self) -> None:
        self._chances: dict[str, deque[FigureChance]] = {}

    def forget(self, slots: set[str] | None = None) -> None:
        """Start again, in some slots or everywhere."""
        for space in list(self._chances):
            if slots is None or space in slots or space[:-1] in slots:
                del self._chances[space]

    def unposed(self) -> dict[str, str]:
        """Return the colour of each figure that is surely there, while both poses are likely."""
        whole = {space: kept for space, kept in self._chances.items() if len(kept) == LOOKS}
        return {
            space: kept[0].player
            for space, kept in whole.items()
            if len({look.player for look in kept}) == 1
            and _mean([look.figure for look in kept]) > SURELY
            and OPEN < _mean([look.lying for look in kept]) < 1 - OPEN
        }

    def see(self, reading: VisionReading) -> dict[str, Dweller | None]:
        """Add one look; return what is clear by now of its spaces: a dweller, or that nobody is there."""
        taken = {dweller.space for dweller in reading.dwellers} | set(reading.unsure)
        gone = [space for space in self._chances if space not in reading.chances and space not in taken]
        found: dict[str, Dweller | None] = {}
        for space, chance in {**reading.chances, **dict.fromkeys(gone, GONE)}.items():
            kept = self._chances.setdefault(space, deque(maxlen=LOOKS))
            kept.append(chance)
            if len(kept) == LOOKS:
                found |= _combined(space, list(kept))
        return found


def _combined(space: str, looks: list[FigureChance]) -> dict[str, Dweller | None]:
    """Return the combined verdict on a space; empty while it is in doubt."""
    figure = _mean([look.figure for look in looks])
    if figure < NOTHING:
        return {space: None}
    players = Counter(look.player for look in looks)
    lying = _mean([look.lying for look in looks])
    pose = max(lying, 1 - lying)
    likely = figure > max(FIGURE, *(look.least_figure for look in looks))
    if len(players) > 1 or not likely or pose <= max(POSE, *(look.least_pose for look in looks)):
        return {}
    return {space: Dweller(space, looks[0].player, "lying" if lying > 1 - lying else "standing", min(figure, pose))}


def _mean(chances: list[float]) -> float:
    """Return the chance whose odds are the geometric mean of some chances' odds."""
    odds = [log(max(chance, LEAST) / max(1 - chance, LEAST)) for chance in chances]
    return 1 / (1 + exp(-sum(odds) / len(odds)))
