"""Numbers of snapshots that never come back, not even after the plug was pulled: they are reserved in blocks."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

BLOCK: Final = 1000
FILE: Final = "snapshots.reserved"


class Numbers:
    """The next number, and a file that says up to where they have been given out."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._next = self._reserved() + 1
        self._end = self._next

    def next(self) -> int:
        """A number that was never given out before."""
        if self._next >= self._end:
            self._end = self._next + BLOCK
            self._reserve(self._end)
        self._next += 1
        return self._next - 1

    def _reserved(self) -> int:
        try:
            return int(self._path.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return 0

    def _reserve(self, end: int) -> None:
        fresh = self._path.with_suffix(".new")
        try:
            with fresh.open("w", encoding="ascii") as file:
                file.write(str(end))
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(self._path)
        except OSError:
            return  # a full disk must not stop anybody from looking
