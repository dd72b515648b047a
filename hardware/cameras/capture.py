"""Frames as every camera gives them, and cameras that are none: recorded video, and a folder of stills."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.table.ports import DeviceError, Hint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from companion.vision.arrays import Array


class UnexpectedError(DeviceError):
    """A fault of a camera that may as well be a bug of ours: its cause is logged with its trace."""


SMALL_WIDTH: Final = 640


@dataclass(slots=True)
class StillPicture:
    """One frame: fills the port `Frame`."""

    image: Array | None
    at: float


@contextmanager
def lend(image: Array, at: float) -> Iterator[StillPicture]:
    """Lend a picture. Its memory may be the camera's, so it is empty once it was given back."""
    picture = StillPicture(image, at)
    del image
    try:
        yield picture
    finally:
        picture.image = None


def other_size(given: tuple[int, int], wanted: tuple[int, int]) -> str:
    """Return what to do about a camera that gives another size than it was asked for; empty where it does not."""
    if given == wanted:
        return ""
    text = "The camera gives {given} in place of {wanted}: choose that size, or another."
    return Hint("camera_other_size", text, given=f"{given[0]}x{given[1]}", wanted=f"{wanted[0]}x{wanted[1]}")


def small_size(size: tuple[int, int], width: int = SMALL_WIDTH) -> tuple[int, int]:
    """Return a small frame's width and height, both even."""
    return (width, round(size[1] * width / size[0] / 2) * 2) if size[0] > width else size


def shrink(image: Array) -> Array:
    """Return a small grey picture of a full one."""
    import cv2  # noqa: PLC0415 - the page serves before OpenCV is loaded
    import numpy as np  # noqa: PLC0415

    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim > 2 else image  # noqa: PLR2004 - rows, columns, colours
    size = small_size((image.shape[1], image.shape[0]))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA))


SUFFIXES: Final = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp"})


class Stills:
    """Shows each still once and repeats the last, as a table looks when nobody moves anything."""

    lively = False

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = f"stills in {folder.name}"
        self._clock = clock
        try:
            self._files = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
        except OSError as error:
            raise DeviceError(f"The stills in {folder} cannot be read: {error.strerror}.") from error
        if not self._files:
            raise DeviceError(f"There are no stills in {folder}: put pictures there, .png or .jpg.")
        self._next = 0

    @contextmanager
    def frame(self, *, full: bool) -> Iterator[StillPicture]:
        import cv2  # noqa: PLC0415 - the page serves before OpenCV is loaded

        path = self._files[min(self._next, len(self._files) - 1)]
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if image is None:
            raise DeviceError(f"The still {path.name} cannot be read as a picture: take it away or replace it.")
        self._next += 1
        with lend(image if full else shrink(image), self._clock()) as picture:
            yield picture

    def close(self) -> None: ...


WHOLE: Final = ("OPENCV_FFMPEG_CAPTURE_OPTIONS", "fflags;discardcorrupt")
"""Otherwise FFmpeg fills what is missing of a recording's last frame from the one before it."""


class RecordedCamera:
    """A recorded video, once."""

    lively = False

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        import cv2  # noqa: PLC0415 - the page serves before OpenCV is loaded

        self.name = f"recording {path.name}"
        self._clock = clock
        if not path.is_file():
            raise DeviceError(f"There is no recording {path}.")
        os.environ.setdefault(*WHOLE)
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_ANY)
        if not self._capture.isOpened():
            raise DeviceError(f"The recording {path} cannot be played: record it as MJPG in an .avi.")

    @contextmanager
    def frame(self, *, full: bool) -> Iterator[StillPicture]:
        found, image = self._capture.read()
        if not found or image is None:
            raise DeviceError(f"The {self.name} is over.")
        with lend(image if full else shrink(image), self._clock()) as picture:
            yield picture

    def close(self) -> None:
        self._capture.release()
