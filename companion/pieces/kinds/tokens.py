"""What is cut out besides cards and dwellers: trackers, markers, happiness, the first player's flag."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.pieces.drawing.palette import INK, INKS, PAPER, PLAYERS
from companion.pieces.drawing.pictures import draw_picture
from companion.pieces.drawing.style import draw_symbol

if TYPE_CHECKING:
    from companion.pieces.drawing.pen import Pen
    from companion.pieces.kinds.words import Words

TRACKER: Final = (92.0, 76.0)
CELL: Final = 11.0
LETTERS: Final = "SPECIAL"
MARKER: Final = 9.0
COIN: Final = 16.0
FLAG: Final = (30.0, 30.0)


def draw_tracker(pen: Pen, player: str, words: Words) -> None:
    """A player's tracker: three rows from 0 to 6 for a marker each, and a circle for every letter."""
    width, height = TRACKER
    pen.box(0, 0, width, height, fill=PAPER)
    pen.box(0.6, 0.6, width - 1.2, height - 1.2, line=PLAYERS[player], thick=1.2, corner=3)
    draw_symbol(pen, player, (8, height - 7), 7)
    pen.fitted((14, height - 11, 40, 8), words.say(f"colour-{player}"), 5, bold=True)
    draw_picture(pen, "happiness", 56, height - 11, 8)
    pen.fitted((65, height - 11, 24, 8), words.say("happiness"), 3.4)
    for row, resource in enumerate(("water", "food", "energy")):
        low = height - 25 - row * (CELL + 1.5)
        draw_picture(pen, resource, 3, low + 1, 9)
        for number in range(7):
            x = 13.5 + number * CELL
            pen.box(x, low, CELL - 0.8, CELL - 0.8, fill=INKS["cream"], line=INK, thick=0.3, corner=1)
            pen.text(x + CELL / 2 - 0.4, low + 3.4, str(number), 5, colour=INKS["grey"], bold=True, align="middle")
    pen.fitted((4, 17.5, 60, 4.5), words.say("trained"), 3.2)
    for number, letter in enumerate(LETTERS):
        x = 10 + number * 12
        pen.disc(x, 9.5, 5.5, fill=INKS["mint"], line=INK)
        pen.text(x, 7.3, letter, 6, colour=INK, bold=True, align="middle")


def draw_marker(pen: Pen) -> None:
    """A marker for a tracker's row."""
    pen.box(0, 0, MARKER, MARKER, fill=INKS["dark"])
    pen.disc(MARKER / 2, MARKER / 2, 2, fill=PAPER)


def draw_happiness(pen: Pen, worth: int) -> None:
    """A token of happiness, worth so many."""
    pen.box(0, 0, COIN, COIN, fill=INKS["cream"], line=INK, thick=0.3)
    draw_picture(pen, "happiness", 2, 2, 12)
    if worth > 1:
        pen.disc(COIN - 4, 4, 3.4, fill=PAPER, line=INK)
        pen.text(COIN - 4, 2.4, str(worth), 4.4, bold=True, align="middle")


def draw_first(pen: Pen, words: Words) -> None:
    """The first player's token."""
    pen.box(0, 0, *FLAG, fill=INKS["sky"], line=INK, thick=0.5)
    draw_picture(pen, "first", 5, 8, 20)
    pen.fitted((2, 1.5, FLAG[0] - 4, 5.5), words.say("first-player"), 3.4, bold=True, align="middle")
