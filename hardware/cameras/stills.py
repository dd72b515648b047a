"""A folder of stills as a camera: one after the other, by name."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from companion.table.ports import DeviceError
from hardware.cameras.frames import Picture, lent, small

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SUFFIXES: Final = frozenset({".png", ".jpg", ".jpeg", ".webp", ".bmp"})


class Stills:
    """Shows each still once, and stays with the last, as a table does when nobody moves anything."""

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
    def frame(self, *, full: bool) -> Iterator[Picture]:
        """The next still."""
        import cv2  # noqa: PLC0415 - the page serves before OpenCV is loaded

        path = self._files[min(self._next, len(self._files) - 1)]
        image = cv2.imread(str(path), cv2.IMREAD_COLOR)
        if image is None:
            raise DeviceError(f"The still {path.name} cannot be read as a picture: take it away or replace it.")
        self._next += 1
        with lent(image if full else small(image), self._clock()) as picture:
            yield picture

    def close(self) -> None:
        """Nothing is held."""
