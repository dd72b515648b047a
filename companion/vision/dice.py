"""Reads two dice in a marked corner: their upper faces from straight above, pips by shape, values by their pattern."""

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.pose import Pose
from companion.vision.ranks import quantile

SIDE = 16.0  # mm of a die
REGION = 62.0  # mm around a marked middle
SCALE = 5.0  # pixels a millimetre
PIP_MM2 = (1.6, 12.0)
ROUND = 0.62
ALIKE = 0.68  # of the largest and deepest pip: those on the sides are seen at a slant, smaller and paler
CUT = 0.58  # of the deepest: where a pip ends
DEEPEST = 0.995  # of the pixels are less deep than the deepest pip
DEEP = 16.0  # grey levels that a pip is darker or lighter than its face
DICE = 2
APART = 15.0  # mm between the middles of two dice
FAINT = 0.42  # of the deepest: what is this deep may be a part of a pip
FACE = 7.4  # mm around the middle of a die that are its upper face, however it is turned
PIP = 2.5  # mm around the middle of a pip that are its own
LEFT = 1.6  # mm2 of a face that may be as deep as a pip without being one
LIKE = 0.08  # how far a pattern may be off, in sides of a die
PATTERNS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}
SPREAD = (0.2, 0.34)  # of a side: how far from the middle of a face its outer pips are


@dataclass(frozen=True, slots=True)
class Die:
    """A die that lies still: its value, and where it lies (mm)."""

    value: int
    x: float
    y: float


def read_dice(picture: Array, pose: Pose, middles: tuple[tuple[float, float], ...]) -> tuple[Die, ...] | None:
    """Read the two dice around the marked middles; () where none lies, None where it cannot be told.

    Two middles are of a place for each die, one is of a corner for both.
    """
    found: list[Die] = []
    for middle in middles:
        patch = above(picture, pose, middle)
        if patch is None:
            return None
        dice = _dice(patch, DICE // len(middles))
        if dice is None:
            return None
        far = middle[1] + REGION / 2
        found += [Die(value, middle[0] - REGION / 2 + float(x), far - float(y)) for value, (x, y) in dice]
    return tuple(found) if len(found) in (0, DICE) else None


def above(picture: Array, pose: Pose, middle: tuple[float, float]) -> Array | None:
    """The corner as it looks from straight above, at the height of the dice's upper faces."""
    half, side = REGION / 2, round(REGION * SCALE)
    ring = np.array([(-half, half), (half, half), (half, -half), (-half, -half)]) + middle
    points = pose.project(np.c_[ring, np.full(4, SIDE)]).astype(np.float32)
    if (points < 0).any() or (points >= (picture.shape[1], picture.shape[0])).any():
        return None
    flat = np.array([[0, 0], [side, 0], [side, side], [0, side]], dtype=np.float32) - 0.5
    return np.asarray(cv2.warpPerspective(picture, cv2.getPerspectiveTransform(points, flat), (side, side)))


def box_of(
    pose: Pose, middles: tuple[tuple[float, float], ...], full: tuple[int, ...], small: tuple[int, ...]
) -> tuple[slice, slice]:
    """Where the corner is in a small picture of a full one: rows and columns."""
    half = REGION / 2
    around = [
        (x + dx, y + dy, z) for x, y in middles for dx in (-half, half) for dy in (-half, half) for z in (0, SIDE)
    ]
    points = pose.project(np.array(around)) * (small[1] / full[1], small[0] / full[0])
    (left, top), (right, low) = np.floor(points.min(axis=0)), np.ceil(points.max(axis=0))
    return slice(max(0, int(top)), max(1, int(low))), slice(max(0, int(left)), max(1, int(right)))


def _dice(patch: Array, count: int) -> list[tuple[int, Array]] | None:
    """So many dice in a patch as values with their middles in mm, [] where no pip is seen, None for anything else."""
    dark, light = _pips(patch, cv2.MORPH_BLACKHAT), _pips(patch, cv2.MORPH_TOPHAT)
    if not len(dark.spots) and not len(light.spots):
        return []
    both = _Pips(np.vstack([dark.spots, light.spots]), np.maximum(dark.deep, light.deep), max(dark.most, light.most))
    readings = [reading for pips in (dark, light, both) if (reading := _parted(pips, count)) is not None]
    values = {tuple(sorted(value for value, _ in reading)) for reading in readings}
    return readings[0] if len(values) == 1 else None


@dataclass(frozen=True, slots=True)
class _Pips:
    """Round spots: their middles in mm, how deep every pixel is, and the deepest."""

    spots: Array
    deep: Array
    most: float


def _pips(patch: Array, way: int) -> _Pips:
    """Find what is round and darker than its surroundings, or lighter."""
    grey = cv2.GaussianBlur(cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY), (0, 0), 1.2)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(5 * SCALE) | 1,) * 2)
    deep = np.asarray(cv2.morphologyEx(grey, way, kernel)).astype(np.float32)
    most = float(quantile(deep.ravel(), DEEPEST))
    none = np.zeros((0, 2))
    if most < DEEP:
        return _Pips(none, deep, most)
    contours, _ = cv2.findContours((deep > CUT * most).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    pips = [contour for contour in contours if _is_pip(contour)]
    areas, depths = [cv2.contourArea(pip) for pip in pips], [_depth(deep, _middle(pip)) for pip in pips]
    middles = [
        _middle(pip)
        for pip, area, depth in zip(pips, areas, depths, strict=True)
        if area > ALIKE * float(np.max(areas)) and depth > ALIKE * float(np.max(depths))
    ]
    return _Pips(np.array(middles) / SCALE if middles else none, deep, most)


def _depth(deep: Array, middle: tuple[float, float]) -> float:
    x, y = round(middle[0]), round(middle[1])
    return float(deep[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].mean())


def _parted(pips: _Pips, count: int) -> list[tuple[int, Array]] | None:
    """Part the pips among the dice, so that each has a die's pattern; None unless that can be done in one way."""
    number = len(pips.spots)
    if not count <= number <= count * 6:
        return None
    ways: dict[tuple[int, ...], list[tuple[int, Array]]] = {}
    for chosen in range(1 << (number - 1)) if count > 1 else (0,):
        first = np.array([not chosen >> index & 1 for index in range(number)])
        groups = [pips.spots[first], pips.spots[~first]][:count]
        named = [named for group in groups if (named := _value(group, pips)) is not None]
        if len(named) == count and all(np.linalg.norm(a[1] - b[1]) > APART for a, b in combinations(named, 2)):
            ways[tuple(sorted(value for value, _ in named))] = named
    return next(iter(ways.values())) if len(ways) == 1 else None


def _is_pip(contour: Array) -> bool:
    """Whether a spot has the size and the roundness of a pip seen from above: those on the sides are thin."""
    area, around = cv2.contourArea(contour), cv2.arcLength(contour, closed=True)
    size = PIP_MM2[0] < area / SCALE**2 < PIP_MM2[1]
    _, (width, height), _ = cv2.minAreaRect(contour)
    long = max(width, height, 1e-6)
    return bool(size and 4 * np.pi * area / max(around, 1e-6) ** 2 > ROUND and min(width, height) / long > ROUND)


def _middle(contour: Array) -> tuple[float, float]:
    moments = cv2.moments(contour)
    return moments["m10"] / moments["m00"], moments["m01"] / moments["m00"]


def _value(spots: Array, pips: _Pips) -> tuple[int, Array] | None:
    """The value of some pips, and their middle, if they lie as on a die's face and none is missing in its middle."""
    pattern = PATTERNS.get(len(spots))
    if pattern is None:
        return None
    middle = spots.mean(axis=0)
    if len(spots) == 1:
        return (1, middle) if _is_all(spots, middle, pips) else None
    wanted, seen = (_distances(np.array(one, dtype=float)) for one in (pattern, spots))
    scale = float(seen.sum() / wanted.sum())
    if not SPREAD[0] < scale / SIDE < SPREAD[1] or np.abs(seen - wanted * scale).max() > LIKE * SIDE:
        return None
    return (len(spots), middle) if _is_all(spots, middle, pips) else None


def _is_all(spots: Array, middle: Array, pips: _Pips) -> bool:
    """Whether nothing else on the face looks like a part of a pip: several may have run into one another."""
    rows, columns = np.nonzero(pips.deep > FAINT * pips.most)
    points = np.stack([columns, rows], axis=1) / SCALE
    points = points[np.linalg.norm(points - middle, axis=1) < FACE]
    if not len(points):
        return True
    off = np.linalg.norm(points[:, None] - spots, axis=2).min(axis=1)
    return bool((off > PIP).sum() < LEFT * SCALE**2)


def _distances(points: Array) -> Array:
    return np.sort([float(np.linalg.norm(a - b)) for a, b in combinations(points, 2)])
