"""Loads a card pack from its folder."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cards.assemble import FILES, assemble
from companion.cards.overlay import Overlay
from companion.cards.pack import PackFaults
from companion.cards.source import read_file, read_folder

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from os import PathLike

    from companion.cards.pack import Fault, Pack

__all__ = ["builtin", "builtin_names", "load_pack", "packs_folder"]


def load_pack(path: str | PathLike[str], overlay: str | PathLike[str] | None = None) -> Pack:
    """The pack in a folder, corrected by an owner's overlay; PackFaults tells all that is wrong with either."""
    return _load(Path(path), overlay)


def builtin(name: str, overlay: str | PathLike[str] | None = None) -> Pack:
    """A pack that comes with the companion; LookupError if there is none of this name."""
    if name not in builtin_names():
        raise LookupError(f"no card pack {name!r}; there are {', '.join(builtin_names())}")
    return _load(packs_folder() / name, overlay)


def builtin_names() -> tuple[str, ...]:
    """The packs that come with the companion."""
    return tuple(sorted(folder.name for folder in packs_folder().iterdir() if (folder / "pack.toml").is_file()))


def packs_folder() -> Traversable:
    """Where the packs are that come with the companion."""
    return resources.files("companion.cards") / "packs"


def _load(folder: Traversable, overlay: str | PathLike[str] | None) -> Pack:
    faults: list[Fault] = []
    corrections = read_file(Path(overlay), faults) if overlay is not None else None
    sources = read_folder(folder, FILES, faults)
    pack = assemble(sources, Overlay(corrections, faults), faults)
    if faults:
        raise PackFaults(faults)
    return pack
