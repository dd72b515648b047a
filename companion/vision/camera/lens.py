"""Calibrate the lens (focal length, centre, distortion) from pictures of a chessboard or a ChArUco board."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.arrays import Array, median

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
