"""What one look says, in the form other programs read."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Seen:
    """A card named, and how sure that is."""

    card: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Dweller:
    """A figure seen: its space, its player's colour, `standing` or `lying`, and how sure that is."""

    space: str
    player: str
    pose: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely one look finds a figure on a space at all, and lying; and what it would have to be to be told."""

    player: str
    figure: float
    lying: float
    least_figure: float
    least_pose: float


@dataclass(frozen=True, slots=True)
class Die:
    """A real die that lies still: its value, and where it lies (mm)."""

    value: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Reading:
    """One picture read. A place that cannot be read is in `unsure` and nowhere else."""

    image: str
    table: str
    hand: bool = False
    ms: float = 0.0
    rooms: dict[str, Seen] = field(default_factory=dict)
    threats: dict[str, Seen] = field(default_factory=dict)
    tracks: dict[str, tuple[str | None, ...]] = field(default_factory=dict)
    dwellers: tuple[Dweller, ...] = ()
    unsure: tuple[str, ...] = ()
    dice: tuple[Die, ...] | None = None
    """Real dice; None where the table has no corner for them, or nobody has looked there."""

    chances: dict[str, Chance] = field(default_factory=dict, compare=False)
    """What this look alone says of spaces that nothing hides: it is summed over looks, and told to nobody."""

    glares: dict[str, float] = field(default_factory=dict, compare=False)
    """How white with light spaces are where no figure is in doubt; told to nobody."""

    def to_json(self) -> dict[str, Any]:
        """Give the reading as plain JSON values."""
        return {
            "image": self.image,
            "table": self.table,
            "hand": self.hand,
            "ms": round(self.ms, 1),
            "rooms": {place: _card(seen) for place, seen in sorted(self.rooms.items())},
            "threats": {place: _card(seen) for place, seen in sorted(self.threats.items())},
            "tracks": {name: list(cards) for name, cards in self.tracks.items()},
            "dwellers": [
                {"space": d.space, "player": d.player, "pose": d.pose, "confidence": round(d.confidence, 2)}
                for d in self.dwellers
            ],
            "unsure": list(self.unsure),
            **({} if self.dice is None else {"dice": [_die(die) for die in self.dice]}),
        }


def lost(image: str, ms: float = 0.0) -> Reading:
    """Give the reading of a picture without the table."""
    return Reading(image=image, table="lost", ms=ms)


def _card(seen: Seen) -> dict[str, Any]:
    return {"card": seen.card, "confidence": round(seen.confidence, 2)}


def _die(die: Die) -> dict[str, Any]:
    return {"value": die.value, "at": [round(die.x, 1), round(die.y, 1)]}
