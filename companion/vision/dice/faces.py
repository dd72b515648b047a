"""Find pips on a patch seen from straight above, and the upper faces of dice that they make."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from companion.vision.arrays import Array

SCALE = 5.0
"""Pixels per mm of a patch."""
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
    """Spots: middles (mm), areas (mm²), depths, shapes (2x2, of area one), and whether they are lighter."""

    middles: Array
    areas: Array
    depths: Array
    shapes: Array
    light: Array

    def __len__(self) -> int:
        return len(self.middles)

    def round(self) -> list[int]:
        """Return the spots that are round enough for an upper face."""
        return [one for one in range(len(self)) if roundness(self.shapes[one]) > ROUND]


_Spot = tuple[Array, float, float, Array, bool]


def roundness(shape: Array) -> float:
    """Return the ratio of the short axis to the long one."""
    short, long = np.sqrt(np.linalg.eigvalsh(shape))
    return float(short / long)


def find_spots(grey: Array) -> Spots:
    """Find what is darker or lighter than its surroundings, and as large as a pip."""
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
    """Return whether a spot is only what is left between deeper ones of the other kind."""
    near = [
        other
        for other in others
        if other[4] != spot[4] and other[2] > spot[2] and np.linalg.norm(other[0] - spot[0]) < CROWDED
    ]
    return len(near) > 1


def _peaks(deep: Array) -> list[tuple[int, int]]:
    """Return the local maxima, the deepest of all first."""
    smooth = cv2.GaussianBlur(deep, (0, 0), PEAK * SCALE)
    least = max(DEEP * LEVELS[0], FAINT * float(smooth.max()))
    around = cv2.dilate(smooth, np.ones((round(SAME * SCALE) | 1,) * 2, np.uint8))
    rows, columns = np.nonzero((smooth >= around) & (smooth > least))
    order = np.argsort(-smooth[rows, columns])
    return [(int(columns[i]), int(rows[i])) for i in order]


def _spot(deep: Array, x: int, y: int, level: float, *, light: bool) -> _Spot | None:
    """Return the spot around a pixel, where it has the size and the shape of a pip."""
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
    """Return whether a spot touches the edge of the part that was looked at."""
    return bool(rows.min() == 0 or columns.min() == 0 or rows.max() == shape[0] - 1 or columns.max() == shape[1] - 1)


ALONE = 6.6  # mm around a one without another pip
CORNERS = (9.7, 14.0)  # mm from corner pip to corner pip, across the face
OFF = 0.95  # mm that a pip may be off its place
SKEW = 0.07  # that a face may be shorter one way than the other: more, and the die leans
LONG = 0.2  # the same of its pips, all together
DEPTHS, AREAS = 2.1, 1.9  # between the pips of one face; the corners of a mirrored lamp are less alike
TWINS, UNLIKE = 1.3, 0.16  # between the depths, and the shapes, of the two of a two
FACE = 6.2  # mm around the middle of a die that are its upper face, however it is turned
PIP = 1.35  # of a pip's radius: what is its own
STRANGE = 0.16  # of a face that may look like anything else: a glint
STRANGE_ONE = 0.04  # the same of a one: a single pip is soon left over of a face that something hides
PLAIN = 0.42  # of the depth of its pips: how much darker or lighter that is


@dataclass(frozen=True, slots=True)
class UpperFace:
    """An upper face: the spots that are its pips, its middle (mm of the patch), and half its pattern's diagonal."""

    value: int
    spots: tuple[int, ...]
    middle: Array
    arm: Array | None
    """From the middle to a corner pip; None for a one."""


def find_faces(spots: Spots, picture: Array) -> list[UpperFace]:
    """Return every set of spots that is a face's whole pattern, and no part of a larger one."""
    among, middles = spots.round(), spots.middles
    found = [UpperFace(1, (one,), middles[one], None) for one in among if _is_alone(spots, one, among)]
    for first, second in combinations(among, 2):
        arm = (middles[second] - middles[first]) / 2
        far = 2 * float(np.linalg.norm(arm))
        if CORNERS[0] < far < CORNERS[1] and spots.light[first] == spots.light[second]:
            face = _around(spots, first, second, arm)
            found += [] if face is None else [face]
    whole = {frozenset(face.spots): face for face in found if _is_even(face, spots) and _is_plain(face, spots, picture)}
    return list(whole.values())


def _is_alone(spots: Spots, one: int, among: list[int]) -> bool:
    """Return whether a spot may be a one: no other pip is on the same face."""
    return not any(
        other != one
        and spots.light[other] == spots.light[one]
        and np.linalg.norm(spots.middles[other] - spots.middles[one]) < ALONE
        for other in among
    )


def _around(spots: Spots, first: int, second: int, arm: Array) -> UpperFace | None:
    """Return the face whose opposite corner pips these two are, if the others lie as on a die."""
    middle = (spots.middles[first] + spots.middles[second]) / 2
    across = np.array([-arm[1], arm[0]])
    mids = [(arm + across) / 2, (arm - across) / 2]
    ways = {
        2: [],
        3: [0 * arm],
        4: [across, -across],
        5: [0 * arm, across, -across],
        6: [across, -across, mids[0], -mids[0]],
        -6: [across, -across, mids[1], -mids[1]],
    }
    inside = [
        one
        for one in range(len(spots))
        if one not in (first, second)
        and spots.light[one] == spots.light[first]
        and _on_face(spots.middles[one] - middle, arm, across)
    ]
    for value, wanted in ways.items():
        if len(wanted) != len(inside):
            continue
        chosen = [_nearest(spots, inside, middle + place) for place in wanted]
        if len(set(chosen) - {None}) == len(inside):
            return UpperFace(abs(value), (first, second, *inside), middle, arm)
    return None


def _on_face(from_middle: Array, arm: Array, across: Array) -> bool:
    """Return whether a spot is among the pips, not beyond the outer ones."""
    side = float(arm @ arm) ** 0.5 / 2**0.5
    axes = (arm + across) / (2 * side), (arm - across) / (2 * side)
    return bool(max(abs(float(from_middle @ axis)) for axis in axes) < side + OFF)


def _nearest(spots: Spots, among: list[int], place: Array) -> int | None:
    return next((one for one in among if np.linalg.norm(spots.middles[one] - place) < OFF), None)


def _is_even(face: UpperFace, spots: Spots) -> bool:
    """Return whether its pips are alike and the face is level: the pattern of one that leans is shorter one way."""
    chosen = list(face.spots)
    depths, areas = spots.depths[chosen], spots.areas[chosen]
    if depths.max() > DEPTHS * depths.min() or areas.max() > AREAS * areas.min():
        return False
    round_ = [roundness(shape) for shape in spots.shapes[chosen]]
    if face.value == 2 and (depths.max() > TWINS * depths.min() or max(round_) > min(round_) + UNLIKE):  # noqa: PLR2004
        return False  # a shadow makes two of a one
    if face.value < 4:  # noqa: PLR2004 - in a row, which has no breadth
        return bool(1 - roundness(spots.shapes[chosen].mean(axis=0)) < LONG)
    points = spots.middles[chosen]
    spread = (points - points.mean(axis=0)).T @ (points - points.mean(axis=0))
    if face.value == 6:  # noqa: PLR2004 - three by two: six and four parts
        along = _six_along(points, face.middle)
        spread = along @ spread @ along.T * np.array([[4, 24**0.5], [24**0.5, 6]])
    short, long = np.sqrt(np.linalg.eigvalsh(spread))
    return bool(1 - short / long < SKEW)


def _six_along(points: Array, middle: Array) -> Array:
    """Return the directions of a six: across its two rows, and along them."""
    values, ways = np.linalg.eigh((points - middle).T @ (points - middle))
    return np.asarray(ways[:, np.argsort(-values)].T)


def _is_plain(face: UpperFace, spots: Spots, picture: Array) -> bool:
    """Return whether the rest of the face has one colour: no edge runs through it, and nothing hides a part of it."""
    reach = FACE + 1 / SCALE
    far = np.array(picture.shape[1::-1]) / SCALE - face.middle
    if min(*face.middle, *far) < reach:
        return False
    body = body_of(face, spots, picture)
    off = np.abs(body - np.median(body, axis=0)).max(axis=1)
    strange = (off > PLAIN * float(np.median(spots.depths[list(face.spots)]))).mean()
    return bool(strange < (STRANGE if face.arm is not None else STRANGE_ONE))


def body_of(face: UpperFace, spots: Spots, picture: Array) -> Array:
    """Return the colours of a face beside its pips: (n, 3)."""
    reach = round(FACE * SCALE)
    x, y = (round(float(v) * SCALE) for v in face.middle)
    rows, columns = np.mgrid[-reach : reach + 1, -reach : reach + 1] / SCALE
    free = rows**2 + columns**2 < FACE**2
    for one in face.spots:
        off = spots.middles[one] - np.array([x, y]) / SCALE
        free &= (columns - off[0]) ** 2 + (rows - off[1]) ** 2 > spots.areas[one] / np.pi * PIP**2
    return np.asarray(picture[y - reach : y + reach + 1, x - reach : x + reach + 1].astype(np.float32)[free])


def axes_of(face: UpperFace) -> tuple[Array, Array]:
    """Return the directions of a face's edges."""
    if face.arm is None:
        return np.array([1.0, 0.0]), np.array([0.0, 1.0])
    arm = face.arm / np.linalg.norm(face.arm)
    across = np.array([-arm[1], arm[0]])
    return (arm + across) / 2**0.5, (arm - across) / 2**0.5


def colour_at(picture: Array, at: Array) -> Array:
    """Return the colour around a point (mm) of a patch, or at its edge."""
    x, y = (round(float(v) * SCALE) for v in at)
    x, y = min(x, picture.shape[1] - 1), min(y, picture.shape[0] - 1)
    return np.asarray(picture[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2].reshape(-1, 3).mean(axis=0))
