"""The players' symbols: colour is never alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.pieces.drawing.palette import PLAYERS

if TYPE_CHECKING:
    from companion.pieces.drawing.pen import Pen, Point


CORNERS: Final[dict[str, tuple[Point, ...]]] = {
    "blue": ((-1.0, -0.85), (1.0, -0.85), (0.0, 0.95)),
    "green": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "yellow": ((0.0, -1.05), (1.05, 0.0), (0.0, 1.05), (-1.05, 0.0)),
}


def draw_symbol(pen: Pen, player: str, middle: Point, size: float, colour: str | None = None) -> None:
    """A player's shape, so many millimetres across: red a disc, blue a triangle, green a square, yellow a diamond."""
    x, y = middle
    half, ink = size / 2, colour or PLAYERS[player]
    if player == "red":
        pen.disc(x, y, half, fill=ink)
        return
    pen.shape([(x + half * dx, y + half * dy) for dx, dy in CORNERS[player]], fill=ink)
