"""What the throw that lies there brings if it is kept, and whether it could be any better."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.cards.wasteland.words import Ability
from companion.games.wasteland.fight import dice, fights
from companion.games.wasteland.story import agendas

if TYPE_CHECKING:
    from companion.games.wasteland.position import DiceContest, WastelandPosition


class ThrowWorth(NamedTuple):
    """Hits of those needed, and the remaining HP that the throw costs."""

    hits: int
    needed: int
    lost: int

    @property
    def enough(self) -> bool:
        return self.hits >= self.needed


def worth(game: WastelandPosition, contest: DiceContest) -> ThrowWorth:
    """Return what the dice bring as they lie."""
    if not contest.is_fight:
        return ThrowWorth(fights.test_hits(contest), contest.difficulty, 0)
    enemy = game.box.enemies[contest.kind]
    damage = fights.damage(game, contest, enemy, sum(face.hits for face in dice.faces_of(contest)))
    rads = agendas.level_of(game, enemy) if damage and Ability.RADIATION in enemy.abilities else 0
    return ThrowWorth(fights.survivor_hits(game, contest, enemy), fights.hits_needed(game, enemy), damage + rads)


def cannot_be_bettered(game: WastelandPosition, contest: DiceContest) -> bool:
    """Return whether the throw kills and costs nothing, or the test is passed: no reroll could bring more."""
    lying = worth(game, contest)
    return (contest.is_fight or game.at_once) and lying.enough and not lying.lost
