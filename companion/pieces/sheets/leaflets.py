"""The guide, and the card with the QR code that stands on the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import segno

from companion.pieces.drawing.palette import INK, INKS, PAPER
from companion.pieces.drawing.pen import fit
from companion.pieces.drawing.pictures import draw_picture
from companion.pieces.drawing.tags import draw_cells

if TYPE_CHECKING:
    from companion.pieces.drawing.pen import Pen
    from companion.pieces.kinds.words import Words

GUIDE: Final = (180.0, 235.0)
STEPS: Final = ("print", "mat", "cards", "dwellers", "table", "lay", "start", "real")
SIGNS: Final = (
    "drawing-board",
    "map-of-the-burrow",
    "recipe-book",
    "dweller",
    "periscope-post",
    "elevator",
    "first",
    "build",
)
STEP: Final = 26.0
STAND: Final = (90.0, 150.0)
CODE: Final = 62.0


def draw_guide(pen: Pen, words: Words) -> None:
    """How to cut and fold, and what to do first."""
    width, height = GUIDE
    pen.box(0, 0, width, height, fill=PAPER)
    pen.fitted((0, height - 14, width, 12), words.say("guide-title"), 9, bold=True)
    for index, (step, sign) in enumerate(zip(STEPS, SIGNS, strict=True)):
        low = height - 16 - (index + 1) * STEP
        pen.box(0, low + 1, width, STEP - 2, fill=INKS["paper"], line=INKS["stone"], corner=2)
        draw_picture(pen, sign, 3, low + 4, STEP - 8)
        pen.fitted((26, low + 2, width - 29, STEP - 4), words.say(f"guide-{step}"), 4, lines=6)


def draw_stand(pen: Pen, words: Words, address: str) -> None:
    """A card to fold in the middle: it stands like a roof, with the code on both sides."""
    width, height = STAND
    pen.box(0, 0, width, height, fill=PAPER, line=INKS["stone"])
    pen.line([(0, height / 2), (width, height / 2)], INKS["grey"], 0.3, dash=2)
    with pen.at(0, 0):
        _half(pen, words, address)
    with pen.at(width, height, turn=180):
        _half(pen, words, address)


def _half(pen: Pen, words: Words, address: str) -> None:
    """One side, to be read from below."""
    rows = segno.make(address, error="m", micro=False).matrix
    side, left, low = CODE - 14, 4.0, 16.0
    draw_cells(pen, [[bool(cell) for cell in row] for row in rows], (left, low + side), side)
    pen.fitted((left + side + 4, 42, 32, 22), words.say("scan"), 5.5, bold=True, lines=3)
    pen.fitted((left + side + 4, 15, 32, 27), words.say("scan-more"), 3, lines=9)
    size, _ = fit(address, (STAND[0] - 8, 9), 5)
    pen.text(STAND[0] / 2, 5, address, size, colour=INK, bold=False, align="middle")
