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
    from collections.abc import Iterable, Iterator

    from companion.bots.policy.policy import Policy
    from companion.bots.study.siblings import Family
    from companion.games.shelter.cards.box import Box
    from companion.games.shelter.game import ShelterGame

LOOKED_AT: Final = 0.22
"""The share of the positions that is kept: neighbours are much alike."""
ASTRAY: Final = 0.02
"""So often any legal move is played, so that what strong players avoid is met as well."""
WOBBLE: Final = 0.8
HELD_BACK: Final = 10
"""Every tenth game or family is not learned from; the curve is measured on it."""


class Arrays(NamedTuple):
    """Positions as they are fitted: what every seat saw, everybody's chance, whose move it was, and the families.

    Siblings lie side by side; a family's positions begin at its start, and the last start is the end.
    """

    seen: NDArray[np.float32]
    chances: NDArray[np.float32]
    movers: NDArray[np.int64]
    starts: NDArray[np.int64]


class Examples:
    """What every seat saw, and its share of the victory or its chance; all with the same number of players."""

    def __init__(self) -> None:
        self._seen: list[list[list[float]]] = []
        self._chances: list[list[float]] = []
        self._movers: list[int] = []
        self._starts = [0]

    def __len__(self) -> int:
        return len(self._seen)

    def add(self, seen: list[list[list[float]]], chances: list[list[float]], mover: int) -> None:
        """Add a family: positions that one seat may choose between."""
        self._seen += seen
        self._chances += chances
        self._movers += [mover] * len(seen)
        self._starts.append(len(self._seen))

    def add_game(self, seen: list[list[list[float]]], won: list[float]) -> None:
        """Add the positions of a game, each without siblings."""
        for one in seen:
            self.add([one], [won], 0)

    def arrays(self) -> Arrays:
        return Arrays(
            np.array(self._seen, dtype=np.float32),
            np.array(self._chances, dtype=np.float32),
            np.array(self._movers),
            np.array(self._starts),
        )


class SelfPlay:
    """Plays games of one box. The same seed plays the same games."""

    def __init__(self, box: Box, players: int, seed: int) -> None:
        self._box, self._players = box, players
        self.source = random.Random(f"{seed}/self-play/{players}")
        self._luck = QuickLuck(self.source)
        greedy = Greedy(box, self.source)
        self._observer = Observer(greedy)
        self._usual: Policy = greedy
        self._wobbling = Greedy(box, self.source, wobble=WOBBLE)
        self._astray = RandomPolicy(self.source)

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
        (held_back if number % HELD_BACK == 0 else learned_from).add_game(seen, won)
    return learned_from, held_back


def gathered_families(families: Iterable[Family]) -> tuple[Examples, Examples]:
    """Return the siblings to learn from, and those that are held back."""
    learned_from, held_back = Examples(), Examples()
    for number, family in enumerate(families):
        (held_back if number % HELD_BACK == 0 else learned_from).add(*family)
    return learned_from, held_back
