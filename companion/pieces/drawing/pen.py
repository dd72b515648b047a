"""A pen that draws in millimetres on a page of a PDF, with the fonts, inks and symbols of everything printed."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from reportlab.lib.colors import Color, HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reportlab.pdfgen.canvas import Canvas
    from reportlab.pdfgen.pathobject import PDFPathObject

    from companion.pieces.drawing.shapes import Segment


PLAIN: Final = "DejaVuSansCondensed"
BOLD: Final = "DejaVuSansCondensed-Bold"


@cache
def register() -> None:
    """Register the fonts; calling it again does nothing."""
    for name in (PLAIN, BOLD):
        with resources.as_file(resources.files("companion.pieces") / "fonts" / f"{name}.ttf") as path:
            registerFont(TTFont(name, str(path)))


INK: Final = "#2b2a33"
PAPER: Final = "#ffffff"
INKS: Final = {
    "ink": INK,
    "paper": "#fffdf6",
    "cream": "#f1e6cd",
    "straw": "#d9c692",
    "wood": "#a77a52",
    "bark": "#6d4d36",
    "clay": "#bd8163",
    "moss": "#82925f",
    "mint": "#b3d3c4",
    "sky": "#b4d2de",
    "teal": "#5f9799",
    "night": "#454f69",
    "plum": "#7d5a7b",
    "lilac": "#bdb1cd",
    "rose": "#dcaea9",
    "coral": "#d18f7c",
    "grey": "#9b9ba1",
    "stone": "#d0cbc2",
    "dark": "#55535c",
}
PLAYERS: Final = {"red": "#c41c22", "blue": "#1c4ab6", "green": "#228a3e", "yellow": "#ecbc1e"}
"""What figures are painted with: the colours of the profile's first guess."""


CORNERS: Final[dict[str, tuple[Point, ...]]] = {
    "blue": ((-1.0, -0.85), (1.0, -0.85), (0.0, 0.95)),
    "green": ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    "yellow": ((0.0, -1.05), (1.05, 0.0), (0.0, 1.05), (-1.05, 0.0)),
}


def draw_symbol(pen: Pen, player: str, middle: Point, size: float, colour: str | None = None) -> None:
    """Draw a player's symbol of a width in mm: red a disc, blue a triangle, green a square, yellow a diamond."""
    x, y = middle
    half, ink = size / 2, colour or PLAYERS[player]
    if player == "red":
        pen.disc(x, y, half, fill=ink)
        return
    pen.shape([(x + half * dx, y + half * dy) for dx, dy in CORNERS[player]], fill=ink)


Point = tuple[float, float]
ROUND: Final = 1
POINT: Final = 1 / mm
"""A typographic point in millimetres."""
ASCENT: Final = 0.73
"""Height of capitals, as a share of the font size."""
SMALLEST: Final = 1.9
"""Letters of fewer millimetres cannot be read on paper."""
ROUNDING: Final = 1e-6
TAUT: Final = 1 / 6
"""How far a smooth line's handles reach: Catmull and Rom."""


def colour_of(name: str) -> Color:
    return HexColor(name)


class Pen:
    """Draws on a canvas; x to the right, y up, all in millimetres from the corner of the piece."""

    def __init__(self, canvas: Canvas) -> None:
        register()
        self._canvas = canvas
        canvas.setLineJoin(ROUND)
        canvas.setLineCap(ROUND)

    @contextmanager
    def at(self, x: float, y: float, turn: float = 0.0, scale: float = 1.0) -> Iterator[Pen]:
        """Draw with the origin here, turned by degrees."""
        self._canvas.saveState()
        self._canvas.translate(x * mm, y * mm)
        self._canvas.rotate(turn)
        self._canvas.scale(scale, scale)
        try:
            yield self
        finally:
            self._canvas.restoreState()

    @contextmanager
    def within(self, x: float, y: float, width: float, height: float) -> Iterator[Pen]:
        """Draw only inside this box."""
        self._canvas.saveState()
        path = self._canvas.beginPath()
        path.rect(x * mm, y * mm, width * mm, height * mm)
        self._canvas.clipPath(path, stroke=0, fill=0)
        try:
            yield self
        finally:
            self._canvas.restoreState()

    # --- shapes -------------------------------------------------------------------------------------------------------

    def box(  # noqa: PLR0913 - a place, a size, and how it looks
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str | None = None,
        line: str | None = None,
        thick: float = 0.3,
        corner: float = 0.0,
    ) -> None:
        """Draw a box, with round corners if wanted."""
        self._style(fill, line, thick)
        self._canvas.roundRect(x * mm, y * mm, width * mm, height * mm, corner * mm, int(line is not None), _is(fill))

    def disc(
        self, x: float, y: float, radius: float, *, fill: str | None = None, line: str | None = None, thick: float = 0.3
    ) -> None:
        self._style(fill, line, thick)
        self._canvas.circle(x * mm, y * mm, radius * mm, int(line is not None), _is(fill))

    def oval(
        self, middle: Point, radii: Point, *, fill: str | None = None, line: str | None = None, thick: float = 0.3
    ) -> None:
        self._style(fill, line, thick)
        (x, y), (across, along) = middle, radii
        corners = ((x - across) * mm, (y - along) * mm, (x + across) * mm, (y + along) * mm)
        self._canvas.ellipse(*corners, int(line is not None), _is(fill))

    def shape(
        self, points: Sequence[Point], *, fill: str | None = None, line: str | None = None, thick: float = 0.3
    ) -> None:
        """Draw a closed figure with corners."""
        self._style(fill, line, thick)
        path = self._path(points)
        path.close()
        self._canvas.drawPath(path, int(line is not None), _is(fill))

    def line(self, points: Sequence[Point], colour: str, thick: float = 0.3, *, dash: float = 0.0) -> None:
        self._canvas.saveState()
        self._style(None, colour, thick)
        if dash:
            self._canvas.setDash(dash * mm, dash * mm)
        self._canvas.drawPath(self._path(points), 1, 0)
        self._canvas.restoreState()

    def smooth(
        self,
        points: Sequence[Point],
        *,
        fill: str | None = None,
        line: str | None = None,
        thick: float = 0.3,
        closed: bool = True,
    ) -> None:
        """Draw a curve through points, closed into a figure or open."""
        self._style(fill, line, thick)
        count, path = len(points), self._canvas.beginPath()
        path.moveTo(points[0][0] * mm, points[0][1] * mm)
        for index in range(count if closed else count - 1):
            path.curveTo(*(value * mm for value in _handles(points, index, closed=closed)))
        if closed:
            path.close()
        self._canvas.drawPath(path, int(line is not None), _is(fill))

    def trace(
        self, segments: Sequence[Segment], *, fill: str | None = None, line: str | None = None, thick: float = 0.3
    ) -> None:
        """Draw a path of lines and curves."""
        self._style(fill, line, thick)
        path = self._canvas.beginPath()
        put = {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo, "Z": path.close}
        for segment in segments:
            put[segment.kind](*(value * mm for point in segment.points for value in point))
        self._canvas.drawPath(path, int(line is not None), _is(fill))

    def arc(self, middle: Point, radius: float, sweep: Point, colour: str, thick: float = 0.3) -> None:
        """Draw a part of a circle, from one angle to another, in degrees counter-clockwise from the right."""
        self._style(None, colour, thick)
        (x, y), (first, last) = middle, sweep
        box = ((x - radius) * mm, (y - radius) * mm, (x + radius) * mm, (y + radius) * mm)
        self._canvas.arc(*box, startAng=first, extent=last - first)

    # --- letters ------------------------------------------------------------------------------------------------------

    def text(  # noqa: PLR0913 - a place and how it looks
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        *,
        colour: str = "#2b2a33",
        bold: bool = False,
        align: str = "left",
    ) -> None:
        """Write one line of letters of a height in mm, its baseline at y."""
        self._canvas.setFillColor(colour_of(colour))
        self._canvas.setFont(BOLD if bold else PLAIN, size / POINT)
        left = x - {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * width_of(words, size, bold=bold)
        self._canvas.drawString(left * mm, y * mm, words)

    def fitted(  # noqa: PLR0913 - a place and how it looks
        self,
        box: tuple[float, float, float, float],
        words: str,
        largest: float,
        *,
        colour: str = "#2b2a33",
        bold: bool = False,
        align: str = "left",
        lines: int = 1,
    ) -> None:
        """Write words into a box (x, y, width, height), as large as fits, in the middle of its height."""
        x, y, width, height = box
        size, rows = fit(words, (width, height), largest, bold=bold, lines=lines)
        pitch = size * SPACING
        left = x + {"left": 0.0, "middle": 0.5, "right": 1.0}[align] * width
        low = y + (height - pitch * len(rows)) / 2 + (pitch - size * ASCENT) / 2
        for index, row in enumerate(reversed(rows)):
            self.text(left, low + index * pitch, row, size, colour=colour, bold=bold, align=align)

    def column(
        self, box: tuple[float, float, float, float], paragraphs: Sequence[tuple[str, bool]], largest: float
    ) -> None:
        """Write paragraphs (words, bold or not) into a box from its top, all in one size, as large as fits."""
        x, y, width, height = box
        size, rows = fit_column(paragraphs, (width, height), largest)
        top = y + height
        for row, bold, first in rows:
            top -= size * SPACING + (size * BETWEEN if first and top < y + height else 0.0)
            self.text(x, top + size * (SPACING - ASCENT) / 2, row, size, bold=bold)

    # --- helpers ------------------------------------------------------------------------------------------------------

    def _style(self, fill: str | None, line: str | None, thick: float) -> None:
        if fill is not None:
            self._canvas.setFillColor(colour_of(fill))
        if line is not None:
            self._canvas.setStrokeColor(colour_of(line))
            self._canvas.setLineWidth(thick * mm)

    def _path(self, points: Sequence[Point]) -> PDFPathObject:
        path = self._canvas.beginPath()
        path.moveTo(points[0][0] * mm, points[0][1] * mm)
        for x, y in points[1:]:
            path.lineTo(x * mm, y * mm)
        return path


SPACING: Final = 1.12
"""From line to line, as a share of the letters' size."""


class OverflowingError(ValueError):
    """Words that do not fit their box even in the smallest letters."""


def width_of(words: str, size: float, *, bold: bool = False) -> float:
    """Return how wide a line of letters is."""
    register()
    return float(stringWidth(words, BOLD if bold else PLAIN, size / POINT) * POINT)


def fit(
    words: str, room: tuple[float, float], largest: float, *, bold: bool = False, lines: int = 1
) -> tuple[float, list[str]]:
    """Return the largest font size in which words fit a width and height, and the lines they make."""
    size = largest
    while size > SMALLEST - ROUNDING:
        rows = _broken(words, size, room[0], bold=bold)
        if rows is not None and len(rows) <= lines and len(rows) * size * SPACING <= room[1] + ROUNDING:
            return size, rows
        size -= 0.1
    raise OverflowingError(f"{words!r} does not fit {room[0]:g} x {room[1]:g} mm in {lines} lines")


BETWEEN: Final = 0.45
"""Between two paragraphs, as a share of the letters' size."""


def fit_column(
    paragraphs: Sequence[tuple[str, bool]], room: tuple[float, float], largest: float
) -> tuple[float, list[tuple[str, bool, bool]]]:
    """Return the largest size in which paragraphs fit a width and height, and their lines: bold, first of its own."""
    size = largest
    while size > SMALLEST - ROUNDING:
        broken = [(_broken(words, size, room[0], bold=bold), bold) for words, bold in paragraphs]
        rows = [(row, bold, not nth) for found, bold in broken if found for nth, row in enumerate(found)]
        high = size * (SPACING * len(rows) + BETWEEN * max(0, len(paragraphs) - 1))
        if all(found is not None for found, _ in broken) and high <= room[1] + ROUNDING:
            return size, rows
        size -= 0.1
    raise OverflowingError(f"{paragraphs[0][0]!r} and what follows does not fit {room[0]:g} x {room[1]:g} mm")


def _broken(words: str, size: float, width: float, *, bold: bool) -> list[str] | None:
    """Return the lines of words, or None where one word alone is too wide."""
    rows: list[str] = []
    for word in words.split():
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and width_of(longer, size, bold=bold) <= width:
            rows[-1] = longer
        elif width_of(word, size, bold=bold) <= width:
            rows.append(word)
        else:
            return None
    return rows


def _handles(points: Sequence[Point], index: int, *, closed: bool) -> tuple[float, ...]:
    """Return the two handles and the end of the piece of a smooth line that begins at a point."""
    count = len(points)

    def point(at: int) -> Point:
        return points[at % count] if closed else points[max(0, min(at, count - 1))]

    (ax, ay), (bx, by), (cx, cy), (dx, dy) = (point(index + step) for step in (-1, 0, 1, 2))
    return (
        *(bx + (cx - ax) * TAUT, by + (cy - ay) * TAUT),
        *(cx - (dx - bx) * TAUT, cy - (dy - by) * TAUT),
        *(cx, cy),
    )


def _is(fill: str | None) -> int:
    return int(fill is not None)
