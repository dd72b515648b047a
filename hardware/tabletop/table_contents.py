"""What lies on the simulated table: cards, dwellers, dice, a hand, the lamp and bumps. Immutable values only."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import hypot
from typing import Final

from companion.pieces.kinds.mat import (
    CARD,
    LEVELS,
    SLOTS,
    SPACES,
    THREAT,
    THREAT_SPACE,
    TRACK_PLACES,
    TRACKS,
    slot_middle,
    track_middle,
)

Place = tuple[float, float]
SLACK: Final = 18.0
"""So many mm from a space's middle a dweller still stands on it."""


@dataclass(frozen=True, slots=True)
class CardOnTable:
    """A card: which file shows it, its kind, its tag, and how it lies (mm, degrees to the left)."""

    name: str
    file: str
    kind: str
    tag: int
    x: float
    y: float
    turn: float = 0.0

    @property
    def size(self) -> tuple[float, float]:
        return THREAT if self.kind == "threat" else CARD


@dataclass(frozen=True, slots=True)
class FigureOnTable:
    """A dweller: the middle of its foot or of its side, and how it is turned (degrees to the left)."""

    key: str
    player: str
    x: float
    y: float
    turn: float = 0.0
    lying: bool = False


@dataclass(frozen=True, slots=True)
class DieOnTable:
    """A die: its upper value, where its middle is (mm), how it is turned, and how far it leans (degrees)."""

    key: str
    value: int
    x: float
    y: float
    turn: float = 0.0
    lean: float = 0.0


@dataclass(frozen=True)
class TableContents:
    """Everything on the table, at one moment."""

    cards: tuple[CardOnTable, ...] = ()
    figures: tuple[FigureOnTable, ...] = ()
    dice: tuple[DieOnTable, ...] = ()
    hand: Place | None = None
    lamp: bool = True
    strength: float = 1.0
    """How strong the light is, whichever shines; what a picture makes of it is the camera's exposure."""
    bump: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """How far the camera's arm was pushed: right, away (mm), and turned (degrees)."""


def spaces() -> list[str]:
    sides = [f"{slot}{side}" for slot in SLOTS for side in ("ab" if slot != "E" else ("",))]
    return [f"{level}:{side}" for level in range(1, LEVELS + 1) for side in sides]


def middle_of(place: str) -> Place:
    """Return the middle of a room (`2:R1`), elevator (`2:E`), space (`2:R1a`) or place of a track (`items:0`)."""
    level, _, slot = place.partition(":")
    if level in TRACKS:
        return track_middle(level, int(slot))
    room = slot[:2] if slot != "E" else slot
    x, y = slot_middle(int(level), SLOTS.index(room))
    side = slot[2:]
    return (x + SPACES[side][0], y + SPACES[side][1]) if side else (x, y)


def track_places() -> list[str]:
    return [f"{track}:{number}" for track in TRACKS for number in range(TRACK_PLACES)]


def track_at(x: float, y: float) -> str | None:
    """Return the place of a track that a point is in."""
    for place in track_places():
        middle = middle_of(place)
        if abs(x - middle[0]) <= CARD[0] / 2 and abs(y - middle[1]) <= CARD[1] / 2:
            return place
    return None


def standing_on(place: str) -> Place:
    """Return where a dweller stands on a space."""
    if place.endswith(":E"):
        x, y = middle_of(place)
        return x + SPACES["E"][0], y + SPACES["E"][1]
    return middle_of(place)


def threat_on(space: str) -> Place:
    """Return where a threat lies whose circle is on the space's."""
    x, y = middle_of(space)
    return x - THREAT_SPACE[0], y - THREAT_SPACE[1]


@cache
def _middles() -> tuple[tuple[str, Place], ...]:
    return tuple((name, standing_on(name)) for name in spaces())


def space_at(x: float, y: float, slack: float = SLACK) -> str | None:
    """Return the space nearest to a point; None if all are too far."""
    far, name = min((hypot(x - middle[0], y - middle[1]), name) for name, middle in _middles())
    return name if far <= slack else None


def slot_at(x: float, y: float) -> str | None:
    """Return the place of a room, not of an elevator, that a point is in."""
    for level in range(1, LEVELS + 1):
        for slot in SLOTS:
            middle = middle_of(f"{level}:{slot}")
            if slot != "E" and abs(x - middle[0]) <= CARD[0] / 2 and abs(y - middle[1]) <= CARD[1] / 2:
                return f"{level}:{slot}"
    return None
