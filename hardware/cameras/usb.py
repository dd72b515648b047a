"""A camera at a USB port, by V4L2: dropped and reduced before it is decoded, and found again at another port."""

from __future__ import annotations

import math
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from companion.table.ports import DeviceError, Hint
from hardware.cameras.camera_settings import locked_settings
from hardware.cameras.capture import SMALL_WIDTH, StillPicture, lend, other_size, shrink
from hardware.cameras.v4l2 import know_mains, usb_devices, why_not

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from companion.table.ports import CameraValues
    from companion.vision.arrays import Array
    from hardware.cameras.camera_settings import CameraSettings

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
SOON: Final = 0.75
"""Of the time between two pictures: a picture is due from here on, since cameras keep no exact time."""
TORN: Final = 3
"""Pictures in a row that cannot be decoded: one may have been torn on its way."""
SEEN: Final[dict[int, str]] = {}
"""The stable name of the camera that was found by a number; empty where it is no USB camera."""
REDUCED: Final = (8, 4, 2)
ADVICE: Final = {
    "busy": ("usb_camera_busy", "The camera at {device} is in use by another program: close that one."),
    "denied": (
        "usb_camera_denied",
        "The camera at {device} may not be opened: put the user that runs the table into the group video.",
    ),
    "absent": (
        "usb_camera_absent",
        "There is no camera at {device}: plug it in, or choose another on the page /calibrate.",
    ),
    "": ("usb_camera_refuses", "The camera at {device} cannot be opened: unplug it and plug it in again."),
}


def node_of(which: int | str) -> Path:
    """Return the node of a camera by its number or its stable name; raise DeviceError where it is not plugged in.

    A number may become another one at every plugging in: the camera that had it is meant, and before anything had it,
    the only USB camera there is. Another camera than the one that went is never taken in its place.
    """
    if isinstance(which, int):
        usual = Path(f"/dev/video{which}")
        there = {device.node.name: device for device in usb_devices()}
        moved = next((one.node for one in there.values() if one.id == SEEN.get(which)), None)
        if moved is not None:
            return moved
        if usual.exists():
            SEEN[which] = there[usual.name].id if usual.name in there else ""
            return usual
        if len(there) == 1 and which not in SEEN:
            (only,) = there.values()
            SEEN[which] = only.id
            return only.node
        raise DeviceError(_advice("absent", usual))
    for device in usb_devices():
        if device.id == which:
            return device.node
    raise DeviceError(
        Hint(
            "usb_camera_gone",
            "The camera {name} is not plugged in: plug it in, or choose another on the page /calibrate.",
            name=which,
        )
    )


def first_of(number: int) -> int | str:
    """Return the USB camera that is meant where none is named: a Pi has many other nodes of that kind."""
    there = usb_devices()
    if not there or any(device.node.name == f"video{number}" for device in there):
        return number
    return there[0].id


class UsbCamera:
    """A camera at a USB port, by V4L2."""

    lively = True

    def __init__(self, which: int | str, settings: CameraSettings, clock: Callable[[], float] = time.monotonic) -> None:
        """`which` is the number of its node, or its name in /dev/v4l/by-id, which stays at any port."""
        import cv2  # noqa: PLC0415 - the page serves before OpenCV is loaded

        self._device = node_of(which)
        self.name = f"USB camera {which}"
        self.wave_us = float(settings.flicker_us)
        self._clock = clock
        # Asked before it is opened: another program's pictures would change their size with our wishes.
        if (why := why_not(self._device)) in ("busy", "denied"):
            raise DeviceError(_advice(why, self._device))
        # What is wrong is reported below; OpenCV would print it at every try.
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
        self._capture = cv2.VideoCapture(int(self._device.name.removeprefix("video")), cv2.CAP_V4L2)
        if not self._capture.isOpened():
            self._capture.release()
            raise DeviceError(_advice(why_not(self._device), self._device))
        self._names = cv2
        know_mains(self._device, settings.mains)
        self._set(_properties(settings))
        # What comes as a JPEG is decoded here: the size that is wanted, and only if it is wanted.
        if self._capture.get(cv2.CAP_PROP_FOURCC) == _fourcc("MJPG"):
            self._capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)
        self.size = (
            int(self._capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
            int(self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        )
        """What it gives, which may be another size than it was asked for, and another than it says of itself."""
        self._wanted = settings.size if settings.sized else None
        self._between = 1.0 / settings.rate
        told = self._capture.get(cv2.CAP_PROP_FPS)  # a camera that counts no pictures tells nought by nought of them
        self._too_many = max(0, round(told / settings.rate) - 1) if math.isfinite(told) else 0
        self._last = clock()

    @property
    def note(self) -> str:
        """What a host should know of its pictures; empty while they are as they were asked for."""
        return "" if self._wanted is None else other_size(self.size, self._wanted)

    @contextmanager
    def frame(self, *, full: bool) -> Iterator[StillPicture]:
        """Yield the next picture that is due, and that is not from before the last one was given back."""
        self._drop(full=full)
        image = self._next(full=full)
        self._last = self._clock()
        if image is None:
            self.close()
            why = why_not(self._device)
            silent = Hint("usb_camera_silent", "The {name} gives no picture: check its plug.", name=self.name)
            raise DeviceError(_advice(why, self._device) if why in ("busy", "denied") else silent)
        if full:
            self.size = (image.shape[1], image.shape[0])
        with lend(image, self._last) as picture:
            yield picture

    def _drop(self, *, full: bool) -> None:
        """Throw away, before they are decoded, what has waited in a buffer, and what comes faster than was asked."""
        if self._clock() - self._last > 1.5 * self._between:
            self._capture.grab()
            return
        for _ in range(0 if full else self._too_many):
            if self._clock() - self._last >= SOON * self._between:
                return
            self._capture.grab()

    def _next(self, *, full: bool) -> Array | None:
        for _ in range(TORN):
            found, data = self._capture.read()
            if not found or data is None:
                return None
            image = self._decoded(data, full=full)
            if image is not None:
                return image
        return None

    def _decoded(self, data: Array, *, full: bool) -> Array | None:
        if data.ndim > 2 and data.shape[2] == 3:  # noqa: PLR2004 - rows, columns, colours: no JPEG
            return data if full else shrink(data)
        cv2 = self._names
        if full:
            return cast("Array | None", cv2.imdecode(data.reshape(-1), cv2.IMREAD_COLOR))
        by = next((by for by in REDUCED if self.size[0] // by >= SMALL_WIDTH), 1)
        how = getattr(cv2, f"IMREAD_REDUCED_GRAYSCALE_{by}") if by > 1 else cv2.IMREAD_GRAYSCALE
        reduced = cv2.imdecode(data.reshape(-1), how)
        return None if reduced is None else shrink(reduced)

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


def _advice(why: str, device: Path) -> Hint:
    return Hint(*ADVICE.get(why, ADVICE[""]), device=device)


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
