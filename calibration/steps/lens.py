"""Lens: focal length, centre and distortion, from a board held before the camera; without one a guess from the mat."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

import cv2
import numpy as np

from calibration.measuring.measures import (
    GUESSING,
    LEAST_VIEWS,
    BoardView,
    Lens,
    LensError,
    Locator,
    calibrate,
    mat_view,
    see_charuco,
    see_chessboard,
    view_error,
)
from calibration.measuring.papers import BOARD, CHESSBOARDS, LensBoard
from calibration.steps.step import GREEN, CalibrationStep, Mark, Note, StepError, StepPace, fault, fine, hint

if TYPE_CHECKING:
    from companion.pieces.sheets.printed_profile import LensJson, ProfileJson
    from companion.vision.arrays import Array

WANTED: Final = 10
DIFFERENT: Final = 0.02  # of the picture's width: how far corners have moved in another view
GRID: Final = 3
COVERED: Final = 7  # of the nine fields of the picture
ONE_WAY: Final = 0.12  # radians: boards that all lie the same way constrain the lens little
QUICK: Final = 640
NOTABLE: Final = 1.0  # pixels
BETTER, MUCH_BETTER = 0.9, 0.5  # of the present lens' error: a board's lens, and a guess from a few tags, to be taken


@dataclass
class LensStep(CalibrationStep):
    """Gathers views of a board, or of the mat where no board is shown."""

    board: LensBoard = BOARD
    chessboard: tuple[int, int] | None = None
    """The inner corners of a chessboard, once one was seen."""
    any_chessboard: bool = False
    """Whether other boards than ours are looked for too, which takes long where there is none."""
    name: ClassVar[str] = "lens"
    pace: ClassVar[StepPace] = StepPace.NEW
    _views: dict[tuple[int, int], list[BoardView]] = field(default_factory=dict)
    _mats: dict[tuple[int, int], list[BoardView]] = field(default_factory=dict)

    def _see(self, picture: Array, label: str) -> list[Note]:
        del label
        size = (picture.shape[1], picture.shape[0])
        view = self._board(picture)
        if view is None:
            return self._without(picture, size)
        views = self._views.setdefault(size, [])
        self.marks = [Mark(cv2.convexHull(view.pixels).reshape(-1, 2), GREEN, str(len(view.pixels)))]
        if any(_alike(view, other, size[0]) for other in views):
            return [hint("same_view", views=len(views))]
        views.append(view)
        return [fine("board_seen", corners=len(view.pixels), views=len(views)), *self._refused()]

    def _refused(self) -> list[Note]:
        """Return why the lens that the pictures give so far would not be taken, if it is for being no better."""
        try:
            self.lens()
        except StepError as error:
            return [note for note in error.notes if note.code == "lens_no_better"]
        return []

    def _board(self, picture: Array) -> BoardView | None:
        board = self.board
        found = see_charuco(picture, board.squares, board.square, board.marker, board.dictionary)
        if found is not None:
            return found
        sizes = CHESSBOARDS if self.any_chessboard else ()
        for inner in [self.chessboard] if self.chessboard else sizes:
            found = see_chessboard(picture, inner) if may_show(picture, inner) else None
            if found is not None:
                self.chessboard = inner
                return found
        return None

    def _without(self, picture: Array, size: tuple[int, int]) -> list[Note]:
        """Without a board take the mat's own tags, which allow a guess."""
        profile = self.file.profile()
        located = Locator(profile).locate(picture)
        view = mat_view(located.tags, profile)
        if located.pose is None or view is None:
            return [fault("no_board", squares="x".join(map(str, self.board.squares)))]
        self._mats.setdefault(size, []).append(view)
        return [hint("mat_instead", tags=len(view.points))]

    @property
    def _gathered(self) -> tuple[tuple[int, int], list[BoardView]]:
        """The size that most pictures have, with its views."""
        return max(self._views.items(), key=lambda item: len(item[1]), default=((0, 0), []))

    @property
    def _by_board(self) -> bool:
        return len(self._gathered[1]) >= LEAST_VIEWS

    @property
    def progress(self) -> tuple[int, int]:
        """Views, of as many as are needed."""
        return (min(len(self._gathered[1]), WANTED), WANTED)

    def lens(self) -> tuple[Lens, list[Note]]:
        """Return the lens as far as it is known, with notes on how good that is."""
        size, views = self._gathered
        if not self._by_board and self._mats:
            return self._guess()
        if not self._by_board:
            raise StepError(fault("few_views", views=len(views), least=LEAST_VIEWS))
        try:
            lens = calibrate(views, size)
        except (LensError, cv2.error) as error:
            raise StepError(fault("lens_failed")) from error
        self._judge(views, size, error_elsewhere(views, lens), BETTER)
        return lens, [*self._others(size), *_quality(lens, views)]

    def _guess(self) -> tuple[Lens, list[Note]]:
        size, views = max(self._mats.items(), key=lambda item: len(item[1]))
        known = self.file.raw().get("camera", {})
        if known.get("lens", {}).get("by") == "board" and known.get("size") == list(size):
            raise StepError(fault("lens_known"))
        lens = calibrate(views, size, GUESSING)
        self._judge(views, size, typical_error(views, lens.matrix, lens.distortion), MUCH_BETTER)
        return lens, [hint("lens_guessed", focal=round(float(lens.matrix[0, 0])), views=len(views))]

    def _judge(self, views: list[BoardView], size: tuple[int, int], error: float, better: float) -> None:
        """Raise StepError unless a new lens explains the views clearly better than the profile's own."""
        known = self.file.raw().get("camera", {})
        if known.get("size") != list(size) or not known.get("matrix") or known.get("distortion") is None:
            return
        lens = self.file.profile().camera
        present = typical_error(views, np.array(lens.matrix), np.array(lens.distortion))
        if error >= better * present:
            raise StepError(hint("lens_no_better", present=round(present, 2), found=round(error, 2)))

    def _others(self, size: tuple[int, int]) -> list[Note]:
        odd = sum(len(views) for other, views in self._views.items() if other != size)
        return [hint("other_sizes", count=odd, width=size[0], height=size[1])] if odd else []

    def patch(self) -> ProfileJson:
        lens, self.notes = self.lens()
        matrix = [[round(float(value), 3) for value in row] for row in lens.matrix]
        distortion = [round(float(value), 5) for value in lens.distortion[:5]]
        how: LensJson = {
            "by": "board" if self._by_board else "mat",
            "views": lens.views,
            "error": round(lens.error, 3),
        }
        return {"camera": {"size": list(lens.size), "matrix": matrix, "distortion": distortion, "lens": how}}

    def keep(self) -> list[Note]:
        """Write it down, and return notes on how good it is."""
        super().keep()
        return self.notes


def typical_error(views: list[BoardView], matrix: Array, distortion: Array) -> float:
    """Return how many pixels the views' points are typically off under a lens."""
    return float(np.sqrt(np.mean([view_error(view, matrix, distortion) ** 2 for view in views])))


def error_elsewhere(views: list[BoardView], lens: Lens) -> float:
    """Return the error of a lens in pictures it was not measured with: half of them judge the other half's."""
    halves = views[::2], views[1::2]
    if min(map(len, halves)) < LEAST_VIEWS:
        return typical_error(views, lens.matrix, lens.distortion)
    try:
        halved = [calibrate(half, lens.size) for half in halves]
    except (LensError, cv2.error):
        return typical_error(views, lens.matrix, lens.distortion)
    errors = [typical_error(v, one.matrix, one.distortion) for v, one in zip(halves[::-1], halved, strict=True)]
    return float(np.sqrt(np.mean(np.square(errors))))


def may_show(picture: Array, inner: tuple[int, int]) -> bool:
    """Return whether a small copy shows a board: searching a large one without a chessboard takes seconds."""
    factor = min(1.0, QUICK / picture.shape[1])
    small = cv2.resize(picture, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    return bool(
        cv2.findChessboardCorners(small, inner, flags=cv2.CALIB_CB_FAST_CHECK | cv2.CALIB_CB_ADAPTIVE_THRESH)[0]
    )


def _alike(view: BoardView, other: BoardView, width: int) -> bool:
    """Return whether two views show the board at the same place."""
    first = {tuple(point): pixel for point, pixel in zip(view.points.tolist(), view.pixels, strict=True)}
    second = zip(other.points.tolist(), other.pixels, strict=True)
    pairs = [(first[tuple(point)], pixel) for point, pixel in second if tuple(point) in first]
    if not pairs:
        return False
    moved = np.linalg.norm(np.array([a - b for a, b in pairs]), axis=1)
    return bool(moved.max() < DIFFERENT * width)


def _quality(lens: Lens, views: list[BoardView]) -> list[Note]:
    """Return notes on what would improve the lens."""
    notes = [fine("lens_found", focal=round(float(lens.matrix[0, 0]), 1), error=round(lens.error, 2), views=lens.views)]
    if lens.error > NOTABLE:
        notes.append(hint("lens_rough", error=round(lens.error, 2)))
    fields = np.concatenate([view.pixels / lens.size * GRID for view in views]).astype(int).clip(0, GRID - 1)
    if len({tuple(cell) for cell in fields.tolist()}) < COVERED:
        notes.append(hint("lens_uneven"))
    turns = [cv2.solvePnP(v.points, v.pixels, lens.matrix, lens.distortion)[1].ravel() for v in views]
    if len(views) < WANTED:
        notes.append(hint("more_views", views=len(views), wanted=WANTED))
    if float(np.std(turns, axis=0)[:2].max()) < ONE_WAY:
        notes.append(hint("lens_one_way"))
    return notes
