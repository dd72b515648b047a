"""Whole games without a table: who sits where, and one game after the other from one seed."""

from __future__ import annotations

import random
from time import perf_counter
from typing import TYPE_CHECKING

from companion.bots.policy.characters import make
from companion.bots.policy.policy import MOST_ROUNDS, play_on
from companion.games.shelter.cards.box import Box
from companion.games.shelter.setup import Table, new_game
from companion.games.shelter.words import COLOURS
from companion.seeded_chance import QuickLuck

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.bots.policy.policy import Policy
    from companion.bots.policy.search import Budget
    from companion.cards.pack import Pack
    from companion.games.shelter.game import Game


__all__ = ["Box", "Played", "Tournament", "box_of"]


def box_of(pack: Pack) -> Box:
    """Return the box that games of a pack are played with."""
    return Box(pack)


class Played:
    """One game that was played out: its last state, who sat where, and how long it took."""

    def __init__(self, game: Game, sat: tuple[str, ...], decisions: int, seconds: float) -> None:
        self.game = game
        self.sat = sat
        self.decisions = decisions
        self.seconds = seconds
        self.rounds = game.round
        self.finished = game.result is not None

    def won(self, place: int) -> float:
        """A place's share of the victory: 1, or less where it is shared (E3)."""
        result = self.game.result
        if result is None or self.game.seats[place] not in result.winners:
            return 0.0
        return 1 / len(result.winners)

    def score(self, place: int) -> int:
        """A place's happiness, at the end after penalties and items."""
        result, colour = self.game.result, self.game.seats[place]
        return self.game.happiness[colour] if result is None else result.scores[colour].happiness


class Tournament:
    """Games of one box with the same company; the company moves on by one chair from game to game."""

    def __init__(self, box: Box, company: Sequence[str], players: int, seed: int, budget: Budget | None = None) -> None:
        self._box = box
        self._company = company
        self._colours = COLOURS[:players]
        self._seed = seed
        self._thoughts = random.Random(f"{seed}/thoughts")
        self._policies: dict[str, Policy] = {
            name: make(name, box, self._thoughts, budget) for name in sorted(set(company))
        }

    def games(self, count: int) -> Iterator[Played]:
        """Play so many games. The same seed plays the same games."""
        for number in range(count):
            yield self.play(number)

    def play(self, number: int) -> Played:
        """The game of a number: its chance and the policies' ties follow from the seed and the number alone."""
        self._thoughts.seed(f"{self._seed}/thoughts/{number}")
        luck = QuickLuck(random.Random(f"{self._seed}/luck/{number}"))
        game = new_game(self._box, Table(self._colours), luck)
        sat = tuple(self._company[(place + number) % len(self._company)] for place in range(len(self._colours)))
        start = perf_counter()
        policies = {seat: self._policies[name] for seat, name in zip(game.seats, sat, strict=True)}
        decisions = play_on(game, policies, luck, MOST_ROUNDS)
        return Played(game, sat, decisions, perf_counter() - start)
