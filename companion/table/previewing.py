"""The legal moves of a seat, each with what it pays and gains at once: asked of a snapshot, so nobody is kept waiting.

Chance is left out: a preview tells no dice and no card before they have fallen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.games.refusal import Refusal
from companion.table.explaining import Position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.explaining import Move
    from companion.table.snapshots import Snapshot

COUNTED: Final = ("happiness", "total")


class Blank:
    """Chance that says nothing: the lowest dice, cards as they lie."""

    def roll(self, nth: int) -> tuple[int, int]:  # noqa: ARG002 - the protocol's
        """Two ones."""
        return 1, 1

    def shuffle(self, nth: int, cards: Sequence[int]) -> list[int]:  # noqa: ARG002
        """The same order."""
        return list(cards)

    def told(self) -> str | None:
        """Nothing was told."""
        return None


def legal(snapshot: Snapshot, by: str | None = None) -> list[dict[str, Any]]:
    """The moves that are legal now, of one seat or of all, each with its preview."""
    if snapshot.position is None or snapshot.state["phase"] == "frozen":
        return []
    position = Position(snapshot.position.rules, snapshot.position.game.copy(), Blank())
    before = position.state()
    moves = [move for move in position.legal() if by in (None, move.get("by"))]
    return [{"move": move, "preview": preview(position, before, move)} for move in moves]


def preview(position: Position, before: dict[str, Any], move: Move) -> dict[str, Any] | None:
    """What a placement pays and gains, and what it will ask; of other moves nothing is told beforehand."""
    if move["do"] != "place":
        return None
    try:
        after = position.after(move).state()
    except Refusal:
        return None
    was, now = before["players"][move["by"]], after["players"][move["by"]]
    change = {name: now["resources"][name] - amount for name, amount in was["resources"].items()}
    change |= {name: now[name] - was[name] for name in COUNTED}
    known = {choice["id"] for choice in before["pending"]}
    return {
        "cost": {name: -by for name, by in change.items() if by < 0},
        "reward": {name: by for name, by in change.items() if by > 0},
        "asks": [choice["kind"] for choice in after["pending"] if choice["id"] not in known],
    }
