"""Load a card pack from its folder, and report what is in it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from companion.canonical import hash_of, text_of
from companion.cards.assemble import FILES, NAMES, assemble
from companion.cards.overlay import Overlay
from companion.cards.pack import Fault, PackFaults
from companion.cards.source import Source, can_be_listed, read_file
from companion.languages import catalogues
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

    from companion.cards.pack import Pack

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


OVERLAY = "overlay.toml"
CORRECTIONS = "corrections"


class PackJson(TypedDict):
    """A pack as a record's entry."""

    hash: str
    files: dict[str, str]


@dataclass(frozen=True)
class PackText:
    """The files of a pack and of its owner's corrections, by name."""

    files: tuple[tuple[str, str], ...]

    @property
    def hash(self) -> str:
        return hash_of(text_of(dict(self.files)))

    def as_json(self) -> PackJson:
        return {"hash": self.hash, "files": dict(self.files)}

    def pack(self) -> Pack:
        """Return the pack. Its faults were reported when it was first read, so lines are not looked for again."""
        faults: list[Fault] = []
        sources = {name: Source(name, tomllib.loads(text), {}) for name, text in self.files}
        corrections = sources.pop(OVERLAY, None)
        pack = assemble(sources, Overlay(corrections, faults), faults)
        if faults:
            raise PackFaults(faults)
        return pack


def overlay_path(folder: Path, pack: str) -> Path:
    """Return where the owner's corrections of a built-in pack are: beside the record."""
    return folder / CORRECTIONS / f"{pack}.toml"


def overlay_of(folder: Path, pack: str) -> Path | None:
    path = overlay_path(folder, pack)
    return path if pack in builtin_names() and path.exists() else None


def from_json(raw: PackJson) -> PackText:
    """Return a pack out of a record; one whose hash is not its own is refused."""
    text = PackText(tuple(sorted((str(name), str(content)) for name, content in raw["files"].items())))
    if text.hash != raw["hash"]:
        raise Refusal("pack_altered", None, "The pack in the record is not the one that its hash names.")
    return text


def pack_text(name_or_folder: str, overlay: str | Path | None = None) -> PackText:
    """Return the files of a built-in pack, or of one in a folder; PackFaults holds all that is wrong."""
    folder: Traversable = Path(name_or_folder)
    if name_or_folder in builtin_names():
        folder = packs_folder() / name_or_folder
    elif not folder.is_dir():
        raise Refusal("no_such_pack", None, f"There is no pack {name_or_folder[:60]!r}.", pack=name_or_folder[:60])
    load_pack(folder, None if overlay is None else Path(overlay))
    files = {name: _text(file) for name, file in files_of(folder).items()}
    if overlay is not None:
        files[OVERLAY] = _text(Path(overlay))
    return PackText(tuple(sorted(files.items())))


def _text(path: Traversable) -> str:
    return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
