"""Check that dice lie flat: the outline that each must have then, against the pixels of die and ground."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.dice.faces import FACE, SCALE, Spots, UpperFace, axes_of, body_of

FINE = 2.5
"""Pixels per mm: an outline needs fewer than pips do."""
SIDES = (14.2, 14.8, 15.4, 16.0, 16.6)  # mm: what a die may seem to measure; light eats the edges of a dark one
TURNS = np.radians(np.arange(0, 90, 7.5))  # tried for a one, whose pip has no direction
DEEP = 1.0  # mm: what is no deeper within an outline may be beside the die
ROUNDED = 4.2  # mm across what fits into a corner of its outline
REACH = 20.0  # mm around the middle of a die that are looked at
AWAY = 17.0  # mm from it: ground, where no other die lies
WITHIN, BEYOND = (1.1, 2.5), (0.8, 2.2)  # mm from the outline: what must be die, and what must not
PARTS = 24  # of the outline, each looked at with its neighbour
LEAST = 6  # pixels that two such parts need to count
LARGEST, ROUND = 17.5, 14.0  # mm: how large another die may be; and around it, where its turn is not known
GAP = 1.0  # mm around it
SURE = 3.0  # what one pixel may contribute at most, in log odds
VISIBLE = 1.0  # the same of a face against the ground: less, and the outline of such a die cannot be seen
OFF = 0.75  # log odds against a part of the outline: more, and the die leans
DARK, OFF_DARK = 50.0, 1.3  # grey levels of a black die, and the same for it: its edges mirror the lamp
EITHER = 0.5, 0.25  # of what speaks for it the other way: no die beyond, none missing
PIP = 1.4  # of a pip's radius that is ignored
DARKEST = 6.0  # grey levels added before logarithms: noise
NOISE = 3.0  # grey levels
SHADE = -1.0, 0.1  # of the ground, in logarithms: in a shadow, and lit
SIDE_SHADE = -1.6, 0.3  # of a die's sides, by its upper face, which may be glossy
SOFT = 0.06 / 1.7  # of the ends of those
HUE, LEVEL = 0.03, 0.06  # that every colour may be off
PALER = 0.35  # that a die's colour may be paler or richer at a side: a gloss


@dataclass(frozen=True, slots=True)
class DiceScene:
    """A corner seen from above: upper faces, spots, and the point below the camera and its height (mm)."""

    faces: tuple[UpperFace, ...]
    spots: Spots
    picture: Array
    foot: Array
    height: float

    def drop(self, face: UpperFace, side: float) -> Array:
        """Return the offset from the middle of a face to that of the one it lies on."""
        return np.asarray((self.foot - face.middle) * side / self.height)


def lie_flat(scene: DiceScene, strays: tuple[int, ...] = ()) -> bool:
    """Return whether every die is where a flat one must be, and nowhere else.

    Strays are spots that nothing else explains: they are no pips if the outlines leave them on the ground.
    """
    size = [round(one * FINE / SCALE) for one in scene.picture.shape[1::-1]]
    colours = _logs(cv2.resize(scene.picture, size, interpolation=cv2.INTER_AREA))
    grid = np.stack(np.meshgrid(*((np.arange(one) + 0.5) / FINE for one in size)), axis=-1)
    free = np.all([_distance(grid, face.middle) > AWAY for face in scene.faces], axis=0)
    ground = colours[free]
    if not len(ground):
        return not strays
    off = scene.spots.middles[list(strays)]
    return all(_lies_flat(scene, face, (grid, colours), ground, off) for face in scene.faces)


def _lies_flat(scene: DiceScene, face: UpperFace, patch: tuple[Array, Array], ground: Array, strays: Array) -> bool:
    """Return whether some size and turn of a flat die explains where there is die and where ground."""
    grid, colours = (_crop(face.middle + scene.drop(face, SIDES[0]) / 2, one) for one in patch)
    body = np.median(_logs(body_of(face, scene.spots, scene.picture)), axis=0)
    odds = _odds(colours, body, ground)
    most = OFF_DARK if np.exp(body[2]) < DARK else OFF
    if odds[_distance(grid, face.middle) < FACE].mean() < VISIBLE:
        return not len(strays)
    for spot, area in zip(scene.spots.middles, scene.spots.areas, strict=True):
        odds[_distance(grid, spot) < PIP * np.sqrt(area / np.pi)] = 0
    others = [_mask_of_other(scene, other, grid) for other in scene.faces if other is not face]
    known = ~np.any(others, axis=0) if others else np.ones(odds.shape, bool)
    turns = TURNS if face.arm is None else [_turn(face)]
    outlines = (_outline(scene, face, (side, turn), grid) for side in SIDES for turn in turns)
    return any(
        _evidence_against(odds, known, outline) < most and not _contains(outline, (strays - grid[0, 0]) * FINE)
        for outline in outlines
    )


def _contains(outline: Array, pixels: Array) -> bool:
    """Return whether any of some points lies well within an outline."""
    deep = cv2.distanceTransform(outline, cv2.DIST_L2, 3) / FINE
    at = np.rint(pixels).astype(int)
    at = at[((at >= 0) & (at < deep.shape[::-1])).all(axis=1)]
    return bool((deep[at[:, 1], at[:, 0]] > DEEP).any())


def _crop(middle: Array, patch: Array) -> Array:
    """Crop the part of a patch around a point."""
    low = np.maximum(np.rint((middle - REACH) * FINE).astype(int), 0)
    high = np.rint((middle + REACH) * FINE).astype(int)
    return patch[low[1] : high[1], low[0] : high[0]]


def _distance(grid: Array, point: Array) -> Array:
    return np.asarray(np.hypot(grid[..., 0] - point[0], grid[..., 1] - point[1]))


def _turn(face: UpperFace) -> float:
    along = axes_of(face)[0]
    return float(np.arctan2(along[1], along[0]))


# --- what is die and what is ground -----------------------------------------------------------------------------------


def _logs(colours: Array) -> Array:
    """Return two values of hue, and the level: in logarithms a shade is an offset."""
    logs = np.log(colours.astype(np.float32) + DARKEST)
    return np.stack([logs[..., 2] - logs[..., 1], logs[..., 0] - logs[..., 1], logs.mean(axis=-1)], axis=-1)


def _odds(colours: Array, body: Array, ground: Array) -> Array:
    """Return the log odds that each pixel is the die rather than the ground, in any shade."""
    middle = np.median(ground, axis=0)
    spread = 1.48 * np.median(np.abs(ground - middle), axis=0) + np.array([HUE, HUE, LEVEL])
    noise = (NOISE / np.exp(colours[..., 2])) ** 2
    level = colours[..., 2] - middle[2]
    bare = np.exp(-0.5 * (level / spread[2]) ** 2) / (2.5 * spread[2])
    ground_like = np.log((bare + _soft_uniform(level, SHADE)) / 2 + 1e-3)
    ground_like += _log_density(colours[..., :2] - middle[:2], spread[:2] ** 2 + noise[..., None])
    along = body[:2] / max(float(np.linalg.norm(body[:2])), 1e-6)
    axes = np.stack([along, [-along[1], along[0]]], axis=1)
    own = np.array([(PALER * float(np.linalg.norm(body[:2]))) ** 2, 0.0]) + (2 * HUE) ** 2 + noise[..., None]
    die_like = np.log(_soft_uniform(colours[..., 2] - body[2], SIDE_SHADE) + 1e-3)
    die_like += _log_density((colours[..., :2] - body[:2]) @ axes, own)
    return np.asarray(np.clip(die_like - ground_like, -SURE, SURE))


def _log_density(away: Array, spread: Array) -> Array:
    """Return the logarithm of a normal density, without its constant."""
    return np.asarray(-0.5 * (away**2 / spread + np.log(spread)).sum(axis=-1))


def _soft_uniform(level: Array, ends: tuple[float, float]) -> Array:
    """Return the density of a level that is uniform between two soft ends."""
    low, high = ((level - end) / SOFT for end in ends)
    return np.asarray(1 / (1 + np.exp(-low)) / (1 + np.exp(high)) / (ends[1] - ends[0]))


# --- outlines ---------------------------------------------------------------------------------------------------------


def _outline(scene: DiceScene, face: UpperFace, die: tuple[float, float], grid: Array) -> Array:
    """Return the mask of what a flat die of a size and turn hides: its upper face, and the lower one behind it."""
    side, turn = die
    ways = turn + np.pi / 4 + np.pi / 2 * np.arange(4)
    upper = np.stack([np.cos(ways), np.sin(ways)], axis=1) * side / 2**0.5
    lower = upper * (1 - side / scene.height) + scene.drop(face, side)
    ring = cv2.convexHull((np.vstack([upper, lower]) + face.middle - grid[0, 0]).astype(np.float32))
    hidden = np.zeros(grid.shape[:2], np.uint8)
    cv2.fillPoly(hidden, [np.rint(ring * FINE * 16).astype(np.int32)], 1, shift=4)
    corners = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (round(ROUNDED * FINE) | 1,) * 2)
    return np.asarray(cv2.morphologyEx(hidden, cv2.MORPH_OPEN, corners))


def _mask_of_other(scene: DiceScene, other: UpperFace, grid: Array) -> Array:
    """Mark where another die may be: these pixels are no evidence."""
    if other.arm is None:
        return _distance(grid, other.middle) < ROUND
    hidden = _outline(scene, other, (LARGEST, _turn(other)), grid)
    return np.asarray(cv2.dilate(hidden, np.ones((round(2 * GAP * FINE) | 1,) * 2, np.uint8)) > 0)


def _evidence_against(odds: Array, known: Array, outline: Array) -> float:
    """Return the strongest evidence against an outline: ground within or die beyond it, as log odds of one part."""
    rows, columns = np.nonzero(outline)
    ys, xs = np.mgrid[: outline.shape[0], : outline.shape[1]]
    ways = np.arctan2(ys - rows.mean(), xs - columns.mean())
    parts = ((ways + np.pi) / (2 * np.pi) * PARTS).astype(int) % PARTS
    worst = []
    for mask, band, sign in ((outline, WITHIN, -1), (1 - outline, BEYOND, 1)):
        far = cv2.distanceTransform(mask, cv2.DIST_L2, 3) / FINE
        seen = (far > band[0]) & (far < band[1]) & known
        count, total = (np.bincount(parts[seen], weights, PARTS) for weights in (None, sign * odds[seen]))
        count, total = count + np.roll(count, 1), total + np.roll(total, 1)
        means = total[count > LEAST] / count[count > LEAST]
        worst.append(float(means.max()) if len(means) else 0.0)
    missing, beyond = worst
    return max(missing + EITHER[0] * min(beyond, 0.0), beyond + EITHER[1] * min(missing, 0.0))
