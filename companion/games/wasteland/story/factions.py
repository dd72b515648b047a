"""W-FACT: the two factions, their power and what it is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import EnemyType
from companion.games.wasteland.events import FactionAdvanced
from companion.games.wasteland.flow import ending
from companion.games.wasteland.words import FACTIONS, NO_CARD, NOBODY, SHIELD, STAR

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Enemy
    from companion.cards.wasteland.words import Faction
    from companion.games.wasteland.position import WastelandPosition


def advance(game: WastelandPosition, *steps: tuple[int, int]) -> None:
    """Factions advance together; at or past the last space the game ends (W-FACT-2, W-FACT-3, W-END-2)."""
    for faction, spaces in steps:
        game.power[faction] += spaces
        game.events.append(FactionAdvanced(NOBODY, faction=FACTIONS[faction].value, power=game.power[faction]))
    if any(power >= last_space(game) for power in game.power):
        ending.power_end(game)


def last_space(game: WastelandPosition) -> int:
    """The position of the last space of the track."""
    return len(game.scenario.track) - 1


def deck_ran_out(game: WastelandPosition) -> None:
    """Both factions advance; solo only the one with less power, on a tie both (W-AGENDA-6, W-SOLO-4)."""
    star, shield = game.power
    if len(game.seats) > 1 or star == shield:
        advance(game, (STAR, 1), (SHIELD, 1))
    else:
        advance(game, (STAR if star < shield else SHIELD, 1))


def level_of(game: WastelandPosition, enemy: Enemy) -> int:
    """The level; a letter is looked up at the faction's present position (W-ENEMY-28)."""
    if not enemy.level_letter:
        return enemy.level
    position = min(game.power[_number(enemy.type)], last_space(game))
    space = game.scenario.track[position]
    return space.x if enemy.level_letter == "X" else space.y


def _number(kind: EnemyType) -> int:
    return SHIELD if kind is EnemyType.SHIELD else STAR


def loyalty_of(game: WastelandPosition, seat: int) -> Faction | None:
    """The faction whose agenda lies faceup before the survivor (W-LOYAL-1)."""
    survivor = game.survivors[seat]
    if survivor.revealed == NO_CARD:
        return None
    return game.box.agendas[survivor.hand[survivor.revealed]].faction


def is_loyal_to(game: WastelandPosition, seat: int, kind: EnemyType) -> bool:
    """Whether enemies of this type belong to the survivor's own faction (W-LOYAL-4 to 6)."""
    loyal = loyalty_of(game, seat)
    return loyal is not None and loyal.value == kind.value
