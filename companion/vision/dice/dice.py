"""Read two dice in a marked corner: the upper faces that explain every visible pip, or a doubt."""

from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.camera.pose import Pose
from companion.vision.dice.faces import (
    SCALE,
    UNLIKE,
    Spots,
    UpperFace,
    axes_of,
    body_of,
    colour_at,
    find_faces,
    find_spots,
    roundness,
)
from companion.vision.dice.outlines import DiceScene, lie_flat
from companion.vision.profile import Profile
from companion.vision.reading import DieSeen, VisionReading

Pair = tuple[float, float]
PLACE = "dice"  # what a reading calls their corner
SIDE = 16.0  # mm of a die
REGION = (62.0, 62.0)  # mm around a marked middle, unless a profile gives its size
DICE = 2
ALIKE = 1.13  # between the sizes of two dice
APART = 13.5  # mm between the middles of two dice
OTHER = 0.5  # of that depth: less is no pip
MOST = 60  # spots on a patch: more is no table to throw dice on
CLEAR = 0.7  # of that depth: it may be the second pip beside a one
FLAT = 0.78  # the same of a pip on a side of a die that lies flat, at most
STRAY = 0.42  # short axis to long one: what is more slender is no pip of a face that leans
RIM, AROUND = 1.3, 0.5  # of a spot's radius, and mm more: what is around it
UNEVEN = 0.4  # of its depth: how much that may differ
LIKE = 0.42  # of the way from the colour of a face to that of its pips
FEW = 2  # more spots than this together may be a third die, as may so many unexplained ones
NEAR = 16.0  # mm from the middle of a die: what is seen there belongs to it
SLACK = 1.2  # mm around the sides that a lying die shows


@dataclass(frozen=True, slots=True)
class _Patch:
    """A corner from above, and the point below the camera (mm of the patch, with the camera's height in mm)."""

    picture: Array
    foot: Array
    height: float


def read_dice(picture: Array, pose: Pose, middles: tuple[Pair, ...], size: Pair = REGION) -> tuple[DieSeen, ...] | None:
    """Read the two dice around the marked middles; () where none lies, None where they cannot be read.

    Two middles are of a place for each die, one is of a corner for both.
    """
    found: list[DieSeen] = []
    for middle in middles:
        seen = above(picture, pose, middle, size)
        if seen is None:
            return None
        left, far = middle[0] - size[0] / 2, middle[1] + size[1] / 2
        eye = pose.eye
        dice = _dice(_Patch(seen, np.array([eye[0] - left, far - eye[1]]), float(eye[2])), DICE // len(middles))
        if dice is None:
            return None
        found += [DieSeen(face.value, left + float(face.middle[0]), far - float(face.middle[1])) for face in dice]
    return tuple(found) if len(found) in (0, DICE) else None


def with_dice(reading: VisionReading, picture: Array, pose: Pose | None, profile: Profile) -> VisionReading:
    """Return a reading with the dice in it, where the table has a corner for them; unreadable ones are a doubt."""
    if not profile.dice or pose is None:
        return reading
    found = read_dice(picture, pose, profile.dice, profile.dice_size)
    unsure = reading.unsure if found is not None else tuple(sorted({*reading.unsure, PLACE}))
    return replace(reading, dice=found or (), unsure=unsure)


def above(picture: Array, pose: Pose, middle: Pair, size: Pair) -> Array | None:
    """Rectify the corner at the height of the dice's upper faces."""
    half_x, half_y = size[0] / 2, size[1] / 2
    wide, tall = round(size[0] * SCALE), round(size[1] * SCALE)
    ring = np.array([(-half_x, half_y), (half_x, half_y), (half_x, -half_y), (-half_x, -half_y)]) + middle
    points = pose.project(np.c_[ring, np.full(4, SIDE)]).astype(np.float32)
    if (points < 0).any() or (points >= (picture.shape[1], picture.shape[0])).any():
        return None
    flat = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], dtype=np.float32) - 0.5
    return np.asarray(cv2.warpPerspective(picture, cv2.getPerspectiveTransform(points, flat), (wide, tall)))


def box_of(
    pose: Pose, middles: tuple[Pair, ...], area: Pair, full: tuple[int, ...], small: tuple[int, ...]
) -> tuple[slice, slice]:
    """Return the rows and columns of the corner in a small picture of a full one."""
    signs = [(right / 2, up / 2, z) for right in (-1, 1) for up in (-1, 1) for z in (0, SIDE)]
    around = [(x + right * area[0], y + up * area[1], z) for x, y in middles for right, up, z in signs]
    points = pose.project(np.array(around)) * (small[1] / full[1], small[0] / full[0])
    (left, top), (right, low) = np.floor(points.min(axis=0)), np.ceil(points.max(axis=0))
    return slice(max(0, int(top)), max(1, int(low))), slice(max(0, int(left)), max(1, int(right)))


def _dice(patch: _Patch, count: int) -> list[UpperFace] | None:
    """Return this many upper faces on a patch, [] where no pip is seen, None for anything else."""
    spots = find_spots(np.asarray(cv2.cvtColor(patch.picture, cv2.COLOR_BGR2GRAY)))
    if not spots.round():
        return []
    if len(spots) > MOST:
        return None
    pairs = [chosen for chosen in combinations(find_faces(spots, patch.picture), count) if _are_dice(chosen)]
    ways = [(chosen, strays) for chosen in pairs if (strays := _strays(chosen, spots, patch)) is not None]
    fewest = min((len(strays) for _, strays in ways), default=0)
    ways = [way for way in ways if len(way[1]) == fewest]
    taken = [{one for face in way for one in face.spots} for way, _ in ways]
    whole = [way for way, own in zip(ways, taken, strict=True) if not any(own < other for other in taken)]
    if len(whole) != 1:
        return None
    dice, strays = whole[0]
    return list(dice) if lie_flat(DiceScene(dice, spots, patch.picture, patch.foot, patch.height), strays) else None


def _are_dice(faces: tuple[UpperFace, ...]) -> bool:
    """Return whether these may be dice: alike, and apart."""
    return all(
        np.linalg.norm(one.middle - other.middle) >= APART and _same_size(one, other)
        for one, other in combinations(faces, 2)
    )


def _strays(faces: tuple[UpperFace, ...], spots: Spots, patch: _Patch) -> tuple[int, ...] | None:
    """Return spots that no flat die explains, neither pips on its sides nor noise; None for too many of them."""
    rest = sorted(set(range(len(spots))) - {one for face in faces for one in face.spots})
    found = [one for one in rest if not _is_explained(spots, one, faces, patch)]
    near = [min(np.linalg.norm(spots.middles[one] - face.middle) for face in faces) < NEAR for one in found]
    return tuple(found) if len(found) <= FEW and all(near) else None


def _same_size(one: UpperFace, other: UpperFace) -> bool:
    if one.arm is None or other.arm is None:
        return True
    sizes = sorted((float(np.linalg.norm(one.arm)), float(np.linalg.norm(other.arm))))
    return sizes[1] < ALIKE * sizes[0]


def _is_explained(spots: Spots, one: int, faces: tuple[UpperFace, ...], patch: _Patch) -> bool:
    """Return whether a spot is a pip on the side of a flat die, or no pip: faint, slender, or of another colour."""
    near = [face for face in faces if np.linalg.norm(spots.middles[one] - face.middle) < NEAR]
    shape = roundness(spots.shapes[one])
    sides = [face for face in near if face.arm is not None or shape < FLAT]
    if any(_is_on_a_side(spots.middles[one], face, patch) for face in sides):
        return True
    depth = min(float(np.median(spots.depths[list(face.spots)])) for face in near or faces)
    if spots.depths[one] < OTHER * depth or shape < STRAY:
        return True
    second = any(face.arm is None for face in near) and shape > FLAT - UNLIKE and spots.depths[one] > CLEAR * depth
    alone = not near and (np.linalg.norm(spots.middles - spots.middles[one], axis=1) < NEAR).sum() <= FEW
    if (near or alone) and not second and not _is_amid_onecolour_at(spots, one, patch.picture):
        return True
    return not any(_is_coloured_like(spots, one, face, patch.picture) for face in near or faces)


def _is_amid_onecolour_at(spots: Spots, one: int, picture: Array) -> bool:
    """Return whether a spot lies within a face: at an edge two colours are around it."""
    turns = np.arange(0, 2 * np.pi, np.pi / 8)
    way = np.linalg.cholesky(spots.shapes[one]) * (np.sqrt(spots.areas[one] / np.pi) * RIM + AROUND)
    ring = spots.middles[one] + np.stack([np.cos(turns), np.sin(turns)], axis=1) @ way.T
    colours = np.array([colour_at(picture, np.clip(at, 0, None)) for at in ring]).mean(axis=1)
    low, high = np.sort(colours)[[3, 12]]
    return bool(high - low < UNEVEN * float(spots.depths[one]))


def _is_coloured_like(spots: Spots, one: int, face: UpperFace, picture: Array) -> bool:
    """Return whether a spot is closer in colour to a face's pips than to the face."""
    pip = np.median([colour_at(picture, spots.middles[other]) for other in face.spots], axis=0)
    body = np.median(body_of(face, spots, picture), axis=0)
    way = pip - body
    return bool((colour_at(picture, spots.middles[one]) - body) @ way > LIKE * float(way @ way))


def _is_on_a_side(spot: Array, face: UpperFace, patch: _Patch) -> bool:
    """Return whether a pip on a side of a flat die may be visible here: below its upper edge, towards the camera."""
    drop = (patch.foot - face.middle) * SIDE / patch.height
    away = spot - face.middle
    if face.arm is None:
        deep = float(away @ drop) / max(float(np.linalg.norm(drop)), 1e-6)
        far = float(np.linalg.norm(away))
        return far < SIDE / 2 + float(np.linalg.norm(drop)) + SLACK and deep > -SLACK * 2
    for axis in axes_of(face):
        for out in (axis, -axis):
            if float(out @ drop) <= 0:
                continue
            below = float(away @ out) - SIDE / 2
            share = below / float(out @ drop)
            along = float((away - drop * share) @ np.array([-out[1], out[0]]))
            if -SLACK < below < float(out @ drop) + SLACK / 2 and abs(along) < SIDE / 2 - SLACK:
                return True
    return False
