"""Co-operative play as bots see it: what the shared aims still ask, how near a break-in is, and the chance to win."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import exp, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.bots.worth.weights import Weights  # noqa: TC001 - a named tuple looks it up
from companion.cards.together import AIMS
from companion.games.shelter.together.aims import goal_of, have, is_met
from companion.games.shelter.words import ELEVATOR_SLOT, SPACES_A_LEVEL, SPAWN

if TYPE_CHECKING:
    from companion.games.shelter.game import ShelterGame
    from companion.games.shelter.together.aims import Together

WANTED: Final = 1.2
"""What a happiness is worth while an aim asks for it, and when none does."""
UNWANTED: Final = 0.15
EACH: Final = ("rooms", "content")
MORE: Final = {
    "rooms": {"room": 3.0},
    "wing": {"room": 3.0},
    "family": {"dweller": 1.5},
    "healthy": {"injury": 2.0},
}
"""By how much an aim that is not met yet raises the weights of what serves it."""
BREACH: Final = 1.5
"""What it is worth to keep out an invader that would break in at this recall; it fades with the way it has to go."""
HUNTED: Final = 0.6
"""... and a threat gone, where an aim counts them."""

# What a round brings, for each player and besides, as greedy players play; and how much that varies.
PACE: Final = {
    "rooms": (0.2, 0.05),
    "wing": (0.05, 0.15),
    "family": (0.25, 0.0),
    "content": (0.55, 0.0),
    "cheer": (0.6, 0.1),
    "stores": (0.3, 0.3),
    "hunters": (0.25, 0.25),
}
STEEP: Final = 1.7
RAIDS: Final = (0.05, 0.4)
"""Break-ins a round, for each player and besides."""


def rounds_left(game: ShelterGame, together: Together) -> int:
    """Return how many rounds are still to be played, the current one too unless its dwellers stand already."""
    return together.rounds - game.round + (1 if game.phase == SPAWN else 0)


class OpenAims(NamedTuple):
    """What the aims that are not met yet make of things for one player."""

    weights: Weights
    happiness: float
    """What a happiness is worth to the evening."""
    threat: float
    """What it is worth that any threat goes."""


def open_aims(game: ShelterGame, colour: int, together: Together, weights: Weights) -> OpenAims:
    keys = tuple(
        [
            AIMS[number].key
            for number in together.aims
            if not is_met(game, together, number) and not _own_part_is_done(game, colour, together, number)
        ]
    )
    return _valued(keys, weights)


@lru_cache(maxsize=512)
def _valued(keys: tuple[str, ...], weights: Weights) -> OpenAims:
    changed: dict[str, float] = {}
    for key in keys:
        for name, times in MORE.get(key, {}).items():
            changed[name] = changed.get(name, getattr(weights, name)) * times
    happiness = WANTED if "cheer" in keys or "content" in keys else UNWANTED
    threat = HUNTED if "hunters" in keys or "quiet" in keys else 0.0
    return OpenAims(replace(weights, **changed) if changed else weights, happiness, threat)


def _own_part_is_done(game: ShelterGame, colour: int, together: Together, number: int) -> bool:
    """Return whether what each has to have is there on this player's side."""
    key = AIMS[number].key
    if key not in EACH:
        return False
    part = goal_of(game, together, number) // len(game.seats)
    there = game.happiness[colour] if key == "content" else game.vault.rooms_on(game.levels[colour])
    return there >= part


def near(space: int) -> float:
    """Return what it is worth to keep an invader out: the nearer the elevator it stands, the more."""
    return BREACH / abs(space % SPACES_A_LEVEL - ELEVATOR_SLOT)


def team_chance(game: ShelterGame, together: Together) -> float:
    """Return a guess at the chance that the evening is won; of a game that is over it is known."""
    if game.result is not None:
        return 1.0 if game.result.winners else 0.0
    left, players = rounds_left(game, together), len(game.seats)
    chance = 1.0
    for number in together.aims:
        there, goal = have(game, together, number), goal_of(game, together, number)
        if AIMS[number].most:
            chance *= 0.9 * exp(-0.5 * max(0, there - goal) / (1 + left))
        else:
            each, besides = PACE[AIMS[number].key]
            ahead = there + left * (each * players + besides) - goal
            chance *= _likely(ahead / (0.6 + 0.6 * sqrt(left * players)))
    each, besides = RAIDS
    borne = together.limit - together.breaches - 0.5 - left * (each * players + besides)
    return chance * _likely(borne / (0.4 + 0.4 * sqrt(left)))


def _likely(margin: float) -> float:
    return 1 / (1 + exp(-STEEP * max(-20.0, min(20.0, margin))))
