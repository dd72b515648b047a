"""The packs that can be played with: those that come with the companion, and the owner's own, which is one file."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from companion.cards.wasteland import loader
from companion.cards.wasteland.loader import builtin, builtin_names
from companion.refusal import Refusal
from companion.table.record.data_folder import put

if TYPE_CHECKING:
    from pathlib import Path

    from companion.cards.pack import Fault
    from companion.cards.wasteland.types import WastelandPack

FILE: Final = "wasteland-cards.toml"
"""The owner's own pack, in the data folder: what is printed on their cards stays on their device."""
MINE: Final = "mine"
MOST: Final = 2 * 1024 * 1024
"""No pack is larger; all cards of the box are a tenth of it."""


class Packs:
    """The packs that can be played with, by their names."""

    def __init__(self, folder: Path) -> None:
        self.own = folder / FILE

    def names(self) -> tuple[str, ...]:
        """Return the owner's own first, once there is one."""
        return (*((MINE,) if self.own.is_file() else ()), *builtin_names())

    def place(self, name: str) -> str:
        """Return what a game is started with: a name of ours, or the file of the owner's own."""
        if name and name not in self.names():
            raise Refusal("no_such_pack", None, f"There is no pack {name[:60]!r}.", pack=name[:60])
        return str(self.own) if name == MINE else name

    def load(self, name: str) -> WastelandPack:
        """Return a pack; PackFaults tells all that is wrong with the owner's."""
        return loader.load(FILE, self.own.read_bytes()) if name == MINE else builtin(name)

    def begin(self, name: str) -> None:
        """Begin the owner's own pack as a copy of one of ours."""
        if name not in builtin_names():
            raise Refusal("no_such_pack", None, f"There is no pack {name[:60]!r}.", pack=name[:60])
        folder = resources.files("companion.cards.wasteland") / "packs" / name
        data: dict[str, Any] = {}
        for file in (loader.HEAD, *loader.FILES.values()):
            if (folder / file).is_file():
                data |= tomllib.loads((folder / file).read_text(encoding="utf-8"))
        self.keep(loader.written({**data, "id": MINE}))

    def data(self) -> dict[str, Any]:
        """Return the tables of the owner's own pack; empty before there is one."""
        return tomllib.loads(self.own.read_text(encoding="utf-8")) if self.own.is_file() else {}

    def keep(self, text: str) -> list[Fault]:
        """Keep a pack that can be played with; otherwise keep the old one and return all that is wrong."""
        if len(text) > MOST:
            raise Refusal("too_large", None, "No pack is that large.")
        content = text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")
        _, faults = loader.read(FILE, content)
        if not faults:
            put(self.own, content)
        return faults
