"""Measure a picture before anything is known of it: sharpness, light, tilt, scale, the table's pose; and the lens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import acos, degrees
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.vision.arrays import Array, median
from companion.vision.camera.pose import Pose, find_pose, fit_camera
from companion.vision.cards.tags import Tag, TagFinder
from companion.vision.profile import CameraModel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.vision.profile import Profile


REFINE = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 60, 1e-4)
LEAST_VIEWS = 3
LEAST_CORNERS = 8
ODD = 3.0  # times the middle error of a view: it moved, or the board was bent


@dataclass(frozen=True, slots=True)
class Lens:
    """A calibrated lens: for pictures of `size`, with the typical error in pixels and the pictures that were used."""

    size: tuple[int, int]
    matrix: Array
    distortion: Array
    error: float
    views: int


class LensError(ValueError):
    """The pictures do not determine the lens."""


@dataclass(frozen=True, slots=True)
class BoardView:
    """One picture of a board: points of the board (n, 3), and the pixels (n, 2) where they were seen."""

    points: Array
    pixels: Array


def see_chessboard(picture: Array, inner: tuple[int, int], square: float = 1.0) -> BoardView | None:
    """Find a chessboard with this many inner corners (across, down)."""
    grey = _grey(picture)
    flags = cv2.CALIB_CB_ADAPTIVE_THRESH + cv2.CALIB_CB_NORMALIZE_IMAGE + cv2.CALIB_CB_FAST_CHECK
    found, corners = cv2.findChessboardCorners(grey, inner, flags=flags)
    if not found:
        return None
    board = np.zeros((inner[0] * inner[1], 3), dtype=np.float32)
    board[:, :2] = np.mgrid[0 : inner[0], 0 : inner[1]].T.reshape(-1, 2) * square
    reach = _reach(corners.reshape(inner[1], inner[0], 2))
    fine = cv2.cornerSubPix(grey, corners, (reach, reach), (-1, -1), REFINE)
    return BoardView(board, np.asarray(fine, dtype=np.float32).reshape(-1, 2))


def see_charuco(
    picture: Array, squares: tuple[int, int], square: float, marker: float, dictionary: str
) -> BoardView | None:
    """Find a ChArUco board of this many squares (across, down), whole or in part; lengths in mm."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{dictionary}"))
    board = cv2.aruco.CharucoBoard(squares, square, marker, known)
    corners, ids, _, _ = cv2.aruco.CharucoDetector(board).detectBoard(_grey(picture))
    if np.size(ids) < LEAST_CORNERS:
        return None
    points = np.asarray(board.getChessboardCorners())[np.ravel(ids)]
    if np.linalg.matrix_rank(points - points.mean(axis=0)) < 2:  # noqa: PLR2004 - a single row of corners
        return None
    return BoardView(points.astype(np.float32), np.asarray(corners, dtype=np.float32).reshape(-1, 2))


def from_chessboard(pictures: list[Array], inner: tuple[int, int], square: float = 1.0) -> Lens:
    """Calibrate from pictures of a chessboard with this many inner corners (across, down)."""
    views = [see_chessboard(picture, inner, square) for picture in pictures]
    return calibrate([view for view in views if view is not None], _size(pictures))


def calibrate(views: list[BoardView], size: tuple[int, int], flags: int = 0) -> Lens:
    """Calibrate from views of boards in pictures of one size; leave out views that fit far worse than the rest.

    `flags` are OpenCV's, for views that do not determine every parameter.
    """
    lens, errors = _fit(views, size, flags)
    good = [view for view, error in zip(views, errors, strict=True) if error <= ODD * float(median(np.array(errors)))]
    return lens if len(good) in (len(views), *range(LEAST_VIEWS)) else _fit(good, size, flags)[0]


def _fit(views: list[BoardView], size: tuple[int, int], flags: int) -> tuple[Lens, Array]:
    if not views or (len(views) < LEAST_VIEWS and not flags):
        raise LensError(f"{len(views)} pictures show the board well enough, {LEAST_VIEWS} are needed")
    guess = np.array([[size[0], 0, size[0] / 2], [0, size[0], size[1] / 2], [0, 0, 1]], dtype=np.float64)
    error, matrix, distortion, _, _, _, _, errors = cv2.calibrateCameraExtended(
        [view.points for view in views],
        [view.pixels.reshape(-1, 1, 2) for view in views],
        size,
        guess,
        np.zeros(5),
        flags=flags | cv2.CALIB_USE_INTRINSIC_GUESS,
    )
    return Lens(size, np.asarray(matrix), np.asarray(distortion).ravel(), float(error), len(views)), np.ravel(errors)


def _reach(corners: Array) -> int:
    """Return the search window of the corner refinement in pixels: less than half the smallest square."""
    steps = (
        np.linalg.norm(np.diff(corners, axis=1), axis=2).min(),
        np.linalg.norm(np.diff(corners, axis=0), axis=2).min(),
    )
    return int(np.clip(min(steps) / 2 - 1, 2, 11))


def _grey(picture: Array) -> Array:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)) if picture.ndim == 3 else picture  # noqa: PLR2004


def _size(pictures: list[Array]) -> tuple[int, int]:
    if not pictures:
        raise LensError("no picture given")
    if len({picture.shape[:2] for picture in pictures}) > 1:
        raise LensError("the pictures differ in size")
    return pictures[0].shape[1], pictures[0].shape[0]


BELL: Final = 2.5066  # the square root of two pi: an edge's steepest slope tells how wide it is
MARGIN: Final = 0.35  # of a tag's side, looked at around it
GUESS: Final = 0.88  # of the width: the focal length of a profile that names none
LEAST_MARKS: Final = 5
OTHER_PX, OTHER_TIMES, FITS_PX = 4.0, 4.0, 2.0  # errors of the mat under the profile's lens, and a free one
GUESSING: Final = (
    cv2.CALIB_FIX_PRINCIPAL_POINT
    | cv2.CALIB_FIX_ASPECT_RATIO
    | cv2.CALIB_ZERO_TANGENT_DIST
    | cv2.CALIB_FIX_K2
    | cv2.CALIB_FIX_K3
)
BLOWN: Final = 251
FLAT: Final = 24  # grey levels: a patch with less contrast has no measurable edges


@dataclass(frozen=True, slots=True)
class Located:
    """The tags of a picture, and the camera's pose (None when the table was not found)."""

    tags: tuple[Tag, ...]
    pose: Pose | None
    size: tuple[int, int]
    guessed: bool = False
    """Whether the lens is only estimated from this picture."""
    other_lens: float | None = None
    """The focal length in pixels of this picture, where it was not taken with the profile's lens."""

    def seen(self, numbers: Iterable[int]) -> list[Tag]:
        wanted = set(numbers)
        return [tag for tag in self.tags if tag.id in wanted]


class Locator:
    def __init__(self, profile: Profile, more: Iterable[int] = ()) -> None:
        """`more` are tags beside those of the mat and the cards."""
        self.profile = profile
        ids = {tag.id for tag in profile.mat_tags} | set(profile.card_of_tag()) | set(more)
        self.finder = TagFinder(profile.dictionary, tuple(ids))

    def locate(self, picture: Array) -> Located:
        """Find tags and pose; thoroughly where a quick search finds few tags."""
        grey, size = grey_of(picture), (picture.shape[1], picture.shape[0])
        mat = {tag.id for tag in self.profile.mat_tags}
        tags = self.finder.find(grey)
        if sum(tag.id in mat for tag in tags) < len(mat):
            tags = self.finder.find(grey, thorough=True) or tags
        other = other_lens(tags, self.profile, size)
        camera = other or guessed_camera(tags, self.profile, size)
        profile = self.profile if camera is None else replace(self.profile, camera=camera)
        focal = None if other is None else other.matrix[0][0]
        return Located(tuple(tags), find_pose(tags, profile, size), size, camera is not None, focal)


def other_lens(tags: Iterable[Tag], profile: Profile, size: tuple[int, int]) -> CameraModel | None:
    """Return the lens that the mat shows where the profile's own lens cannot have taken the picture, else None."""
    known, other_shape = fit_camera(profile.camera, size)
    view = mat_view(tags, profile)
    if profile.camera.distortion is None or view is None:
        return None
    free = calibrate([view], size, GUESSING)
    limit = max(OTHER_PX * max(1.0, size[0] / 1600), OTHER_TIMES * free.error)
    if not other_shape and view_error(view, np.array(known.matrix), np.array(known.distortion)) <= limit:
        return None
    return camera_model(free) if other_shape or free.error < FITS_PX * max(1.0, size[0] / 1600) else None


def view_error(view: BoardView, matrix: Array, distortion: Array) -> float:
    """Return the typical distance in pixels of a view's points from where a lens would show them, at best."""
    found, turn, shift = cv2.solvePnP(view.points, view.pixels, matrix, distortion)
    if not found:
        return float("inf")
    there = cv2.projectPoints(view.points, turn, shift, matrix, distortion)[0].reshape(-1, 2)
    return float(np.sqrt(((there - view.pixels) ** 2).sum(axis=1).mean()))


def guessed_camera(tags: list[Tag], profile: Profile, size: tuple[int, int]) -> CameraModel | None:
    """Estimate the lens from one picture of the mat; None where the profile knows better, or it cannot be told."""
    known = profile.camera
    _, other_shape = fit_camera(known, size)
    if not other_shape and (known.distortion is not None or known.matrix[0][0] != GUESS * known.size[0]):
        return None
    view = mat_view(tags, profile)
    if view is None:
        return None
    return camera_model(calibrate([view], size, GUESSING))


def camera_model(lens: Lens) -> CameraModel:
    rows = tuple((float(a), float(b), float(c)) for a, b, c in lens.matrix)
    return CameraModel(lens.size, rows, tuple(float(value) for value in lens.distortion))


def mat_view(tags: Iterable[Tag], profile: Profile) -> BoardView | None:
    """Return the mat as a board: the middles of its tags; None where too few are seen."""
    seen = {tag.id: tag for tag in tags}
    there = [mark for mark in profile.mat_tags if mark.id in seen]
    if len(there) < LEAST_MARKS:
        return None
    points = np.array([[*mark.centre, 0.0] for mark in there], dtype=np.float32)
    return BoardView(points, np.array([seen[mark.id].centre for mark in there], dtype=np.float32))


def grey_of(picture: Array) -> Array:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)) if picture.ndim > 2 else picture  # noqa: PLR2004


def patches(picture: Array, tags: Iterable[Tag]) -> list[Array]:
    """Return the surroundings of some tags, in grey."""
    grey, found = grey_of(picture), []
    for tag in tags:
        low, high = tag.corners.min(axis=0), tag.corners.max(axis=0)
        reach = (high - low).max() * MARGIN
        left, top = np.maximum(np.floor(low - reach).astype(int), 0)
        right, bottom = np.ceil(high + reach).astype(int)
        found.append(grey[top:bottom, left:right])
    return [patch for patch in found if patch.size]


def blur_of(parts: Iterable[Array]) -> float | None:
    """Return the width of edges in pixels (about 0.6 where all is sharp); None where there are no edges."""
    widths = []
    for part in parts:
        smooth = part.astype(np.float32)
        steps = np.hypot(cv2.Sobel(smooth, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(smooth, cv2.CV_32F, 0, 1) / 8)
        contrast = float(np.percentile(smooth, 95) - np.percentile(smooth, 5))
        if contrast > FLAT:
            widths.append(contrast / (BELL * max(float(np.percentile(steps, 98)), 1e-3)))
    return float(np.median(widths)) if widths else None


def white_of(parts: Iterable[Array]) -> float | None:
    """Return how bright white paper is, 0 to 255."""
    levels = [float(np.percentile(part, 90)) for part in parts]
    return float(np.median(levels)) if levels else None


def dazzled_share(picture: Array) -> float:
    """Return the share of a picture that is blown out."""
    return float((picture.min(axis=2) >= BLOWN).mean()) if picture.size else 0.0


def tilt_of(pose: Pose) -> float:
    """Return the angle between the camera's view and straight down, in degrees."""
    return degrees(acos(float(np.clip(-pose.rotation[2, 2], -1, 1))))


def scale_at(pose: Pose, x: float, y: float, reach: float = 20.0) -> float:
    """Return the pixels per mm at a place of the table, in the direction where there are fewer."""
    points = pose.project(np.array([[x - reach, y, 0], [x + reach, y, 0], [x, y - reach, 0], [x, y + reach, 0]]))
    across, along = np.linalg.norm(points[1] - points[0]), np.linalg.norm(points[3] - points[2])
    return float(min(across, along) / (2 * reach))


def inside(points: Array, size: tuple[int, int], margin: float = 0.0) -> Array:
    """Return which points lie in a picture."""
    limit = np.array(size) - 1 - margin
    return np.asarray(((points >= margin) & (points <= limit)).all(axis=-1))
