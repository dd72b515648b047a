"""The mat: where everything is on it in mm from its middle (x right, y away from the players), and how it is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.pieces.drawing.pen import PAPER
from companion.pieces.kinds.deck import draw_tag, side_with_quiet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.pieces.drawing.pen import Pen
    from companion.pieces.drawing.signs import PrintedWords


MAT: Final = (740.0, 430.0)
LEVELS: Final = 5
SLOTS: Final = ("L3", "L2", "L1", "E", "R1", "R2", "R3")
ELEVATOR: Final = 3
CARD: Final = (88.0, 63.0)
GAP: Final = 4.0
THREAT: Final = (40.0, 56.0)
FIGURE_BASE: Final = 17.0
"""The disc that is as large as its foot: what vision takes for its base."""
MAT_TAG: Final = 32.0
CARD_TAG: Final = 18.0
MAT_TAGS: Final = ((-348.0, 193.0), (348.0, 193.0), (348.0, -193.0), (-348.0, -193.0), (0.0, 193.0), (0.0, -193.0))
"""The middles of the tags 0 to 5."""
SPACES: Final = {"a": (-20.24, -8.82), "b": (20.24, -8.82), "E": (0.0, -6.0)}
"""The spaces, from the middle of their card."""
RING: Final = 9.5
"""The radius of a space's circle."""
THREAT_SPACE: Final = (0.0, -5.0)
"""The circle of a threat, from the middle of its card: it is laid on the space's."""
FIGURE: Final = (30.0, 15.0, 8.0)
"""A paper figure's height, and the sides of its square foot and of its lid."""
TAG_MARGIN: Final = 1.0
DICE: Final = (190.0, -190.5)
"""The middle of the corner for two real dice, between the tags at the players' side."""
DICE_SIZE: Final = (110.0, 44.0)
TRACK: Final = (280.0, 71.0)
"""A strip for the three cards of a track. Both lie at the mat's far edge."""
TRACKS: Final = {"items": (-141.0, MAT[1] / 2 + TRACK[1] / 2), "rooms": (141.0, MAT[1] / 2 + TRACK[1] / 2)}
"""The middles of the strips."""
TRACK_PLACES: Final = 3
TRACK_LOW: Final = 2.0
"""From a strip's edge at the mat to its cards."""


def slot_middle(level: int, column: int) -> tuple[float, float]:
    """Return the middle of a room: the level from 1, the farthest, and the column from 0, the left one."""
    return (column - ELEVATOR) * (CARD[0] + GAP), ((LEVELS + 1) / 2 - level) * (CARD[1] + GAP)


def track_middle(track: str, number: int) -> tuple[float, float]:
    """Return the middle of a place of a track, counted from 0, the left one."""
    x, y = TRACKS[track]
    return x + (number - 1) * (CARD[0] + GAP), y - TRACK[1] / 2 + TRACK_LOW + CARD[1] / 2


def tag_middle(size: tuple[float, float]) -> tuple[float, float]:
    """Return where a card of a size has its tag, from its lower left corner: top right, with a margin."""
    half = side_with_quiet(CARD_TAG) / 2 + TAG_MARGIN
    return size[0] - half, size[1] - half


FAINT: Final = "#c9c9cf"
"""Lines that a person sees and the camera does not take for a card."""
QUIET: Final = "#8d8d96"
CORNER: Final = 5.0
NUMBERS: Final = 170.5
"""How far from the middle the columns' numbers stand: outside the vault, between the tags."""


def draw_mat(pen: Pen, words: PrintedWords, columns: Sequence[int | None]) -> None:
    """Draw corner marks for every room, the column numbers at the far edge, and the six tags."""
    pen.box(0, 0, *MAT, fill=PAPER)
    pen.box(0.15, 0.15, MAT[0] - 0.3, MAT[1] - 0.3, line=FAINT, thick=0.3)
    with pen.at(MAT[0] / 2, MAT[1] / 2):
        for level in range(1, LEVELS + 1):
            for column in range(len(SLOTS)):
                _marks(pen, *slot_middle(level, column))
            pen.text(-332, slot_middle(level, 0)[1] - 2, str(level), 6, colour=QUIET, bold=True, align="middle")
        _numbers(pen, columns)
        pen.text(-174, -172.5, words.say("mat-name"), 3.2, colour=QUIET, align="middle")
        _corner(pen, words)
        for tag, middle in enumerate(MAT_TAGS):
            draw_tag(pen, tag, middle, MAT_TAG)


def draw_track(pen: Pen, words: PrintedWords, track: str) -> None:
    """Draw a strip for the three cards of a track; its lower edge lies at the mat's far one."""
    pen.box(0, 0, *TRACK, fill=PAPER)
    pen.box(0.15, 0.15, TRACK[0] - 0.3, TRACK[1] - 0.3, line=FAINT, thick=0.3)
    middle = (TRACK[0] / 2, TRACK_LOW + CARD[1] / 2)
    for number in range(TRACK_PLACES):
        _marks(pen, middle[0] + (number - TRACK_PLACES // 2) * (CARD[0] + GAP), middle[1])
    pen.text(middle[0], TRACK[1] - 4.4, words.say(f"track-{track}"), 3.2, colour=QUIET, align="middle")


def _corner(pen: Pen, words: PrintedWords) -> None:
    """Draw the corner for two real dice. Nothing is printed inside: whatever is there might be a pip."""
    x, y = DICE[0] - DICE_SIZE[0] / 2, DICE[1] - DICE_SIZE[1] / 2
    pen.box(x, y, *DICE_SIZE, line=FAINT, thick=0.5, corner=4)
    box = (x - 62, DICE[1] - 6, 58, 12)
    pen.fitted(box, words.say("mat-dice"), 3.2, colour=QUIET, align="right", lines=2)


def _marks(pen: Pen, x: float, y: float) -> None:
    """Draw the four corners of a room."""
    for right in (-1, 1):
        for up in (-1, 1):
            corner = (x + right * CARD[0] / 2, y + up * CARD[1] / 2)
            pen.line([(corner[0] - right * CORNER, corner[1]), corner, (corner[0], corner[1] - up * CORNER)], FAINT)


def _numbers(pen: Pen, columns: Sequence[int | None]) -> None:
    rooms = [column for column in range(len(SLOTS)) if column != ELEVATOR]
    for index, number in enumerate(columns):
        if number is not None:
            x = slot_middle(1, rooms[index // 2])[0] + (20.24 if index % 2 else -20.24)
            pen.text(x, NUMBERS - 2, str(number), 4.5, colour=QUIET, bold=True, align="middle")
