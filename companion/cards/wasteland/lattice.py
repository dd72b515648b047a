"""The lattice below the map: a tile is a hexagon of 54 triangles, and a space is a set of them.

Points are whole numbers, so that neighbours inside a tile and over its rim are found exactly, without a threshold.
"""

from __future__ import annotations

from functools import lru_cache
from math import hypot, sqrt
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Point = tuple[int, int]
Edge = tuple[Point, Point]
Spot = tuple[float, float]
"""A place on paper: the radius of a tile is 1, and y grows downwards."""

_SIDE: Final = 3
ROWS: Final = (7, 9, 11, 11, 9, 7)
"""Triangles in each row of a tile, from the top: the order in which a pattern names them."""


class Triangle(NamedTuple):
    points: tuple[Point, Point, Point]

    def edges(self, at: Point = (0, 0)) -> tuple[Edge, Edge, Edge]:
        """Return the three edges, each with its smaller point first, of a tile whose middle lies there."""
        one, two, three = sorted((i + at[0], j + at[1]) for i, j in self.points)
        return (one, two), (one, three), (two, three)


def _on_tile(point: Point) -> bool:
    return max(abs(point[0]), abs(point[1]), abs(point[0] + point[1])) <= _SIDE


def _triangles() -> Iterator[Triangle]:
    for j in range(-_SIDE, _SIDE):
        row = []
        for i in range(-2 * _SIDE, 2 * _SIDE):
            row.append(((i, j), (i + 1, j), (i, j + 1)))
            row.append(((i + 1, j + 1), (i, j + 1), (i + 1, j)))
        inside = [Triangle(points) for points in row if all(map(_on_tile, points))]
        yield from sorted(inside, key=lambda one: sum(2 * i + j for i, j in one.points))


TRIANGLES: Final = tuple(_triangles())
MEETING: Final = 3
"""So many areas, the outside among them, meet at a point that stays where it is."""
CORNERS: Final = ((3, 0), (0, 3), (-3, 3), (-3, 0), (0, -3), (3, -3))


def middle(column: int, row: int) -> Point:
    """Return where the middle of a tile lies; tiles of odd columns lie half a tile lower."""
    down = row - (column - column % 2) // 2
    return 3 * column - 3 * down, 3 * column + 6 * down


def neighbours(column: int, row: int) -> list[tuple[int, int]]:
    """Return the six places beside a place."""
    low = column % 2
    beside = [(column + side, row + up) for side in (-1, 1) for up in (low - 1, low)]
    return [*beside, (column, row - 1), (column, row + 1)]


def areas(pattern: str) -> dict[str, list[int]]:
    """Return the triangles of each letter of a pattern."""
    found: dict[str, list[int]] = {}
    for number, letter in enumerate(pattern):
        found.setdefault(letter, []).append(number)
    return found


def is_one_piece(triangles: Iterable[int]) -> bool:
    """Return whether every triangle is reached from every other over edges."""
    left = set(triangles)
    front = [left.pop()] if left else []
    while front:
        edges = set(TRIANGLES[front.pop()].edges())
        beside = {one for one in left if edges & set(TRIANGLES[one].edges())}
        left -= beside
        front += beside
    return not left


# --- shapes on paper --------------------------------------------------------------------------------------------------


def on_paper(point: tuple[float, float]) -> Spot:
    i, j = point
    return i / 3 + j / 6, j * sqrt(3) / 6


class Shape(NamedTuple):
    """How a space looks on its tile: its outlines, the first one outside, and the inner point furthest from them."""

    outlines: tuple[tuple[Spot, ...], ...]
    anchor: Spot
    room: float
    """How far the anchor is from the outline."""


@lru_cache(maxsize=256)
def shapes(pattern: str) -> dict[str, Shape]:
    """Return the shape of every space: zigzags are straight lines, and neighbours have the same line."""
    owners: dict[Point, set[str]] = {}
    rim = {edge for edge, times in _counted(range(len(TRIANGLES))).items() if times == 1}
    on_rim = {point for edge in rim for point in edge}
    for number, letter in enumerate(pattern):
        for point in TRIANGLES[number].points:
            owners.setdefault(point, set()).add(letter)
    meeting = {point for point, letters in owners.items() if len(letters) + (point in on_rim) >= MEETING}
    kept = meeting | set(CORNERS)
    found = {}
    for letter, triangles in areas(pattern).items():
        outlines = sorted((_smooth(loop, kept) for loop in _loops(triangles)), key=_extent, reverse=True)
        anchor, room = _anchor(triangles, outlines)
        found[letter] = Shape(tuple(map(tuple, outlines)), anchor, room)
    return found


def _counted(triangles: Iterable[int]) -> dict[Edge, int]:
    counts: dict[Edge, int] = {}
    for number in triangles:
        for edge in TRIANGLES[number].edges():
            counts[edge] = counts.get(edge, 0) + 1
    return counts


def _loops(triangles: list[int]) -> list[list[Point]]:
    """Walk round the edges that only one of the triangles has."""
    beside: dict[Point, list[Point]] = {}
    for (one, two), times in _counted(triangles).items():
        if times == 1:
            beside.setdefault(one, []).append(two)
            beside.setdefault(two, []).append(one)
    loops = []
    while beside:
        here = start = min(beside)
        loop = []
        while here in beside:
            loop.append(here)
            there = beside[here].pop(0)
            beside[there].remove(here)
            for point in (here, there):
                if not beside[point]:
                    del beside[point]
            here = there
            if here == start:
                break
        loops.append(loop)
    return loops


def _smooth(loop: list[Point], kept: set[Point]) -> list[Spot]:
    """Replace points where only two areas meet by the middles of their edges, and drop points on a straight line."""
    drawn: list[tuple[float, float]] = []
    for number, point in enumerate(loop):
        before = loop[number - 1]
        drawn.append(((before[0] + point[0]) / 2, (before[1] + point[1]) / 2))
        if point in kept:
            drawn.append(point)
    bent = [
        point
        for number, point in enumerate(drawn)
        if _bends(drawn[number - 1], point, drawn[(number + 1) % len(drawn)])
    ]
    return [on_paper(point) for point in bent]


def _bends(before: tuple[float, float], point: tuple[float, float], after: tuple[float, float]) -> bool:
    (ax, ay), (bx, by), (cx, cy) = before, point, after
    return (bx - ax) * (cy - by) != (by - ay) * (cx - bx)


def _extent(outline: list[Spot]) -> float:
    return max(x for x, _ in outline) - min(x for x, _ in outline)


def _anchor(triangles: list[int], outlines: list[list[Spot]]) -> tuple[Spot, float]:
    """Return the inner point furthest from the outline; points of the lattice and middles of triangles are tried."""
    candidates = {
        (sum(i for i, _ in points) / 3, sum(j for _, j in points) / 3)
        for points in (TRIANGLES[one].points for one in triangles)
    }
    candidates |= {((i + k) / 2, (j + m) / 2) for (i, j), (k, m) in _counted(triangles)}
    candidates |= {point for one in triangles for point in TRIANGLES[one].points}
    spots = [on_paper(point) for point in sorted(candidates)]
    sides = [(outline[number - 1], point) for outline in outlines for number, point in enumerate(outline)]
    inside = [spot for spot in spots if _is_inside(spot, sides)] or spots
    best = max(inside, key=lambda spot: min(_distance(spot, *side) for side in sides))
    return best, min(_distance(best, *side) for side in sides)


def _is_inside(spot: Spot, sides: list[tuple[Spot, Spot]]) -> bool:
    x, y = spot
    crossed = [side for side in sides if (side[0][1] > y) is not (side[1][1] > y)]
    return sum(x < a + (y - b) * (c - a) / (d - b) for (a, b), (c, d) in crossed) % 2 == 1


def _distance(spot: Spot, one: Spot, two: Spot) -> float:
    """Return how far a point is from a line between two others."""
    (px, py), (ax, ay), (bx, by) = spot, one, two
    length = (bx - ax) ** 2 + (by - ay) ** 2
    along = max(0.0, min(1.0, ((px - ax) * (bx - ax) + (py - ay) * (by - ay)) / length))
    return hypot(px - ax - along * (bx - ax), py - ay - along * (by - ay))
