"""Find what is neither card nor figure nor mat: hands, sleeves, whatever covers the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.vision.arrays import Array
    from companion.vision.camera.top_view import ViewFrame
    from companion.vision.profile import MatTag
    from companion.vision.scene.scene import ExplainedView

PIXEL_MM = 3.2
STRANGE, NO_MAT = 3.0, 1.3  # of cards, and of the mat, which has no edges that a step aside would shift
CORE_MM = 24.0  # wider than any figure
SPREAD_MM = 14.0
ARM_MM2 = 2500.0
STRIP_MM, STRIP = 40.0, 3.0  # no deeper, and so many times as long: along the view's edge, where light is only guessed
HIDDEN = 0.35  # of a place: what is covered by more cannot be read
KNOWN = 0.8  # of what comes in from outside: a thing that lies there, if that much of it was there for long
BORDER_MM = 20.0  # of the view: what lies in it continues outside
QUIET = 0.72  # of a mat tag's size, from its middle to beyond the edge of its quiet zone


@dataclass(frozen=True, slots=True)
class Cover:
    """A mask with one pixel per 3.2 mm: cores that are wider than a figure, and their surroundings."""

    core: Array
    near: Array
    hand: bool

    def share(self, shape: Array, corner: tuple[int, int], pixel_mm: float) -> float:
        """Return how much of a silhouette (its corner in pixels of `pixel_mm`) lies in a core."""
        rows, columns = np.nonzero(shape > 0.5)  # noqa: PLR2004 - inside
        if not len(rows):
            return 0.0
        u = ((columns + corner[0]) * pixel_mm / PIXEL_MM).astype(int)
        v = ((rows + corner[1]) * pixel_mm / PIXEL_MM).astype(int)
        inside = (u >= 0) & (v >= 0) & (u < self.core.shape[1]) & (v < self.core.shape[0])
        return float(self.core[v[inside], u[inside]].sum() / len(rows))

    def around(self, x: float, y: float, half_x: float, half_y: float, frame: ViewFrame) -> float:
        """Return how much of a rectangle of the mat (mm) is covered."""
        left, right = ((x + dx - frame.left) / PIXEL_MM for dx in (-half_x, half_x))
        top, low = ((frame.far - y - dy) / PIXEL_MM for dy in (half_y, -half_y))
        part = self.near[max(0, round(top)) : round(low), max(0, round(left)) : round(right)]
        return float(part.mean()) if part.size else 0.0

    def reaches(self, middle: tuple[float, float], size: tuple[float, float], frame: ViewFrame) -> bool:
        """Return whether a place (mm) is covered; beyond the view, whether the cover leaves the view towards it."""
        half_x, half_y = size[0] / 2, size[1] / 2
        right, near = frame.left + frame.width / frame.scale, frame.far - frame.height / frame.scale
        x = min(max(middle[0], frame.left - half_x + BORDER_MM), right + half_x - BORDER_MM)
        y = min(max(middle[1], near - half_y + BORDER_MM), frame.far + half_y - BORDER_MM)
        return self.around(x, y, half_x, half_y, frame) > HIDDEN


def find_cover(
    scene: ExplainedView,
    frame: ViewFrame,
    marks: Iterable[MatTag] = (),
    within: Array | None = None,
    things: Array | None = None,
) -> Cover:
    """Find the cover in a scene; `marks` are the mat's own tags, which look strange on a mat and may be in glare.

    What lies where `things` have lain for long covers the table, and is no hand. In a part of the table only what is
    `within` its slots counts, since nothing is known of its neighbours; what is large there may be a hand, which only a
    whole look can tell.
    """
    size = (round(frame.width / frame.scale / PIXEL_MM), round(frame.height / frame.scale / PIXEL_MM))
    bare = (scene.expected.owner == 0) & scene.mat_known
    foreign = ((scene.strange > STRANGE) | (bare & (scene.strange > NO_MAT)) | scene.blind).astype(np.uint8) * 255
    for mark in marks:
        foreign[_under(mark, frame)] = 0
    if within is not None:
        foreign[~within] = 0
    small = (cv2.resize(foreign, size, interpolation=cv2.INTER_AREA) > 127).astype(np.uint8)  # noqa: PLR2004 - half
    closed = cv2.morphologyEx(small, cv2.MORPH_CLOSE, _disc(6.0))
    core = cv2.morphologyEx(closed, cv2.MORPH_OPEN, _disc(CORE_MM))
    near = cv2.bitwise_and(cv2.dilate(core, _disc(SPREAD_MM)), cv2.dilate(closed, _disc(6.0)))
    hand = _reaches_in(np.asarray(core), things, anywhere=within is not None)
    return Cover(np.asarray(core > 0), np.asarray(near > 0), hand)


def _under(mark: MatTag, frame: ViewFrame) -> tuple[slice, slice]:
    """Return the mask of the mat's tags with their quiet zones."""
    reach, (x, y) = mark.size * QUIET, mark.centre
    (left, top), (right, low) = frame.pixels(np.array([[x - reach, y + reach], [x + reach, y - reach]]))
    rows = slice(max(0, round(float(top))), max(0, round(float(low))))
    return rows, slice(max(0, round(float(left))), max(0, round(float(right))))


def _disc(size_mm: float) -> Array:
    side = max(1, round(size_mm / PIXEL_MM)) | 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))


def _reaches_in(core: Array, things: Array | None, *, anywhere: bool) -> bool:
    """Return whether something large that is no known thing comes in from outside the view, or is `anywhere` in it."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(core.astype(np.uint8))
    for index in range(1, count):
        x, y, width, height, area = stats[index]
        across = width if x == 0 or x + width == labels.shape[1] else 0
        down = height if y == 0 or y + height == labels.shape[0] else 0
        enters = across + down > 0 and not _is_strip(across, height) and not _is_strip(down, width)
        if (enters or anywhere) and area * PIXEL_MM**2 > ARM_MM2:
            if things is not None and float(things[labels == index].mean()) > KNOWN:
                continue
            return True
    return False


def _is_strip(depth: int, length: int) -> bool:
    """Return whether it lies along an edge of the view, and comes in no further: no arm."""
    return 0 < depth * PIXEL_MM <= STRIP_MM and length > STRIP * depth
