"""The bare mat: how it looks in its light, and whether a slot without texture shows it at all."""

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.ranks import median
from companion.vision.scene import light

STRIDE = 8
FEW_POINTS = 50
FAINT, OTHER_HUE = 0.004, 0.2  # light; and how far the logarithm of one colour may be from that of all three
NO_MAT = 1.1  # strangeness: more than noise and unlike light make of the bare mat


def mat_under(seen: Array, bare: Array, gain: Array) -> Array:
    """Draw the mat: a smooth surface through what no card covers (`bare`), robustly.

    A sleeve across the table is smooth too: only what has the mat's own colour, in the light it stands in, is taken.
    """
    height, width = bare.shape
    half = STRIDE // 2
    colours, lit, here = (part[half::STRIDE, half::STRIDE] for part in (seen, gain, bare))
    points = light.surface(*here.shape)
    if here.sum() < FEW_POINTS:  # too little to see the mat by
        return np.zeros_like(seen)
    own = _of_one_hue(colours[here], lit[here])
    terms = light.fit_surface(points[here][own], colours[here][own])
    small = cv2.resize(points @ terms, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.maximum(small, 0, dtype=np.float32))


def is_veiled(strange: Array) -> bool:
    """Whether a slot that shows no texture does not look like the mat either: something smooth is above it."""
    return float(median(strange.ravel())) > NO_MAT


def _of_one_hue(colours: Array, lit: Array) -> Array:
    """Mark those of some points (n, 3) that have the hue which most of them have in their light."""
    body = np.log((colours + FAINT) / (lit + FAINT))
    off = body - median(body, axis=0)
    own = np.abs(off - off.mean(axis=1, keepdims=True)).max(axis=1) < OTHER_HUE
    return np.asarray(own if own.sum() >= FEW_POINTS else np.ones_like(own))
