"""Whom an enemy goes for: those in reach, then the nearest; least remaining HP, then turn order (W-ENEMY-7)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.words import Ability
from companion.games.wasteland.box import NOBODY
from companion.games.wasteland.flow.conditions import armor_of
from companion.games.wasteland.map import enemies
from companion.games.wasteland.story import agendas

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.wasteland.map.plan import WastelandMap
    from companion.games.wasteland.position import WastelandPosition

_MOST_HITS: Final = 9
"""Three dice of unknown faces."""


def considered(game: WastelandPosition, number: int) -> list[int]:
    """Return the survivors an enemy may go for: not those loyal to its faction (W-LOYAL-5, W-TURN-10)."""
    kind = enemies.enemy_of(game, number).type
    return [seat for seat in game.from_first() if not agendas.is_loyal_to(game, seat, kind)]


def here(game: WastelandPosition, number: int) -> list[int]:
    """Return those of them in the enemy's own space."""
    at = game.enemies[number].at
    return [seat for seat in considered(game, number) if at and game.survivors[seat].at == at]


def in_reach(game: WastelandPosition, number: int) -> list[int]:
    """Return those it can fight: in its own space, Ranged ones on the map also next door (W-ENEMY-6, W-ENEMY-19)."""
    found = known_map(game, number)
    if found is None or Ability.RANGED not in enemies.enemy_of(game, number).abilities:
        return here(game, number)
    at = game.enemies[number].at
    return [seat for seat in considered(game, number) if found.touch(at, game.survivors[seat].at)]


def known_map(game: WastelandPosition, number: int) -> WastelandMap | None:
    """Return the map, if it knows where the enemy is."""
    found = game.map
    return found if found is not None and found.knows(game.enemies[number].at) else None


def nearest(game: WastelandPosition, number: int, found: WastelandMap) -> list[int]:
    """Return all who are equally near (W-ENEMY-6)."""
    seats = considered(game, number)
    spaces = found.nearest(game.enemies[number].at, [game.survivors[seat].at for seat in seats])
    return [seat for seat in seats if game.survivors[seat].at in spaces]


def weakest(game: WastelandPosition, seats: Sequence[int]) -> int:
    """Return who has least remaining HP; of equals, the one earlier in turn order (W-ENEMY-7, W-ENEMY-14)."""
    order = [seat for seat in game.from_first() if seat in seats]
    return min(order, key=lambda seat: game.survivors[seat].remaining, default=NOBODY)


def attacked_by(game: WastelandPosition, number: int) -> int:
    """Return whom an enemy attacks from where it is, or NOBODY."""
    return weakest(game, in_reach(game, number)) if game.enemies[number].active else NOBODY


def order_matters(game: WastelandPosition, waiting: Sequence[int]) -> bool:
    """Return whether the first player must say which enemy acts next (W-ENEMY-5).

    On a known map it matters only where a fight may change what another enemy does: by the HP that it compares, or by a
    death that moves a survivor to the starting tile. Attacks on one and the same survivor are ordered by that survivor.
    """
    if any(known_map(game, one) is None for one in waiting):
        return True
    for one in waiting:
        seat = _fought_by(game, one)
        if seat != NOBODY and any(_depends(game, other, one, seat) for other in waiting if other != one):
            return True
    return False


def _choices_of(game: WastelandPosition, number: int) -> list[int]:
    """Return among whom an enemy chooses: those in reach, or else the nearest."""
    found = known_map(game, number)
    return in_reach(game, number) or (nearest(game, number, found) if found is not None else [])


def _fought_by(game: WastelandPosition, number: int) -> int:
    """Return whom an enemy will fight: from where it is, or, Aggressive, where it may go."""
    seats = in_reach(game, number)
    found = known_map(game, number)
    if not seats and found is not None and Ability.AGGRESSIVE in enemies.enemy_of(game, number).abilities:
        beside = found.neighbours[game.enemies[number].at]
        seats = [seat for seat in _choices_of(game, number) if game.survivors[seat].at in beside]
    return weakest(game, seats)


def _depends(game: WastelandPosition, other: int, one: int, seat: int) -> bool:
    """Return whether what another enemy does may depend on whether this one has fought that survivor before."""
    choices = _choices_of(game, other)
    if choices == [seat] == in_reach(game, other) == in_reach(game, one):
        return False
    if seat in choices and len(choices) > 1:
        return True
    return _may_die(game, one, seat) and (seat in choices or _is_near_the_start(game, other))


def _is_near_the_start(game: WastelandPosition, number: int) -> bool:
    """Return whether a survivor on the starting tile would be at least as near as the nearest one is."""
    found = known_map(game, number)
    if found is None:
        return True
    away = found.distances(game.enemies[number].at)
    seats = _choices_of(game, number)
    least = min((away[game.survivors[seat].at] for seat in seats), default=0)
    return any(away[space] <= least for space in game.scenario.start_spaces)


def _may_die(game: WastelandPosition, number: int, seat: int) -> bool:
    """Return whether a fight with this enemy might kill that survivor at worst, Loot that harms included."""
    enemy = enemies.enemy_of(game, number)
    if Ability.LOOT in enemy.abilities:
        return True
    dice = game.box.dice
    hits = sum(max(face.hits for face in die) for die in dice) if dice else _MOST_HITS
    hits = max(0, hits + (Ability.RANGED in enemy.abilities) - armor_of(game, seat))
    level = agendas.level_of(game, enemy)
    worst = hits * level + level * (Ability.RADIATION in enemy.abilities)
    return worst >= game.survivors[seat].remaining
