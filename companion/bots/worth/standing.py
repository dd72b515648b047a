"""How a seat stands: what it has, counted, and what that says about who will win."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Final

from companion.bots.worth.item_worth import item_worth
from companion.bots.worth.outlook import rounds_to_come
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.turn.scoring import score_if_ended_now
from companion.games.shelter.words import PLACE, ROOMS

if TYPE_CHECKING:
    from companion.bots.worth.purse import Purses
    from companion.bots.worth.weights import Weights
    from companion.games.shelter.game import Game

FAR: Final = 8.0
THINGS: Final = ("happiness", "cubes", "dwellers", "hurt", "trained", "items", "rooms", "first")
# How much each thing counts for winning: at the end, and in addition with the end far away (fitted to greedy games).
AT_THE_END: Final = (0.938, 0.286, -0.21, 0.098, 0.186, 0.101, 0.004, -0.023)
FAR_AWAY: Final = (-0.494, 0.346, 2.215, -0.43, -0.099, 0.229, 0.215, 0.432)


def things_of(game: Game, colour: int, ahead: float, purses: Purses, weights: Weights) -> list[float]:
    """What a seat has, thing by thing."""
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


def distance(game: Game) -> float:
    """How far away the end is: the rounds to come, the one under way counted by what is left to place."""
    ahead = rounds_to_come(game)
    if game.phase != PLACE:
        return min(FAR, ahead + 1) if not game.last_round else 0.0
    return min(FAR, ahead)


def chances(game: Game, purses: Purses, weights: Weights) -> list[float]:
    """Each seat's chance to win as it stands, by colour; a game that is over has its winners."""
    by_colour = [0.0] * 4
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
