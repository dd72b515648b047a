"""Finds round spots on a patch seen from straight above: pips, each with its own depth, since light is never even."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.arrays import Array

SCALE = 5.0
"""Pixels a millimetre of a patch."""
LARGEST = 7.0  # mm across: what no pip fills
FINE = 1.2  # pixels of blur before anything is looked for
DEEP = 14.0  # grey levels that a pip is darker or lighter than its face
FAINT = 0.2  # of the deepest spot: less is grain
LEVELS = (0.5, 0.66, 0.8)  # of its depth: where a pip ends; the higher ones part pips that have run together
AREA = (1.0, 30.0)  # mm2
SLENDER = 0.25  # the short axis to the long one: less is no pip, not even on a side
ROUND = 0.62  # the same of a pip on an upper face
SOLID = 0.82  # of the ellipse that its axes make
CROWDED = 4.6  # mm: two deeper spots of the other kind as near as that, and this one is what lies between pips
SAME = 1.2  # mm between two spots that are one
PEAK = 0.4  # mm of blur for the search of peaks


@dataclass(frozen=True, slots=True)
class Spots:
    """Spots: their middles (mm), areas (mm2), depths, shapes (2x2, of area one), and whether they are lighter."""

    middles: Array
    areas: Array
    depths: Array
    shapes: Array
    light: Array

    def __len__(self) -> int:
        return len(self.middles)

    def round(self) -> list[int]:
        """Those that may be on an upper face."""
        return [one for one in range(len(self)) if roundness(self.shapes[one]) > ROUND]


_Spot = tuple[Array, float, float, Array, bool]


def roundness(shape: Array) -> float:
    """The short axis to the long one."""
    short, long = np.sqrt(np.linalg.eigvalsh(shape))
    return float(short / long)


def find_spots(grey: Array) -> Spots:
    """Find what is darker than its surroundings, or lighter, and as large as a pip."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(LARGEST * SCALE) | 1,) * 2)
    smooth = cv2.GaussianBlur(grey, (0, 0), FINE)
    found: list[_Spot] = []
    for way in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        deep = np.asarray(cv2.morphologyEx(smooth, way, kernel)).astype(np.float32)
        found += _spots(deep, light=way == cv2.MORPH_TOPHAT)
    found = [spot for spot in found if not _lies_between(spot, found)]
    if not found:
        return Spots(np.zeros((0, 2)), np.zeros(0), np.zeros(0), np.zeros((0, 2, 2)), np.zeros(0, bool))
    middles, areas, depths, shapes, light = zip(*found, strict=True)
    return Spots(np.array(middles), np.array(areas), np.array(depths), np.array(shapes), np.array(light))


def _spots(deep: Array, *, light: bool) -> list[_Spot]:
    found: list[_Spot] = []
    for x, y in _peaks(deep):
        tried = [_spot(deep, x, y, level, light=light) for level in LEVELS]
        fits = [spot for spot in tried if spot is not None]
        best = next((spot for spot in fits if roundness(spot[3]) > ROUND), fits[0] if fits else None)
        if best is not None and all(np.linalg.norm(best[0] - other[0]) > SAME for other in found):
            found.append(best)
    return found


def _lies_between(spot: _Spot, others: list[_Spot]) -> bool:
    """Whether a spot is only what is left between deeper ones of the other kind."""
    near = [
        other
        for other in others
        if other[4] != spot[4] and other[2] > spot[2] and np.linalg.norm(other[0] - spot[0]) < CROWDED
    ]
    return len(near) > 1


def _peaks(deep: Array) -> list[tuple[int, int]]:
    """The deepest pixels of their neighbourhoods, the deepest of all first."""
    smooth = cv2.GaussianBlur(deep, (0, 0), PEAK * SCALE)
    least = max(DEEP * LEVELS[0], FAINT * float(smooth.max()))
    around = cv2.dilate(smooth, np.ones((round(SAME * SCALE) | 1,) * 2, np.uint8))
    rows, columns = np.nonzero((smooth >= around) & (smooth > least))
    order = np.argsort(-smooth[rows, columns])
    return [(int(columns[i]), int(rows[i])) for i in order]


def _spot(deep: Array, x: int, y: int, level: float, *, light: bool) -> _Spot | None:
    """The spot around a pixel, where it has the size and the shape of a pip."""
    reach = round(LARGEST * SCALE / 2) + 2
    left, top = max(0, x - reach), max(0, y - reach)
    part = deep[top : y + reach + 1, left : x + reach + 1]
    depth = float(deep[max(0, y - 2) : y + 3, max(0, x - 2) : x + 3].mean())
    _, labels = cv2.connectedComponents((part > level * depth).astype(np.uint8), connectivity=4)
    label = int(labels[y - top, x - left])
    if depth < DEEP or label == 0:
        return None
    rows, columns = np.nonzero(labels == label)
    area = len(rows) / SCALE**2
    if not AREA[0] < area < AREA[1] or _at_the_edge(rows, columns, part.shape):
        return None
    points = np.stack([columns, rows], axis=1).astype(np.float64)
    middle = points.mean(axis=0)
    spread = (points - middle).T @ (points - middle) / len(points) + np.eye(2) / 12
    short, long = np.sqrt(np.linalg.eigvalsh(spread))
    if short / long < SLENDER or len(rows) / (4 * np.pi * short * long) < SOLID:
        return None
    return (middle + np.array([left, top])) / SCALE, area, depth, spread / (short * long), light


def _at_the_edge(rows: Array, columns: Array, shape: tuple[int, ...]) -> bool:
    """Whether a spot runs out of the part that was looked at."""
    return bool(rows.min() == 0 or columns.min() == 0 or rows.max() == shape[0] - 1 or columns.max() == shape[1] - 1)
