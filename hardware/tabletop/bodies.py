"""Dwellers as bodies: the paper figure, folded, standing or lying, with its own sides on it."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, radians, sin
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from companion.pieces.kinds.figures import FACES as NET_FACES
from companion.pieces.kinds.figures import FOOT, HEIGHT, NET, TOP, corners

if TYPE_CHECKING:
    from hardware.tabletop.optics import Lamp, Viewpoint


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


SKIN: Final = np.array((125, 160, 208))
SLEEVE: Final = np.array((120, 105, 95))
HAND_HEIGHT: Final = 45.0
SHADOW: Final = 0.55
FINGERS: Final = ((-26, 42), (-9, 60), (9, 62), (26, 48))
"""How far to the side, and how long."""
ARM: Final = (
    ((70.0, -520.0), (24.0, -190.0), 80.0, True),
    ((24.0, -190.0), (4.0, -100.0), 56.0, False),
    ((4.0, -100.0), (0.0, -72.0), 68.0, False),
    ((-34.0, -92.0), (-54.0, -50.0), 20.0, False),
)
"""Sleeve, wrist, palm and thumb: from, to, how thick, and whether it is cloth; from the finger tips, in mm."""


def draw_hand(canvas: Any, tips: tuple[float, float], view: Viewpoint, lamp: Lamp) -> None:
    """Draw it with its shadow; `tips` is the point of the table above which the fingers are."""
    parts = [*ARM, *(((side * 0.9, -60.0), (float(side), float(length) - 62), 17.0, False) for side, length in FINGERS)]
    light = lamp.colour_at(*tips)
    shade = np.zeros(canvas.shape[:2], np.uint8)
    for first, last, thick, _ in parts:
        points = np.array([(tips[0] + x, tips[1] + y, HAND_HEIGHT) for x, y in (first, last)])
        _stroke(shade, view.project(lamp.shadows(points)), thick * view.scale_at(*tips), 255)
    dark = cv2.GaussianBlur(shade, (31, 31), 0)[..., None].astype(np.float32) / 255
    canvas[:] = (canvas * (1 - (1 - SHADOW) * dark)).astype(np.uint8)
    for first, last, thick, is_cloth in parts:
        points = np.array([(tips[0] + x, tips[1] + y, HAND_HEIGHT) for x, y in (first, last)])
        scale = view.scale_at(tips[0], max(tips[1] + first[1], -400.0), HAND_HEIGHT)
        colour = (SLEEVE if is_cloth else SKIN) * light
        _stroke(canvas, view.project(points), thick * scale, tuple(map(float, colour)))


def _stroke(canvas: Any, points: Any, thick: float, colour: Any) -> None:
    (ax, ay), (bx, by) = np.round(points).astype(int).tolist()
    cv2.line(canvas, (ax, ay), (bx, by), colour, max(1, round(thick)), cv2.LINE_AA)
