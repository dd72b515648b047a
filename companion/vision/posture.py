"""Tells standing from lying where silhouettes leave it open: evidence and shading in the direction of the lean."""

import json
from dataclasses import dataclass
from importlib.resources import files
from math import exp, hypot

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.evidence import unpack
from companion.vision.figures import LYING_LEAD, Candidate, FigureFinder
from companion.vision.pose import Pose
from companion.vision.view import Frame

SPAN_MM, FINE, COARSE = 40.0, 32, 8
OPEN_FROM, OPEN_TO = -0.45, 0.8  # leads of lying over standing that leave it open
SLOPE = 15.0
HALF_WAY_MM = 12.0  # up the figure: what stays in the middle of the crop


@dataclass(frozen=True, slots=True)
class Pictures:
    """What a posture is judged by: packed odds and linear light of one view."""

    odds: Array
    seen: Array
    frame: Frame
    pose: Pose


class Posture:
    """A small learned model; mirrored pictures count as much."""

    def __init__(self) -> None:
        data = json.loads(files("companion.vision").joinpath("learned.json").read_text(encoding="utf-8"))
        self._middle, self._spread, self._weights = (
            np.array(data["posture"][key]) for key in ("middle", "spread", "weights")
        )

    def lying(self, candidate: Candidate, pictures: Pictures) -> float:
        """Say how likely a figure lies."""
        lead = (candidate.lying - candidate.standing) / max(candidate.area, 1.0)
        if not OPEN_FROM < lead < OPEN_TO:
            return _logistic(SLOPE * (lead - LYING_LEAD))
        rows = np.stack(describe(candidate, pictures))
        drives = ((rows - self._middle) / self._spread) @ self._weights[:-1] + self._weights[-1]
        return _logistic(float(drives.mean()))


def describe(candidate: Candidate, pictures: Pictures) -> tuple[Array, Array]:
    """Describe a candidate for the model, as it is and mirrored across its lean."""
    lean = FigureFinder.lean(candidate.space, pictures.pose)
    length = hypot(*lean)
    lead = (candidate.lying - candidate.standing) / max(candidate.area, 1.0)
    first = np.array([lead * 4, length * 2, lead * length * 8, np.clip(lead, -0.3, 0.3) * 6])
    evidence, light = _crops(candidate, pictures, lean)
    mask = np.clip((evidence + 1) / 3, 0, 1)
    shade = np.log(light.max(axis=2) + 0.02)
    inside = mask > 0.6  # noqa: PLR2004 - surely figure
    shade = np.clip(shade - (np.median(shade[inside]) if inside.any() else 0.0), -1, 1) * mask
    small = [_shrink(np.clip(evidence, -3, 3)) / 6, _shrink(shade)]
    plain = np.concatenate([first, *(part.ravel() for part in small)])
    mirrored = np.concatenate([first, *(part[:, ::-1].ravel() for part in small)])
    return plain, mirrored


def _crops(candidate: Candidate, pictures: Pictures, lean: tuple[float, float]) -> tuple[Array, Array]:
    """Cut evidence and light around a candidate, turned so that it leans upwards."""
    frame, space = pictures.frame, candidate.space
    middle = np.array([space.x, space.y]) + candidate.foot + np.array(lean) * HALF_WAY_MM
    centre = frame.pixels(middle)
    reach = round(SPAN_MM * frame.scale)
    left, top = (int(max(0, v - reach)) for v in centre)
    part = (slice(top, int(centre[1]) + reach), slice(left, int(centre[0]) + reach))
    length = max(hypot(*lean), 1e-6)
    up = np.array([lean[0], -lean[1]]) / length * (SPAN_MM / FINE * frame.scale)
    right = np.array([-up[1], up[0]])
    bend = np.array([[right[0], -up[0], 0.0], [right[1], -up[1], 0.0]])
    bend[:, 2] = centre - (left, top) - bend[:, :2] @ np.full(2, (FINE - 1) / 2)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    layer = np.ascontiguousarray(pictures.odds[part][..., candidate.player])
    odds = cv2.warpAffine(layer, bend, (FINE, FINE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    seen = np.ascontiguousarray(pictures.seen[part])
    light = cv2.warpAffine(seen, bend, (FINE, FINE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return unpack(np.asarray(odds)), np.asarray(light)


def _shrink(values: Array) -> Array:
    return np.asarray(cv2.resize(values.astype(np.float32), (COARSE, COARSE), interpolation=cv2.INTER_AREA))


def _logistic(drive: float) -> float:
    return 1 / (1 + exp(-max(-30.0, min(30.0, drive))))
