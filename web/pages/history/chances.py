"""The chances to win over the rounds of a game, as lines with the bands of their uncertainty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDTH: Final = 340
HEIGHT: Final = 120
MARKS: Final = (0, 50, 100)
FEWEST: Final = 2
"""One round is no curve."""


@dataclass(frozen=True, slots=True)
class Line:
    """One player's chance, round by round, and the band in which it lies."""

    colour: str
    points: str
    band: str
    last_x: float
    last_y: float


@dataclass(frozen=True, slots=True)
class Curve:
    """A game's picture."""

    lines: list[Line]
    marks: list[tuple[float, int]]
    rounds: list[tuple[float, int]]


def curve_of(told: Mapping[int, dict[str, Any]], last: int) -> Curve | None:
    """The picture of a game's rounds; None where there is too little to draw."""
    rounds = [number for number in sorted(told) if number <= last]
    if len(rounds) < FEWEST:
        return None
    across = WIDTH / (rounds[-1] - rounds[0])
    xs = {number: round((number - rounds[0]) * across, 1) for number in rounds}
    lines = [
        _line(colour, [(xs[number], told[number]["chances"][colour]) for number in rounds])
        for colour in told[rounds[0]]["chances"]
    ]
    return Curve(lines, [(_up(mark / 100), mark) for mark in MARKS], [(xs[number], number) for number in rounds])


def _line(colour: str, row: list[tuple[float, dict[str, Any]]]) -> Line:
    points = [(x, _up(one["chance"])) for x, one in row]
    high = [(x, _up(one["interval"][1])) for x, one in row]
    low = [(x, _up(one["interval"][0])) for x, one in reversed(row)]
    return Line(colour, _text(points), _text([*high, *low]), *points[-1])


def _up(share: float) -> float:
    return round(HEIGHT - HEIGHT * share, 1)


def _text(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)
