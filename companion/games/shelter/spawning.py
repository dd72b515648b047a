"""The threat step: one roll a level, top first (T)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.refusal import Refusal
from companion.games.shelter import tracks
from companion.games.shelter.asking import first_turn
from companion.games.shelter.places import ROOM_OF, SPACES_A_LEVEL
from companion.games.shelter.words import NO_CARD, NOBODY, PHASES, SPAWN, THREATS, UNKNOWN

if TYPE_CHECKING:
    from companion.games.chance import Chance, Dice
    from companion.games.shelter.game import Game

SEVEN = 7


class Spawned:
    """What one level's roll brought."""

    __slots__ = ("dice", "level", "space", "threat", "why_not")

    def __init__(self, level: int, dice: Dice, space: int, threat: int, why_not: str) -> None:
        self.level = level
        self.dice = dice
        self.space = space
        self.threat = threat
        self.why_not = why_not

    def named(self, space: int, threat: int) -> Spawned:
        """The same roll, now that somebody has said which card was drawn."""
        return Spawned(self.level, self.dice, space, threat, "") if self.space == space else self


def spawn(game: Game, chance: Chance) -> None:
    """Every level gets its roll (T1)."""
    if game.phase != SPAWN:
        clause = "R1" if game.round == 1 else "T1"
        raise Refusal("wrong_phase", clause, "Threats do not spawn now.", phase=PHASES[game.phase], round=game.round)
    spawned = []
    for level in range(len(game.owners)):
        dice = chance.roll(game.rolls)
        game.rolls += 1
        one = _spawn_on(game, chance, level, dice)
        spawned.append(one)
        game.events.append(("spawned", NOBODY, one))
    game.spawned = tuple(spawned)
    first_turn(game)


def _spawn_on(game: Game, chance: Chance, level: int, dice: Dice) -> Spawned:
    """Where the sum's column has a room without a threat, the top card is laid (T2, T3, T4)."""
    number = dice[0] + dice[1]
    spaces = [level * SPACES_A_LEVEL + slot for slot in game.box.slots_of_number[number]]
    if number == SEVEN:
        return Spawned(level, dice, -1, NO_CARD, "seven")
    if not spaces:
        return Spawned(level, dice, -1, NO_CARD, "no_number")
    built = [space for space in spaces if game.vault.rooms[ROOM_OF[space]] != NO_CARD]
    if not built:
        return Spawned(level, dice, -1, NO_CARD, "no_room")
    free = [space for space in built if space not in game.vault.threats]
    if not free:
        return Spawned(level, dice, -1, NO_CARD, "occupied")
    threat = tracks.draw(game, chance, THREATS, free[0])
    if threat == NO_CARD:
        return Spawned(level, dice, -1, NO_CARD, "no_card")
    game.vault = game.vault.with_threats({**game.vault.threats, free[0]: threat})
    if not tracks.left_in_deck(game, THREATS) and not game.last_round:
        game.last_round = True
        game.events.append(("last_round", NOBODY, "T5"))
    return Spawned(level, dice, free[0], threat, "")


def is_unknown(one: Spawned) -> bool:
    """Whether the card still has to be told."""
    return one.threat == UNKNOWN
