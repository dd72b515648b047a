"""Happiness as a line for each player, from the first entry to the last, and the round that decided the game."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from companion.table.record.history import Story, StoryStep


STEPS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
MOST_LINES: Final = 6


@dataclass(frozen=True, slots=True)
class Size:
    """How large a chart is drawn; `text` is the height of its letters."""

    width: int
    height: int
    text: int


PHONE: Final = Size(340, 150, 15)
SCREEN: Final = Size(1200, 360, 22)


@dataclass(frozen=True, slots=True)
class ChartLine:
    colour: str
    path: str
    last_x: float
    last_y: float


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything that is drawn; `marked` is where a step or the deciding round stands."""

    size: Size
    lines: list[ChartLine]
    levels: list[tuple[float, int]]
    rounds: list[tuple[float, int]]
    marked: float | None


def standing(step: StoryStep) -> Mapping[str, int]:
    return step.standing


def chart(
    steps: Sequence[StoryStep],
    colours: Sequence[str],
    size: Size = PHONE,
    mark: int | None = None,
    counted: Callable[[StoryStep], Mapping[str, int]] = standing,
) -> Chart:
    """Return the chart of a game; `mark` is an entry to be marked, `counted` gives everybody's number at a step."""
    numbers = [counted(step) for step in steps]
    most = max((happy for one in numbers for happy in one.values()), default=0) or 1
    across = max(len(steps) - 1, 1)

    def x_of(at: int) -> float:
        return round(size.width * at / across, 1)

    def y_of(happy: int) -> float:
        return round(size.height - size.height * happy / most, 1)

    return Chart(
        size=size,
        lines=[
            _line(colour, [(x_of(at), y_of(one.get(colour, 0))) for at, one in enumerate(numbers)])
            for colour in colours
        ],
        levels=[(y_of(happy), happy) for happy in range(0, most + 1, _apart(most))],
        rounds=_thinned([(x_of(at), number) for at, number in _beginnings(steps)]),
        marked=None if mark is None else x_of(mark),
    )


def decided(story: Story) -> int | None:
    """The round that decided the game.

    It is the first round at whose end the winner was alone in front and stayed there at the end of every later round.
    Where a tie-break had to decide it is the last round; a shared victory was decided by none.
    """
    result = story.state["result"] if story.state else None
    if not result or len(result["winners"]) != 1:
        return None
    winner = result["winners"][0]
    last = {step.round: step.standing for step in story.steps if step.round}
    found = None
    for number in sorted(last, reverse=True):
        happy = last[number]
        if happy[winner] <= max((other for colour, other in happy.items() if colour != winner), default=-1):
            break
        found = number
    return found or max(last, default=None)


def end_of(steps: Sequence[StoryStep], number: int | None) -> int | None:
    """Return the place of the last entry of a round."""
    found = [at for at, step in enumerate(steps) if step.round == number]
    return found[-1] if found else None


def _line(colour: str, points: list[tuple[float, float]]) -> ChartLine:
    """Happiness comes at once: along, then up."""
    path = [f"M{points[0][0]} {points[0][1]}"]
    for (_, before), (x, y) in pairwise(points):
        if y != before:
            path.append(f"H{x}V{y}")
    path.append(f"H{points[-1][0]}")
    return ChartLine(colour, "".join(path), *points[-1])


def _apart(most: int) -> int:
    return next((step for step in STEPS if most / step <= MOST_LINES), STEPS[-1])


def _beginnings(steps: Sequence[StoryStep]) -> Iterator[tuple[int, int]]:
    """Yield the place of the first step of each round, and the round."""
    latest = 0
    for at, step in enumerate(steps):
        if step.round > latest:
            latest = step.round
            yield at, latest


def _thinned(rounds: list[tuple[float, int]]) -> list[tuple[float, int]]:
    """Leave out numbers where there are more than can be read."""
    every = 1 + len(rounds) // 13
    return [one for one in rounds if (one[1] - 1) % every == 0]


WIDTH: Final = 340
HEIGHT: Final = 120
MARKS: Final = (0, 50, 100)
FEWEST: Final = 2
"""One round is no curve."""


@dataclass(frozen=True, slots=True)
class ChanceLine:
    """One player's chance, round by round, and the band in which it lies."""

    colour: str
    points: str
    band: str
    last_x: float
    last_y: float


@dataclass(frozen=True, slots=True)
class Curve:
    lines: list[ChanceLine]
    marks: list[tuple[float, int]]
    rounds: list[tuple[float, int]]


def curve_of(told: Mapping[int, dict[str, Any]], last: int) -> Curve | None:
    """Return the chances of a game round by round; None where there is too little to draw."""
    rounds = [number for number in sorted(told) if number <= last]
    if len(rounds) < FEWEST:
        return None
    across = WIDTH / (rounds[-1] - rounds[0])
    xs = {number: round((number - rounds[0]) * across, 1) for number in rounds}
    lines = [
        _chance_line(colour, [(xs[number], told[number]["chances"][colour]) for number in rounds])
        for colour in told[rounds[0]]["chances"]
    ]
    return Curve(lines, [(_up(mark / 100), mark) for mark in MARKS], [(xs[number], number) for number in rounds])


def _chance_line(colour: str, row: list[tuple[float, dict[str, Any]]]) -> ChanceLine:
    points = [(x, _up(one["chance"])) for x, one in row]
    high = [(x, _up(one["interval"][1])) for x, one in row]
    low = [(x, _up(one["interval"][0])) for x, one in reversed(row)]
    return ChanceLine(colour, _text(points), _text([*high, *low]), *points[-1])


def _up(share: float) -> float:
    return round(HEIGHT - HEIGHT * share, 1)


def _text(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)
