"""Small files that people can read: either the old one is there or the new one, whenever the plug is pulled."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

PRIVATE: Final = 0o600
READABLE: Final = 0o644


def put(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file; when this returns it is on the disk. A private one is its owner's alone from its first byte."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.new")
    mode = PRIVATE if private else READABLE
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        os.fchmod(file.fileno(), mode)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    sync(path.parent)


def sync(folder: Path) -> None:
    """Return when the names in a folder are on the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
