"""A phone as the camera: the newest picture that it has sent, and whether something moves before it."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.table.ports import DeviceError, Hint
from hardware.cameras.capture import SMALL_WIDTH, StillPicture, lend, shrink

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.vision.arrays import Array

DEVICE: Final = "phone:"
"""What a profile calls it as its camera's device."""
AWAY: Final = 10.0
"""Seconds without a word after which a phone is gone; it says every two how it is."""
PHOTO_LASTS: Final = 10.0
"""Seconds in which a photo is looked at: afterwards nobody knows whether the table is still like that."""
BETWEEN: Final = 0.25
"""Seconds between two small pictures where nothing new has come."""
FRESH: Final = 2.0
"""Seconds for a picture while something moves; without one the last counts."""
LARGEST: Final = 12_000_000
"""Bytes of a picture: what a phone's best photos have."""
MOST_PIXELS: Final = 64_000_000
MOST_PROGRESSIVE: Final = 16_000_000
"""A progressive JPEG is kept whole while it is decoded, in six bytes a pixel."""
MOST_SCANS: Final = 24
"""A JPEG of a thousand scans decodes for minutes."""
LEAST_SIDE: Final = 320
FULL_WIDTH: Final = 1920
"""What is wider is reduced while it is decoded, where no profile says how large pictures are."""
SAME_SHAPE: Final = 0.02
REDUCED: Final = (8, 4, 2)
STIRRED: Final = 48
"""Pixels of the corner that tells movement: more than the eye takes for rest."""
START, END, SCAN = b"\xff\xd8\xff", b"\xff\xd9", b"\xff\xda"
FRAMES: Final = {0xC0, 0xC1, 0xC2}
"""Headers of frames that cameras write: baseline, extended and progressive."""
PROGRESSIVE: Final = 0xC2
ALONE: Final = {0x01, *range(0xD0, 0xD9)}
"""Marks without a length behind them."""
GONE: Final = Hint("phone_away", "No phone is the camera now: open the page /eye on it, and leave it open.")
READ: Final = Hint("phone_photo_over", "The photo has been looked at: take the next one when the table is to be read.")


class PictureError(ValueError):
    """What came is no picture of a camera."""


def jpeg_size(data: bytes) -> tuple[int, int]:
    """Return width and height by a JPEG's header; raise PictureError for all that would cost more than a look."""
    if not data.startswith(START) or len(data) > LARGEST:
        raise PictureError("It is no JPEG, or too large.")
    at = 2
    while at + 9 < len(data) and data[at] == START[0]:
        mark = data[at + 1]
        if mark in FRAMES:
            height, width = int.from_bytes(data[at + 5 : at + 7]), int.from_bytes(data[at + 7 : at + 9])
            most = MOST_PROGRESSIVE if mark == PROGRESSIVE else MOST_PIXELS
            if min(width, height) < LEAST_SIDE or width * height > most or data.count(SCAN) > MOST_SCANS:
                raise PictureError(f"A picture of {width}x{height} dots cannot be used.")
            if not 0 < data.rfind(SCAN) < data.rfind(END):
                raise PictureError("Its end is missing.")
            return width, height
        at += 1 if mark == START[0] else 2 if mark in ALONE else 2 + int.from_bytes(data[at + 2 : at + 4])
    raise PictureError("It is a JPEG without a picture.")


class Shot(NamedTuple):
    """A picture of the phone's."""

    number: int
    jpeg: bytes
    small: Array
    size: tuple[int, int]


class PhoneLink:
    """Where pages put what a phone sends, and its camera finds it. Any thread may call."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._news = threading.Condition()
        self._shot: Shot | None = None
        self._until = 0.0
        self._is_photo = False
        self._is_moving = False
        self._is_wanted = False
        self._came: list[Callable[[], None]] = []

    def call(self, came: Callable[[], None]) -> None:
        """Call this whenever a phone has come that was away."""
        self._came.append(came)

    @property
    def shot(self) -> Shot | None:
        """The newest picture; None without a phone."""
        with self._news:
            return self._shot if self._clock() < self._until else None

    @property
    def is_moving(self) -> bool:
        return self._is_moving

    @property
    def why(self) -> Hint:
        """What to do where there is no picture."""
        return READ if self._is_photo else GONE

    def take(self, jpeg: bytes, *, photo: bool = False, moving: bool = False) -> None:
        """Take in a picture; raise PictureError for what is none, and keep the one before."""
        jpeg_size(jpeg)
        small, size = _small(jpeg)
        with self._news:
            was_away = self._clock() >= self._until
            number = 1 if self._shot is None else self._shot.number + 1
            self._shot = Shot(number, jpeg, small, size)
            self._is_photo, self._is_moving, self._is_wanted = photo, moving, False
            self._until = self._clock() + (PHOTO_LASTS if photo else AWAY)
            self._news.notify_all()
        if was_away or photo:
            for came in self._came:
                came()

    def hear(self, *, moving: bool) -> bool:
        """Note that the phone is there, and whether something moves; return whether a picture is wanted at once."""
        with self._news:
            was_there = self._clock() < self._until and not self._is_photo
            self._is_moving = moving
            if was_there:
                self._until = self._clock() + AWAY
            return self._is_wanted or not was_there

    def forget(self) -> None:
        """Be without a phone."""
        with self._news:
            self._shot, self._until, self._is_photo = None, 0.0, False

    def wait(self, number: int, seconds: float, *, wanted: bool = False) -> None:
        """Wait for a newer picture than this; a wanted one is asked for."""
        with self._news:
            self._is_wanted = self._is_wanted or wanted
            self._news.wait_for(lambda: self._shot is not None and self._shot.number > number, seconds)


class PhoneCamera:
    """A phone that looks at the table. While something moves, a corner of the small picture says so."""

    lively = False
    name = "phone"

    def __init__(
        self, link: PhoneLink, size: tuple[int, int] | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`size` is what was measured or chosen; without one pictures stay as they come, but for large ones."""
        self._link = link
        self._clock = clock
        self._seen = 0
        self._turn = False
        self._wanted = size
        self.size = self._size_of(self._shot())

    @contextmanager
    def frame(self, *, full: bool) -> Iterator[StillPicture]:
        shot = self._shot()
        if full and self._link.is_moving:
            self._link.wait(shot.number, FRESH, wanted=True)
        elif not full:
            self._link.wait(self._seen, BETWEEN)
        shot = self._shot()
        size = self._size_of(shot)
        if full:
            image = _full(shot.jpeg, size)
        else:
            self._seen = shot.number
            image = self._stirred(shot.small) if self._link.is_moving else shot.small
        with lend(image, self._clock()) as picture:
            yield picture

    def close(self) -> None:
        """Close nothing: the phone sends, and nobody has to take it."""

    def _shot(self) -> Shot:
        shot = self._link.shot
        if shot is None:
            raise DeviceError(self._link.why)
        return shot

    def _size_of(self, shot: Shot) -> tuple[int, int]:
        given = shot.size
        if self._wanted is None:
            by = max(1.0, given[0] / FULL_WIDTH)
            return round(given[0] / by), round(given[1] / by)
        if abs(given[0] * self._wanted[1] / (given[1] * self._wanted[0]) - 1) > SAME_SHAPE:
            told = (
                "The phone's pictures are {given}, and those before were {wanted}: hold it as then, or choose it anew."
            )
            shapes = {name: f"{one[0]}x{one[1]}" for name, one in (("given", given), ("wanted", self._wanted))}
            raise DeviceError(Hint("phone_other_shape", told, **shapes))
        return self._wanted

    def _stirred(self, small: Array) -> Array:
        """Return a copy with a corner that is another each time."""
        self._turn = not self._turn
        image = small.copy()
        image[:STIRRED, :STIRRED] = 255 if self._turn else 0
        return image


def _small(jpeg: bytes) -> tuple[Array, tuple[int, int]]:
    """Return the small grey picture of a JPEG, and the size of the whole one as it stands upright."""
    import cv2  # noqa: PLC0415 - the page serves before OpenCV is loaded
    import numpy as np  # noqa: PLC0415

    sides = sorted(jpeg_size(jpeg))
    by = next((by for by in REDUCED if sides[0] // by >= SMALL_WIDTH), 1)
    how = getattr(cv2, f"IMREAD_REDUCED_GRAYSCALE_{by}") if by > 1 else cv2.IMREAD_GRAYSCALE
    grey = cv2.imdecode(np.frombuffer(jpeg, np.uint8), how)
    if grey is None:
        raise PictureError("It cannot be decoded.")
    return shrink(grey), (sides[1], sides[0]) if grey.shape[1] >= grey.shape[0] else (sides[0], sides[1])


def _full(jpeg: bytes, size: tuple[int, int]) -> Array:
    """Return a JPEG in colour at a size, reduced while it is decoded where it is much larger."""
    import cv2  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    wide = max(jpeg_size(jpeg)) // max(size)
    by = next((by for by in REDUCED if by <= wide), 1)
    how = getattr(cv2, f"IMREAD_REDUCED_COLOR_{by}") if by > 1 else cv2.IMREAD_COLOR
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), how)
    if image is None:
        raise DeviceError(GONE)
    if (image.shape[1], image.shape[0]) != size:
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return np.asarray(image)
