"""Where the companion keeps its data, unless somebody says otherwise."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE: Final = "COMPANION_DATA"
NAME: Final = "table-companion"


def mark(folder: Path) -> str:
    """Tells one folder from another without saying where it is."""
    return sha256(str(folder.resolve()).encode()).hexdigest()[:12]


def data_folder(told: str | None, environment: Mapping[str, str]) -> Path:
    """The folder told, else that of `COMPANION_DATA`, else the one for data of the XDG specification."""
    if told:
        return Path(told)
    if environment.get(VARIABLE):
        return Path(environment[VARIABLE])
    xdg = environment.get("XDG_DATA_HOME", "")
    base = Path(xdg) if xdg.startswith("/") else Path(environment.get("HOME") or "~").expanduser() / ".local" / "share"
    return base / NAME
