"""Decides which candidates are figures: a small logistic model over what the fit, the card and the cover say."""

import json
from dataclasses import dataclass
from importlib.resources import files
from math import exp, hypot

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.figures import PIXEL_MM, REACH, SIDE, WANDER_MM, Candidate, FigureFinder
from companion.vision.hands import Cover
from companion.vision.posture import Pictures, Posture
from companion.vision.scene import Scene

SURE, SURE_BLIND, UNSEEN, COVERED = 0.55, 0.75, 0.4, 0.5
SURE_POSE = 0.57
FULL_SCORE = 400.0
STRANGEST, CROWDED = 10.0, 8.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """How likely a candidate is a figure at all, and how likely its pose is right."""

    candidate: Candidate
    figure: float
    pose: float
    lying: bool
    covered: float  # how much of it lies under something wider than a figure
    unseen: float  # how much of it lies where nothing is known to compare with

    @property
    def sure(self) -> bool:
        """Whether this is enough to report a figure."""
        return self.pose > SURE_POSE and self.figure > (
            SURE_BLIND if self.unseen > UNSEEN or self.covered > COVERED else SURE
        )


class Judge:
    """Judges candidates with learned weights."""

    def __init__(self, finder: FigureFinder) -> None:
        data = json.loads(files("companion.vision").joinpath("learned.json").read_text(encoding="utf-8"))
        self._middle, self._spread, self._weights = (
            np.array(data["judge"][key]) for key in ("middle", "spread", "weights")
        )
        self._finder, self._posture = finder, Posture()

    def judge(self, found: list[Candidate], scene: Scene, cover: Cover, pictures: Pictures) -> list[Verdict]:
        """Judge the best candidate of each space."""
        size = self._finder.size
        blind = cv2.resize(scene.blind.astype(np.float32), size, interpolation=cv2.INTER_AREA)
        strange = cv2.resize(np.minimum(scene.strange, STRANGEST), size, interpolation=cv2.INTER_AREA)
        verdicts = []
        for candidate in found:
            values = _expand(self.measure(candidate, scene, cover, blind, strange))
            drive = float(((values - self._middle) / self._spread) @ self._weights[:-1] + self._weights[-1])
            lying = self._posture.lying(candidate, pictures)
            lies = lying > 0.5  # noqa: PLR2004 - likelier than not
            under, unseen = float(values[6]), float(values[7])
            verdicts.append(Verdict(candidate, _logistic(drive), max(lying, 1 - lying), lies, under, unseen))
        return verdicts

    def measure(self, candidate: Candidate, scene: Scene, cover: Cover, blind: Array, strange: Array) -> Array:
        """Measure what the model judges by."""
        pad = SIDE + 2 * REACH
        corner = (candidate.corner[0] - pad, candidate.corner[1] - pad)
        shape = self._finder.shape(candidate, scene.pose)
        part = (slice(max(0, corner[1]), max(0, corner[1] + SIDE)), slice(max(0, corner[0]), max(0, corner[0] + SIDE)))
        unseen, odd = blind[part], strange[part]
        inside = shape[max(0, -corner[1]) :, max(0, -corner[0]) :][: odd.shape[0], : odd.shape[1]] > 0.5  # noqa: PLR2004
        space = candidate.space
        known = scene.explained.get(space.name, scene.explained.get(space.slot, 0.0))
        return np.array(
            [
                candidate.score / candidate.area,
                min(candidate.score, FULL_SCORE) / 100,
                candidate.cover,
                candidate.ring,
                candidate.claimed,
                max(candidate.rival, -1.0),
                cover.share(shape, corner, PIXEL_MM),
                float(unseen.mean()) if unseen.size else 0.0,
                known,
                hypot(*candidate.foot) / WANDER_MM,
                float(candidate.is_lying),
                abs(candidate.standing - candidate.lying) / candidate.area,
                float(space.name in scene.explained),
                float(odd[inside].mean()) if inside.any() else 0.0,
                min(candidate.crowd, CROWDED),
            ]
        )


def _expand(values: Array) -> Array:
    """Add the products that matter: evidence with cover, ring with hand, ring with a neighbour's claim."""
    mean, size, cover, ring, claimed, _, core, blind, known = values[:9]
    odd, crowd = values[13:15]
    more = [mean * cover, ring**2, core * ring, size**2, claimed * ring, blind * mean]
    return np.array([*values, *more, known * mean, known * odd, odd**2 / 10, crowd * ring, crowd**2 / 10, crowd * core])


def _logistic(drive: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, drive))))
