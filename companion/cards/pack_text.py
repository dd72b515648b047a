"""The pack of a game as its record keeps it: its files, so that it can be replayed whatever changes later."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from companion.canonical import hash_of, text_of
from companion.cards.assemble import assemble
from companion.cards.loader import builtin_names, files_of, load_pack, packs_folder
from companion.cards.overlay import Overlay
from companion.cards.pack import Fault, PackFaults
from companion.cards.source import Source
from companion.refusal import Refusal

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from companion.cards.pack import Pack

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
    """Return the corrections of a pack, if there are any."""
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
