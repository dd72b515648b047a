"""The paper dweller (a tower of four sides, narrower at the top, with a lid and a floor), trackers and tokens."""

from __future__ import annotations

from math import atan2, cos, degrees, hypot, pi, radians, sin
from typing import TYPE_CHECKING, Final

from companion.pieces.drawing.pen import INK, INKS, PAPER, PLAYERS, draw_symbol
from companion.pieces.drawing.signs import draw_shape
from companion.pieces.kinds.mat import FIGURE

if TYPE_CHECKING:
    from companion.pieces.drawing.pen import Pen, Point
    from companion.pieces.drawing.signs import PrintedWords


HEIGHT, FOOT, TOP = FIGURE
FLAP: Final = 5.0
SIDES: Final = 4
LID, FLOOR = SIDES, SIDES + 1
WHITE: Final = "#ffffff"
SLANT: Final = hypot(HEIGHT, (FOOT - TOP) / 2)
FAR: Final = SLANT * FOOT / (FOOT - TOP)
"""From the point where the fan's lines meet to the middle of a side's foot."""
NEAR: Final = FAR - SLANT
HALF: Final = degrees(atan2(FOOT / 2, FAR))
"""Half of the angle that one side takes of the fan."""
EYES: Final = 5.5
"""How far below the lid."""
BEARER: Final = 1
"""The side that lid and floor hang on."""
Quad = tuple["Point", "Point", "Point", "Point"]


def _turned(point: Point, angle: float) -> Point:
    x, y = point
    turn = radians(angle)
    return x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)


def _tilt(side: int) -> float:
    """Return how far a side is turned in the fan: the fan hangs down, its first side to the left."""
    return (2 * side - SIDES + 1) * HALF


def _sides() -> list[Quad]:
    """Return the faces from outside: upper left, upper right, lower right, lower left; the fan's point is 0, 0."""
    found: list[Quad] = []
    for side in range(SIDES):
        flat = ((-TOP / 2, -NEAR), (TOP / 2, -NEAR), (FOOT / 2, -FAR), (-FOOT / 2, -FAR))
        found.append(_quad([_turned(point, _tilt(side)) for point in flat]))
    lid = ((-TOP / 2, -NEAR + TOP), (TOP / 2, -NEAR + TOP), (TOP / 2, -NEAR), (-TOP / 2, -NEAR))
    floor = ((-FOOT / 2, -FAR), (FOOT / 2, -FAR), (FOOT / 2, -FAR - FOOT), (-FOOT / 2, -FAR - FOOT))
    found += [_quad([_turned(point, _tilt(BEARER)) for point in part]) for part in (lid, floor)]
    return found


def _quad(points: list[Point]) -> Quad:
    first, second, third, fourth = points
    return first, second, third, fourth


def _flap() -> list[Point]:
    """Return the strip to glue, at the last side."""
    edge = ((TOP / 2, -NEAR), (FOOT / 2, -FAR), (FOOT / 2 + FLAP, -FAR + 3), (TOP / 2 + FLAP, -NEAR - 3))
    return [_turned(point, _tilt(SIDES - 1)) for point in edge]


_POINTS: Final = [point for quad in _sides() for point in quad] + _flap()
_LEFT: Final = min(x for x, _ in _POINTS)
_LOW: Final = min(y for _, y in _POINTS)
NET: Final = (max(x for x, _ in _POINTS) - _LEFT, max(y for _, y in _POINTS) - _LOW)
"""The size of the net."""
FACES: Final[tuple[Quad, ...]] = tuple(_quad([(x - _LEFT, y - _LOW) for x, y in quad]) for quad in _sides())
"""The sides, the lid and the floor in the net, from its lower left corner."""


def draw_figure(pen: Pen, player: str) -> None:
    """Draw the net, all of it in the player's colour: a face on two sides, the player's shape on the lid."""
    colour = PLAYERS[player]
    pen.shape([(x - _LEFT, y - _LOW) for x, y in _flap()], fill=colour)
    for quad in FACES:
        pen.shape(quad, fill=colour, line=colour, thick=0.1)
    for side in range(SIDES):
        _, high, low, _ = FACES[side]
        pen.line([high, low], WHITE, 0.25, dash=1.2)
    for fold in (FACES[LID][2:], FACES[FLOOR][:2]):
        pen.line(fold, WHITE, 0.25, dash=1.2)
    with pen.at(-_LEFT, -_LOW):
        for side in (BEARER, BEARER + 2):
            with pen.at(0, 0, turn=_tilt(side)):
                _face(pen, -NEAR - EYES)
        with pen.at(0, 0, turn=_tilt(BEARER)):
            draw_symbol(pen, player, (0, -NEAR + TOP / 2), TOP * 0.55, WHITE)


def _face(pen: Pen, y: float) -> None:
    for eye in (-1.7, 1.7):
        pen.disc(eye, y, 1.0, fill=WHITE)
        pen.disc(eye, y, 0.5, fill=INK)
    pen.arc((0, y - 1.5), 2.0, (205, 335), WHITE, 0.5)


def corners() -> list[tuple[float, float, float]]:
    """Return the folded figure, upright, its foot's middle at 0: the floor's four corners, then the lid's."""
    return [
        (half * cos(angle) * 2**0.5, half * sin(angle) * 2**0.5, z)
        for half, z in ((FOOT / 2, 0.0), (TOP / 2, HEIGHT))
        for angle in (pi * (-0.75 + 0.5 * step) for step in range(SIDES))
    ]


TRACKER: Final = (92.0, 76.0)
CELL: Final = 11.0
LETTERS: Final = "SPECIAL"
MARKER: Final = 9.0
COIN: Final = 16.0
FLAG: Final = (30.0, 30.0)


def draw_tracker(pen: Pen, player: str, words: PrintedWords) -> None:
    """Draw a player's tracker: three rows from 0 to 6 for a marker each, and a circle for every letter."""
    width, height = TRACKER
    pen.box(0, 0, width, height, fill=PAPER)
    pen.box(0.6, 0.6, width - 1.2, height - 1.2, line=PLAYERS[player], thick=1.2, corner=3)
    draw_symbol(pen, player, (8, height - 7), 7)
    pen.fitted((14, height - 11, 40, 8), words.say(f"colour-{player}"), 5, bold=True)
    draw_shape(pen, "happiness", 56, height - 11, 8)
    pen.fitted((65, height - 11, 24, 8), words.say("happiness"), 3.4)
    for row, resource in enumerate(("water", "food", "energy")):
        low = height - 25 - row * (CELL + 1.5)
        draw_shape(pen, resource, 3, low + 1, 9)
        for number in range(7):
            x = 13.5 + number * CELL
            pen.box(x, low, CELL - 0.8, CELL - 0.8, fill=INKS["cream"], line=INK, thick=0.3, corner=1)
            pen.text(x + CELL / 2 - 0.4, low + 3.4, str(number), 5, colour=INKS["grey"], bold=True, align="middle")
    pen.fitted((4, 17.5, 60, 4.5), words.say("trained"), 3.2)
    for number, letter in enumerate(LETTERS):
        x = 10 + number * 12
        pen.disc(x, 9.5, 5.5, fill=INKS["mint"], line=INK)
        pen.text(x, 7.3, letter, 6, colour=INK, bold=True, align="middle")


def draw_marker(pen: Pen) -> None:
    pen.box(0, 0, MARKER, MARKER, fill=INKS["dark"])
    pen.disc(MARKER / 2, MARKER / 2, 2, fill=PAPER)


def draw_happiness(pen: Pen, worth: int) -> None:
    """Draw a token of happiness, worth so many."""
    pen.box(0, 0, COIN, COIN, fill=INKS["cream"], line=INK, thick=0.3)
    draw_shape(pen, "happiness", 2, 2, 12)
    if worth > 1:
        pen.disc(COIN - 4, 4, 3.4, fill=PAPER, line=INK)
        pen.text(COIN - 4, 2.4, str(worth), 4.4, bold=True, align="middle")


def draw_first(pen: Pen, words: PrintedWords) -> None:
    pen.box(0, 0, *FLAG, fill=INKS["sky"], line=INK, thick=0.5)
    draw_shape(pen, "first", 5, 8, 20)
    pen.fitted((2, 1.5, FLAG[0] - 4, 5.5), words.say("first-player"), 3.4, bold=True, align="middle")
