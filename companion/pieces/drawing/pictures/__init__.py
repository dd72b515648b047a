"""Our own little pictures, each a few lines of data on a sheet of 100 by 100, its corner top left.

One shape a line: what it is, its ink and thickness, its numbers. `disc coral 50 50 20` (middle and radius),
`oval coral 50 50 20 10`, `box wood 10 10 30 20 4` (corner, size, roundness), `poly mint 0,0 9,0 5,9`,
`blob mint ...` (a smooth figure through points), `line ink3 ...`, `curve ink3 ...`, `ring ink3 50 50 20`,
`arc ink3 50 50 20 0 90` and `text ink 20 10 90 Z` (size and corner). Figures have an outline, unless the ink ends in
a hyphen. A drawing stays on its sheet, its outlines by half their width at most beyond it.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from companion.pieces.drawing.pen import INK, INKS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.pieces.drawing.pen import Pen, Point

SIDE: Final = 100.0
OUTLINE: Final = 2.5
FILES: Final = ("rooms", "threats", "items")
INK_OF: Final = re.compile(r"([a-z]+)(\d+(?:\.\d+)?)?(-?)")
SHAPES_OF_POINTS: Final = ("poly", "blob", "line", "curve")


@dataclass(frozen=True, slots=True)
class Stroke:
    """One line of a picture."""

    shape: str
    ink: str
    thick: float
    outlined: bool
    points: tuple[Point, ...]
    numbers: tuple[float, ...]
    words: str = ""


@cache
def pictures() -> Mapping[str, tuple[Stroke, ...]]:
    found = {}
    for file in FILES:
        text = (resources.files(__package__) / f"{file}.toml").read_text(encoding="utf-8")
        for name, lines in tomllib.loads(text).items():
            found[name] = tuple(_stroke(line) for line in lines.strip().splitlines())
    return found


def _stroke(line: str) -> Stroke:
    shape, ink, *rest = line.split()
    match = INK_OF.fullmatch(ink)
    if match is None or match[1] not in INKS:
        raise ValueError(f"no such ink: {line}")
    points = tuple(_point(pair) for pair in rest) if shape in SHAPES_OF_POINTS else ()
    words = rest.pop() if shape == "text" else ""
    numbers = () if points else tuple(map(float, rest))
    return Stroke(shape, INKS[match[1]], float(match[2] or 3), match[3] == "", points, numbers, words)


def _point(pair: str) -> Point:
    x, y = map(float, pair.split(","))
    return x, SIDE - y


def draw_picture(pen: Pen, name: str, x: float, y: float, side: float) -> None:
    """Draw a picture with its lower left corner here, so many millimetres high."""
    with pen.at(x, y, scale=side / SIDE):
        for stroke in pictures()[name]:
            DRAWN[stroke.shape](pen, stroke)


def _line(stroke: Stroke) -> str | None:
    return INK if stroke.outlined else None


def _poly(pen: Pen, stroke: Stroke) -> None:
    pen.shape(stroke.points, fill=stroke.ink, line=_line(stroke), thick=OUTLINE)


def _blob(pen: Pen, stroke: Stroke) -> None:
    pen.smooth(stroke.points, fill=stroke.ink, line=_line(stroke), thick=OUTLINE)


def _straight(pen: Pen, stroke: Stroke) -> None:
    pen.line(stroke.points, stroke.ink, stroke.thick)


def _curve(pen: Pen, stroke: Stroke) -> None:
    pen.smooth(stroke.points, line=stroke.ink, thick=stroke.thick, closed=False)


def _disc(pen: Pen, stroke: Stroke) -> None:
    x, y, radius = stroke.numbers
    pen.disc(x, SIDE - y, radius, fill=stroke.ink, line=_line(stroke), thick=OUTLINE)


def _oval(pen: Pen, stroke: Stroke) -> None:
    x, y, across, along = stroke.numbers
    pen.oval((x, SIDE - y), (across, along), fill=stroke.ink, line=_line(stroke), thick=OUTLINE)


def _box(pen: Pen, stroke: Stroke) -> None:
    x, y, width, height, *corner = stroke.numbers
    low = SIDE - y - height
    pen.box(x, low, width, height, fill=stroke.ink, line=_line(stroke), thick=OUTLINE, corner=sum(corner))


def _ring(pen: Pen, stroke: Stroke) -> None:
    x, y, radius = stroke.numbers
    pen.disc(x, SIDE - y, radius, line=stroke.ink, thick=stroke.thick)


def _arc(pen: Pen, stroke: Stroke) -> None:
    x, y, radius, first, last = stroke.numbers
    pen.arc((x, SIDE - y), radius, (first, last), stroke.ink, stroke.thick)


def _text(pen: Pen, stroke: Stroke) -> None:
    size, x, y = stroke.numbers
    pen.text(x, SIDE - y, stroke.words, size, colour=stroke.ink, bold=True)


DRAWN: Final[dict[str, Callable[[Pen, Stroke], None]]] = {
    "poly": _poly,
    "blob": _blob,
    "line": _straight,
    "curve": _curve,
    "disc": _disc,
    "oval": _oval,
    "box": _box,
    "ring": _ring,
    "arc": _arc,
    "text": _text,
}
