"""What every sheet of paper has: its size, a white margin, a ruler to check, and what sheet it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reportlab.lib.units import mm

from companion.pieces.drawing.pen import Pen
from companion.pieces.drawing.style import INK, INKS, PAPER

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

    from companion.pieces.kinds.effects import Words

PAPERS: Final = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN: Final = 8.0
"""What home printers leave white."""
FOOT: Final = 12.0
"""The strip of the ruler."""
RULER: Final = 100.0
STEP: Final = 10.0
CUT: Final = INKS["grey"]


def begin(canvas: Canvas, size: tuple[float, float]) -> Pen:
    """A fresh page, and the pen for it."""
    canvas.setPageSize((size[0] * mm, size[1] * mm))
    pen = Pen(canvas)
    pen.box(0, 0, *size, fill=PAPER)
    return pen


def foot(pen: Pen, size: tuple[float, float], words: Words, caption: str) -> None:
    """The ruler, and what sheet this is."""
    y = MARGIN + 3.2
    pen.line([(MARGIN, y), (MARGIN + RULER, y)], INK, 0.25)
    for step in range(int(RULER / STEP) + 1):
        x = MARGIN + step * STEP
        pen.line([(x, y), (x, y + (3.0 if step % 5 == 0 else 1.8))], INK, 0.25)
        if step % 5 == 0:
            pen.text(x + 0.8, y + 1.2, str(round(step * STEP)), 2.4)
    pen.fitted((MARGIN, MARGIN - 2.6, RULER, 5.2), words.say("ruler"), 2.6, lines=2)
    rest = (MARGIN + RULER + 4, MARGIN - 1, size[0] - 2 * MARGIN - RULER - 4, 8)
    pen.fitted(rest, caption, 3, align="right", lines=2)
