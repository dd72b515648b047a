"""Sheets of paper as a PDF: size, ruler and footer, pieces at true size with cut marks, the mat in tiles."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from math import ceil
from typing import TYPE_CHECKING, Final, Protocol

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.pieces.drawing.pen import INK, INKS, PAPER, Pen
from companion.pieces.kinds.mat import MAT_TAG, MAT_TAGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.pieces.drawing.raster import PrintedPiece
    from companion.pieces.drawing.signs import PrintedWords

PAPERS: Final = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
MARGIN: Final = 8.0
"""The margin that home printers leave white."""
FOOT: Final = 12.0
"""The strip of the ruler."""
RULER: Final = 100.0
STEP: Final = 10.0
CUT: Final = INKS["grey"]


def begin(canvas: Canvas, size: tuple[float, float]) -> Pen:
    """Begin a page and return the pen for it."""
    canvas.setPageSize((size[0] * mm, size[1] * mm))
    pen = Pen(canvas)
    pen.box(0, 0, *size, fill=PAPER)
    return pen


def foot(pen: Pen, size: tuple[float, float], words: PrintedWords, caption: str) -> None:
    """Draw the ruler, and name the sheet."""
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


OVERLAP: Final = 10.0
MARK: Final = 2.2


@dataclass(frozen=True, slots=True)
class Tile:
    """A part of the mat: which, and where the paper's printed part begins on it (mm from its lower left)."""

    size: tuple[float, float]
    piece: PrintedPiece
    where: tuple[int, int]
    corner: tuple[float, float]
    part: tuple[float, float]

    def draw(self, canvas: Canvas, words: PrintedWords, caption: str) -> None:
        """Draw it with crosses that meet those of its neighbours, and go on to the next page."""
        pen = begin(canvas, self.size)
        x, y = MARGIN, MARGIN + FOOT
        with pen.within(x, y, *self.part), pen.at(x - self.corner[0], y - self.corner[1]):
            self.piece.draw(pen)
        self._marks(pen, x, y)
        name = "tile" if self.piece.kind == "mat" else f"tile-{self.piece.id}"
        tile = words.say(name, row=self.where[0] + 1, column=self.where[1] + 1)
        foot(pen, self.size, words, f"{caption} · {tile}")
        canvas.showPage()

    def _marks(self, pen: Pen, x: float, y: float) -> None:
        """Draw a cut line at the right and lower side, and crosses in the middle of every overlap."""
        width, height = self.part
        right, low = x + width, y
        if self.corner[0] + width < self.piece.size[0] - 1:
            pen.line([(right, y), (right, y + height)], CUT, 0.2, dash=2)
            _crosses(pen, [(right - OVERLAP / 2, y + height * part) for part in (0.1, 0.5, 0.9)])
        if self.corner[0] > 0:
            _crosses(pen, [(x + OVERLAP / 2, y + height * part) for part in (0.1, 0.5, 0.9)])
        if self.corner[1] > 0:
            pen.line([(x, low), (x + width, low)], CUT, 0.2, dash=2)
            _crosses(pen, [(x + width * part, low + OVERLAP / 2) for part in (0.1, 0.5, 0.9)])
        if self.corner[1] + height < self.piece.size[1] - 1:
            _crosses(pen, [(x + width * part, y + height - OVERLAP / 2) for part in (0.1, 0.5, 0.9)])


def tiles(piece: PrintedPiece, paper: tuple[float, float]) -> Iterator[Tile]:
    """Cut a large piece into equal tiles, from the far left: as few as cut no tag, in portrait or landscape."""
    ways = [(size, _count(piece, size)) for size in (paper, (paper[1], paper[0]))]
    size, (columns, rows) = min(ways, key=lambda way: (_cuts_a_tag(piece, way[1]), way[1][0] * way[1][1]))
    width, height = _part(piece, (columns, rows))
    for row in range(rows):
        for column in range(columns):
            low = piece.size[1] - height - row * (height - OVERLAP)
            yield Tile(size, piece, (row, column), (column * (width - OVERLAP), max(low, 0.0)), (width, height))


def _count(piece: PrintedPiece, paper: tuple[float, float]) -> tuple[int, int]:
    room = (paper[0] - 2 * MARGIN, paper[1] - 2 * MARGIN - FOOT)
    across, down = (ceil((whole - OVERLAP) / (free - OVERLAP)) for whole, free in zip(piece.size, room, strict=True))
    return across, down


def _part(piece: PrintedPiece, count: tuple[int, int]) -> tuple[float, float]:
    width, height = ((whole + (n - 1) * OVERLAP) / n for whole, n in zip(piece.size, count, strict=True))
    return width, height


def _cuts_a_tag(piece: PrintedPiece, count: tuple[int, int]) -> bool:
    """Return whether a seam runs through a tag: half a millimetre of slip there makes it unreadable."""
    part, reach = _part(piece, count), (MAT_TAG + OVERLAP) / 2
    return piece.kind == "mat" and any(
        abs(middle[axis] + piece.size[axis] / 2 - seam * (part[axis] - OVERLAP) - OVERLAP / 2) < reach
        for middle in MAT_TAGS
        for axis in (0, 1)
        for seam in range(1, count[axis])
    )


def _crosses(pen: Pen, middles: Sequence[tuple[float, float]]) -> None:
    for x, y in middles:
        pen.line([(x - MARK, y), (x + MARK, y)], CUT, 0.15)
        pen.line([(x, y - MARK), (x, y + MARK)], CUT, 0.15)


APART: Final = 3.0
BLEED: Final = 1.4
"""How far a back is drawn over its edge: a printer never meets the other side to the millimetre."""
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


class Printable(Protocol):
    """What is printed of a game's pack, in a language."""

    @property
    def title(self) -> str: ...

    @property
    def sheets(self) -> tuple[str, ...]:
        """Every kind of sheet that there is."""
        ...

    @property
    def words(self) -> PrintedWords: ...

    def pieces(self, sheet: str) -> tuple[PrintedPiece, ...]: ...


def print_sheets(box: Printable, paper: str, what: Sequence[str] = ()) -> bytes:
    """Return the PDF of the sheets wanted; of all of them where none is named.

    One kind alone is printed on both sides where its pieces have backs; several are for one side of the paper.
    """
    what = what or box.sheets
    both_sides = len(what) == 1
    out = BytesIO()
    canvas = Canvas(out, pageCompression=1, invariant=1)
    canvas.setTitle(f"{box.title} ({', '.join(what)})")
    for sheet in what:
        pages = list(pages_of(box, sheet, paper))
        for number, page in enumerate(pages, 1):
            caption = box.words.say("sheet", what=box.words.say(f"what-{sheet}"), n=number, all=len(pages))
            page.draw(canvas, box.words, caption)
            if both_sides and isinstance(page, PrintedPage) and page.has_backs:
                page.draw_backs(canvas, box.words, caption)
    canvas.save()
    return out.getvalue()


def pages_of(box: Printable, sheet: str, paper: str) -> Iterator[PrintedPage | Tile]:
    """Yield the pages of one kind of sheet."""
    size = PAPERS[paper]
    for piece in box.pieces(sheet):
        if piece.kind in TILED:
            yield from tiles(piece, size)
    whole = [piece for piece in box.pieces(sheet) if piece.kind not in TILED]
    yield from _packed(whole, size)


@dataclass(frozen=True, slots=True)
class PrintedPage:
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

    @property
    def has_backs(self) -> bool:
        return any(one.piece.back is not None for one in self.placed)

    def draw_backs(self, canvas: Canvas, words: PrintedWords, caption: str) -> None:
        """Draw the other side of the sheet as it lies once the paper is flipped on its long edge."""
        pen = begin(canvas, self.size)
        for one in self.placed:
            if one.piece.back is None:
                continue
            width, height = one.size
            left = self.size[0] - one.x - width
            with pen.within(left - BLEED, one.y - BLEED, width + 2 * BLEED, height + 2 * BLEED):
                if one.turned:
                    with pen.at(left, one.y + height, turn=-90):
                        one.piece.back.draw(pen)
                else:
                    with pen.at(left, one.y):
                        one.piece.back.draw(pen)
        told = words.say("sheet-back", sheet=caption)
        pen.fitted((MARGIN, MARGIN - 1, self.size[0] - 2 * MARGIN, 8), told, 3, align="right", lines=2)
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
