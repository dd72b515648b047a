"""Debounce readings over time: two of three frames to arrive, three clear ones to go, doubt changes nothing.

Nor does a frame with a hand in it: what is under an arm, or carried by, is read when the arm has gone. A figure that
could not be read for longer than one rest is unsure, and kept. Where it was seen through a glare, and three looks after
a hand do not see it in that glare, it has gone.
"""

from collections import Counter, deque
from dataclasses import dataclass, field, replace
from itertools import groupby

from companion.vision.places import is_on_a_track, slot_of
from companion.vision.reading import CardSeen, Dweller, VisionReading
from companion.vision.time.multi_look import LookAlikes, MultiLook

MEMORY, ARRIVE, LEAVE = 3, 2, 3
FADE = LEAVE + 1
"""After so many looks in a row that cannot read a figure, more than one rest has, it is unsure."""
DAZZLES = 0.85
"""The share of a space that is white: a figure there would be seen, where one was seen in such a glare before."""
Value = CardSeen | tuple[Dweller, ...]
Names = tuple[str | tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _Glimpse:
    """What one frame says of a place: something, nothing, or that it cannot tell."""

    value: Value | None
    unsure: bool = False
    glare: float = 0.0

    @property
    def dazzles(self) -> bool:
        """Whether nothing but glare is there, and not even the shadow of a figure."""
        return self.value is None and self.glare > DAZZLES

    @property
    def names(self) -> Names:
        """What is compared between frames: not the confidence."""
        if isinstance(self.value, CardSeen):
            return (self.value.card,)
        return tuple((dweller.player, dweller.pose) for dweller in self.value or ())


@dataclass(slots=True)
class _Place:
    """What was seen lately on one place, and what counts as being there."""

    recent: deque[_Glimpse] = field(default_factory=lambda: deque(maxlen=MEMORY))
    held: Value | None = None
    unread: int = 0
    """Looks in a row that could not read it."""
    shines: bool = False
    """Whether it was seen through a glare the last time it was seen."""
    reached: bool = False
    """Whether a hand was over the table since then."""
    touched: bool = False
    """Whether a hand was over this very place since what counts was seen."""
    left: bool = False
    """Whether it has gone from the glare, and nobody has reached there since."""

    @property
    def arriving(self) -> bool:
        """Whether something was seen lately that does not count yet."""
        return self.held is None and any(glimpse.value is not None for glimpse in self.recent)

    @property
    def faded(self) -> bool:
        """Whether it could not be read for longer than one rest has; after a hand there, for one rest."""
        return self.unread >= (LEAVE if self.touched else FADE)

    def see(self, glimpse: _Glimpse) -> None:
        if glimpse.unsure and glimpse.dazzles and self.held is not None and self.shines and self.reached:
            glimpse = replace(glimpse, unsure=False)
        self.recent.append(glimpse)
        self._count(glimpse)
        self.left = self.left and glimpse.dazzles
        if glimpse.unsure:
            return
        if glimpse.value is None:
            clear = len(self.recent) == LEAVE and all(g.value is None and not g.unsure for g in self.recent)
            if clear and self.held is not None:
                self.held, self.left, self.unread = None, glimpse.dazzles, 0
            return
        self.shines, self.reached = glimpse.glare > 0, False
        if sum(g.names == glimpse.names for g in self.recent) >= ARRIVE:
            self.hold(glimpse.value)

    def hold(self, value: Value) -> None:
        """Count something as being there."""
        self.held, self.unread, self.touched = value, 0, False

    def _count(self, glimpse: _Glimpse) -> None:
        """Count looks that could not read it; once unsure it stays so until this is seen again, or seen to have gone.

        What is seen there in its stead has to arrive first.
        """
        if glimpse.unsure:
            self.unread += 1
        elif not self.faded or glimpse.names == _Glimpse(self.held).names:
            self.unread = 0

    def reach(self, *, over: bool) -> None:
        """Take in that a hand is over the table, maybe over this very place."""
        self.reached = True
        self.touched = self.touched or over
        self.left = self.left and not over


class Steadier:
    """Holds what counts as being on every place."""

    def __init__(self) -> None:
        self._places: dict[tuple[str, str], _Place] = {}
        self._doubts: deque[set[str]] = deque(maxlen=MEMORY)
        self._together = MultiLook()
        self._lookalikes = LookAlikes()

    def changed(self, slots: set[str]) -> None:
        """Sum no looks from before a change with those after it."""
        self._together.forget(slots)
        self._lookalikes.moved(slots)

    def forget(self, space: str) -> None:
        """Forget what counts as standing on a space: a person has said what does, or has taken that back."""
        self._places.pop(("dwellers", space), None)
        for unsure in self._doubts:
            unsure.discard(space)

    def disturb(self) -> None:
        """Forget unsettled glimpses: the camera was bumped or the lamp changed; what counts stays."""
        for place in self._places.values():
            place.recent.clear()
        self._doubts.clear()
        self._together.forget()
        self._lookalikes.moved()

    def see(self, reading: VisionReading) -> VisionReading:
        """Take in one reading and return the steady one."""
        if reading.table != "found":
            return self._steady(reading)
        reading = self._lookalikes.without(reading)
        if reading.hand:
            self._reach(reading)
        else:
            self._doubts.append(set(reading.unsure))
            for (kind, name), glimpse in self._glimpses(reading).items():
                self._places.setdefault((kind, name), _Place()).see(glimpse)
            self._sum(reading)
        return self._steady(reading)

    def _reach(self, reading: VisionReading) -> None:
        covered = {name for name in reading.unsure if reading.glares.get(name, 0.0) <= DAZZLES}
        for (_, name), place in self._places.items():
            place.reach(over=_hidden(name, covered))

    def _sum(self, reading: VisionReading) -> None:
        """Settle doubts that single looks leave open, where all of them together do not."""
        for space, dweller in self._together.see(reading).items():
            if not any(space in unsure for unsure in self._doubts):
                continue
            if dweller is not None:
                place = self._places.setdefault(("dwellers", space), _Place())
                if place.held is None or place.faded:
                    place.hold((dweller,))
            for unsure in self._doubts:
                unsure.discard(space)

    def _glimpses(self, reading: VisionReading) -> dict[tuple[str, str], _Glimpse]:
        """Return what the frame says of every place that it or an earlier one named."""
        unsure = set(reading.unsure)
        found: dict[tuple[str, str], Value] = {("room", place): seen for place, seen in reading.rooms.items()}
        found |= {("threat", place): seen for place, seen in reading.threats.items()}
        found |= {("dwellers", name): tuple(group) for name, group in groupby(reading.dwellers, key=lambda d: d.space)}
        found |= {
            ("track", f"{name}:{number}"): CardSeen(card, 1.0)
            for name, row in reading.tracks.items()
            for number, card in enumerate(row)
            if card is not None
        }
        places = set(found) | set(self._places)
        return {
            key: _Glimpse(
                found.get(key),
                unsure=key not in found
                and _hidden(key[1], unsure if key[0] == "dwellers" else unsure | reading.hidden),
                glare=reading.glares.get(key[1], 0.0) if key[0] == "dwellers" else 0.0,
            )
            for key in places
        }

    def _steady(self, reading: VisionReading) -> VisionReading:
        held = {key: place.held for key, place in self._places.items() if place.held is not None}
        faded = {name for kind, name in held if kind == "dwellers" and self._has_faded(name, held)}
        held = {(kind, name): value for (kind, name), value in held.items() if kind != "dwellers" or name not in faded}
        settled = {name for _, name in held} | {name for (_, name), place in self._places.items() if place.left}
        counted = Counter(name for unsure in self._doubts for name in unsure)
        doubted = {name for name, times in counted.items() if 2 * times >= len(self._doubts)}
        if reading.hand:
            doubted |= set(reading.unsure)
        unsure = doubted | faded | {name for (_, name), place in self._places.items() if place.arriving}
        rooms = {name: value for (kind, name), value in held.items() if kind == "room" and isinstance(value, CardSeen)}
        threats = {
            name: value for (kind, name), value in held.items() if kind == "threat" and isinstance(value, CardSeen)
        }
        groups = (value for _, value in sorted(held.items()) if isinstance(value, tuple))
        dwellers = tuple(dweller for group in groups for dweller in group)
        return replace(
            reading,
            rooms=rooms,
            threats=threats,
            tracks=self._tracks(reading, held),
            dwellers=dwellers,
            unsure=tuple(sorted(self._in_use(unsure - settled))),
            unposed={space: one for space, one in self._together.unposed().items() if space in unsure - settled},
        )

    def _has_faded(self, space: str, held: dict[tuple[str, str], Value]) -> bool:
        """Return whether a figure was unreadable for long; never on a known threat, whose space would be unsure."""
        return self._places["dwellers", space].faded and ("threat", space) not in held

    def _in_use(self, unsure: set[str]) -> set[str]:
        """Drop doubts about a track on which no card was ever seen: nobody lays one there."""
        laid = {name.partition(":")[0] for kind, name in self._places if kind == "track"}
        return {name for name in unsure if not is_on_a_track(name) or name.partition(":")[0] in laid}

    @staticmethod
    def _tracks(reading: VisionReading, held: dict[tuple[str, str], Value]) -> dict[str, tuple[str | None, ...]]:
        return {
            name: tuple(_card(held.get(("track", f"{name}:{number}"))) for number in range(len(row)))
            for name, row in reading.tracks.items()
        }


def _card(held: Value | None) -> str | None:
    return held.card if isinstance(held, CardSeen) else None


def _hidden(place: str, unsure: set[str]) -> bool:
    return place in unsure or slot_of(place) in unsure
