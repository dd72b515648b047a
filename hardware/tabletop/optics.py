"""Where the drawn camera hangs, and where a point of the table comes to lie in its picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, radians, sin, tan
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

SIZE: Final = (1600, 1200)
FOCAL: Final = 0.88375
"""Of the picture's width."""


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
        """Somebody has run into the arm."""
        look = (self.look[0] + shift[0], self.look[1] + shift[1])
        return replace(self, look=look, turn=self.turn + turn)

    @property
    def matrix(self) -> Any:
        """Focal length and middle in pixels."""
        width, height = self.size
        return np.array([[FOCAL * width, 0, width / 2], [0, FOCAL * width, height / 2], [0, 0, 1]])

    @property
    def eye(self) -> Any:
        """Where the lens is."""
        back = self.height * tan(radians(self.tilt))
        turn = radians(self.turn)
        return np.array([self.look[0] + back * sin(turn), self.look[1] - back * cos(turn), self.height])

    @property
    def rotation(self) -> Any:
        """From the table's directions to the camera's: right, down, ahead."""
        ahead = np.array([*self.look, 0.0]) - self.eye
        ahead /= np.linalg.norm(ahead)
        right = np.cross(ahead, [0.0, 0.0, 1.0])
        right /= np.linalg.norm(right)
        up = np.cross(right, ahead)
        roll = radians(self.roll)
        right, up = right * cos(roll) + up * sin(roll), up * cos(roll) - right * sin(roll)
        return np.stack([right, -up, ahead])

    def project(self, points: Sequence[Sequence[float]] | Any) -> Any:
        """Where points (mm) are in the picture (pixels)."""
        seen = (np.asarray(points, dtype=np.float64) - self.eye) @ self.rotation.T @ self.matrix.T
        return seen[:, :2] / seen[:, 2:]

    @property
    def ground(self) -> Any:
        """From the table's top (x, y, 1) to the picture."""
        rotation = self.rotation
        back = -rotation @ self.eye
        return self.matrix @ np.column_stack([rotation[:, 0], rotation[:, 1], back])

    def scale_at(self, x: float, y: float, z: float = 0.0) -> float:
        """Pixels a millimetre, across, at a point."""
        left, right = self.project([(x - 5, y, z), (x + 5, y, z)])
        return float(np.linalg.norm(right - left)) / 10
