"""A survivor: the board with its pegs, letters and traits, and the cards beside it (W-CORE-4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.wasteland.words import NO_CARD, START_HOLE

if TYPE_CHECKING:
    from companion.cards.wasteland.words import Trait


class Survivor:
    """One player's board. Cards are held as `turned` numbers; the hand is secret."""

    __slots__ = (
        "answers", "at", "beside", "caps", "character", "eliminated", "hand", "hole", "hp", "hp_max", "inventory",
        "letters", "perks", "rads", "revealed", "slots", "traits",
    )  # fmt: skip

    def __init__(self) -> None:
        self.character = NO_CARD
        self.hp_max = 0
        self.hp = 0
        self.rads = 0
        self.hole = START_HOLE
        self.letters = 0
        self.traits: frozenset[Trait] = frozenset()
        self.caps = 0
        self.hand: list[int] = []
        self.answers: list[int] = []  # what the owner says about manual conditions, beside each agenda
        self.revealed = NO_CARD  # the place in the hand that lies faceup for loyalty
        self.slots = [NO_CARD, NO_CARD, NO_CARD]
        self.inventory: list[int] = []
        self.beside = NO_CARD  # a character card that is neither item nor companion (W-SETUP-17)
        self.perks: list[int] = []
        self.at = ""
        self.eliminated = False

    @property
    def remaining(self) -> int:
        """Remaining HP (W-HP-2)."""
        return self.hp - self.rads

    def held(self) -> list[int]:
        """All equipped cards and those in the inventory."""
        return [card for card in self.slots if card != NO_CARD] + self.inventory

    def turnable(self) -> list[int]:
        """All cards that can be exhausted: those held, and the one beside the board."""
        return self.held() + ([] if self.beside == NO_CARD else [self.beside])

    def copy(self) -> Survivor:
        """A survivor that shares nothing that changes."""
        twin = Survivor.__new__(Survivor)
        for name in Survivor.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value.copy() if isinstance(value, list) else value)
        return twin
