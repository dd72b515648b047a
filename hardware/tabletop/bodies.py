"""Dwellers as bodies: the paper figure, folded, standing or lying, with its own sides on it."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, radians, sin
from typing import Any, Final

import numpy as np

from companion.pieces.kinds.figures import FACES as NET_FACES
from companion.pieces.kinds.figures import FOOT, HEIGHT, NET, TOP, corners

CORNERS: Final = np.array(corners())
TILT: Final = atan2((FOOT - TOP) / 2, HEIGHT)
"""How far a side leans in."""
FACES: Final = (*((4 + k, 4 + (k + 1) % 4, (k + 1) % 4, k) for k in range(4)), (7, 6, 5, 4), (0, 1, 2, 3))
"""Each face's corners in the order of the net's: upper left, upper right, lower right, lower left."""


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a body: its corners in the world, where it looks, and its corners in the net (mm)."""

    corners: Any
    normal: Any
    printed: Any


def corners_of(x: float, y: float, turn: float, *, lying: bool) -> Any:
    """The eight corners of a figure whose middle is above this point of the table."""
    points = CORNERS
    if lying:  # on one of its sides, the lid to the right
        flat = np.array([[sin(TILT), 0.0, cos(TILT)], [0.0, 1.0, 0.0], [-cos(TILT), 0.0, sin(TILT)]])
        points = CORNERS @ flat.T
        points = points - [(points[:, 0].min() + points[:, 0].max()) / 2, 0.0, points[:, 2].min()]
    angle = radians(turn)
    spun = np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])
    return np.column_stack([points[:, :2] @ spun.T + (x, y), points[:, 2]])


def faces_of(points: Any) -> list[Face]:
    """The six sides of a body, with what is printed on them."""
    middle = points.mean(axis=0)
    found = []
    for face, printed in zip(FACES, NET_FACES, strict=True):
        corners_ = points[list(face)]
        normal = np.cross(corners_[2] - corners_[0], corners_[3] - corners_[1])
        normal /= np.linalg.norm(normal)
        if np.dot(normal, corners_.mean(axis=0) - middle) < 0:
            normal = -normal
        found.append(Face(corners_, normal, np.array(printed)))
    return found


def on_net(face: Face, pixels_per_mm: float) -> Any:
    """Where a face's corners are in the net's picture (pixels)."""
    return np.column_stack([face.printed[:, 0], NET[1] - face.printed[:, 1]]) * pixels_per_mm
