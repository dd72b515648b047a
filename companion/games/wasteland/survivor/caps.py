"""W-CAPS: Caps are gained and spent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.wasteland.flow.telling import tell

if TYPE_CHECKING:
    from companion.games.wasteland.position import Position


def change(game: Position, seat: int, amount: int) -> None:
    """Caps come from and go to the supply, never below none (W-CAPS-1)."""
    survivor = game.survivors[seat]
    changed = max(amount, -survivor.caps)
    survivor.caps += changed
    if changed:
        tell(game, "caps", seat, amount=changed, caps=survivor.caps)
