"""Frames as every camera gives them, and cameras read by OpenCV: USB, recorded video, and a folder of stills."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from companion.table.ports import DeviceError, Hint
from hardware.cameras.camera_settings import locked_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from companion.table.ports import CameraValues
    from companion.vision.arrays import Array
    from hardware.cameras.camera_settings import CameraSettings


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


MANUAL_EXPOSURE, AUTOMATIC_EXPOSURE = 1, 3
"""V4L2's names of the exposure modes in which nothing is automatic, and in which the time is."""
TICK_US: Final = 100
"""V4L2 counts exposure in tenths of a millisecond."""
AUTOMATIC: Final = (("CAP_PROP_AUTO_EXPOSURE", AUTOMATIC_EXPOSURE), ("CAP_PROP_AUTO_WB", 1), ("CAP_PROP_AUTOFOCUS", 1))
PROPERTIES: Final = {
    "exposure_us": ("CAP_PROP_EXPOSURE", TICK_US),
    "gain": ("CAP_PROP_GAIN", 1),
    "temperature": ("CAP_PROP_WB_TEMPERATURE", 1),
    "focus": ("CAP_PROP_FOCUS", 1),
}
"""OpenCV's names of what can be locked, and the unit of each; what a camera lacks is 0 or less."""
WHOLE: Final = ("OPENCV_FFMPEG_CAPTURE_OPTIONS", "fflags;discardcorrupt")
"""Otherwise FFmpeg fills what is missing of a recording's last frame from the one before it."""


class UsbCamera:
    """A camera at a USB port, by V4L2."""

    lively = True

    def __init__(self, number: int, settings: CameraSettings, clock: Callable[[], float] = time.monotonic) -> None:
        import cv2  # noqa: PLC0415 - the page serves before OpenCV is loaded

        self.name = f"USB camera {number}"
        self._clock = clock
        device = Path(f"/dev/video{number}")
        if not device.exists():
            raise DeviceError(
                Hint(
                    "usb_camera_absent",
                    "There is no camera at {device}: plug it in, or name another in the configuration.",
                    device=device,
                )
            )
        # What is wrong is reported below; OpenCV would print it at every try.
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
        self._capture = cv2.VideoCapture(number, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            self._capture.release()
            raise DeviceError(
                Hint(
                    "usb_camera_busy",
                    "The camera at {device} cannot be opened: does another program use it?",
                    device=device,
                )
            )
        self._names = cv2
        self._set(_properties(settings))
        self._fresh = 1.5 / settings.rate
        self._last = clock()

    @contextmanager
    def frame(self, *, full: bool) -> Iterator[StillPicture]:
        """Yield the next picture. What has waited in the camera's buffer since the last one is thrown away first."""
        if self._clock() - self._last > self._fresh:
            self._capture.grab()
        found, image = self._capture.read()
        self._last = self._clock()
        if not found or image is None:
            raise DeviceError(Hint("usb_camera_silent", "The {name} gives no picture: check its plug.", name=self.name))
        with lend(image if full else shrink(image), self._last) as picture:
            yield picture

    def values(self) -> CameraValues:
        """Return the values that pictures are taken with now, as far as the camera reports them."""
        values = {name: self._capture.get(getattr(self._names, key)) * unit for name, (key, unit) in PROPERTIES.items()}
        return cast("CameraValues", {name: float(value) for name, value in values.items() if value > 0})

    def hold(self, values: CameraValues) -> None:
        """Lock these values; without any, let the camera find them by itself again."""
        self._set(_locks(locked_settings(values)) if values else AUTOMATIC)

    def _set(self, properties: Iterable[tuple[str, float]]) -> None:
        for name, value in properties:
            self._capture.set(getattr(self._names, name), value)

    def close(self) -> None:
        self._capture.release()


def _properties(settings: CameraSettings) -> Iterator[tuple[str, float]]:
    """Yield what a camera is set to, by OpenCV's names. MJPG first: few cameras give large raw pictures fast enough."""
    yield "CAP_PROP_FOURCC", _fourcc("MJPG")
    yield "CAP_PROP_FRAME_WIDTH", settings.size[0]
    yield "CAP_PROP_FRAME_HEIGHT", settings.size[1]
    yield "CAP_PROP_FPS", settings.rate
    yield "CAP_PROP_BUFFERSIZE", 1
    yield from _locks(settings)


def _locks(settings: CameraSettings) -> Iterator[tuple[str, float]]:
    if settings.exposure_us is not None:
        yield "CAP_PROP_AUTO_EXPOSURE", MANUAL_EXPOSURE
        yield "CAP_PROP_EXPOSURE", settings.exposure_us / TICK_US
        if settings.gain is not None:
            yield "CAP_PROP_GAIN", settings.gain
    if settings.temperature is not None:
        yield "CAP_PROP_AUTO_WB", 0
        yield "CAP_PROP_WB_TEMPERATURE", settings.temperature
    if settings.focus is not None:
        yield "CAP_PROP_AUTOFOCUS", 0
        yield "CAP_PROP_FOCUS", settings.focus


def _fourcc(letters: str) -> int:
    return sum(ord(letter) << 8 * number for number, letter in enumerate(letters))


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
