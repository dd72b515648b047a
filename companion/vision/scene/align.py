"""Puts each card's picture exactly where the card lies: a step of Gauss and Newton in shift and turn."""

from dataclasses import replace

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.cards.placing import Placement
from companion.vision.scene import light

FARTHEST_MM = 3.0
STEEPEST = 0.06
HOLD = np.diag([1.0, 1.0, 1000.0]).astype(np.float32)


def steps(seen: Array, told: Array, mine: Array) -> Array:
    """Say how far each card lies from where it was drawn: (n, 3) of pixels right, pixels down and radians.

    `seen` and `told` are grey windows (n, h, w) in linear light, `mine` where the card is on top. Pixels that something
    covers do not pull.
    """
    height, width = told.shape[1:]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    around = (x - width / 2, y - height / 2)
    return np.stack([_step(*card, around) for card in zip(seen, told, mine, strict=True)])


def _step(seen: Array, told: Array, mine: Array, around: tuple[Array, Array]) -> Array:
    """Say it of one card: what is worked on fits into the processor's cache."""
    right, down = _slopes(told)
    slope = -np.stack([right, down, down * around[0] - right * around[1]]).reshape(3, -1)
    scale = light.DARK + light.SHARE * np.maximum(told, 0)
    off = seen - told
    reach = off / (scale + np.abs(right) + np.abs(down))  # an edge that lies a pixel off is no stranger
    weight = np.where(mine & (seen < light.DAZZLED), 1 / ((1 + reach * reach) * scale) ** 2, 0).ravel()
    weighted = slope * weight
    return np.asarray(np.linalg.solve(weighted @ slope.T + HOLD, weighted @ off.ravel()))


def _slopes(told: Array) -> tuple[Array, Array]:
    """Give how much brighter it gets by a pixel to the right and by one down; a card may reach beyond its window."""
    right, down = (
        np.asarray(cv2.Sobel(told, cv2.CV_32F, *way, ksize=1, scale=0.5, borderType=cv2.BORDER_REPLICATE))
        for way in ((1, 0), (0, 1))
    )
    right[:, [0, -1]] *= 2
    down[[0, -1]] *= 2
    return right, down


def nudge(placement: Placement, step: Array, scale: float, middle: tuple[float, float]) -> Placement:
    """Move a placement by a step that was measured around the middle of its window (mm)."""
    turn = float(np.clip(-step[2], -STEEPEST, STEEPEST))
    right, up = (float(np.clip(v / scale, -FARTHEST_MM, FARTHEST_MM)) for v in (step[0], -step[1]))
    off_x, off_y = placement.x - middle[0], placement.y - middle[1]
    return replace(
        placement, x=placement.x + right - off_y * turn, y=placement.y + up + off_x * turn, turn=placement.turn + turn
    )
