"""A fight or a test under way: the dice and what has been added to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Face


class Contest:
    """Three dice for one survivor. A fight has an enemy, a test has letters and a difficulty."""

    __slots__ = ("adjacent", "dice", "difficulty", "drawn", "hits", "kind", "letters", "number", "rerolls", "seat")

    def __init__(self, seat: int, letters: str, rerolls: int) -> None:
        self.seat = seat
        self.letters = letters  # of the test, or on the equipped weapon: those used in the fight (W-FIGHT-15)
        self.rerolls = rerolls
        self.hits = 0  # added to the survivor's by cards
        self.difficulty = 0
        self.kind = -1
        self.number = 0  # the token on the map; 0 for draw-and-fight
        self.drawn = False
        self.adjacent = False
        self.dice: tuple[Face | None, ...] = (None, None, None)

    @property
    def is_fight(self) -> bool:
        """A fight, not a test."""
        return self.kind >= 0

    def copy(self) -> Contest:
        """A contest that shares nothing that changes."""
        twin = Contest.__new__(Contest)
        for name in Contest.__slots__:
            setattr(twin, name, getattr(self, name))
        return twin
