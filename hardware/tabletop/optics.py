"""The simulated camera and lamp: projection from the table into the picture, light and shadows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, radians, sin, tan
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.vision.arrays import Array


SIZE: Final = (1600, 1200)
FOCAL: Final = 0.88375
"""Share of the picture's width."""


@dataclass(frozen=True, slots=True)
class Viewpoint:
    """A camera above the players' side, looking down: lengths in mm, angles in degrees."""

    size: tuple[int, int] = SIZE
    height: float = 730.0
    tilt: float = 8.0
    look: tuple[float, float] = (0.0, -22.0)
    turn: float = 0.0
    roll: float = 0.0

    def bumped(self, shift: tuple[float, float], turn: float) -> Viewpoint:
        """Return the viewpoint after somebody has run into the arm."""
        look = (self.look[0] + shift[0], self.look[1] + shift[1])
        return replace(self, look=look, turn=self.turn + turn)

    @property
    def matrix(self) -> Array:
        width, height = self.size
        return np.array([[FOCAL * width, 0, width / 2], [0, FOCAL * width, height / 2], [0, 0, 1]])

    @property
    def eye(self) -> Array:
        back = self.height * tan(radians(self.tilt))
        turn = radians(self.turn)
        return np.array([self.look[0] + back * sin(turn), self.look[1] - back * cos(turn), self.height])

    @property
    def rotation(self) -> Array:
        """From the table's directions to the camera's: right, down, ahead."""
        ahead = np.array([*self.look, 0.0]) - self.eye
        ahead /= np.linalg.norm(ahead)
        right = np.cross(ahead, [0.0, 0.0, 1.0])
        right /= np.linalg.norm(right)
        up = np.cross(right, ahead)
        roll = radians(self.roll)
        right, up = right * cos(roll) + up * sin(roll), up * cos(roll) - right * sin(roll)
        return np.stack([right, -up, ahead])

    def project(self, points: Sequence[Sequence[float]] | Sequence[Array] | Array) -> Array:
        seen = (np.asarray(points, dtype=np.float64) - self.eye) @ self.rotation.T @ self.matrix.T
        return np.asarray(seen[:, :2] / seen[:, 2:])

    @property
    def ground(self) -> Array:
        """The homography from the table's top (x, y, 1) to the picture."""
        rotation = self.rotation
        back = -rotation @ self.eye
        return np.asarray(self.matrix @ np.column_stack([rotation[:, 0], rotation[:, 1], back]))

    def scale_at(self, x: float, y: float, z: float = 0.0) -> float:
        """Return the pixels per mm, across, at a point."""
        left, right = self.project([(x - 5, y, z), (x + 5, y, z)])
        return float(np.linalg.norm(right - left)) / 10


COARSE: Final = 20
"""Light is smooth: it is computed every so many pixels."""
WARM: Final = (0.94, 0.98, 1.0)
"""What a lamp leaves of blue, green and red."""
COLD: Final = (1.0, 0.96, 0.9)
BRIGHTEST: Final = 0.93
AMBIENT: Final = 0.3
DIM: Final = 0.7
"""What is left of the light when the lamp is off: the window."""
SHADE: Final = 0.35
SOFT: Final = 9
SIDE_LIGHT: Final = 0.55


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp above the table; off, only the window gives light."""

    on: bool = True

    @property
    def place(self) -> Array:
        """Where the light comes from (mm)."""
        return np.array([-330.0, 360.0, 1600.0] if self.on else [800.0, 300.0, 1500.0])

    def field(self, view: Viewpoint) -> Array:
        """Return how much of its colour each pixel of a picture keeps, of 255: (height, width, 3)."""
        width, height = view.size
        across, down = np.meshgrid(np.arange(0, width + COARSE, COARSE), np.arange(0, height + COARSE, COARSE))
        points = np.stack([across, down, np.ones_like(across)], axis=-1) @ np.linalg.inv(view.ground).T
        ground = points[..., :2] / points[..., 2:]
        level = self._level(ground[..., 0], ground[..., 1])
        colours = np.array(WARM if self.on else COLD)
        coarse = (255 * level[..., None] * colours).astype(np.float32)
        fine = cv2.resize(coarse, (across.shape[1] * COARSE, across.shape[0] * COARSE), interpolation=cv2.INTER_LINEAR)
        return np.asarray(np.clip(fine[:height, :width], 0, 255), np.uint8)

    def colour_at(self, x: float, y: float) -> Array:
        """Return how much of its colour a thing at a point keeps, by blue, green and red."""
        return np.asarray(self._level(np.array(x), np.array(y)) * np.array(WARM if self.on else COLD))

    def falls_on(self, normal: Array, at: Array) -> float:
        """Return the brightness of a face with this normal."""
        ray = self.place - at
        slant = float(np.dot(normal, ray) / np.linalg.norm(ray))
        return SIDE_LIGHT + (1 - SIDE_LIGHT) * max(0.0, slant)

    def shadows(self, points: Array) -> Array:
        """Return where the shadows of points fall on the table: (n, 3)."""
        place = self.place
        reach = place[2] / (place[2] - points[:, 2:])
        return np.column_stack([(place + (points - place) * reach)[:, :2], np.zeros(len(points))])

    def _level(self, x: Array, y: Array) -> Array:
        place = self.place
        far = (x - place[0]) ** 2 + (y - place[1]) ** 2 + place[2] ** 2
        near = place[2] ** 3 / far**1.5
        full = BRIGHTEST if self.on else BRIGHTEST * DIM
        return np.asarray(full * (AMBIENT + (1 - AMBIENT) * near))
