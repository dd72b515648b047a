"""How a fight ends without a kill: the enemy stays or retreats, and a drawn one is discarded (W-FIGHT-12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import Ability
from companion.games.wasteland.fight.dice import contest_of
from companion.games.wasteland.map import enemies, tokens

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Enemy
    from companion.games.wasteland.position import Contest, Position


def not_killed(game: Position, contest: Contest, enemy: Enemy) -> None:
    """It stays active in its space, unless it retreats (W-FIGHT-12, W-ENEMY-22, A-8)."""
    if Ability.RETREAT in enemy.abilities and contest.number in game.enemies:
        enemies.turn_down(game, contest.number)


def break_off(game: Position) -> None:
    """The survivor was killed: the fight ends at once and the enemy takes no hits (W-KILL-4)."""
    contest = contest_of(game)
    game.contest, game.succeeded = None, False
    if not contest.is_fight:
        return
    if contest.drawn:
        tokens.discard(game, contest.kind)
    else:
        not_killed(game, contest, game.box.enemies[contest.kind])
