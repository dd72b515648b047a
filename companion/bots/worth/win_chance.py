"""Predict who will win: the game played on many times by greedy players, with what that leaves uncertain."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Final, TypedDict

from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import MOST_ROUNDS, guessed, play_on
from companion.bots.study.tally import share_interval
from companion.bots.worth.outlook import rounds_to_come
from companion.bots.worth.prospects import item_worth
from companion.bots.worth.together import team_chance
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.turn.rounds import score_if_ended_now
from companion.games.shelter.words import COLOURS, PLACE, ROOMS
from companion.seeded_chance import QuickLuck

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from companion.bots.worth.purse import Purses
    from companion.bots.worth.weights import Weights
    from companion.games.shelter.cards.box import Box
    from companion.games.shelter.game import ShelterGame


class WinShareJson(TypedDict):
    """A player's chance to win, from 0 to 1, and the interval in which it lies."""

    chance: float
    interval: list[float]


class EstimateJson(TypedDict):
    playouts: int
    chances: dict[str, WinShareJson]


class Estimate:
    """Each seat's share of the victories in a number of playouts; together a victory is everybody's."""

    def __init__(self, seats: tuple[int, ...], *, together: bool = False) -> None:
        self.seats = seats
        self._together = together
        self.playouts = 0
        self._won = [0.0] * len(COLOURS)

    def add(self, winners: tuple[int, ...]) -> None:
        self.playouts += 1
        for colour in winners:
            self._won[colour] += 1.0 if self._together else 1 / len(winners)

    def chance(self, colour: int) -> float:
        """Return a seat's chance: its share, shrunk a little to 1/n (together to a half) for the uncertainty of few."""
        before = 0.5 if self._together else 1 / len(self.seats)
        return (self._won[colour] + before) / (self.playouts + 1)

    def interval(self, colour: int) -> tuple[float, float]:
        """Return the 95 % interval of the share."""
        return share_interval(self._won[colour], self.playouts)

    def as_json(self) -> EstimateJson:
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


class WinEstimator:
    """Plays games to the end. The order of the decks is hidden, so each playout shuffles them first."""

    def __init__(self, box: Box, source: random.Random) -> None:
        self._source = source
        self._luck = QuickLuck(source)
        self._greedy = Greedy(box, source)

    def begin(self, game: ShelterGame) -> Estimate:
        """Begin an estimate; of a game that is over it is final."""
        estimate = Estimate(game.seats, together=game.together is not None)
        if game.result is not None:
            estimate.add(game.result.winners)
        return estimate

    def estimate(self, game: ShelterGame, playouts: int, go_on: Callable[[], bool] = lambda: True) -> Estimate:
        """Play on so many times, or as long as it is wanted."""
        estimate = self.begin(game)
        self.go_on(estimate, game, playouts, go_on)
        return estimate

    def go_on(
        self, estimate: Estimate, game: ShelterGame, playouts: int, wanted: Callable[[], bool] = lambda: True
    ) -> None:
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


FAR: Final = 8.0
# How much happiness, cubes, dwellers, hurt and trained ones, items, rooms and going first count for winning, in this
# order: at the end, and in addition with the end far away (fitted to greedy games).
AT_THE_END: Final = (0.938, 0.286, -0.21, 0.098, 0.186, 0.101, 0.004, -0.023)
FAR_AWAY: Final = (-0.494, 0.346, 2.215, -0.43, -0.099, 0.229, 0.215, 0.432)


def things_of(game: ShelterGame, colour: int, ahead: float, purses: Purses, weights: Weights) -> list[float]:
    base = 3 * colour
    state = game.cubes[base] + 7 * game.cubes[base + 1] + 49 * game.cubes[base + 2]
    purse = purses.get(game.tracks[ROOMS], plan=ahead > 0, late=ahead == 0)
    items = game.box.items
    return [
        score_if_ended_now(game, colour).happiness,
        purse.table[state],
        dwellers_of(game, colour),
        game.hurt[colour],
        game.trained[colour].bit_count(),
        sum([item_worth(game, colour, items[card >> 1], ahead, weights) for card in game.hands[colour].cards]),
        game.vault.rooms_on(game.levels[colour]),
        game.first == colour,
    ]


def distance(game: ShelterGame) -> float:
    """Return how far away the end is: the rounds to come, the current one counted by what is left to place."""
    ahead = rounds_to_come(game)
    if game.phase != PLACE:
        return min(FAR, ahead + 1) if not game.last_round else 0.0
    return min(FAR, ahead)


def chances(game: ShelterGame, purses: Purses, weights: Weights) -> list[float]:
    """Return each seat's chance to win by colour, together everybody's; a game that is over has its winners."""
    by_colour = [0.0] * 4
    if game.together is not None:
        return [team_chance(game, game.together)] * len(by_colour)
    if game.result is not None:
        for colour in game.result.winners:
            by_colour[colour] = 1 / len(game.result.winners)
        return by_colour
    ahead = distance(game)
    share = ahead / FAR
    factors = [near + share * far for near, far in zip(AT_THE_END, FAR_AWAY, strict=True)]
    points = [
        sum(
            [
                factor * thing
                for factor, thing in zip(factors, things_of(game, colour, ahead, purses, weights), strict=True)
            ]
        )
        for colour in game.seats
    ]
    best = max(points)
    powers = [exp(point - best) for point in points]
    whole = sum(powers)
    for colour, power in zip(game.seats, powers, strict=True):
        by_colour[colour] = power / whole
    return by_colour
