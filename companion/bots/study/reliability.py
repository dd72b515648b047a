"""Calibration of win chances: estimates at mid-game compared with who won."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final, TypedDict

from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import MOST_ROUNDS, step
from companion.bots.study.tally import mean, mean_interval, share_interval
from companion.bots.worth.win_chance import WinEstimator
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.words import COLOURS, SPAWN
from companion.seeded_chance import QuickLuck

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.games.shelter.cards.box import Box
    from companion.games.shelter.game import ShelterGame

BINS: Final = 10


class MidGameEstimate:
    """The chances estimated in the middle of one game, and each seat's share of the victory."""

    def __init__(self, chances: list[float], won: list[float]) -> None:
        self.chances = chances
        self.won = won

    def brier(self) -> float:
        """Return the Brier score: 0 is perfect, 1 - 1/n is always saying 1/n."""
        return sum((chance - won) ** 2 for chance, won in zip(self.chances, self.won, strict=True))


class Calibration:
    """Greedy games, each looked at when half of its rounds are over."""

    def __init__(self, box: Box, players: int, seed: int, playouts: int) -> None:
        self._box = box
        self._colours = COLOURS[:players]
        self._seed = seed
        self._playouts = playouts

    def games(self, count: int) -> Iterator[MidGameEstimate]:
        """Play so many games; the same seed gives the same results."""
        for number in range(count):
            yield self.tell(number)

    def tell(self, number: int) -> MidGameEstimate:
        """Play one game to the end, then estimate the chances in its middle."""
        source = random.Random(f"{self._seed}/calibration/{number}")
        luck, greedy = QuickLuck(source), Greedy(self._box, source)
        game = new_game(self._box, TableSetup(self._colours), luck)
        policies = dict.fromkeys(game.seats, greedy)
        between: list[ShelterGame] = [game.copy()]
        while game.result is None and game.round <= MOST_ROUNDS:
            step(game, policies, luck)
            if game.phase == SPAWN and game.round > len(between):
                between.append(game.copy())
        result = game.result
        winners = result.winners if result is not None else game.seats
        middle = between[len(between) // 2]
        estimate = WinEstimator(self._box, source).estimate(middle, self._playouts)
        return MidGameEstimate(
            [estimate.chance(colour) for colour in game.seats],
            [(colour in winners) / len(winners) for colour in game.seats],
        )


ReliabilityRow = TypedDict(
    "ReliabilityRow",
    {"from": float, "to": float, "count": int, "told": float, "came_true": float, "interval": list[float]},
)
"""Chances of about the same size: what was told, and how often it came true."""


class CalibrationJson(TypedDict):
    """The Brier score, that of always saying 1/n, and the reliability table."""

    games: int
    brier: float
    interval: list[float]
    brier_of_1_over_n: float
    better_by: float
    reliability: list[ReliabilityRow]


def report(told: list[MidGameEstimate]) -> CalibrationJson:
    """The Brier score against that of always saying 1/n, and the reliability table."""
    players = len(told[0].chances)
    scores = [one.brier() for one in told]
    uniform = mean([MidGameEstimate([1 / players] * players, one.won).brier() for one in told])
    low, high = mean_interval(scores)
    return {
        "games": len(told),
        "brier": round(mean(scores), 4),
        "interval": [round(low, 4), round(high, 4)],
        "brier_of_1_over_n": round(uniform, 4),
        "better_by": round(1 - mean(scores) / uniform, 4) if uniform else 0.0,
        "reliability": _reliability(told),
    }


def _reliability(told: list[MidGameEstimate]) -> list[ReliabilityRow]:
    """Group similar chances: their mean estimate, and how often they came true."""
    table: list[ReliabilityRow] = []
    pairs = [pair for one in told for pair in zip(one.chances, one.won, strict=True)]
    for number in range(BINS):
        low, high = number / BINS, (number + 1) / BINS
        here = [pair for pair in pairs if low <= pair[0] < high or (number == BINS - 1 and pair[0] == high)]
        won = sum(pair[1] for pair in here)
        if here:
            table.append(
                {
                    "from": low,
                    "to": high,
                    "count": len(here),
                    "told": round(mean([pair[0] for pair in here]), 4),
                    "came_true": round(won / len(here), 4),
                    "interval": [round(bound, 4) for bound in share_interval(won, len(here))],
                }
            )
    return table
