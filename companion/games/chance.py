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

    def told(self) -> str | None:
        """The next card that somebody drew on the real table for this move, if it was told."""
        ...
