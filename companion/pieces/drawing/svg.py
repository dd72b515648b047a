"""A canvas for the pen that writes SVG: what a page of paper shows, as a picture for a phone."""

from __future__ import annotations

from math import cos, radians, sin
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape, quoteattr

from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth

from companion.pieces.drawing.pen import BOLD, Pen

if TYPE_CHECKING:
    from reportlab.lib.colors import Color

    from companion.pieces.drawing.raster import PrintedPiece

FAMILY: Final = "DejaVu Sans Condensed, DejaVu Sans, Arial Narrow, sans-serif"
ROUND: Final = 'stroke-linejoin="round" stroke-linecap="round"'


def svg_of(piece: PrintedPiece, title: str) -> str:
    """Return a piece as an SVG of its own; readers of screens hear the title."""
    width, height = piece.size
    canvas = SvgCanvas()
    piece.draw(Pen(canvas))
    view = f'viewBox="0 0 {_short(width * mm)} {_short(height * mm)}" width="{width:g}mm" height="{height:g}mm"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {view} role="img" aria-label={quoteattr(title)}>'
    # A canvas of paper has its origin at the lower left corner.
    return f'{head}<g transform="matrix(1 0 0 -1 0 {_short(height * mm)})" {ROUND}>{canvas.text}</g></svg>\n'


def _short(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


class SvgPath:
    """A path as the pen builds it."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def _add(self, command: str, *values: float) -> None:
        self.parts.append(command + " ".join(map(_short, values)))

    def moveTo(self, x: float, y: float) -> None:  # noqa: N802 - reportlab's name, as all below
        self._add("M", x, y)

    def lineTo(self, x: float, y: float) -> None:  # noqa: N802
        self._add("L", x, y)

    def curveTo(self, *values: float) -> None:  # noqa: N802
        self._add("C", *values)

    def rect(self, x: float, y: float, width: float, height: float) -> None:
        self.parts.append(f"M{_short(x)} {_short(y)}h{_short(width)}v{_short(height)}h{_short(-width)}Z")

    def close(self) -> None:
        self.parts.append("Z")


class SvgCanvas:
    """The part of reportlab's canvas that the pen uses."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._groups = 0
        self._clips = 0
        self._fill, self._line, self._thick, self._dash = "#000000", "#000000", 1.0, ""
        self._font = ("", 0.0)
        self._kept: list[tuple[int, str, str, float, str]] = []

    @property
    def text(self) -> str:
        return "".join(self._out)

    # --- state --------------------------------------------------------------------------------------------------------

    def saveState(self) -> None:  # noqa: N802
        self._kept.append((self._groups, self._fill, self._line, self._thick, self._dash))
        self._groups = 0

    def restoreState(self) -> None:  # noqa: N802
        self._out.append("</g>" * self._groups)
        self._groups, self._fill, self._line, self._thick, self._dash = self._kept.pop()

    def _group(self, attributes: str) -> None:
        self._out.append(f"<g {attributes}>")
        self._groups += 1

    def translate(self, x: float, y: float) -> None:
        self._group(f'transform="translate({_short(x)} {_short(y)})"')

    def rotate(self, degrees: float) -> None:
        if degrees:
            self._group(f'transform="rotate({_short(degrees)})"')

    def scale(self, x: float, y: float) -> None:
        if (x, y) != (1, 1):
            self._group(f'transform="scale({_short(x)} {_short(y)})"')

    def clipPath(self, path: SvgPath, stroke: int = 1, fill: int = 0) -> None:  # noqa: N802, ARG002
        self._clips += 1
        self._out.append(f'<clipPath id="clip{self._clips}"><path d="{"".join(path.parts)}"/></clipPath>')
        self._group(f'clip-path="url(#clip{self._clips})"')

    def setLineJoin(self, mode: int) -> None:  # noqa: N802
        """Lines are round, as the pen's are."""

    setLineCap = setLineJoin  # noqa: N815

    def setLineWidth(self, width: float) -> None:  # noqa: N802
        self._thick = width

    def setDash(self, on: float, off: float) -> None:  # noqa: N802
        self._dash = f' stroke-dasharray="{_short(on)} {_short(off)}"'

    def setFillColor(self, colour: Color) -> None:  # noqa: N802
        self._fill = f"#{colour.hexval()[2:]}"

    def setStrokeColor(self, colour: Color) -> None:  # noqa: N802
        self._line = f"#{colour.hexval()[2:]}"

    def setFont(self, name: str, size: float) -> None:  # noqa: N802
        self._font = (name, size)

    # --- what is seen -------------------------------------------------------------------------------------------------

    def _style(self, stroke: int, fill: int) -> str:
        line = f' stroke="{self._line}" stroke-width="{_short(self._thick)}"{self._dash}' if stroke else ""
        return f'fill="{self._fill if fill else "none"}"{line}'

    def beginPath(self) -> SvgPath:  # noqa: N802
        return SvgPath()

    def drawPath(self, path: SvgPath, stroke: int = 1, fill: int = 0) -> None:  # noqa: N802
        self._out.append(f'<path d="{"".join(path.parts)}" {self._style(stroke, fill)}/>')

    def roundRect(  # noqa: N802, PLR0913, PLR0917 - reportlab's
        self, x: float, y: float, width: float, height: float, radius: float, stroke: int = 1, fill: int = 0
    ) -> None:
        box = f'x="{_short(x)}" y="{_short(y)}" width="{_short(width)}" height="{_short(height)}"'
        self._out.append(f'<rect {box} rx="{_short(radius)}" {self._style(stroke, fill)}/>')

    def circle(self, x: float, y: float, radius: float, stroke: int = 1, fill: int = 0) -> None:
        self._out.append(
            f'<circle cx="{_short(x)}" cy="{_short(y)}" r="{_short(radius)}" {self._style(stroke, fill)}/>'
        )

    def ellipse(self, x1: float, y1: float, x2: float, y2: float, stroke: int = 1, fill: int = 0) -> None:
        middle = f'cx="{_short((x1 + x2) / 2)}" cy="{_short((y1 + y2) / 2)}"'
        radii = f'rx="{_short(abs(x2 - x1) / 2)}" ry="{_short(abs(y2 - y1) / 2)}"'
        self._out.append(f"<ellipse {middle} {radii} {self._style(stroke, fill)}/>")

    def arc(self, x1: float, y1: float, x2: float, y2: float, startAng: float, extent: float) -> None:  # noqa: N803
        across, along = abs(x2 - x1) / 2, abs(y2 - y1) / 2
        (x, y), (to_x, to_y) = (
            ((x1 + x2) / 2 + across * cos(radians(angle)), (y1 + y2) / 2 + along * sin(radians(angle)))
            for angle in (startAng, startAng + extent)
        )
        large, sweep = int(abs(extent) > 180), int(extent > 0)  # noqa: PLR2004 - half a turn
        bow = f"A{_short(across)} {_short(along)} 0 {large} {sweep} {_short(to_x)} {_short(to_y)}"
        self._out.append(f'<path d="M{_short(x)} {_short(y)}{bow}" {self._style(1, 0)}/>')

    def drawString(self, x: float, y: float, words: str) -> None:  # noqa: N802
        name, size = self._font
        weight = ' font-weight="700"' if name == BOLD else ""
        # The width that the pen has measured holds where the phone has another font.
        room = (
            f' textLength="{_short(float(stringWidth(words, name, size)))}" lengthAdjust="spacingAndGlyphs"'
            if words
            else ""
        )
        look = f'font-family="{FAMILY}" font-size="{_short(size)}"{weight} fill="{self._fill}"{room}'
        place = f'transform="matrix(1 0 0 -1 {_short(x)} {_short(y)})"'
        self._out.append(f"<text {place} {look}>{escape(words)}</text>")
