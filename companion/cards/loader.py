"""Load a card pack from its folder, and report what is in it."""

from __future__ import annotations

from importlib import resources
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cards.assemble import FILES, NAMES, assemble
from companion.cards.overlay import Overlay
from companion.cards.pack import PackFaults
from companion.cards.source import can_be_listed, read_file
from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from companion.cards.pack import Fault, Pack

__all__ = ["builtin", "builtin_names", "load_pack", "packs_folder"]


def load_pack(path: str | PathLike[str] | Traversable, overlay: str | PathLike[str] | None = None) -> Pack:
    """Load the pack in a folder with an owner's overlay; PackFaults holds all that is wrong with either."""
    return _load(Path(path) if isinstance(path, (str, PathLike)) else path, overlay)


def builtin(name: str, overlay: str | PathLike[str] | None = None) -> Pack:
    """Load a built-in pack; LookupError if there is none of this name."""
    if name not in builtin_names():
        raise LookupError(f"no card pack {name!r}; there are {', '.join(builtin_names())}")
    return _load(packs_folder() / name, overlay)


def builtin_names() -> tuple[str, ...]:
    """Return the names of the built-in packs."""
    return tuple(sorted(folder.name for folder in packs_folder().iterdir() if (folder / "pack.toml").is_file()))


def packs_folder() -> Traversable:
    return resources.files("companion.cards") / "packs"


def files_of(folder: Traversable) -> dict[str, Traversable]:
    """Return the files of a pack by name: its own, and what our languages call the cards of a pack of ours."""
    files = {name: folder / name for name in FILES}
    if folder.name in builtin_names() and (packs_folder() / folder.name) == folder:
        files |= {f"names.{code}.toml": file for code, file in catalogues.card_names(folder.name).items()}
    return files | {file.name: file for file in sorted(folder.iterdir(), key=str) if NAMES.fullmatch(file.name)}


def _load(folder: Traversable, overlay: str | PathLike[str] | None) -> Pack:
    faults: list[Fault] = []
    corrections = read_file(Path(overlay), faults) if overlay is not None else None
    found = files_of(folder) if can_be_listed(folder, faults) else {}
    read = {name: read_file(file, faults) for name, file in found.items()}
    sources = {name: source for name, source in read.items() if source}
    pack = assemble(sources, Overlay(corrections, faults), faults)
    if faults:
        raise PackFaults(faults)
    return pack


def packs_in(path: str | PathLike[str]) -> list[str]:
    """Return the packs at a path: a folder of packs is each of them."""
    folder = Path(path)
    if not folder.is_dir() or list(folder.glob("*.toml")):
        return [str(path)]
    return [str(pack) for pack in sorted(folder.iterdir()) if pack.is_dir() and list(pack.glob("*.toml"))] or [
        str(path)
    ]


def report(path: str, overlay: str | None) -> Iterator[str]:
    """Say what the pack in a folder (or built in under this name) holds; PackFaults tells all that is wrong with it."""
    pack = _built_in_or_folder(path, overlay)
    counts = (
        f"{len(pack.top_level)} rooms of the top level",
        f"{sum(card.copies for card in pack.rooms)} rooms to build",
        f"{sum(card.copies for card in pack.items)} items",
        f"{sum(card.copies for card in pack.threats)} threats",
    )
    state = "verified" if pack.verified else f"unverified, {len(pack.confirmed)} of {len(pack.cards)} cards confirmed"
    yield f"{path}: {pack.id}: {', '.join(counts)}; {state}"
    yield from (f"{path}: warning: {warning}" for warning in pack.warnings)
    unnamed = [code for code in catalogues.codes() if code not in pack.names]
    yield from (f"{path}: warning: no names in {code}; English is used" for code in unnamed)


def _built_in_or_folder(name: str, overlay: str | None) -> Pack:
    if name in builtin_names() and not Path(name).exists():
        return builtin(name, overlay)
    return load_pack(name, overlay)
