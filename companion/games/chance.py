"""Chance as the rules see it: dice and shuffles that somebody else provides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence


Dice = tuple[int, int]


class Chance(Protocol):
    """Where dice and shuffles come from.

    `nth` counts the rolls (or shuffles) of the game so far, so that a roll made again after an undo can fall the same.
    """

    def roll(self, nth: int) -> Dice:
        """Two six-sided dice."""
        ...

    def shuffle(self, nth: int, cards: Sequence[int]) -> list[int]:
        """The same cards in another order; the last one is on top."""
        ...

    def told_card(self) -> str | None:
        """The next card that somebody drew on the real table for this move, if it was told."""
        ...


class ToldChance:
    """Dice and cards that a move brought along; what it did not bring comes from elsewhere."""

    def __init__(self, otherwise: Chance, rolls: int, dice: tuple[Dice, ...], drawn: tuple[str, ...]) -> None:
        self._otherwise = otherwise
        self._rolls = rolls
        self._dice = dice
        self._drawn = list(drawn)

    def roll(self, nth: int) -> Dice:
        """The dice that were told, in order, then the companion's own."""
        place = nth - self._rolls
        return self._dice[place] if place < len(self._dice) else self._otherwise.roll(nth)

    def shuffle(self, nth: int, cards: Sequence[int]) -> list[int]:
        """Shuffles are never told."""
        return self._otherwise.shuffle(nth, cards)

    def told_card(self) -> str | None:
        return self._drawn.pop(0) if self._drawn else self._otherwise.told_card()
