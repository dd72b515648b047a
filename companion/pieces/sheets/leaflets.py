"""The guide, the stand with the QR code, the board and the sheet of colours for calibration, and stickers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import segno

from companion.cards.wasteland.corner import CORNER
from companion.pieces.drawing.pen import INK, INKS, PAPER, PLAYERS, draw_symbol, fit
from companion.pieces.drawing.pictures import draw_picture
from companion.pieces.drawing.shapes import shapes
from companion.pieces.drawing.signs import draw_shape
from companion.pieces.kinds.deck import BLACK, draw_cells, draw_tag, side_with_quiet
from companion.pieces.kinds.mat import CARD_TAG, FIGURE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.pieces.drawing.pen import Pen, Point
    from companion.pieces.drawing.signs import PrintedWords


GUIDE: Final = (180.0, 235.0)
STEPS: Final = {
    "print": "drawing-board",
    "mat": "map-of-the-burrow",
    "cards": "recipe-book",
    "dwellers": "people",
    "table": "periscope-post",
    "lay": "elevator",
    "start": "first",
    "real": "build",
}
"""The steps of the guide, each with its picture."""
STEP: Final = 26.0
STAND: Final = (90.0, 150.0)
CODE: Final = 62.0


def draw_guide(pen: Pen, words: PrintedWords) -> None:
    """Draw how to cut and fold, and what to do first."""
    draw_steps(pen, words, "guide", STEPS)


def draw_steps(pen: Pen, words: PrintedWords, guide: str, steps: Mapping[str, str]) -> None:
    """Draw a guide step by step, each with its picture."""
    width, height = GUIDE
    pen.box(0, 0, width, height, fill=PAPER)
    pen.fitted((0, height - 14, width, 12), words.say(f"{guide}-title"), 9, bold=True)
    for index, (step, sign) in enumerate(steps.items()):
        low = height - 16 - (index + 1) * STEP
        pen.box(0, low + 1, width, STEP - 2, fill=INKS["paper"], line=INKS["stone"], corner=2)
        draw = draw_shape if sign in shapes() else draw_picture
        draw(pen, sign, 3, low + 4, STEP - 8)
        pen.fitted((26, low + 2, width - 29, STEP - 4), words.say(f"{guide}-{step}"), 4, lines=6)


def draw_stand(pen: Pen, words: PrintedWords, address: str) -> None:
    """Draw a card to fold in the middle: it stands like a roof, with the code on both sides."""
    width, height = STAND
    pen.box(0, 0, width, height, fill=PAPER, line=INKS["stone"])
    pen.line([(0, height / 2), (width, height / 2)], INKS["grey"], 0.3, dash=2)
    with pen.at(0, 0):
        _half(pen, words, address)
    with pen.at(width, height, turn=180):
        _half(pen, words, address)


def _half(pen: Pen, words: PrintedWords, address: str) -> None:
    """Draw one side, to be read from below."""
    rows = segno.make(address, error="m", micro=False).matrix
    side, left, low = CODE - 14, 4.0, 16.0
    draw_cells(pen, [[bool(cell) for cell in row] for row in rows], (left, low + side), side)
    pen.fitted((left + side + 4, 42, 32, 22), words.say("scan"), 5.5, bold=True, lines=3)
    pen.fitted((left + side + 4, 15, 32, 27), words.say("scan-more"), 3, lines=9)
    size, _ = fit(address, (STAND[0] - 8, 9), 5)
    pen.text(STAND[0] / 2, 5, address, size, colour=INK, bold=False, align="middle")


SQUARES: Final = (9, 6)
SQUARE: Final = 27.0
MARKER: Final = 21.0
BOARD_TAGS: Final = "5X5_250"
"""Another family than the cards': the board may lie on the table without being a card."""
BOARD: Final = (SQUARES[0] * SQUARE, SQUARES[1] * SQUARE + 8)
MARKER_CELLS: Final = 7
CIRCLES: Final = (180.0, 120.0)
CIRCLE_TAGS: Final = (583, 584, 585, 586)
"""The tags in the corners of the sheet of colours, clockwise from the far left: no card has them."""
CIRCLE_INSET: Final = 13.0
CIRCLE: Final = 11.0
STICKER: Final = (side_with_quiet(CARD_TAG), side_with_quiet(CARD_TAG) + 7.0)


def circle_middle(player: int, *, lying: bool) -> Point:
    """Return where the figures of a colour belong, from the middle of the sheet."""
    return (player - 1.5) * 40.0, -20.0 if lying else 20.0


def draw_charuco(pen: Pen, words: PrintedWords) -> None:
    """Draw the board: as OpenCV counts its squares, from the top left, the first one black."""
    pen.box(0, 0, *BOARD, fill=PAPER)
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{BOARD_TAGS}"))
    number = 0
    for row in range(SQUARES[1]):
        for column in range(SQUARES[0]):
            x, y = column * SQUARE, BOARD[1] - (row + 1) * SQUARE
            if (row + column) % 2 == 0:
                pen.box(x, y, SQUARE, SQUARE, fill=BLACK)
                continue
            cells = cv2.aruco.generateImageMarker(known, number, MARKER_CELLS)
            corner = (x + (SQUARE - MARKER) / 2, y + (SQUARE + MARKER) / 2)
            draw_cells(pen, [[value == 0 for value in line] for line in cells.tolist()], corner, MARKER)
            number += 1
    text = words.say("charuco-name", across=SQUARES[0], down=SQUARES[1], square=round(SQUARE))
    pen.fitted((2, 0.5, BOARD[0] - 4, 6), text, 3.2, align="middle")


def draw_circles(pen: Pen, words: PrintedWords) -> None:
    """Draw a circle and a box for each colour, with tags around that locate them for the camera."""
    width, height = CIRCLES
    pen.box(0, 0, width, height, fill=PAPER, line=INKS["stone"])
    left, right, low, high = CIRCLE_INSET, width - CIRCLE_INSET, CIRCLE_INSET, height - CIRCLE_INSET
    corners = ((left, high), (right, high), (right, low), (left, low))
    for tag, middle in zip(CIRCLE_TAGS, corners, strict=True):
        draw_tag(pen, tag, middle, CARD_TAG)
    pen.fitted((28, height - 14, width - 56, 11), words.say("circles-name"), 3.6, align="middle", lines=2)
    with pen.at(width / 2, height / 2):
        for index, player in enumerate(PLAYERS):
            x, y = circle_middle(index, lying=False)
            pen.disc(x, y, CIRCLE, line=INK, thick=0.4)
            draw_symbol(pen, player, (x, y), 4, INKS["stone"])
            pen.text(x, y - 17, f"{words.say(f'colour-{player}')}", 3.4, align="middle", bold=True)
            pen.text(x, y - 21, words.say("standing"), 3, align="middle")
            x, y = circle_middle(index, lying=True)
            pen.box(x - FIGURE[0] / 2 - 2, y - FIGURE[1] / 2 - 2, FIGURE[0] + 4, FIGURE[1] + 4, line=INK, corner=3)
            pen.text(x, y - 14, words.say("lying"), 3, align="middle")


def draw_sticker(pen: Pen, tag: int, name: str) -> None:
    """Draw a tag to stick on a card; the card's name stands below, where it may be cut off."""
    width, height = STICKER
    pen.box(0, 0, width, height, fill=PAPER, line=INKS["stone"], thick=0.2)
    draw_tag(pen, tag, (width / 2, height - width / 2), CARD_TAG)
    pen.fitted((0.6, 0.3, width - 1.2, 7.0), name, 2.6, align="middle", lines=3)


def draw_corner(pen: Pen, words: PrintedWords) -> None:
    """Draw the marked corner: four tags, a frame for a card, and a field for dice with the square to show a side."""
    pen.box(0, 0, *CORNER.size, fill=PAPER, line=INKS["stone"])
    for tag, middle in CORNER.tags.items():
        draw_tag(pen, tag, middle, CORNER.tag)
    for (x, y, wide, high), word in ((CORNER.card, "corner-card"), (CORNER.field, "corner-dice")):
        pen.box(x, y, wide, high, line=INKS["grey"], thick=0.4, corner=2)
        pen.fitted((x + 3, y + 1, wide - 6, 7), words.say(word), 3, colour=INKS["grey"], align="middle", lines=2)
    half, (x, y) = CORNER.die / 2 + 0.5, CORNER.spot
    pen.box(x - half, y - half, 2 * half, 2 * half, line=INKS["stone"], thick=0.3)
