"""The PDF: pieces packed on pages at true size, with cut marks; the mat in tiles."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING, Final

from reportlab.pdfgen.canvas import Canvas

from companion.pieces.sheets.all_pieces import SHEETS
from companion.pieces.sheets.layout import CUT, FOOT, MARGIN, PAPERS, Tile, begin, foot, tiles

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.pieces.drawing.pen import Pen
    from companion.pieces.drawing.raster import PrintedPiece
    from companion.pieces.kinds.effects import PrintedWords
    from companion.pieces.sheets.all_pieces import PrintedBox

APART: Final = 3.0
TILED: Final = ("mat", "track")
"""What may be larger than a sheet of paper."""


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A piece on a page: its lower left corner, and whether it lies on its side."""

    piece: PrintedPiece
    x: float
    y: float
    turned: bool = False

    @property
    def size(self) -> tuple[float, float]:
        width, height = self.piece.size
        return (height, width) if self.turned else (width, height)


def print_sheets(box: PrintedBox, paper: str, what: Sequence[str] = SHEETS) -> bytes:
    """Return the PDF of the sheets wanted."""
    out = BytesIO()
    canvas = Canvas(out, pageCompression=1, invariant=1)
    canvas.setTitle(f"{box.pack.id} ({', '.join(what)})")
    for sheet in what:
        pages = list(pages_of(box, sheet, paper))
        for number, page in enumerate(pages, 1):
            caption = box.words.say("sheet", what=box.words.say(f"what-{sheet}"), n=number, all=len(pages))
            page.draw(canvas, box.words, caption)
    canvas.save()
    return out.getvalue()


def pages_of(box: PrintedBox, sheet: str, paper: str) -> Iterator[PrintedPage | Tile]:
    """Yield the pages of one kind of sheet."""
    size = PAPERS[paper]
    for piece in box.pieces(sheet):
        if piece.kind in TILED:
            yield from tiles(piece, size)
    whole = [piece for piece in box.pieces(sheet) if piece.kind not in TILED]
    yield from _packed(whole, size)


@dataclass(frozen=True, slots=True)
class PrintedPage:
    """A page with pieces on it."""

    size: tuple[float, float]
    placed: tuple[PlacedPiece, ...]

    def draw(self, canvas: Canvas, words: PrintedWords, caption: str) -> None:
        """Draw it, and go on to the next page."""
        pen = begin(canvas, self.size)
        for one in self.placed:
            width, height = one.size
            if one.turned:
                with pen.at(one.x + width, one.y, turn=90):
                    one.piece.draw(pen)
            else:
                with pen.at(one.x, one.y):
                    one.piece.draw(pen)
            _cut_marks(pen, one.x, one.y, width, height)
        foot(pen, self.size, words, caption)
        canvas.showPage()


def _packed(pieces: Sequence[PrintedPiece], paper: tuple[float, float]) -> Iterator[PrintedPage]:
    """Pack pieces on shelves from the top; a page that is full is followed by the next."""
    room = (paper[0] - 2 * MARGIN, paper[1] - 2 * MARGIN - FOOT)
    shelf: list[PlacedPiece] = []
    page: list[PlacedPiece] = []
    top = room[1]
    previous: PrintedPiece | None = None
    for piece in (one for one in pieces for _ in range(one.count)):
        turned = piece.size[0] > room[0]
        width, height = (piece.size[1], piece.size[0]) if turned else piece.size
        beside = shelf[-1].x + shelf[-1].size[0] + APART - MARGIN if shelf else 0.0
        is_other = previous is not None and previous.kind != piece.kind and previous.size[1] != piece.size[1]
        if shelf and (beside + width > room[0] or is_other):
            top -= max(one.size[1] for one in shelf) + APART
            page += shelf
            shelf, beside = [], 0.0
        if top - height < 0 or (is_other and piece.kind in ("calibration", "stand", "sticker")):
            yield PrintedPage(paper, (*page, *shelf))
            page, shelf, top, beside = [], [], room[1], 0.0
        shelf.append(PlacedPiece(piece, MARGIN + beside, MARGIN + FOOT + top - height, turned))
        previous = piece
    if page or shelf:
        yield PrintedPage(paper, (*page, *shelf))


def _cut_marks(pen: Pen, x: float, y: float, width: float, height: float) -> None:
    for right in (0, 1):
        for up in (0, 1):
            px, py = x + right * width, y + up * height
            sx, sy = (1 if right else -1), (1 if up else -1)
            pen.line([(px + sx * 0.4, py), (px + sx * APART / 2, py)], CUT, 0.15)
            pen.line([(px, py + sy * 0.4), (px, py + sy * APART / 2)], CUT, 0.15)
