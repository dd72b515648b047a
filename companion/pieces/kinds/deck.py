"""AprilTags: their cells, how they are drawn, and which ids are for what."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

import cv2

from companion.pieces.drawing.pen import PAPER, PLAYERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.cards.pack import ItemCard, Pack, RoomCard, ThreatCard
    from companion.pieces.drawing.pen import Pen, Point


DICTIONARY: Final = "APRILTAG_36h11"
CELLS: Final = 8
"""Cells of a tag's side, its black border counted in."""
QUIET: Final = 1.2
"""White cells around a tag."""
BLACK: Final = "#000000"
TAGS: Final = 587
HAIR: Final = 0.02
"""White cells reach this much of a cell into white neighbours."""


def side_with_quiet(size: float) -> float:
    """Return the width of a tag with its quiet zone."""
    return size * (1 + 2 * QUIET / CELLS)


@cache
def cells(tag: int) -> tuple[tuple[bool, ...], ...]:
    """Return which cells of a tag are black, row by row from the top."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{DICTIONARY}"))
    picture = cv2.aruco.generateImageMarker(known, tag, CELLS)
    return tuple(tuple(bool(cell == 0) for cell in row) for row in picture)


def draw_tag(pen: Pen, tag: int, middle: Point, size: float) -> None:
    """Draw a tag of a size, with its quiet zone, around a point."""
    around = side_with_quiet(size)
    left, top = middle[0] - size / 2, middle[1] + size / 2
    pen.box(middle[0] - around / 2, middle[1] - around / 2, around, around, fill=PAPER)
    draw_cells(pen, cells(tag), (left, top), size)


def draw_cells(pen: Pen, rows: Sequence[Sequence[bool]], corner: Point, size: float) -> None:
    """Draw a square of cells from its upper left corner: white on black, so that no hairline shows between."""
    cell, (left, top) = size / len(rows), corner
    pen.box(left, top - size, size, size, fill=BLACK)
    for row, line in enumerate(rows):
        for column, is_black in enumerate(line):
            if not is_black:
                wide = cell * (1 + HAIR * (column + 1 < len(line) and not line[column + 1]))
                high = cell * (1 + HAIR * (row + 1 < len(rows) and not rows[row + 1][column]))
                pen.box(left + column * cell, top - row * cell - high, wide, high, fill=PAPER)


FIRST_TAG: Final = 10
"""0 to 5 are the mat's."""
LAST_TAG: Final = TAGS - 5
"""The last four belong to the sheet of colours."""
TOP_ELEVATOR: Final = "elevator"


class TooManyCardsError(ValueError):
    """A pack has more cards than there are tags."""


@dataclass(frozen=True, slots=True)
class TaggedCard:
    """One card of cardboard: its id, kind, tag, and which of its copies it is."""

    id: str
    kind: str
    tag: int
    copy: int
    card: RoomCard | ThreatCard | ItemCard | None
    """What is printed on it; None for an elevator."""

    @property
    def player(self) -> str | None:
        """Whose elevator it is; None for the top level's, and for all that is no elevator."""
        owner = self.id.removeprefix(f"{TOP_ELEVATOR}-")
        return owner if self.kind == "elevator" and owner in PLAYERS else None


def deck_of(pack: Pack) -> tuple[TaggedCard, ...]:
    """Return every card of a pack, copy by copy: rooms (the top level's first), threats, items, elevators."""
    names = [(card.id, kind, copy, card) for kind, card, copy in _copies(pack)]
    elevators = (TOP_ELEVATOR, *(f"{TOP_ELEVATOR}-{player}" for player in PLAYERS))
    all_cards = [*names, *((name, "elevator", 1, None) for name in elevators)]
    if FIRST_TAG + len(all_cards) > LAST_TAG + 1:
        raise TooManyCardsError(f"{len(all_cards)} cards; there are tags for {LAST_TAG + 1 - FIRST_TAG}")
    return tuple(
        TaggedCard(name, kind, FIRST_TAG + index, copy, card)
        for index, (name, kind, copy, card) in enumerate(all_cards)
    )


def _copies(pack: Pack) -> Iterator[tuple[str, RoomCard | ThreatCard | ItemCard, int]]:
    kinds: tuple[tuple[str, tuple[RoomCard | ThreatCard | ItemCard, ...]], ...] = (
        ("room", (*pack.top_level, *pack.rooms)),
        ("threat", pack.threats),
        ("item", pack.items),
    )
    for kind, cards in kinds:
        for card in cards:
            for copy in range(1, card.copies + 1):
                yield kind, card, copy
