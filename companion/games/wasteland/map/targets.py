"""Whom an enemy goes for: least remaining HP, then turn order from the first player (W-ENEMY-7)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from companion.games.wasteland.map import enemies
from companion.games.wasteland.story import factions
from companion.games.wasteland.words import COLOUR_NUMBER, COLOURS, NOBODY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.games.wasteland.position import Position

NOBODY_THERE: Final = "nobody"


def considered(game: Position, number: int) -> list[int]:
    """The survivors that an enemy takes into account: not those loyal to its faction (W-LOYAL-5, W-TURN-10)."""
    kind = enemies.enemy_of(game, number).type
    return [seat for seat in game.from_first() if not factions.is_loyal_to(game, seat, kind)]


def here(game: Position, number: int) -> list[int]:
    """Those of them in the enemy's own space."""
    at = game.enemies[number].at
    return [seat for seat in considered(game, number) if at and game.survivors[seat].at == at]


def weakest(game: Position, seats: Sequence[int]) -> int:
    """The one with least remaining HP; of equals the one earlier in turn order (W-ENEMY-7, W-ENEMY-14)."""
    order = [seat for seat in game.from_first() if seat in seats]
    return min(order, key=lambda seat: game.survivors[seat].remaining, default=NOBODY)


def attacks(game: Position, number: int, seat: int) -> bool:
    """Whether an enemy would attack that survivor in its own space."""
    return game.enemies[number].active and weakest(game, here(game, number)) == seat


def group(seats: Iterable[int]) -> str:
    """Survivors as one option."""
    return "+".join(COLOURS[seat] for seat in seats)


def groups(seats: Sequence[int]) -> list[str]:
    """Every set of some of these survivors."""
    return [group(some) for count in range(1, len(seats) + 1) for some in combinations(seats, count)]


def members(option: str) -> list[int]:
    """The survivors of an option."""
    return [] if option == NOBODY_THERE else [COLOUR_NUMBER[name] for name in option.split("+")]
