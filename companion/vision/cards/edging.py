"""What lies around the places of the tracks: tells a bare place from one that something smooth hides."""

from dataclasses import dataclass

import numpy as np

from companion.vision.arrays import Array
from companion.vision.camera.pose import Pose
from companion.vision.profile import Profile
from companion.vision.ranks import median
from companion.vision.scene.light import LINEAR
from companion.vision.scene.mat import FAINT, OTHER_HUE

LONG, SHORT = 12, 6  # samples along a card's edges
BESIDE = (2.0, 4.0)  # mm from its far and near edge; at the others there is only a gap
SPAN = 300.0  # mm
SPREAD, SHADE = 0.3, 0.45  # logarithms of light: what weighs less, and what is another brightness
ROUNDS = 8
FEW, MOST = 24, 0.6  # samples, and the share of them that must look alike
WHITE = 250  # of 255: nothing can be told from what is as bright


@dataclass(frozen=True, slots=True)
class Edging:
    """The hue and brightness of what is around the places, which changes slowly from one to the next."""

    hue: Array
    terms: Array

    def goes_on(self, crop: Array, middle: tuple[float, float]) -> bool:
        """Whether what a place shows is the same as around all of them."""
        colour = median(crop.reshape(-1, 3).astype(np.float64), axis=0)
        if colour.min() >= WHITE:
            return False
        body = np.log(LINEAR[colour.astype(int)] + FAINT)[None]
        return bool(
            _alike(body, self.hue)[0] and abs(body.mean() - (_plane(np.array([middle])) @ self.terms)[0]) < SHADE
        )


def edging(picture: Array, pose: Pose, points: Array) -> Edging | None:
    """Look at points around the places (n, 2), mm; None where most of them do not look alike.

    Half of them may lie under something, so no single place is judged by its own surroundings.
    """
    pixels = np.round(pose.project(np.c_[points, np.zeros(len(points))])).astype(int)
    inside = ((pixels >= 0) & (pixels < (picture.shape[1], picture.shape[0]))).all(axis=1)
    if inside.sum() < FEW:
        return None
    colours = picture[pixels[inside, 1], pixels[inside, 0]]
    body, plane = np.log(LINEAR[colours] + FAINT), _plane(points[inside])
    hue = median(body - body.mean(axis=1, keepdims=True), axis=0)
    own, light = _alike(body, hue), body.mean(axis=1)
    if own.mean() < MOST:
        return None
    terms = _fit(plane[own], light[own])
    alike = own & (np.abs(light - plane @ terms) < SHADE)
    return Edging(hue, terms) if alike.mean() >= MOST else None


def around_places(profile: Profile) -> Array:
    """List points close to the edges of all places of the tracks: (n, 2), mm."""
    half_x, half_y = profile.card[0] / 2, profile.card[1] / 2
    along, up = np.linspace(-half_x, half_x, LONG), np.linspace(-half_y, half_y, SHORT)
    ring = [(x, side * (half_y + off)) for x in along for side in (-1, 1) for off in BESIDE]
    ring += [(side * (half_x + BESIDE[0]), y) for y in up for side in (-1, 1)]
    middles = [middle for row in profile.tracks.values() for middle in row]
    return np.concatenate([np.array(ring) + middle for middle in middles] or [np.zeros((0, 2))])


def _alike(body: Array, hue: Array) -> Array:
    """Mark those of some colours (n, 3; logarithms of light) that have a hue."""
    off = body - hue
    return np.asarray(np.abs(off - off.mean(axis=1, keepdims=True)).max(axis=1) < OTHER_HUE)


def _plane(points: Array) -> Array:
    return np.asarray(np.c_[np.ones(len(points)), points / SPAN])


def _fit(plane: Array, light: Array) -> Array:
    """Fit a plane to the light, robustly: what lies over some of the points does not pull."""
    terms = np.array([float(median(light)), 0.0, 0.0])
    for _ in range(ROUNDS):
        weight = 1 / (1 + ((light - plane @ terms) / SPREAD) ** 2) ** 2
        weighted = plane * weight[:, None]
        terms = terms + np.linalg.solve(weighted.T @ plane + np.eye(3) * 0.5, weighted.T @ (light - plane @ terms))
    return np.asarray(terms)
