"""Measure the owner's own figures on the sheet of colours: how tall they are, and how wide their base is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import cv2
import numpy as np

from calibration.measuring.outline import SCALE
from companion.vision.figures.figure_finder import STANCES, Silhouettes

if TYPE_CHECKING:
    from companion.vision.arrays import Array

SEARCHED: Final = 8.0  # mm around the middle of a circle or box, where a figure is looked for
NEAR_FOOT: Final = 0.35  # of a base: how far from its middle the base is measured
LEAST: Final = 3  # figures standing, and lying
ALIKE: Final = 0.15  # share that two figures' sizes may differ by
NOTABLE: Final = 0.15  # share of the present size: less is no other size, since limbs and shadows blur what is seen
BETTER: Final = 0.02  # of the overlap with the silhouettes that were seen
CLOSE: Final = np.ones((5, 5), dtype=np.uint8)


class FigureSize(NamedTuple):
    """The height and the diameter of the base, in mm."""

    height: float
    base: float


@dataclass(frozen=True, slots=True)
class SeenFigure:
    """What hides the paper around a place (a mask from straight above, its middle the place), and the camera's lean.

    `lean` is how far a point one mm up is displaced away from the camera, in mm to the right and away.
    """

    mask: Array
    lean: tuple[float, float]
    lying: bool


def figure_at(mask: Array) -> Array | None:
    """Return the part of a mask that lies in its middle, without what belongs to its neighbours."""
    closed = cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_CLOSE, CLOSE)
    count, parts = cv2.connectedComponents(closed)
    half, reach = mask.shape[0] // 2, round(SEARCHED * SCALE)
    near = parts[half - reach : half + reach, half - reach : half + reach]
    areas = np.bincount(near.ravel(), minlength=count)[1:]
    return parts == 1 + int(areas.argmax()) if areas.any() else None


def measure_size(seen: list[SeenFigure]) -> FigureSize | None:
    """Return the size that most of the figures have; None where too few are seen, or they differ."""
    bases = [_width(one) for one in seen if not one.lying]
    base = _common(bases)
    if base is None:
        return None
    height = _common([_length(one, base) for one in seen if one.lying])
    return None if height is None else FigureSize(round(height, 1), round(base, 1))


def is_better(size: FigureSize, present: FigureSize, seen: list[SeenFigure]) -> bool:
    """Return whether silhouettes of a size fit what was seen clearly better than those of the present one."""
    if all(abs(new / old - 1) < NOTABLE for new, old in zip(size, present, strict=True)):
        return False
    return _overlap(size, seen) > _overlap(present, seen) + BETTER


def _common(values: list[float]) -> float | None:
    middle = float(np.median(values)) if values else 0.0
    good = [value for value in values if abs(value - middle) < ALIKE * middle]
    return float(np.mean(good)) if len(good) >= LEAST else None


def _points(one: SeenFigure) -> Array:
    """Return the mm of the masked pixels: right, and away."""
    half = one.mask.shape[0] / 2
    rows, columns = np.nonzero(one.mask)
    return np.stack([(columns + 0.5 - half) / SCALE, (half - rows - 0.5) / SCALE], axis=1)


def _width(one: SeenFigure) -> float:
    """Measure the base of a standing figure: across the line of sight, at its foot."""
    points, slope = _points(one), float(np.hypot(*one.lean))
    away = np.array(one.lean) / max(slope, 1e-6) if slope > 0.05 else np.array([0.0, 1.0])  # noqa: PLR2004 - straight down
    along, across = points @ away, points @ np.array([away[1], -away[0]])
    whole = float(np.percentile(across, 99) - np.percentile(across, 1))
    foot = float(np.percentile(along, 1)) + whole / 2
    here = across[np.abs(along - foot) < NEAR_FOOT * whole]
    return float(np.percentile(here, 99) - np.percentile(here, 1)) + 1 / SCALE if len(here) else whole


def _length(one: SeenFigure, base: float) -> float:
    """Measure a lying figure from its base to its head; the upper rim of the base leans out towards one side."""
    (_, _), sides, _ = rectangle = cv2.minAreaRect(_points(one).astype(np.float32))
    corners = cv2.boxPoints(rectangle)
    edges = np.array([corners[1] - corners[0], corners[2] - corners[1]])
    longest = edges[int(np.linalg.norm(edges, axis=1).argmax())]
    lean = abs(float(longest @ np.array(one.lean))) / max(float(np.linalg.norm(longest)), 1e-6)
    return max(sides) + 1 / SCALE - lean * base / 2


def _overlap(size: FigureSize, seen: list[SeenFigure]) -> float:
    """Return how well silhouettes of a size cover the masks, each in its best stance and place (0 to 1)."""
    side = seen[0].mask.shape[0] // 2
    drawn = Silhouettes(size.height, size.base, 2 / SCALE, side)
    shares = []
    for one in seen:
        mask = cv2.resize(one.mask.astype(np.uint8), (side, side), interpolation=cv2.INTER_AREA) > 0
        templates = drawn.templates(one.lean)
        chosen = [i for i, stance in enumerate(STANCES) if stance.lying == one.lying]
        shares.append(max(_shared(templates[i].reshape(side, side) > 0.5, mask) for i in chosen))  # noqa: PLR2004 - inside
    return float(np.mean(shares))


def _shared(shape: Array, mask: Array) -> float:
    """Return the intersection of two masks over their union, laid on each other by their middles."""
    moved = np.argwhere(mask).mean(axis=0) - np.argwhere(shape).mean(axis=0)
    laid = np.roll(shape, np.rint(moved).astype(int), axis=(0, 1))
    return float((laid & mask).sum() / max((laid | mask).sum(), 1))
