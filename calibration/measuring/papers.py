"""The printed papers of the calibration, in millimetres: the board for the lens and the sheet for the colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.pieces.drawing.palette import PLAYERS as PAINTS
from companion.pieces.kinds.deck import deck_of
from companion.pieces.kinds.mat_geometry import CARD_TAG, FIGURE
from companion.pieces.sheets import calibrating as printed
from companion.pieces.sheets.printed_profile import table_of_mat

if TYPE_CHECKING:
    from companion.cards.pack import Pack

PLAYERS: Final = tuple(PAINTS)


@dataclass(frozen=True, slots=True)
class Board:
    """A ChArUco board: squares across and down, their side, their markers' side, and the markers' family."""

    squares: tuple[int, int]
    square: float
    marker: float
    dictionary: str


BOARD: Final = Board(printed.SQUARES, printed.SQUARE, printed.MARKER, printed.BOARD_TAGS)
CHESSBOARDS: Final = ((9, 6), (8, 6), (7, 6), (8, 5), (7, 5), (10, 7), (7, 4), (6, 4))
"""Inner corners of the chessboards that people have."""
CIRCLE_TAGS: Final = printed.CIRCLE_TAGS
CIRCLE_TAG: Final = CARD_TAG
circle_middle = printed.circle_middle


def circle_tag_middles() -> dict[int, tuple[float, float]]:
    """Where the tags of the sheet of colours are, from its middle."""
    x, y = (side / 2 - printed.CIRCLE_INSET for side in printed.CIRCLES)
    return dict(zip(CIRCLE_TAGS, ((-x, y), (x, y), (x, -y), (-x, -y)), strict=True))


def cards_of(pack: Pack) -> dict[str, Any]:
    """A pack's cards as a profile has them, with the tags that their stickers and sheets are printed with."""
    cards: dict[str, Any] = {}
    for carried in deck_of(pack):
        cards.setdefault(carried.id, {"kind": carried.kind, "tags": [], "art": []})["tags"].append(carried.tag)
    return cards


def fresh(size: tuple[int, int] = (1920, 1080)) -> dict[str, Any]:
    """A table before anything was measured: the mat that `companion print` makes, and paints as printed."""
    colours = {player: [int(paint[at : at + 2], 16) for at in (1, 3, 5)] for player, paint in PAINTS.items()}
    return {
        "table": table_of_mat(),
        "camera": {"size": list(size)},
        "figures": {"height": FIGURE[0], "base": FIGURE[1], "colours": colours},
        "cards": {},
    }
