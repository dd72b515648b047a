"""Predict who will win: the game played on many times by greedy players, with what that leaves uncertain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.bots.policy.greedy import Greedy
from companion.bots.policy.guessing import guessed
from companion.bots.policy.playing import MOST_ROUNDS, play_on
from companion.bots.study.statistics import share_interval
from companion.games.shelter.words import COLOURS
from companion.seeded_chance import QuickLuck

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from companion.games.shelter.cards.box import Box
    from companion.games.shelter.game import Game


class Estimate:
    """Each seat's share of the victories in so many playouts."""

    def __init__(self, seats: tuple[int, ...]) -> None:
        self.seats = seats
        self.playouts = 0
        self._won = [0.0] * len(COLOURS)

    def add(self, winners: tuple[int, ...]) -> None:
        """Count a playout."""
        self.playouts += 1
        for colour in winners:
            self._won[colour] += 1 / len(winners)

    def chance(self, colour: int) -> float:
        """A seat's chance: its share, pulled a little to 1/n, for what few playouts cannot know."""
        return (self._won[colour] + 1 / len(self.seats)) / (self.playouts + 1)

    def interval(self, colour: int) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return share_interval(self._won[colour], self.playouts)

    def as_json(self) -> dict[str, Any]:
        """The bar for a page."""
        return {
            "playouts": self.playouts,
            "chances": {
                COLOURS[colour]: {
                    "chance": round(self.chance(colour), 3),
                    "interval": [round(bound, 3) for bound in self.interval(colour)],
                }
                for colour in self.seats
            },
        }


class Foresight:
    """Plays games on. The order of the decks is hidden, so each playout shuffles them first."""

    def __init__(self, box: Box, source: random.Random) -> None:
        self._source = source
        self._luck = QuickLuck(source)
        self._greedy = Greedy(box, source)

    def begin(self, game: Game) -> Estimate:
        """Nothing is known yet, unless the game is over."""
        estimate = Estimate(game.seats)
        if game.result is not None:
            estimate.add(game.result.winners)
        return estimate

    def estimate(self, game: Game, playouts: int, go_on: Callable[[], bool] = lambda: True) -> Estimate:
        """Play on so many times, or as long as it is wanted."""
        estimate = self.begin(game)
        self.go_on(estimate, game, playouts, go_on)
        return estimate

    def go_on(self, estimate: Estimate, game: Game, playouts: int, wanted: Callable[[], bool] = lambda: True) -> None:
        """Play on until there are so many playouts, or as long as it is wanted; once at least."""
        if game.result is not None:
            return
        policies = dict.fromkeys(game.seats, self._greedy)
        while estimate.playouts < playouts:
            twin = guessed(game, self._source, self._luck)
            play_on(twin, policies, self._luck, game.round + MOST_ROUNDS)
            estimate.add(twin.result.winners if twin.result is not None else game.seats)
            if not wanted():
                break
