"""Co-operative play as data: difficulties, shared aims and crises; what an aim counts, and whether it is met (U)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.words import INJURED_TRAINED, NO_CARD, UNINJURED_TRAINED

if TYPE_CHECKING:
    from companion.games.shelter.position import ShelterPosition

DIFFICULTIES: Final = ("easy", "normal", "hard")
FEWEST_TOGETHER: Final = 1

ByPlayers = tuple[int, int, int, int]
"""A number for one player, for two, three and four."""


class Difficulty(NamedTuple):
    rounds: ByPlayers
    """The crisis deck is the clock: so many rounds, then it is empty (U3)."""
    breaches: ByPlayers
    """So many break-ins lose the vault (U6)."""


class Aim(NamedTuple):
    """Something that all reach together."""

    key: str
    kind: int
    goals: tuple[ByPlayers, ByPlayers, ByPlayers]
    """By difficulty and the number of players; for what each has to have, added up over the players."""
    most: bool = False
    """Whether the goal is the most there may be, not the least."""


class Crisis(NamedTuple):
    """What the wasteland does in one round."""

    key: str
    stage: int
    rolls: int = 0
    """So many more threat rolls for the top level (U3)."""
    march: int = 1
    """So many spaces an invader moves at the recall (U4)."""
    toll: int = -1
    """The resource of which each pays cubes at the recall (U7); -1 is none."""
    amount: int = 0


VAULT: Final = 0
PLENTY: Final = 1
GUARD: Final = 2
KINDS: Final = (VAULT, PLENTY, GUARD)
"""Every evening draws one aim of each kind (U2)."""

TABLE: Final = (
    Difficulty(rounds=(12, 11, 10, 9), breaches=(10, 9, 8, 8)),
    Difficulty(rounds=(12, 11, 10, 9), breaches=(8, 7, 7, 7)),
    Difficulty(rounds=(12, 11, 10, 9), breaches=(6, 6, 6, 6)),
)

AIMS: Final = (
    Aim("rooms", VAULT, ((1, 2, 3, 4), (2, 4, 3, 4), (3, 4, 6, 8))),
    Aim("wing", VAULT, ((2, 2, 2, 2), (3, 3, 3, 3), (3, 4, 4, 4))),
    Aim("family", VAULT, ((4, 8, 11, 14), (5, 9, 12, 16), (6, 10, 14, 18))),
    Aim("content", PLENTY, ((5, 8, 9, 8), (6, 10, 9, 12), (8, 12, 12, 16))),
    Aim("cheer", PLENTY, ((6, 10, 12, 15), (8, 12, 14, 18), (10, 15, 18, 22))),
    Aim("stores", PLENTY, ((6, 9, 12, 15), (6, 12, 15, 18), (9, 15, 18, 21))),
    Aim("healthy", GUARD, ((1, 1, 2, 3), (0, 1, 1, 2), (0, 0, 1, 1)), most=True),
    Aim("quiet", GUARD, ((1, 1, 1, 1), (0, 0, 0, 0), (0, 0, 0, 0)), most=True),
    Aim("hunters", GUARD, ((4, 5, 6, 7), (6, 7, 7, 8), (7, 9, 9, 10))),
)

CRISES: Final = (
    Crisis("calm", 0),
    Crisis("scouts", 0, rolls=1),
    Crisis("dry", 0, toll=0, amount=1),
    Crisis("lean", 0, toll=1, amount=1),
    Crisis("storm", 1, march=2),
    Crisis("gang", 1, rolls=2),
    Crisis("leak", 1, toll=0, amount=2),
    Crisis("outage", 1, toll=2, amount=2),
    Crisis("horde", 2, rolls=2, march=2),
    Crisis("siege", 2, rolls=3),
    Crisis("famine", 2, toll=1, amount=3),
    Crisis("blackout", 2, toll=2, amount=2, march=2),
)
STAGES: Final = 3
"""Weak crises come before strong ones (U3)."""


class Together(NamedTuple):
    """What was drawn for this evening, and how far the wasteland has come."""

    difficulty: int
    rounds: int
    limit: int
    aims: tuple[int, ...]
    crises: tuple[int, ...]
    """From the second round on."""
    breaches: int
    defeated: int


def goal_of(game: ShelterPosition, together: Together, number: int) -> int:
    """Return what an aim asks of so many players at this difficulty (U2)."""
    goals = AIMS[number].goals[together.difficulty]
    return goals[len(game.seats) - 1]


def have(game: ShelterPosition, together: Together, number: int) -> int:
    """Return how much there is of what an aim counts; what each has to have counts up to each one's part (U2)."""
    key = AIMS[number].key
    if key == "cheer":
        return sum([game.happiness[colour] for colour in game.seats])
    if key == "content":
        part = goal_of(game, together, number) // len(game.seats)
        return sum([min(part, game.happiness[colour]) for colour in game.seats])
    if key == "rooms":
        part = goal_of(game, together, number) // len(game.seats)
        return sum([min(part, game.vault.rooms_on(game.levels[colour])) for colour in game.seats])
    if key == "wing":
        return max([game.vault.rooms_on(game.levels[colour]) for colour in game.seats])
    if key == "family":
        return sum([dwellers_of(game, colour) for colour in game.seats])
    if key == "stores":
        return _stored(game, goal_of(game, together, number) // 3)
    if key == "healthy":
        return sum([injured_of(game, colour) for colour in game.seats])
    if key == "quiet":
        return len(game.vault.threats)
    return together.defeated


def _stored(game: ShelterPosition, part: int) -> int:
    """Return the cubes of all players, of each resource as many as the aim wants."""
    found = 0
    for resource in range(3):
        found += min(part, sum([game.cubes[3 * colour + resource] for colour in game.seats]))
    return found


def injured_of(game: ShelterPosition, colour: int) -> int:
    """Return a player's injured dwellers, on the spaces where they stand too (U2)."""
    lying = game.hurt[colour] + (game.trained[colour] & INJURED_TRAINED).bit_count()
    for standing in game.placed.values():
        if standing.colour == colour:
            lying += len([1 for dweller in standing.dwellers if dweller])
    return lying


def is_met(game: ShelterPosition, together: Together, number: int) -> bool:
    """Return whether an aim would be met if the round ended now (U8)."""
    there, goal = have(game, together, number), goal_of(game, together, number)
    return there <= goal if AIMS[number].most else there >= goal


def all_met(game: ShelterPosition, together: Together) -> bool:
    """Return whether the evening would be won if the round ended now (U8)."""
    return all(is_met(game, together, number) for number in together.aims)


def crisis_of(game: ShelterPosition, together: Together) -> int:
    """Return the crisis of the round; the first round has none (U3)."""
    place = game.round - 2
    return together.crises[place] if 0 <= place < len(together.crises) else NO_CARD


def rolls_of(crisis: str | None) -> int:
    """Return how many more threat rolls a crisis of the state brings (U3)."""
    return sum([one.rolls for one in CRISES if one.key == crisis])


def uninjured(game: ShelterPosition, colour: int) -> int:
    """Return how many dwellers at home a break-in could still injure (U5)."""
    return game.plain[colour] + (game.trained[colour] & UNINJURED_TRAINED).bit_count()
