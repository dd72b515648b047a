"""The shared aims of co-operative play: what each counts, what it asks, and whether it is met (U)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.cards.together import AIMS, CRISES
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.words import INJURED_TRAINED, NO_CARD, UNINJURED_TRAINED

if TYPE_CHECKING:
    from companion.games.shelter.position import ShelterPosition


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
