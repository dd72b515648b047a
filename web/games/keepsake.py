"""The picture of an evening to take away: who played, how it ended, and below it what the game draws of its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from companion.pieces.drawing.pen import INK, draw_symbol
from companion.pieces.drawing.raster import PrintedPiece

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.pieces.drawing.pen import Pen

WIDTH: Final = 200.0
MARGIN: Final = 8.0
SHEET: Final = "#f4ebd9"
CARD: Final = "#fffaf0"
GOLD: Final = "#f2c12e"
DIM: Final = "#5c6468"
TITLE, SUB = 9.0, 4.6
HEAD: Final = 26.0
PLACE: Final = 17.0
"""How high the box of a player is."""
APART: Final = 3.0


class TablePicture(NamedTuple):
    """What a game draws of its table at the end, from its lower left corner; `height` follows from the width."""

    height: float
    draw: Callable[[Pen], None]


class FinalScore(NamedTuple):
    """How one player has ended."""

    colour: str
    name: str
    points: int
    won: bool


def inner_width() -> float:
    """Return how wide a game may draw."""
    return WIDTH - 2 * MARGIN


def keepsake(title: str, sub: str, results: Sequence[FinalScore], table: TablePicture | None) -> PrintedPiece:
    """Return the picture; `sub` says what was played, and when."""
    below = table.height + APART if table else 0.0
    height = HEAD + PLACE + below + 2 * MARGIN

    def draw(pen: Pen) -> None:
        pen.box(0, 0, WIDTH, height, fill=SHEET)
        pen.fitted((MARGIN, height - MARGIN - 12, inner_width(), 12), title, TITLE, bold=True)
        pen.fitted((MARGIN, height - MARGIN - 20, inner_width(), 7), sub, SUB, colour=DIM)
        pen.box(MARGIN, height - MARGIN - 22.5, inner_width(), 1.2, fill=GOLD)
        _places(pen, results, height - MARGIN - HEAD)
        if table:
            with pen.at(MARGIN, MARGIN):
                table.draw(pen)

    return PrintedPiece("keepsake", "keepsake", (WIDTH, height), draw)


def _places(pen: Pen, results: Sequence[FinalScore], top: float) -> None:
    """Draw a box for each player, side by side; winners in gold."""
    width = (inner_width() - APART * (len(results) - 1)) / len(results)
    for nth, one in enumerate(results):
        left, low = MARGIN + nth * (width + APART), top - PLACE
        pen.box(left, low, width, PLACE, fill=GOLD if one.won else CARD, line=INK, thick=0.5, corner=1.5)
        draw_symbol(pen, one.colour, (left + 7.5, low + PLACE / 2), 8.0)
        points = max(12.0, width * 0.24)
        pen.fitted((left + 14, low, width - 15 - points, PLACE), one.name, 6.0, bold=True, lines=2)
        pen.fitted((left + width - points - 3, low, points, PLACE), str(one.points), 11.0, bold=True, align="right")
