"""Where the companion keeps its data, unless somebody says otherwise."""

from __future__ import annotations

import os
import threading
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


VARIABLE: Final = "COMPANION_DATA"
NAME: Final = "table-companion"


def mark(folder: Path) -> str:
    """Return what tells one folder from another without saying where it is."""
    return sha256(str(folder.resolve()).encode()).hexdigest()[:12]


def data_folder(given: str | None, environment: Mapping[str, str]) -> Path:
    """Return the folder given, else that of `COMPANION_DATA`, else the one for data of the XDG specification."""
    if given:
        return Path(given)
    if environment.get(VARIABLE):
        return Path(environment[VARIABLE])
    xdg = environment.get("XDG_DATA_HOME", "")
    base = Path(xdg) if xdg.startswith("/") else Path(environment.get("HOME") or "~").expanduser() / ".local" / "share"
    return base / NAME


PRIVATE: Final = 0o600
READABLE: Final = 0o644
_putting = threading.Lock()


def put(path: Path, data: bytes, *, private: bool = False) -> None:
    """Write a file; when this returns it is on the disk. Whenever it is cut short, the file is the old one or the new.

    It is written aside, flushed and renamed. A private one is its owner's alone from its first byte.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.new")
    mode = PRIVATE if private else READABLE
    with _putting:  # two phones may send the same file at once
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
            os.fchmod(file.fileno(), mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        sync(path.parent)


def flush(path: Path) -> None:
    """Return when a file that somebody else wrote is on the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def sync(folder: Path) -> None:
    """Return when the names in a folder are on the disk."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
