"""Reads the files of a pack's folder; what cannot be read is a fault like any other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.faults import Fault
from companion.cards.source import Source, parse_source

if TYPE_CHECKING:
    from collections.abc import Iterable
    from importlib.resources.abc import Traversable


def read_folder(folder: Traversable, names: Iterable[str], faults: list[Fault]) -> dict[str, Source]:
    """The sources of the named files of a folder, as far as they can be read."""
    if not can_be_listed(folder, faults):
        return {}
    sources = {name: read_file(folder / name, faults) for name in names}
    return {name: source for name, source in sources.items() if source}


def can_be_listed(folder: Traversable, faults: list[Fault]) -> bool:
    """Whether this is a folder at all."""
    try:
        next(iter(folder.iterdir()), None)
    except (OSError, ValueError) as error:
        faults.append(Fault(str(folder), 0, "", _reason(error), "a folder with a card pack"))
        return False
    return True


def read_file(file: Traversable, faults: list[Fault]) -> Source | None:
    """The source in a file, or None and a fault."""
    try:
        content = file.read_bytes()
    except (OSError, ValueError) as error:
        faults.append(Fault(str(file), 0, "", _reason(error), "a readable file"))
        return None
    parsed = parse_source(str(file), content)
    if isinstance(parsed, Fault):
        faults.append(parsed)
        return None
    return parsed


def _reason(error: OSError | ValueError) -> str:
    reason = error.strerror if isinstance(error, OSError) else None
    return (reason or str(error)).lower()
