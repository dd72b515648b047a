"""Keeps the companion small: a Pi has little memory, and the next look may be minutes away."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from typing import Final

MMAP_THRESHOLD: Final = -3
PICTURE: Final = 4_000_000
"""From this size on memory is the system's own again as soon as it is free: full pictures, and little else."""


def hand_pictures_back() -> None:
    """Once, before the first picture: glibc would else learn to keep what pictures leave."""
    with suppress(OSError, AttributeError):  # another C library keeps its own house
        ctypes.CDLL(None).mallopt(MMAP_THRESHOLD, PICTURE)


def give_back() -> None:
    """What a look has needed."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
