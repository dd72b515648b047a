"""Injured dwellers: figures that lie on their side (J), and the icon that stands them up again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.shelter.board.figures import Standing
from companion.games.shelter.words import INJURED, PLAIN

if TYPE_CHECKING:
    from companion.games.shelter.position import Position


def injure_all(game: Position, space: int) -> None:
    """Every dweller on the space becomes injured (J1, G6)."""
    standing = game.placed[space]
    _lay(game, space, tuple(INJURED for _ in standing.dwellers))
    game.events.append(("injured", standing.colour, space, len(standing.dwellers)))


def injure_one(game: Position, space: int, which: int) -> None:
    """One of two dwellers becomes injured (G6 by house rule)."""
    standing = game.placed[space]
    _lay(game, space, tuple(INJURED if n == which else dweller for n, dweller in enumerate(standing.dwellers)))
    game.events.append(("injured", standing.colour, space, 1))


def heal_all(game: Position, space: int) -> None:
    """The heal icon: who stands here is uninjured again at once (J3)."""
    standing = game.placed[space]
    if INJURED in standing.dwellers:
        _lay(game, space, tuple(PLAIN for _ in standing.dwellers))
        game.events.append(("healed", standing.colour, space))


def heal_one(game: Position, space: int) -> None:
    """One injured dweller on the space is healed."""
    standing = game.placed[space]
    healed = list(standing.dwellers)
    healed[healed.index(INJURED)] = PLAIN
    _lay(game, space, tuple(healed))
    game.events.append(("healed", standing.colour, space))


def _lay(game: Position, space: int, dwellers: tuple[int, ...]) -> None:
    standing = game.placed[space]
    game.placed[space] = Standing(standing.colour, dwellers, standing.training)
