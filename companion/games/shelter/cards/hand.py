"""A hand: the items in front of a player, ready or exhausted, and what they are good for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from companion.games.shelter.cards.contents import Contents, ItemKind

ROLL: Final = "roll"
KEEP: Final = "keep"
USE: Final = "use:"


class Hand:
    """A player's items, and what they are good for. A changed hand is another hand."""

    __slots__ = ("_box", "bonus", "cards", "outfits", "saving", "tools")

    def __init__(self, box: Contents, cards: tuple[int, ...]) -> None:
        # A card in a hand is twice its number, plus one when it is exhausted.
        self._box = box
        self.cards = cards
        self.tools: list[ItemKind] = []  # ready, for any time
        self.outfits: list[ItemKind] = []  # ready, for a placement
        self.saving: list[ItemKind] = []  # ready, and makes building cheaper
        self.bonus = 0  # what is always added to a fight's roll (I5)
        for card in cards:
            kind = box.items[card >> 1]
            self.bonus += kind.passive_bonus
            if card & 1:
                continue
            if kind.any_time and kind not in self.tools:
                self.tools.append(kind)
            elif kind.trains and kind not in self.outfits:
                self.outfits.append(kind)
            elif kind.discount:
                self.saving.append(kind)

    def names(self) -> list[str]:
        """What may be discarded, each name once."""
        return list(dict.fromkeys([self._box.items[card >> 1].name for card in self.cards]))

    def exhausted(self) -> list[str]:
        """What may be readied."""
        return list(dict.fromkeys([self._box.items[card >> 1].name for card in self.cards if card & 1]))

    def before_roll(self) -> list[str]:
        """What may be done before a fight's roll."""
        return [ROLL, *dict.fromkeys([USE + kind.name for kind in self._ready() if kind.roll_bonus])]

    def after_roll(self) -> list[str]:
        """What may be done after it."""
        return [KEEP, *dict.fromkeys([USE + kind.name for kind in self._ready() if kind.rerolls])]

    def _ready(self) -> list[ItemKind]:
        return [self._box.items[card >> 1] for card in self.cards if not card & 1]
