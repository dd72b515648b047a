"""Loads a card pack from its folder: the one place of the cards that opens files."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cards.assembling import FILES, assemble
from companion.cards.faults import Fault, PackFaults
from companion.cards.overlay import Overlay
from companion.cards.source import Source, parse_source

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from os import PathLike

    from companion.cards.pack import Pack

__all__ = ["builtin", "builtin_names", "load_pack"]


def load_pack(path: str | PathLike[str], overlay: str | PathLike[str] | None = None) -> Pack:
    """The pack in a folder, corrected by an owner's overlay; PackFaults tells all that is wrong with either."""
    return _load(Path(path), overlay)


def builtin(name: str, overlay: str | PathLike[str] | None = None) -> Pack:
    """A pack that comes with the companion; LookupError if there is none of this name."""
    if name not in builtin_names():
        raise LookupError(f"no card pack {name!r}; there are {', '.join(builtin_names())}")
    return _load(_builtins() / name, overlay)


def builtin_names() -> tuple[str, ...]:
    """The packs that come with the companion."""
    return tuple(sorted(folder.name for folder in _builtins().iterdir() if (folder / "pack.toml").is_file()))


def _builtins() -> Traversable:
    return resources.files("companion.cards") / "packs"


def _load(folder: Traversable, overlay: str | PathLike[str] | None) -> Pack:
    faults: list[Fault] = []
    corrections = _source(Path(overlay), faults) if overlay is not None else None
    sources = _sources(folder, faults)
    pack = assemble(sources, Overlay(corrections, faults), faults)
    if faults:
        raise PackFaults(faults)
    return pack


def _sources(folder: Traversable, faults: list[Fault]) -> dict[str, Source]:
    try:
        next(iter(folder.iterdir()), None)
    except (OSError, ValueError) as error:
        faults.append(Fault(str(folder), 0, "", _reason(error), "a folder with a card pack"))
        return {}
    sources = {name: _source(folder / name, faults) for name in FILES}
    return {name: source for name, source in sources.items() if source}


def _source(file: Traversable, faults: list[Fault]) -> Source | None:
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
