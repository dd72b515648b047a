"""Results that are due: a card has been carried out so far that they come next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.wasteland.flow.steps import push

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Effect
    from companion.games.wasteland.position import Position

UNKNOWN_LEVEL: Final = -1


def carry_out(
    game: Position, seat: int, effects: tuple[Effect, ...], level: int = UNKNOWN_LEVEL, quest: int = 0
) -> None:
    """These results next; `level` is that of the encounter icon, `quest` the card that is carried out."""
    if effects:
        push(game, "results", seat, effects, level, quest)
