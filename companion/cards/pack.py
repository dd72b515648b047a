"""A card pack: everything printed on the cards of one box, as values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.cards.effects import CostIcon, Gain, Happiness, Space
    from companion.cards.item_effects import ItemEffect, ItemFamily


ELEVATOR_COLOURS: Final = ("red", "blue", "green", "yellow")
HeadStart = tuple["Gain | Happiness", ...]
"""What a player begins with besides two dwellers."""
HeadStarts = tuple[tuple[HeadStart, ...], ...]
"""What everybody begins with, in the order of the first turn; chance draws one of several."""


@dataclass(frozen=True, slots=True)
class RoomCard:
    """A room: its two spaces, left first, and what building it costs (None for the red-backed ones).

    A room with one space has None on the other side (V2).
    """

    id: str
    copies: int
    build_cost: tuple[CostIcon, ...] | None
    spaces: tuple[Space | None, Space | None]


@dataclass(frozen=True, slots=True)
class ThreatCard:
    """A threat: the space that it lays over another (P5)."""

    id: str
    copies: int
    space: Space


@dataclass(frozen=True, slots=True)
class ItemCard:
    """An item and the one thing that it does."""

    id: str
    copies: int
    kind: ItemFamily
    effect: ItemEffect


@dataclass(frozen=True, slots=True)
class Pack:
    """One box of cards.

    `top_level` holds the six red-backed rooms in their fixed order, left to right. `columns` gives, for the twelve
    room spaces of a level from left to right, the number printed beside each, or None (V2).
    `elevators` gives, by colour, those that differ from the others.
    `names` gives, by language, the name of every card id and of `elevator`.
    `head_starts` gives, by the number of players, what each begins with under the house rule `even_seats`, in the order
    of the first turn: the first to place is ahead in most packs. Where there are several, chance draws one, so that
    seats can be evened in smaller steps than a cube or a happiness.
    `warnings` names the counts that are not the box's (C4), `confirmed` the cards that an owner has compared.
    """

    id: str
    verified: bool
    top_level: tuple[RoomCard, ...]
    top_elevator: Space
    elevator: Space
    """Those of the players, where none is printed otherwise in `elevators`."""
    rooms: tuple[RoomCard, ...]
    threats: tuple[ThreatCard, ...]
    items: tuple[ItemCard, ...]
    columns: tuple[int | None, ...]
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    confirmed: frozenset[str] = frozenset()
    elevators: Mapping[str, Space] = field(default_factory=dict)
    head_starts: Mapping[int, HeadStarts] = field(default_factory=dict)

    def elevator_of(self, colour: str | None) -> Space:
        """Return what a player's elevator shows, or the red-backed one, which is nobody's (S1, S2)."""
        return self.top_elevator if colour is None else self.elevators.get(colour, self.elevator)

    @property
    def cards(self) -> tuple[RoomCard | ThreatCard | ItemCard, ...]:
        """Return every card that has an id: all but the elevators."""
        return (*self.top_level, *self.rooms, *self.threats, *self.items)


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One fault. Line 0 is the file as a whole; without a card, `card` is empty.

    `key` is the field at fault, `code` what pages say in their own words, `piece` what of the field is not understood.
    """

    file: str
    line: int
    card: str
    found: str
    expected: str
    key: str = ""
    code: str = ""
    piece: str = ""

    def __str__(self) -> str:
        line = f"{self.file}:{self.line}: {self.card or '-'}: found {self.found}, expected {self.expected}"
        return "".join(character if character.isprintable() else "?" for character in line)


class PackFaults(ValueError):  # noqa: N818 - it is the list of faults, not one error
    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(set(faults)))
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))
