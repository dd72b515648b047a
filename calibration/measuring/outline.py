"""Find the outline of a card on the mat, whichever way it lies, and rectify its picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from calibration.measuring.measures import inside

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose

WINDOW: Final = 140.0  # mm around the middle of the place
SCALE: Final = 2.0  # pixels a millimetre of the window
CROP: Final = 4.0  # pixels a millimetre of an enrolled picture
TOLERANCE: Final = 0.13  # of a card's side: sleeves are larger than cards
FULL: Final = 0.86  # of its rectangle that a card fills
OFF: Final = 14.0  # distance in Lab from the mat, measured at its rim
OFF_EMPTY: Final = 6.0  # the same from the very place when it was empty
LINE: Final = 4.0  # lightness that a line stands out from its surroundings by: pale cards lie on pale mats
WIDE: Final = 4.0  # pixels that surroundings are
EDGE: Final = 0.12  # of the window, from its rim: what is there is mat
CLOSE: Final = 7


@dataclass(frozen=True, slots=True)
class Outline:
    """A card on the table: its corners in mm, clockwise from its own top left, and its nominal size."""

    corners: Array
    size: tuple[float, float]

    def pixels(self, pose: Pose) -> Array:
        """Return its corners in the picture."""
        return pose.project(np.c_[self.corners, np.zeros(4)])


def window(picture: Array, pose: Pose, middle: tuple[float, float], side: float = WINDOW) -> Array | None:
    """Rectify the table around a place; None where the picture does not show all of it."""
    half = side / 2
    ring = np.array([(-half, half), (half, half), (half, -half), (-half, -half)]) + middle
    return above(picture, pose, ring, (side, side), SCALE)


def above(picture: Array, pose: Pose, corners: Array, size: tuple[float, float], scale: float) -> Array | None:
    """Rectify a rectangle of the table; None where the picture does not show all of it."""
    points = pose.project(np.c_[corners, np.zeros(4)]).astype(np.float32)
    if not inside(points, (picture.shape[1], picture.shape[0])).all():
        return None
    width, height = (round(mm * scale) for mm in size)
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - 0.5
    return np.asarray(cv2.warpPerspective(picture, cv2.getPerspectiveTransform(points, flat), (width, height)))


def find_outline(
    patch: Array, empty: Array | None, middle: tuple[float, float], sizes: list[tuple[float, float]]
) -> Outline | None:
    """Return the card in a window around a place, by what differs from the mat, or from how the empty place looked.

    A pale card on a pale mat differs by its lines only; they are used where colours show no card, since they locate its
    edge a little less exactly.
    """
    for fine in (False, True):
        found = _outline(_strange(patch, empty, fine=fine), middle, sizes)
        if found is not None:
            return found
    return None


def _outline(strange: Array, middle: tuple[float, float], sizes: list[tuple[float, float]]) -> Outline | None:
    count, labels, stats, _ = cv2.connectedComponentsWithStats(strange)
    if count < 2:  # noqa: PLR2004 - nothing but the mat
        return None
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    points = np.argwhere(labels == largest)[:, ::-1].astype(np.float32)
    (x, y), (width, height), turn = cv2.minAreaRect(points)
    if width < height:
        width, height, turn = height, width, turn + 90
    measured = (width / SCALE, height / SCALE)
    size = _fitting(measured, sizes)
    if size is None or len(points) < FULL * width * height:
        return None
    half = strange.shape[0] / 2
    centre = np.array([middle[0] + (x - half) / SCALE, middle[1] - (y - half) / SCALE])
    return Outline(_corners(centre, size, np.radians((turn + 90) % 180 - 90)), size)


def _strange(patch: Array, empty: Array | None, *, fine: bool) -> Array:
    """Return the mask of something else than the mat, by colour and if `fine` by lines too; filled to its edges."""
    smooth = _lab(cv2.GaussianBlur(patch, (0, 0), 1.2))
    lines, limit = _lines(smooth) & fine, OFF_EMPTY if fine else OFF
    if empty is not None and empty.shape == patch.shape:
        under = _lab(cv2.GaussianBlur(empty, (0, 0), 1.2))
        lines &= ~cv2.dilate(_lines(under).astype(np.uint8), np.ones((CLOSE, CLOSE), np.uint8)).astype(bool)
    else:
        rim = np.ones(patch.shape[:2], dtype=bool)
        edge = round(EDGE * patch.shape[0])
        rim[edge:-edge, edge:-edge] = False
        under, limit = np.broadcast_to(np.median(smooth[rim], axis=0), smooth.shape), OFF
    strange = (np.linalg.norm(smooth - under, axis=2) > limit) | lines
    closed = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((CLOSE, CLOSE), np.uint8))
    contours, _ = cv2.findContours(closed, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return np.asarray(cv2.drawContours(np.zeros_like(closed), contours, -1, 1, cv2.FILLED))


def _lines(lab: Array) -> Array:
    """Return the mask of lightness that stands out from its surroundings."""
    light = np.ascontiguousarray(lab[..., 0])
    return np.asarray(np.abs(light - cv2.GaussianBlur(light, (0, 0), WIDE)) > LINE)


def _lab(picture: Array) -> Array:
    return np.asarray(cv2.cvtColor(picture.astype(np.float32) / 255, cv2.COLOR_BGR2LAB))


def _fitting(measured: tuple[float, float], sizes: list[tuple[float, float]]) -> tuple[float, float] | None:
    """Return the card size, the longer side first, that a measured size is."""
    for size in sizes:
        long, short = max(size), min(size)
        if abs(measured[0] - long) < TOLERANCE * long and abs(measured[1] - short) < TOLERANCE * short:
            return size
    return None


def _corners(centre: Array, size: tuple[float, float], turn: float) -> Array:
    """Return the corners of an upright card; `turn` is that of its longer side, in radians clockwise from above."""
    width, height = size
    if height > width:
        turn = turn - np.pi / 2 if turn > 0 else turn + np.pi / 2
    half = np.array(
        [(-width / 2, height / 2), (width / 2, height / 2), (width / 2, -height / 2), (-width / 2, -height / 2)]
    )
    cos, sin = np.cos(-turn), np.sin(-turn)
    return np.asarray(half @ np.array([[cos, sin], [-sin, cos]]) + centre)


def crop(picture: Array, pose: Pose, outline: Outline) -> Array | None:
    """Rectify the card's picture, upright as it lies."""
    return above(picture, pose, outline.corners, outline.size, CROP)


def turned(outline: Outline, tag: Array | None) -> Outline:
    """Return the outline with its own top left first, where a sticker (its corners in mm) says which way is up."""
    if tag is None:
        return outline
    up = (tag[0] + tag[1] - tag[2] - tag[3]) / 2
    mine = outline.corners[0] + outline.corners[1] - outline.corners[2] - outline.corners[3]
    if float(up @ mine) >= 0:
        return outline
    return Outline(np.roll(outline.corners, 2, axis=0), outline.size)
