"""Puts each card's picture exactly where the card lies: a step of Gauss and Newton in shift and turn."""

from dataclasses import replace

import numpy as np

from companion.vision import light
from companion.vision.arrays import Array
from companion.vision.placing import Placement

FARTHEST_MM = 3.0
STEEPEST = 0.06
HOLD = np.diag([1.0, 1.0, 1000.0]).astype(np.float32)


def steps(seen: Array, told: Array, mine: Array) -> Array:
    """Say how far each card lies from where it was drawn: (n, 3) of pixels right, pixels down and radians.

    `seen` and `told` are grey windows (n, h, w) in linear light, `mine` where the card is on top. Pixels that something
    covers do not pull.
    """
    n, height, width = told.shape
    down, right = np.gradient(told, axis=(1, 2))
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    spin = down * (x - width / 2) - right * (y - height / 2)
    slope = np.stack([-right, -down, -spin], axis=-1).reshape(n, -1, 3)
    scale = light.DARK + light.SHARE * np.maximum(told, 0)
    off = (seen - told) / scale
    steep = np.abs(right) + np.abs(down)
    reach = off / (1 + steep / scale)  # an edge that lies a pixel off is no stranger
    weight = np.where(mine & (seen < light.DAZZLED), 1 / ((1 + reach**2) * scale) ** 2, 0).reshape(n, -1, 1)
    weighted = (slope * weight).swapaxes(-1, -2)
    normal = np.matmul(weighted, slope) + HOLD
    pull = np.matmul(weighted, (seen - told).reshape(n, -1, 1))
    return np.asarray(np.linalg.solve(normal, pull)[..., 0])


def nudge(placement: Placement, step: Array, scale: float, middle: tuple[float, float]) -> Placement:
    """Move a placement by a step that was measured around the middle of its window (mm)."""
    turn = float(np.clip(-step[2], -STEEPEST, STEEPEST))
    right, up = (float(np.clip(v / scale, -FARTHEST_MM, FARTHEST_MM)) for v in (step[0], -step[1]))
    off_x, off_y = placement.x - middle[0], placement.y - middle[1]
    return replace(
        placement, x=placement.x + right - off_y * turn, y=placement.y + up + off_x * turn, turn=placement.turn + turn
    )
