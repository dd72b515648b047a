"""Cuts out what speaks for a figure, always alike: leaning upwards, as large for every table, three layers deep."""

from dataclasses import dataclass
from math import hypot

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.camera.pose import Pose
from companion.vision.camera.view import Frame
from companion.vision.figures.figures import Candidate, FigureFinder

SIDE = 32
SPAN = 1.4  # of a figure's height, from edge to edge
HALF_WAY = 0.4  # of a figure's height: what stays in the middle
AGAINST = 40  # log odds of a pixel that shows no figure, as a byte
FINE = 16  # steps of strangeness kept a unit


@dataclass(frozen=True, slots=True)
class Layers:
    """One view, layer by layer: packed odds (h, w, 4), strangeness in bytes, the picture itself (BGR)."""

    odds: Array
    strange: Array
    above: Array
    frame: Frame
    pose: Pose
    height: float  # of a figure, in mm


def layers(odds: Array, strange: Array, above: Array, frame: Frame, pose: Pose, height: float) -> Layers:
    """Lay the layers of a view over each other."""
    return Layers(odds, np.asarray(cv2.convertScaleAbs(strange, alpha=FINE)), above, frame, pose, height)


def crop(candidate: Candidate, view: Layers, side: int = SIDE, others: Array | None = None) -> Array:
    """Cut out a candidate, `side` pixels wide: (side, side, 3) bytes of odds, strangeness and light.

    `others` marks pixels of the view that belong to figures beside it: nothing there speaks for this one.
    """
    space, frame = candidate.space, view.frame
    lean = FigureFinder.lean(space, view.pose)
    middle = np.array([space.x, space.y]) + candidate.foot + np.array(lean) * (view.height * HALF_WAY)
    centre = frame.pixels(middle)
    step = view.height * SPAN / SIDE * frame.scale
    length = max(hypot(*lean), 1e-6)
    up = np.array([lean[0], -lean[1]]) / length * step
    right = np.array([-up[1], up[0]])
    reach = int(side * step * 0.75) + 2
    left, top = (max(0, int(v) - reach) for v in centre)
    part = (slice(top, max(top + 1, int(centre[1]) + reach)), slice(left, max(left + 1, int(centre[0]) + reach)))
    bend = np.array([[right[0], -up[0], 0.0], [right[1], -up[1], 0.0]])
    bend[:, 2] = centre - (left, top) - bend[:, :2] @ np.full(2, (side - 1) / 2)
    blue, green, red = (view.above[part][..., channel] for channel in range(3))
    light = np.maximum(np.maximum(blue, green), red)
    odds, strange = np.ascontiguousarray(view.odds[part][..., candidate.player]), view.strange[part]
    if others is not None:
        odds, strange = (np.where(others[part], rest, layer) for rest, layer in ((AGAINST, odds), (0, strange)))
    stack = cv2.merge([odds.astype(np.uint8), strange.astype(np.uint8), light])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(stack, bend, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE))
