"""Chance made by the companion: seeded, so that a roll made again after an undo falls the same."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.chance import Dice


THROWS: Final = tuple((first, second) for first in range(1, 7) for second in range(1, 7))


class SeededLuck:
    """Every roll and every shuffle of a game follows from the seed and its number."""

    def __init__(self, seed: int | str) -> None:
        self._seed = seed

    def roll(self, nth: int) -> Dice:
        dice = random.Random(f"{self._seed}/roll/{nth}")
        return dice.randint(1, 6), dice.randint(1, 6)

    def shuffle(self, nth: int, cards: Sequence[int]) -> list[int]:
        shuffled = list(cards)
        random.Random(f"{self._seed}/shuffle/{nth}").shuffle(shuffled)
        return shuffled

    def told_card(self) -> str | None:
        """Nobody tells a computer."""
        return None


class QuickLuck:
    """Dice and shuffles straight from a generator: for simulations, which never undo."""

    def __init__(self, source: random.Random) -> None:
        self._random = source.random
        self._bits = source.getrandbits

    def roll(self, nth: int) -> Dice:  # noqa: ARG002 - the protocol's
        return THROWS[int(self._random() * len(THROWS))]

    def shuffle(self, nth: int, cards: Sequence[int]) -> list[int]:  # noqa: ARG002
        """Shuffle as the generator itself would, which cannot be compiled."""
        shuffled = list(cards)
        for place in range(len(shuffled) - 1, 0, -1):
            length = (place + 1).bit_length()
            other = self._bits(length)
            while other > place:
                other = self._bits(length)
            shuffled[place], shuffled[other] = shuffled[other], shuffled[place]
        return shuffled

    def told_card(self) -> str | None:
        """Nobody tells a computer."""
        return None
