"""The threat step: one roll a level, top first (T)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.shelter.board import tracks
from companion.games.shelter.board.figures import Spawned
from companion.games.shelter.events import LastRound, ThreatRolled
from companion.games.shelter.turn.asking import first_turn
from companion.games.shelter.words import NO_CARD, NOBODY, PHASES, SPACES_A_LEVEL, SPAWN, THREATS
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.chance import Chance, Dice
    from companion.games.shelter.position import ShelterPosition

SEVEN = 7


def spawn(game: ShelterPosition, chance: Chance) -> None:
    """Roll for every level (T1)."""
    if game.phase != SPAWN:
        clause = "R1" if game.round == 1 else "T1"
        raise Refusal("wrong_phase", clause, "Threats do not spawn now.", phase=PHASES[game.phase], round=game.round)
    spawned = []
    threats = dict(game.vault.threats)
    for level in range(len(game.owners)):
        dice = chance.roll(game.rolls)
        game.rolls += 1
        one = _spawn_on(game, chance, threats, level, dice)
        spawned.append(one)
        game.events.append(ThreatRolled(one))
    game.spawned = tuple(spawned)
    if len(threats) > len(game.vault.threats):
        game.vault = game.vault.with_threats(threats)
    first_turn(game)


def _spawn_on(game: ShelterPosition, chance: Chance, threats: dict[int, int], level: int, dice: Dice) -> Spawned:
    """Lay the top card where the sum's column has a room without a threat (T2, T3, T4)."""
    number = dice[0] + dice[1]
    space, why_not = space_for(game, threats, level, number)
    if why_not:
        return Spawned(level, dice, -1, NO_CARD, why_not)
    threat = tracks.draw(game, chance, THREATS, space)
    if threat == NO_CARD:
        return Spawned(level, dice, -1, NO_CARD, "no_card")
    threats[space] = threat
    if not game.last_round and not tracks.left_in_deck(game, THREATS):
        game.last_round = True
        game.events.append(LastRound(NOBODY, "T5"))
    return Spawned(level, dice, space, threat, "")


def space_for(game: ShelterPosition, threats: dict[int, int], level: int, number: int) -> tuple[int, str]:
    """The space of a number on a level, or why there is none; of two that share it the left one that is free (V2).

    A room without a space there is no room in that column (T3).
    """
    if number == SEVEN:
        return -1, "seven"
    why_not = "no_number"
    for slot in game.box.slots_of_number[number]:
        space = level * SPACES_A_LEVEL + slot
        if game.vault.room_face(space) is None:
            why_not = "no_room" if why_not == "no_number" else why_not
        elif space in threats:
            why_not = "occupied"
        else:
            return space, ""
    return -1, why_not
