"""Frames: a full picture is BGR, a small one is grey, whatever camera it comes from."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

SMALL_WIDTH: Final = 640


@dataclass(slots=True)
class Picture:
    """One frame: fills the port `Frame`."""

    image: Any
    at: float


@contextmanager
def lent(image: Any, at: float) -> Iterator[Picture]:
    """Lend a picture. Its memory may be the camera's, so what is lent is empty when it has been given back."""
    picture = Picture(image, at)
    del image
    try:
        yield picture
    finally:
        picture.image = None


def small_size(size: tuple[int, int], width: int = SMALL_WIDTH) -> tuple[int, int]:
    """A small frame's width and height, both even."""
    return (width, round(size[1] * width / size[0] / 2) * 2) if size[0] > width else size


def small(image: Any) -> Any:
    """A small grey picture of a full one."""
    import cv2  # noqa: PLC0415 - the page serves before OpenCV is loaded

    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim > 2 else image  # noqa: PLR2004 - rows, columns, colours
    size = small_size((image.shape[1], image.shape[0]))
    return cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
