"""The two simulated dice: how they fall, and how they are drawn."""

from __future__ import annotations

from math import dist
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.pieces.kinds.mat import DICE, DICE_SIZE
from hardware.tabletop.table_contents import DieOnTable

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from companion.vision.arrays import Array
    from hardware.tabletop.optics import Lamp, Viewpoint

Triple = tuple[float, float, float]
SIDE: Final = 16.0
PIP: Final = 1.6
SPREAD: Final = 0.26
"""Share of a side: from the middle of a face to its outer pips."""
EDGE: Final = 12.0
"""From the rim of their corner to the middle of a die that has fallen there (mm)."""
CLEAR: Final = 24.0
"""From one die to the other (mm)."""
ELSEWHERE: Final = 6.0
KEYS: Final = ("die-1", "die-2")
IVORY: Final = np.array((212.0, 226.0, 232.0))
INK: Final = np.array((38.0, 34.0, 32.0))
ROUND: Final = np.linspace(0, 2 * np.pi, 20, endpoint=False)
FINE: Final = 4
PATTERNS: Final[dict[int, tuple[tuple[int, int], ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
AROUND: Final = {1: (2, 3), 2: (1, 3), 3: (1, 2), 4: (1, 2), 5: (1, 3), 6: (2, 3)}
"""Two neighbours of each value; the other sides follow, since opposite ones make seven."""


def throw_dice(chance: Random, before: Sequence[DieOnTable] = ()) -> tuple[DieOnTable, DieOnTable]:
    """Return both dice as they come to rest in their corner; neither quite where one lay before."""
    while True:
        places = [_place(chance), _place(chance)]
        old = [(die.x, die.y) for die in before]
        pairs = [(place, other) for place in places for other in old]
        if dist(*places) > CLEAR and all(dist(place, other) > ELSEWHERE for place, other in pairs):
            one, other = (
                DieOnTable(key, chance.randint(1, 6), *place, chance.uniform(0, 90))
                for key, place in zip(KEYS, places, strict=True)
            )
            return one, other


def _place(chance: Random) -> tuple[float, float]:
    half = (DICE_SIZE[0] / 2 - EDGE, DICE_SIZE[1] / 2 - EDGE)
    return DICE[0] + chance.uniform(-1, 1) * half[0], DICE[1] + chance.uniform(-1, 1) * half[1]


def draw_die(canvas: Array, die: DieOnTable, view: Viewpoint, lamp: Lamp) -> None:
    """Draw the sides that the camera sees, with their pips."""
    axes, middle = _axes(die), _middle(die)
    light = lamp.colour_at(die.x, die.y)
    for normal, value in _sides(die):
        out = axes @ np.array(normal)
        face = middle + out * SIDE / 2
        if out @ (view.eye - face) <= 0:
            continue
        across = axes @ (np.array([0.0, 1.0, 0.0]) if normal[0] else np.array([1.0, 0.0, 0.0]))
        along = np.cross(out, across)
        shade = light * lamp.falls_on(out, face)
        square = [face + SIDE / 2 * (a * across + b * along) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        _fill(canvas, view.project(square), IVORY * shade)
        for a, b in PATTERNS[value]:
            spot = face + SIDE * SPREAD * (a * across + b * along)
            ring = spot + PIP * (np.cos(ROUND)[:, None] * across + np.sin(ROUND)[:, None] * along)
            _fill(canvas, view.project(ring), INK * shade)


def corners_of_die(die: DieOnTable) -> Array:
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    return _middle(die) + signs @ _axes(die).T * SIDE / 2


def _sides(die: DieOnTable) -> list[tuple[Triple, int]]:
    first, second = AROUND[die.value]
    return [
        ((0.0, 0.0, -1.0), 7 - die.value),
        ((1.0, 0.0, 0.0), first),
        ((-1.0, 0.0, 0.0), 7 - first),
        ((0.0, 1.0, 0.0), second),
        ((0.0, -1.0, 0.0), 7 - second),
        ((0.0, 0.0, 1.0), die.value),
    ]


def _axes(die: DieOnTable) -> Array:
    turn, lean = np.radians(die.turn), np.radians(die.lean)
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    tilt = np.array([[1, 0, 0], [0, np.cos(lean), -np.sin(lean)], [0, np.sin(lean), np.cos(lean)]])
    return np.asarray(spin @ tilt)


def _middle(die: DieOnTable) -> Array:
    """Return the middle of a die; one that leans stands on an edge."""
    lean = np.radians(die.lean)
    return np.array([die.x, die.y, SIDE / 2 * (abs(np.cos(lean)) + abs(np.sin(lean)))])


def _fill(canvas: Array, points: Array, colour: Array) -> None:
    fine = np.round(np.asarray(points) * (1 << FINE)).astype(np.int32)
    cv2.fillConvexPoly(canvas, fine, tuple(map(float, np.clip(colour, 0, 255))), cv2.LINE_AA, FINE)
