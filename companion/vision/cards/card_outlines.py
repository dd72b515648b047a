"""Outlines with four corners in a photograph, and whether anything is printed within one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.vision.arrays import Array

LEAST, MOST = 0.001, 0.3
"""Of the photograph that a card covers."""
FILLED: Final = 0.88
"""Of its four corners' area that an outline covers."""
ROUND: Final = 1.12
"""The same of a disc, an oval, or what else has no corners."""
LEVELS: Final = (60, 95, 130, 165, 200)
PRINTED: Final = 12.0
"""Grey levels that the edge of a letter or drawing stands out by."""
PRINT: Final = 0.02
"""Of an outline that such edges cover at least: checks and tiles show nothing."""
INNER: Final = 0.72  # of an outline, where its print is looked for


def outlines(small: Array) -> Array:
    """Return all outlines with four corners, clockwise: (n, 4, 2)."""
    area = small.shape[0] * small.shape[1]
    found = []
    for mask in _masks(small):
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            if not LEAST * area < cv2.contourArea(contour) < MOST * area:
                continue
            hull = cv2.convexHull(contour)
            quad = _four(hull)
            if quad is None:
                continue
            fills = cv2.contourArea(hull) / max(1.0, cv2.contourArea(quad))
            if FILLED < fills < ROUND:
                found.append(_clockwise(quad))
    return np.array(found, dtype=np.float64).reshape(-1, 4, 2)


def _masks(small: Array) -> Iterator[Array]:
    """Yield black and white pictures in whose parts a card may stand out from the table."""
    smooth = cv2.bilateralFilter(small, 5, 30, 5)
    lab = cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB)
    rim = np.concatenate([lab[:12].reshape(-1, 3), lab[-12:].reshape(-1, 3), lab[:, :12].reshape(-1, 3)]).astype(float)
    off = np.linalg.norm(lab.astype(np.float32) - np.median(rim, axis=0).astype(np.float32), axis=2)
    for limit in (12, 20, 32):
        yield cv2.morphologyEx((off > limit).astype(np.uint8), cv2.MORPH_OPEN, np.ones((5, 5), np.uint8))
    for index, channel in enumerate(cv2.split(lab)):
        even = cv2.subtract(channel, cv2.blur(channel, (301, 301)), dtype=cv2.CV_16S)
        for limit in (-24, -10, 10, 24) if index == 0 else (-9, 9):
            yield ((even > limit) if limit > 0 else (even < limit)).astype(np.uint8)
        low, high = (14, 42) if index else (30, 90)
        edges = cv2.Canny(channel, low, high)
        yield cv2.dilate(edges, np.ones((3, 3), np.uint8))
        yield cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    for level in LEVELS:
        yield (lab[..., 0] > level).astype(np.uint8)


def printed_edges(small: Array) -> Array:
    """Mark where the brightness of a picture changes within a few pixels, as at the edge of a letter or drawing."""
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 1.0)
    change = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8))
    return np.asarray((change > PRINTED).astype(np.uint8))


def is_printed(edges: Array, quad: Array) -> bool:
    """Return whether anything is printed within an outline."""
    middle = quad.mean(axis=0)
    inner = np.rint(middle + (quad - middle) * INNER).astype(np.int32)
    x, y, width, height = cv2.boundingRect(inner)
    x, y = max(0, x), max(0, y)
    part = edges[y : y + height, x : x + width]
    if not part.size:
        return False
    mask = np.zeros(part.shape, np.uint8)
    cv2.fillConvexPoly(mask, inner - (x, y), 1)
    return float(part[mask > 0].mean()) > PRINT if mask.any() else False


def _four(hull: Array) -> Array | None:
    length = cv2.arcLength(hull, closed=True)
    for share in (0.015, 0.025, 0.04, 0.06):
        found = cv2.approxPolyDP(hull, share * length, closed=True)
        if len(found) == 4:  # noqa: PLR2004 - a card has four corners
            return np.asarray(found.reshape(4, 2), dtype=np.float32)
    return None


def _clockwise(quad: Array) -> Array:
    """Return the corners clockwise, the upper left one first."""
    middle = quad.mean(axis=0)
    ring = quad[np.argsort(np.arctan2(quad[:, 1] - middle[1], quad[:, 0] - middle[0]))]
    return np.roll(ring, -int(np.argmin(ring.sum(axis=1))), axis=0)
