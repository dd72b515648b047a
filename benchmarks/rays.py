"""Ray-trace real dice: rounded cubes with pips of any size on a table, in any light. Not what tests draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from hardware.tabletop.simulated_dice import PATTERNS

FINER: Final = 2
STEPS: Final = 22
CLOSE: Final = 0.02
"""Millimetres from a surface that count as on it."""
LAMPS: Final = 3
"""Points of one lamp: shadows are soft."""


@dataclass(frozen=True, slots=True)
class Cube:
    """A die: its upper value, where it lies (mm), how it is turned, and how far it leans (radians)."""

    value: int
    x: float
    y: float
    turn: float
    lean: float = 0.0
    way: float = 0.0


@dataclass(frozen=True, slots=True)
class Make:
    """How the dice are made (mm; colours as blue, green, red from 0 to 1)."""

    body: tuple[float, float, float]
    pip: tuple[float, float, float]
    side: float = 16.0
    radius: float = 1.5
    ace: float = 1.5
    """The radius of the one's single pip: often larger."""
    spread: float = 0.27
    rounded: float = 1.5
    dimple: float = 0.5
    gloss: float = 0.2


@dataclass(frozen=True, slots=True)
class Light:
    """Where the lamp is (mm), how strong, how much comes from everywhere, and what it leaves of each colour."""

    place: tuple[float, float, float]
    size: float
    strength: float
    ambient: float
    tint: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Sight:
    """A camera: rotation, shift and matrix."""

    rotation: Any
    shift: Any
    matrix: Any

    @property
    def eye(self) -> Any:
        """Where it is (mm)."""
        return -self.rotation.T @ self.shift

    def project(self, points: Any) -> Any:
        """Return where points are in the picture."""
        seen = (np.asarray(points) @ self.rotation.T + self.shift) @ self.matrix.T
        return seen[:, :2] / seen[:, 2:]

    def rays(self, pixels: Any) -> Any:
        """Return the directions in which pixels look."""
        ways = np.c_[pixels, np.ones(len(pixels))] @ np.linalg.inv(self.matrix).T @ self.rotation
        return ways / np.linalg.norm(ways, axis=1, keepdims=True)

    def cut(self, low: Any) -> Sight:
        """Return the same for a picture whose first pixel is elsewhere."""
        moved = self.matrix.copy()
        moved[:2, 2] -= low
        return Sight(self.rotation, self.shift, moved)


class _Body:
    """A cube in the world."""

    def __init__(self, cube: Cube, make: Make) -> None:
        self.cube, self.make = cube, make
        spin = _turned(2, cube.turn)
        tilt = _turned(2, cube.way) @ _turned(0, cube.lean) @ _turned(2, -cube.way)
        self.axes = tilt @ spin
        half = make.side / 2
        corners = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
        self.middle = np.array([cube.x, cube.y, -(corners @ self.axes.T)[:, 2].min()])
        others = [n for n in range(1, 7) if n not in (cube.value, 7 - cube.value)]
        self.faces = {(2, 1): cube.value, (2, -1): 7 - cube.value}
        self.faces |= {(0, 1): others[0], (0, -1): 7 - others[0], (1, 1): others[1], (1, -1): 7 - others[1]}

    def far(self, points: Any) -> Any:
        """Return how far points are from its surface."""
        out = np.abs((points - self.middle) @ self.axes) - (self.make.side / 2 - self.make.rounded)
        outside = np.linalg.norm(np.maximum(out, 0), axis=1)
        return outside + np.minimum(out.max(axis=1), 0) - self.make.rounded

    def hits(self, start: Any, ways: Any) -> Any:
        """Return how far along rays it is hit; infinite where it is not."""
        towards = ((self.middle - start) * ways).sum(axis=1)
        nearest = start + ways * towards[:, None]
        reach = self.make.side * 0.9
        found = np.full(len(ways), np.inf)
        at = np.flatnonzero((np.linalg.norm(nearest - self.middle, axis=1) < reach) & (towards > 0))
        if not len(at):
            return found
        start = np.broadcast_to(start, ways.shape)[at]
        along = towards[at] - reach
        for _ in range(STEPS):
            along += self.far(start + ways[at] * along[:, None])
        close = self.far(start + ways[at] * along[:, None]) < CLOSE
        found[at[close]] = along[close]
        return found

    def surface(self, points: Any) -> tuple[Any, Any]:
        """Return which way its surface looks at points on it, and its colour there."""
        local = (points - self.middle) @ self.axes
        inner = self.make.side / 2 - self.make.rounded
        normals = local - np.clip(local, -inner, inner)
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-9)
        colours = np.tile(np.array(self.make.body), (len(points), 1))
        for (axis, sign), number in self.faces.items():
            on = np.flatnonzero(sign * local[:, axis] > self.make.side / 2 - 0.6)
            flat = np.delete(local[on], axis, axis=1)
            radius = self.make.ace if number == 1 else self.make.radius
            for spot in np.array(PATTERNS[number]) * self.make.spread * self.make.side:
                inward = (spot - flat) / radius
                inside = np.linalg.norm(inward, axis=1) < 1
                colours[on[inside]] = self.make.pip
                bent = np.insert(inward[inside] * self.make.dimple, axis, sign, axis=1)
                normals[on[inside]] = bent / np.linalg.norm(bent, axis=1, keepdims=True)
        return normals @ self.axes.T, colours


def picture_of(cubes: list[Cube], make: Make, light: Light, sight: Sight, size: tuple[int, int], ground: Any) -> Any:
    """A picture (BGR, 0 to 255, as floats) of that width and height; `ground` gives the table's colour at points."""
    bodies = [_Body(cube, make) for cube in cubes]
    across, down = np.meshgrid(np.arange(size[0] * FINER), np.arange(size[1] * FINER))
    pixels = (np.stack([across.ravel(), down.ravel()], axis=1) + 0.5) / FINER - 0.5
    fine = _lit(bodies, light, sight, pixels, ground).reshape(*across.shape, 3)
    part = cv2.resize(fine.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    return np.clip(part, 0, 1) ** (1 / 2.2) * 255


def _lit(bodies: list[_Body], light: Light, sight: Sight, pixels: Any, ground: Any) -> Any:
    ways, eye = sight.rays(pixels), sight.eye
    reach = -eye[2] / ways[:, 2]
    points = eye + ways * reach[:, None]
    normals, colours = np.tile([0.0, 0.0, 1.0], (len(ways), 1)), ground(points[:, :2])
    gloss = np.zeros(len(ways))
    for body in bodies:
        hit = body.hits(eye, ways)
        at = np.flatnonzero(hit < reach)
        reach[at] = hit[at]
        points[at] = eye + ways[at] * hit[at, None]
        normals[at], colours[at] = body.surface(points[at])
        gloss[at] = body.make.gloss
    shine = np.zeros((len(ways), 1))
    glint = np.zeros((len(ways), 1))
    for place in _lamps(light):
        towards = place - points
        towards /= np.linalg.norm(towards, axis=1, keepdims=True)
        free = np.ones(len(ways))
        for body in bodies:
            free[np.isfinite(body.hits(points + normals * 0.3, towards))] = 0.0
        shine += (np.clip((normals * towards).sum(axis=1), 0, 1) * free)[:, None] / LAMPS
        half = towards - ways
        half /= np.linalg.norm(half, axis=1, keepdims=True)
        glint += (np.clip((normals * half).sum(axis=1), 0, 1) ** 60 * free * gloss)[:, None] / LAMPS
    lit = colours * (light.ambient + light.strength * shine) + light.strength * glint
    return lit * np.array(light.tint)


def _lamps(light: Light) -> Any:
    turns = np.arange(LAMPS) / LAMPS * 2 * np.pi
    return np.array(light.place) + light.size / 2 * np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1)


def _turned(axis: int, angle: float) -> Any:
    """Return a rotation about one of the axes."""
    cos, sin = np.cos(angle), np.sin(angle)
    first, second = [one for one in range(3) if one != axis]
    turn = np.eye(3)
    turn[first, first] = turn[second, second] = cos
    turn[first, second], turn[second, first] = -sin, sin
    return turn
