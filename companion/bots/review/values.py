"""The worth of moves for everybody's chance to win: each is played on a little, from guessed decks and dice.

All moves of a decision meet the same decks and the same first dice, so that their difference is known sooner than each.
"""

from __future__ import annotations

import random
from math import sqrt
from typing import TYPE_CHECKING, Final

from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import MOST_ROUNDS, guessed, step
from companion.bots.worth.win_chance import chances
from companion.games.shelter.words import SPAWN
from companion.seeded_chance import QuickLuck

if TYPE_CHECKING:
    from companion.games.shelter.cards.box import Box
    from companion.games.shelter.game import ShelterGame
    from companion.games.shelter.moves import Move

ROUNDS: Final = 2
"""It is played on to the end of the round after this one, and judged there."""
Walks = list[list[float]]
"""Everybody's chance to win by colour, once for every time that it was played on."""


class MoveValues:
    """Plays on with greedy players. The same seed finds the same values; the order of the decks is never looked at."""

    def __init__(self, box: Box, seed: str) -> None:
        self._seed = seed
        self._source = random.Random(seed)
        self._luck = QuickLuck(self._source)
        self.greedy = Greedy(box, self._source)

    def walks(self, game: ShelterGame, move: Move | None, mark: str, times: int) -> Walks:
        """Play on so many times, after a move or from here; `mark` names the decks and dice that are met."""
        return [self._walk(game, move, f"{self._seed}/{mark}/{nth}") for nth in range(times)]

    def _walk(self, game: ShelterGame, move: Move | None, seed: str) -> list[float]:
        self._source.seed(seed)
        twin = guessed(game, self._source, self._luck)
        policies = dict.fromkeys(game.seats, self.greedy)
        last = game.round + ROUNDS
        if move is not None:
            twin.play(move, self._luck)
        while twin.result is None and not (twin.phase == SPAWN and twin.round >= last) and twin.round <= MOST_ROUNDS:
            step(twin, policies, self._luck)
        return chances(twin, self.greedy.purses, self.greedy.weights)


def mean(walks: Walks, colour: int) -> float:
    return sum(one[colour] for one in walks) / len(walks)


def shortfall(played: Walks, others: list[Walks], colour: int) -> float:
    """Return how much chance a move gave away beside the best of the others.

    The best is chosen by one half of the walks and measured by the other, and the other way round: the best of many
    noisy numbers would look better than it is.
    """
    return sum(_measured(played, others, colour, half) for half in (0, 1)) / 2


def _measured(played: Walks, others: list[Walks], colour: int, half: int) -> float:
    best = max([played, *others], key=lambda walks: mean(walks[half::2], colour))
    return mean(best[1 - half :: 2], colour) - mean(played[1 - half :: 2], colour)


def doubt(first: Walks, second: Walks, colour: int) -> float:
    """Return the standard error of the difference of two means over the same decks and dice."""
    gaps = [one[colour] - other[colour] for one, other in zip(first, second, strict=True)]
    middle = sum(gaps) / len(gaps)
    return sqrt(sum((gap - middle) ** 2 for gap in gaps) / max(1, len(gaps) - 1) / len(gaps))
