"""Loads a wasteland pack from its folder."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cards.faults import PackFaults
from companion.cards.files import can_be_listed, read_file
from companion.cards.wasteland.assemble import NEEDED, OPTIONAL, assemble

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from os import PathLike

    from companion.cards.faults import Fault
    from companion.cards.wasteland.pack import WastelandPack


def load_pack(path: str | PathLike[str]) -> WastelandPack:
    """The pack in a folder; PackFaults tells all that is wrong with it."""
    return _load(Path(path))


def builtin(name: str) -> WastelandPack:
    """A pack that comes with the companion; LookupError if there is none of this name."""
    if name not in builtin_names():
        raise LookupError(f"no wasteland pack {name!r}; there are {', '.join(builtin_names())}")
    return _load(_builtins() / name)


def builtin_names() -> tuple[str, ...]:
    """The packs that come with the companion."""
    return tuple(sorted(folder.name for folder in _builtins().iterdir() if (folder / "pack.toml").is_file()))


def _builtins() -> Traversable:
    return resources.files("companion.cards.wasteland") / "packs"


def _load(folder: Traversable) -> WastelandPack:
    faults: list[Fault] = []
    sources = {}
    if can_be_listed(folder, faults):
        wanted = (*NEEDED, *(name for name in OPTIONAL if (folder / name).is_file()))
        read = {name: read_file(folder / name, faults) for name in wanted}
        sources = {name: source for name, source in read.items() if source}
    pack = assemble(sources, faults)
    if faults:
        raise PackFaults(faults)
    return pack
