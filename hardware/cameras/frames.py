"""Frames: a full picture is BGR, a small one is grey, whatever camera it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

SMALL_WIDTH: Final = 640


@dataclass(frozen=True, slots=True)
class Picture:
    """One frame: fills the port `Frame`."""

    image: Any
    at: float


def small_size(size: tuple[int, int], width: int = SMALL_WIDTH) -> tuple[int, int]:
    """A small frame's width and height, both even."""
    return (width, round(size[1] * width / size[0] / 2) * 2) if size[0] > width else size


def small(image: Any) -> Any:
    """A small grey picture of a full one."""
    import cv2  # noqa: PLC0415 - the page serves before OpenCV is loaded

    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim > 2 else image  # noqa: PLR2004 - rows, columns, colours
    size = small_size((image.shape[1], image.shape[0]))
    return cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
