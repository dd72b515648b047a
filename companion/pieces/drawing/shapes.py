"""The shapes of the signs, which paper and pages share: one SVG path each, and its lines and curves for the pen."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import atan2, ceil, cos, hypot, pi, radians, sin, sqrt, tan
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Point = tuple[float, float]
GRID: Final = 22.0
"""The side of the square on which every sign is drawn."""
LINE: Final = 2.0
"""How thick its line is."""
PART: Final = re.compile(r"[MLHVCSQAZ]|[-+]?(?:\d+\.?\d*|\.\d+)", re.IGNORECASE)
TAKES: Final = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "A": 7, "Z": 0}
"""How many numbers a command of a path takes."""
QUARTER: Final = pi / 2


@dataclass(frozen=True, slots=True)
class SignShape:
    """One sign: its name, the key of its word in the pages' catalogues, its path, and its tint on paper."""

    name: str
    word: str
    path: str
    tint: str = ""
    on_items_alone: bool = False


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of a line: a move (`M`), a line (`L`), a curve with its two handles (`C`), or the way back (`Z`)."""

    kind: str
    points: tuple[Point, ...] = ()


@cache
def shapes() -> Mapping[str, SignShape]:
    """Return every sign by its name."""
    text = (resources.files(__package__) / "signs.toml").read_text(encoding="utf-8")
    return {name: SignShape(name, **fields) for name, fields in tomllib.loads(text).items()}


@cache
def segments_of(path: str) -> tuple[Segment, ...]:
    """Parse an SVG path; ValueError for what is none."""
    return tuple(_Path(path).segments())


class _Path:
    def __init__(self, path: str) -> None:
        self._parts = PART.findall(path)
        if "".join(self._parts) != re.sub(r"[\s,]", "", path):
            raise ValueError(f"no path: {path}")
        self._here: Point = (0.0, 0.0)
        self._start: Point = (0.0, 0.0)
        self._handle: Point | None = None
        """Where the last curve's second handle is; a smooth one goes on in its direction."""

    def segments(self) -> Iterator[Segment]:
        command = ""
        while self._parts:
            if self._parts[0].isalpha():
                command = self._parts.pop(0)
            elif command.upper() in {"", "Z"}:
                raise ValueError(f"a number without a command: {self._parts[0]}")
            elif command in "Mm":
                command = "L" if command == "M" else "l"
            count = TAKES[command.upper()]
            numbers = [float(part) for part in self._parts[:count]]
            del self._parts[:count]
            yield from self._segment(command, numbers)

    def _segment(self, command: str, numbers: list[float]) -> Iterator[Segment]:
        x, y = self._here if command.islower() else (0.0, 0.0)
        match command.upper():
            case "H":
                points = [(x + numbers[0], self._here[1])]
            case "V":
                points = [(self._here[0], y + numbers[0])]
            case "A":
                points = [(x + numbers[5], y + numbers[6])]
            case _:
                points = [(x + right, y + down) for right, down in zip(numbers[::2], numbers[1::2], strict=True)]
        match command.upper():
            case "M":
                self._start = points[0]
                yield Segment("M", (points[0],))
            case "L" | "H" | "V":
                yield Segment("L", (points[0],))
            case "C":
                yield Segment("C", tuple(points))
            case "S":
                back = self._handle or self._here
                mirrored = (2 * self._here[0] - back[0], 2 * self._here[1] - back[1])
                yield Segment("C", (mirrored, *points))
            case "Q":
                middle, end = points
                yield Segment("C", (_toward(self._here, middle, 2 / 3), _toward(end, middle, 2 / 3), end))
            case "A":
                yield from _arc(self._here, points[0], numbers[0], large=numbers[3] > 0, sweep=numbers[4] > 0)
            case _:
                points = [self._start]
                yield Segment("Z")
        self._here = points[-1]
        self._handle = points[-2] if command in "CcSs" else None


def _toward(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _arc(start: Point, end: Point, radius: float, *, large: bool, sweep: bool) -> Iterator[Segment]:
    """Turn an arc of a circle into curves of a quarter at most; our signs have no ovals."""
    (ax, ay), (bx, by) = start, end
    half = hypot(bx - ax, by - ay) / 2
    radius = max(radius, half)
    aside = sqrt(radius**2 - half**2) * (-1 if large == sweep else 1) / (2 * half)
    x, y = (ax + bx) / 2 - (by - ay) * aside, (ay + by) / 2 + (bx - ax) * aside
    first, last = atan2(ay - y, ax - x), atan2(by - y, bx - x)
    turn = (last - first) % radians(360) - (0 if sweep else radians(360))
    parts = ceil(abs(turn) / QUARTER - 1e-9)
    handle = 4 / 3 * tan(turn / parts / 4) * radius
    for part in range(parts):
        one, two = first + turn * part / parts, first + turn * (part + 1) / parts
        begin = (x + radius * cos(one), y + radius * sin(one))
        stop = (x + radius * cos(two), y + radius * sin(two))
        yield Segment(
            "C",
            (
                (begin[0] - handle * sin(one), begin[1] + handle * cos(one)),
                (stop[0] + handle * sin(two), stop[1] - handle * cos(two)),
                stop,
            ),
        )
