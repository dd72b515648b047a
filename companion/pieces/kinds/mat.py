"""The mat: its tags, where rooms lie and dice are thrown; and the strips of the two tracks, laid at its far edge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.pieces.drawing.style import PAPER
from companion.pieces.drawing.tags import draw_tag
from companion.pieces.kinds.mat_geometry import (
    CARD,
    DICE,
    DICE_SIZE,
    ELEVATOR,
    GAP,
    LEVELS,
    MAT,
    MAT_TAG,
    MAT_TAGS,
    SLOTS,
    TRACK,
    TRACK_LOW,
    TRACK_PLACES,
    slot_middle,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.pieces.drawing.pen import Pen
    from companion.pieces.kinds.effects import Words

FAINT: Final = "#c9c9cf"
"""Lines that a person sees and the camera does not take for a card."""
QUIET: Final = "#8d8d96"
CORNER: Final = 5.0
NUMBERS: Final = 170.5
"""How far from the middle the columns' numbers stand: outside the vault, between the tags."""


def draw_mat(pen: Pen, words: Words, columns: Sequence[int | None]) -> None:
    """Corner marks for every room, the columns' numbers at the far edge, and the six tags."""
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


def draw_track(pen: Pen, words: Words, track: str) -> None:
    """A strip for the three cards of a track; its lower edge lies at the mat's far one."""
    pen.box(0, 0, *TRACK, fill=PAPER)
    pen.box(0.15, 0.15, TRACK[0] - 0.3, TRACK[1] - 0.3, line=FAINT, thick=0.3)
    middle = (TRACK[0] / 2, TRACK_LOW + CARD[1] / 2)
    for number in range(TRACK_PLACES):
        _marks(pen, middle[0] + (number - TRACK_PLACES // 2) * (CARD[0] + GAP), middle[1])
    pen.text(middle[0], TRACK[1] - 4.4, words.say(f"track-{track}"), 3.2, colour=QUIET, align="middle")


def _corner(pen: Pen, words: Words) -> None:
    """Where two real dice are thrown. Nothing is printed inside: whatever is there might be a pip."""
    x, y = DICE[0] - DICE_SIZE[0] / 2, DICE[1] - DICE_SIZE[1] / 2
    pen.box(x, y, *DICE_SIZE, line=FAINT, thick=0.5, corner=4)
    box = (x - 62, DICE[1] - 6, 58, 12)
    pen.fitted(box, words.say("mat-dice"), 3.2, colour=QUIET, align="right", lines=2)


def _marks(pen: Pen, x: float, y: float) -> None:
    """The four corners of a room."""
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
