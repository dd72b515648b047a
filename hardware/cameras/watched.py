"""A camera that is watched and retried: what is wrong with it becomes a state with advice, and it is opened again."""

from __future__ import annotations

import logging
import time
import zlib
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Final, Protocol

from companion.table.ports import Camera, Controls, DeviceError, Frame, Hint
from companion.table.session.intents import DeviceChanged, Intent
from hardware.cameras.capture import UnexpectedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.table.ports import CameraValues
    from companion.vision.arrays import Array

RETRYING: Final = 5.0
FREEZING: Final = 6.0
"""Seconds of one and the same picture. Every sensor has noise, so equal pictures come from a stuck camera."""
DARK: Final = 8
"""The mean of a picture, of 255, that shows nothing: a table by candle-light has more."""
SAMPLED: Final = 4
BLACK: Final = Hint("camera_black", "The picture is black: uncover the lens, or put a light on.")
FROZEN: Final = Hint("camera_frozen", "The picture stands still: unplug the camera and plug it in again.")
LOG: Final = logging.getLogger(__name__)
OK, LOST, OFF = "ok", "lost", "off"


class Adapter(Camera, Protocol):
    """A camera of some kind, and whether its pictures always differ."""

    lively: bool


class WatchedCamera:
    """Opens the camera when it is first asked, and retries a while after it was lost."""

    def __init__(
        self,
        opened: Callable[[], Adapter],
        put: Callable[[Intent], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._opened = opened
        self._put = put
        self._clock = clock
        self._camera: Adapter | None = None
        self._next_try = 0.0
        self._why = ""
        self._prints: dict[bool, tuple[int, float]] = {}
        """For small and full pictures: the last one's fingerprint, and since when it is the same."""
        self._told = ("", "")
        self._anew = False
        """Whether another camera is to be opened from the next picture on."""
        self._wanted: CameraValues | None = None
        """The values to be locked that the camera was not given yet."""

    @property
    def name(self) -> str:
        """The camera's own name, while there is one."""
        return self._camera.name if self._camera is not None else "no camera"

    @contextmanager
    def frame(self, *, full: bool) -> Iterator[Frame]:
        """Yield the next picture that shows something."""
        camera = self._ready()
        held = ExitStack()
        with self._as_device_error():
            self._tell(camera)
            picture = held.enter_context(camera.frame(full=full))
        try:
            is_dark = float(_sampled(picture).mean()) < DARK
            is_frozen = not is_dark and camera.lively and self._is_frozen(picture, full=full)
            if not is_dark and not is_frozen:
                self._say(OK, getattr(camera, "note", ""))
                yield picture
                return
        finally:
            with self._as_device_error():
                held.close()
        if is_dark:
            self._say(LOST, BLACK)
            raise DeviceError(BLACK)
        self._lose(FROZEN)
        raise DeviceError(FROZEN)

    def values(self) -> CameraValues:
        """Return the values of the last full picture; nothing while there is no camera, or none that can tell."""
        camera: object = self._camera
        return camera.values() if isinstance(camera, Controls) else {}

    @property
    def wave_us(self) -> float:
        camera: object = self._camera
        return camera.wave_us if isinstance(camera, Controls) else 0.0

    def hold(self, values: CameraValues) -> None:
        """Lock these values from the next picture on, if the camera can: the thread that looks passes them on."""
        self._wanted = values.copy()

    def close(self) -> None:
        camera, self._camera = self._camera, None
        try:
            if camera is not None:
                camera.close()
        except Exception:  # a broken device; the next try opens it anew
            LOG.exception("the camera cannot be closed")

    def reopen(self) -> None:
        """Open the camera anew from the next picture on: the thread that looks does it, whoever asks for it."""
        self._anew = True

    def _ready(self) -> Adapter:
        if self._anew:
            self._anew, self._next_try = False, 0.0
            self.close()
        if self._camera is not None:
            return self._camera
        now = self._clock()
        if now < self._next_try:
            raise DeviceError(self._why)
        with self._as_device_error():
            self._camera = camera = self._opened()
        self._prints.clear()
        return camera

    @contextmanager
    def _as_device_error(self) -> Iterator[None]:
        """Count whatever the adapter raises as a fault of the camera, which is retried later. A bug is logged once."""
        try:
            yield
        except DeviceError as error:
            if isinstance(error, UnexpectedError) and self._why != str(error):
                LOG.exception("the camera's library fails in a way that is not known")
            self._lose(str(error))
            raise
        except Exception as error:
            what = f"{type(error).__name__}: {error}"
            hint = Hint("camera_fails", "The camera fails ({why}): unplug it and plug it in again.", why=what)
            if self._why != hint:
                LOG.exception("the camera's adapter fails in a way that is not known")
            self._lose(hint)
            raise DeviceError(hint) from error

    def _tell(self, camera: object) -> None:
        wanted, self._wanted = self._wanted, None
        if wanted is not None and isinstance(camera, Controls):
            camera.hold(wanted)

    def _is_frozen(self, picture: Frame, *, full: bool) -> bool:
        now, fingerprint = self._clock(), zlib.crc32(_sampled(picture).tobytes())
        before, since = self._prints.get(full, (None, now))
        if fingerprint != before:
            since = now
        self._prints[full] = (fingerprint, since)
        return now - since >= FREEZING

    def _lose(self, why: str) -> None:
        self.close()
        self._why = why
        self._next_try = self._clock() + RETRYING
        self._say(OFF, why)

    def _say(self, state: str, hint: str) -> None:
        if self._told != (state, hint):
            self._told = (state, hint)
            self._put(DeviceChanged("camera", state, hint))


def _sampled(picture: Frame) -> Array:
    """Return every fourth pixel of a picture: a view of the camera's memory, not to be kept."""
    image: Array = picture.image
    return image[::SAMPLED, ::SAMPLED]
