"""The lens: focal length, middle and bend, from pictures of a chessboard or a ChArUco board."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.arrays import Array

REFINE = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 60, 1e-4)
LEAST_VIEWS = 3
LEAST_CORNERS = 8


@dataclass(frozen=True, slots=True)
class Lens:
    """What was found: for pictures of `size`, with the typical error in pixels and the pictures that were of use."""

    size: tuple[int, int]
    matrix: Array
    distortion: Array
    error: float
    views: int


class LensError(ValueError):
    """The pictures do not tell about the lens."""


def from_chessboard(pictures: list[Array], inner: tuple[int, int], square: float = 1.0) -> Lens:
    """Calibrate from pictures of a chessboard with so many inner corners (across, down)."""
    board = np.zeros((inner[0] * inner[1], 3), dtype=np.float32)
    board[:, :2] = np.mgrid[0 : inner[0], 0 : inner[1]].T.reshape(-1, 2) * square
    views = []
    for picture in pictures:
        grey = _grey(picture)
        found, corners = cv2.findChessboardCorners(
            grey, inner, flags=cv2.CALIB_CB_ADAPTIVE_THRESH + cv2.CALIB_CB_NORMALIZE_IMAGE
        )
        if found:
            reach = _reach(corners.reshape(inner[1], inner[0], 2))
            views.append((board, cv2.cornerSubPix(grey, corners, (reach, reach), (-1, -1), REFINE)))
    return _calibrate(views, _size(pictures))


def from_charuco(
    pictures: list[Array], squares: tuple[int, int], square: float, marker: float, dictionary: str
) -> Lens:
    """Calibrate from pictures of a ChArUco board of so many squares (across, down); lengths in mm."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{dictionary}"))
    board = cv2.aruco.CharucoBoard(squares, square, marker, known)
    detector = cv2.aruco.CharucoDetector(board)
    views = []
    for picture in pictures:
        corners, ids, _, _ = detector.detectBoard(_grey(picture))
        if np.size(ids) >= LEAST_CORNERS and corners is not None:
            points = np.asarray(board.getChessboardCorners())[np.ravel(ids)]
            views.append((points.astype(np.float32), np.asarray(corners, dtype=np.float32).reshape(-1, 1, 2)))
    return _calibrate(views, _size(pictures))


def _calibrate(views: list[tuple[Array, Array]], size: tuple[int, int]) -> Lens:
    if len(views) < LEAST_VIEWS:
        raise LensError(f"{len(views)} pictures show the board well enough, {LEAST_VIEWS} are needed")
    guess = np.array([[size[0], 0, size[0] / 2], [0, size[0], size[1] / 2], [0, 0, 1]], dtype=np.float64)
    error, matrix, distortion, _, _ = cv2.calibrateCamera(
        [points for points, _ in views], [corners for _, corners in views], size, guess, np.zeros(5), flags=0
    )
    return Lens(size, np.asarray(matrix), np.asarray(distortion).ravel(), float(error), len(views))


def _reach(corners: Array) -> int:
    """Say how far around a corner to refine: less than half the smallest square."""
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
