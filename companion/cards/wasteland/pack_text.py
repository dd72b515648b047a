"""The packs of the second game as a record keeps them: the very files."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cards.pack import PackFaults
from companion.cards.pack_text import PackText
from companion.cards.source import Source
from companion.cards.wasteland import loader
from companion.cards.wasteland.assemble import NEEDED, OPTIONAL, assemble
from companion.cards.wasteland.loader import builtin_names, load_pack
from companion.refusal import Refusal

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from companion.cards.pack import Fault
    from companion.cards.wasteland.types import WastelandPack


def pack_text(name_or_folder: str) -> PackText:
    """The files of a pack that comes with the companion, or of one in a folder; PackFaults tells all that is wrong.

    An owner's own pack is one file.
    """
    folder: Traversable = Path(name_or_folder)
    if Path(name_or_folder).is_file():
        return single_text(Path(name_or_folder))
    if name_or_folder in builtin_names():
        folder = resources.files("companion.cards.wasteland") / "packs" / name_or_folder
    elif not folder.is_dir():
        raise Refusal("no_such_pack", None, f"There is no pack {name_or_folder[:60]!r}.", pack=name_or_folder[:60])
    with resources.as_file(folder) as there:
        load_pack(there)
        names = (*NEEDED, *(name for name in OPTIONAL if (there / name).is_file()))
        files = {name: _text(there / name) for name in names}
    return PackText(tuple(sorted(files.items())))


def single_text(path: Path) -> PackText:
    """The files of a pack that is kept as one."""
    data, faults = loader.read(path.name, path.read_bytes())
    if faults:
        raise PackFaults(faults)
    return PackText(tuple(sorted(loader.texts(data).items())))


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")


@lru_cache(maxsize=8)
def pack_of(text: PackText) -> WastelandPack:
    """The cards in the files. Their faults were told when they were first read, so lines are not looked for again."""
    faults: list[Fault] = []
    pack = assemble({name: Source(name, tomllib.loads(content), {}) for name, content in text.files}, faults)
    if faults:
        raise PackFaults(faults)
    return pack
