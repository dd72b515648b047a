"""Siblings: what a decision's moves lead to, each played on by greedy players; a value learns to tell them apart."""

from __future__ import annotations

import random
from math import exp
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import MOST_ROUNDS, guessed, moves_of, open_choice, step
from companion.bots.worth.answers import AT_ONCE
from companion.bots.worth.features import Observer
from companion.bots.worth.learned import LearnedValue
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.words import COLOURS, PLACE, RECALL, SPAWN
from companion.seeded_chance import QuickLuck

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.bots.worth.learned import Network
    from companion.games.shelter.cards.box import Box
    from companion.games.shelter.game import ShelterGame
    from companion.games.shelter.moves import Move

LOOKED_AT: Final = 0.1
"""The share of the decisions whose moves are played on."""
BEST, OTHERS, RANKED = 3, 3, 10
"""Siblings: greedy's best moves, and so many others of those that it ranks high, as a search meets them."""
PLAYOUTS: Final = 5
"""Of each sibling; all of a family meet the same dice, so that their difference is known sooner than each."""
ROUNDS: Final = 2
"""It is played on to the end of the round after the decision's, as `mcts` does."""
ASTRAY: Final = 0.02
"""So often any legal move is played, and so often one that greedy ranks high: positions that a tree goes through."""
WANDERING: Final = 0.23
TEMPERATURE: Final = 0.5


class Family(NamedTuple):
    """The moves of one decision: what every seat sees after each, everybody's mean chance there, and who moves."""

    seen: list[list[list[float]]]
    chances: list[list[float]]
    mover: int


class Families:
    """Plays games of one box and plays on after the moves of some decisions. The same seed finds the same."""

    def __init__(self, box: Box, players: int, seed: int, judge: Network) -> None:
        self._box, self._players = box, players
        self._name = f"{players}/{seed}"
        self._draw = random.Random(f"draw/{self._name}")
        self._source = random.Random()
        self._luck = QuickLuck(self._source)
        self._greedy = Greedy(box, self._source)
        self._observer = Observer(self._greedy)
        self._judge = LearnedValue(self._greedy, judge)

    def families(self) -> Iterator[Family]:
        """Yield families without end."""
        number = 0
        while True:
            self._source.seed(f"{self._name}/game/{number}/{self._draw.random()}")
            for family in self._of_a_game():
                number += 1
                yield family

    def _of_a_game(self) -> Iterator[Family]:
        game = new_game(self._box, TableSetup(COLOURS[: self._players]), self._luck)
        policies = dict.fromkeys(game.seats, self._greedy)
        while game.result is None and game.round <= MOST_ROUNDS:
            if game.phase != PLACE or open_choice(game) is not None:
                step(game, policies, self._luck)
                continue
            if self._draw.random() < LOOKED_AT:
                before = self._source.getstate()
                family = self._family(game)
                if len(family.seen) > 1:
                    yield family
                self._source.setstate(before)
            self._go_on(game)

    def _family(self, game: ShelterGame) -> Family:
        family = Family([], [], game.seats.index(game.turn))
        ranked = self._ranked(game)
        if ranked[0][0] >= AT_ONCE or len(ranked) == 1:
            return family
        others = ranked[BEST:RANKED]
        self._draw.shuffle(others)
        seed = self._draw.random()
        for _, move in ranked[:BEST] + others[:OTHERS]:
            self._source.seed(f"{seed}")
            twin = guessed(game, self._source, self._luck)
            twin.play(move, self._luck)
            while twin.result is None and (twin.phase == RECALL or open_choice(twin) is not None):
                self._step(twin)
            if twin.result is None:
                family.seen.append(self._observer.look(twin))
                family.chances.append(self._played_on(twin, f"{seed}", game.round + ROUNDS))
        return family

    def _played_on(self, game: ShelterGame, seed: str, last: int) -> list[float]:
        """Return everybody's mean chance where a round ends, in the order of the seats."""
        total = [0.0] * len(game.seats)
        for nth in range(PLAYOUTS):
            self._source.seed(f"{seed}/{nth}")
            twin = guessed(game, self._source, self._luck)
            while (
                twin.result is None and not (twin.phase == SPAWN and twin.round >= last) and twin.round <= MOST_ROUNDS
            ):
                self._step(twin)
            chances = self._judge.chances(twin)
            for place, colour in enumerate(game.seats):
                total[place] += chances[colour] / PLAYOUTS
        return total

    def _go_on(self, game: ShelterGame) -> None:
        chance = self._draw.random()
        if chance < ASTRAY:
            game.play(self._draw.choice(moves_of(game, game.turn)), self._luck)
        elif chance < ASTRAY + WANDERING:
            ranked = self._ranked(game)[:RANKED]
            powers = [exp((worth - ranked[0][0]) / TEMPERATURE) for worth, _ in ranked]
            game.play(self._draw.choices([move for _, move in ranked], powers)[0], self._luck)
        else:
            self._step(game)

    def _ranked(self, game: ShelterGame) -> list[tuple[float, Move]]:
        return sorted(self._greedy.ranked(self._greedy.outlook(game, game.turn)), key=lambda pair: -pair[0])

    def _step(self, game: ShelterGame) -> None:
        step(game, dict.fromkeys(game.seats, self._greedy), self._luck)
