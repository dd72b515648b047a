"""Positions of games that bots play against themselves, and who won: what a value of positions is learned from."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray  # noqa: TC002 - a named tuple looks it up

from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import MOST_ROUNDS, RandomPolicy, open_choice, step
from companion.bots.worth.features import Observer
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.words import COLOURS, PLACE, SPAWN
from companion.seeded_chance import QuickLuck

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.bots.policy.policy import Policy
    from companion.games.shelter.cards.box import Box
    from companion.games.shelter.game import ShelterGame

LOOKED_AT: Final = 0.22
"""The share of the positions that is kept: neighbours are much alike."""
ASTRAY: Final = 0.02
"""So often any legal move is played, so that what strong players avoid is met as well."""
WOBBLE: Final = 0.8
HELD_BACK: Final = 10
"""Every tenth game is not learned from; the curve is measured on it."""


class Arrays(NamedTuple):
    """Positions as they are fitted: what every seat saw, who won, and whether it is the last of its game."""

    seen: NDArray[np.float32]
    won: NDArray[np.float32]
    last: list[bool]


class Examples:
    """What every seat saw, and its share of the victory: positions of games with the same number of players."""

    def __init__(self) -> None:
        self._seen: list[list[list[float]]] = []
        self._won: list[list[float]] = []
        self._last: list[bool] = []

    def __len__(self) -> int:
        return len(self._seen)

    def add(self, seen: list[list[list[float]]], won: list[float]) -> None:
        """Add the positions of one game, in the order in which they were met."""
        self._seen += seen
        self._won += [won] * len(seen)
        self._last += [number == len(seen) for number in range(1, len(seen) + 1)]

    def arrays(self) -> Arrays:
        return Arrays(np.array(self._seen, dtype=np.float32), np.array(self._won, dtype=np.float32), self._last)


class SelfPlay:
    """Plays games of one box. The same seed plays the same games."""

    def __init__(self, box: Box, players: int, seed: int) -> None:
        self._box, self._players = box, players
        self.source = random.Random(f"{seed}/self-play/{players}")
        self._luck = QuickLuck(self.source)
        greedy = Greedy(box, self.source)
        self._observer = Observer(greedy.purses, greedy.weights, greedy.appraiser.rooms)
        self._usual: Policy = greedy
        self._wobbling = Greedy(box, self.source, wobble=WOBBLE)
        self._astray = RandomPolicy(self.source)

    def taught_by(self, teacher: Policy) -> None:
        """Have somebody else play."""
        self._usual = teacher

    def games(self, count: int) -> Iterator[tuple[list[list[list[float]]], list[float]]]:
        """Yield what was seen in each game, and everybody's share of its victory, in the order of the seats."""
        for _ in range(count):
            game = new_game(self._box, TableSetup(COLOURS[: self._players]), self._luck)
            seen = self._play(game)
            if game.result is not None:
                winners = game.result.winners
                yield seen, [1 / len(winners) if colour in winners else 0.0 for colour in game.seats]

    def _play(self, game: ShelterGame) -> list[list[list[float]]]:
        """Play a game to its end, and return what was seen of some of its positions."""
        seen: list[list[list[float]]] = []
        chance = self.source.random
        policies = {seat: self._wobbling if chance() < 1 / 4 else self._usual for seat in game.seats}
        while game.result is None and game.round <= MOST_ROUNDS:
            on_turn = game.phase == PLACE and open_choice(game) is None
            if (on_turn or game.phase == SPAWN) and chance() < LOOKED_AT:
                seen.append(self._observer.look(game))
            if on_turn and chance() < ASTRAY:
                game.play(self._astray.choose(game, game.turn), self._luck)
            else:
                step(game, policies, self._luck)
        return seen


def gathered(play: Iterator[tuple[list[list[list[float]]], list[float]]]) -> tuple[Examples, Examples]:
    """Return the positions to learn from, and those that are held back."""
    learned_from, held_back = Examples(), Examples()
    for number, (seen, won) in enumerate(play):
        (held_back if number % HELD_BACK == 0 else learned_from).add(seen, won)
    return learned_from, held_back
