"""The packs that can be played with: those that come with the companion, and the owner's own, which is one file."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from importlib import resources
from typing import TYPE_CHECKING, Any, Final, cast

from companion.cards.pack import Fault, PackFaults
from companion.cards.wasteland import learned, loader
from companion.cards.wasteland.loader import builtin, builtin_names
from companion.games.wasteland.box import WastelandBox
from companion.refusal import Refusal
from companion.table.record.data_folder import put
from web.games.port import LARGEST_PACK
from web.games.wasteland.names import Names

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from companion.cards.wasteland.types import WastelandPack
    from companion.games.wasteland.state_types import WastelandState
    from web.base.words import Words

FILE: Final = "wasteland-cards.toml"
"""The owner's own pack, in the data folder: what is printed on their cards stays on their device."""
MINE: Final = "mine"
BOX: Final = "box"
"""What an owner's pack begins as: everything that lies in the box, and no card of it entered."""


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
        return loader.playable(FILE, self._content()).pack if name == MINE else builtin(name)

    def shown(self) -> WastelandPack:
        """Return the owner's pack as far as it can be read, else ours, for the names of things."""
        return self.load_or_first(MINE)[1]

    def left_out(self) -> list[str]:
        """Return what is wrong with the cards that are not played, at their lines."""
        try:
            return [str(fault) for fault in loader.playable(FILE, self._content()).faults] if self.own.is_file() else []
        except PackFaults:
            return []

    def load_or_first(self, name: str) -> tuple[str, WastelandPack]:
        """Return the pack of this name, else the first one that can be played with: the owner's own may be damaged."""
        for one in (name, *self.names()) if name in self.names() else self.names():
            with suppress(PackFaults):
                return one, self.load(one)
        raise AssertionError("the packs that come with the companion can be played with")

    def begin(self, name: str) -> None:
        """Begin the owner's own pack with what lies in the box, or as a copy of one of ours."""
        if name == BOX:
            self.keep(loader.skeleton())
            return
        if name not in builtin_names():
            raise Refusal("no_such_pack", None, f"There is no pack {name[:60]!r}.", pack=name[:60])
        folder = resources.files("companion.cards.wasteland") / "packs" / name
        data: dict[str, Any] = {}
        for file in (loader.HEAD, *loader.FILES.values()):
            if (folder / file).is_file():
                data |= tomllib.loads((folder / file).read_text(encoding="utf-8"))
        self.keep(loader.written({**data, "id": MINE}))

    def data(self) -> dict[str, Any]:
        """Return the tables of the owner's own pack; empty before there is one.

        PackFaults tells why nothing can be listed: the file was edited elsewhere, or is damaged.
        """
        if not self.own.is_file():
            return {}
        data, faults = loader.read(FILE, self._content())
        if faults and not (data and all(_are_tables(data.get(kind, [])) for kind in loader.FILES)):
            raise PackFaults(faults)
        return data

    def text(self) -> str:
        """Return the file as it is, whatever it holds, for somebody to mend."""
        try:
            return self._content().decode("utf-8-sig", "replace")
        except PackFaults:
            return ""

    def _content(self) -> bytes:
        try:
            with self.own.open("rb") as file:
                return file.read(LARGEST_PACK)
        except OSError as error:
            raise PackFaults([Fault(FILE, 1, "", str(error.strerror), "a file that can be read")]) from error

    def keep(self, text: str, *, partly: bool = False) -> list[Fault]:
        """Keep a pack that can be played with; otherwise keep the old one and return all that is wrong.

        `partly` keeps one of which something can be played, its faults with it, for somebody to mend.
        """
        if len(text) > LARGEST_PACK:
            raise Refusal("too_large", None, "No pack is that large.")
        content = text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")
        _, faults = loader.read(FILE, content)
        if faults and partly:
            with suppress(PackFaults):
                loader.playable(FILE, content)
                faults = []
        if not faults:
            self._put_damaged_aside()
            put(self.own, content)
        return faults

    def learn(self, kind: str, record: Mapping[str, object], *, another: bool = False) -> None:
        """Keep a card that was entered during a game; a pack that has faults elsewhere keeps them."""
        data = learned.put_into(self.data(), kind, record, another=another)
        faults = self.keep(loader.written(data), partly=True)
        if faults:
            raise PackFaults(faults)

    def _put_damaged_aside(self) -> None:
        """Keep a file that somebody may still want to mend, where it makes room for another."""
        try:
            self.data()
        except PackFaults:
            self.own.replace(self.own.with_name(f"{FILE}.damaged"))


def pack_names(words: Words, pack: WastelandPack) -> Names:
    """Return the names of a pack's cards outside of a game."""
    scenario = pack.scenarios[0].id if pack.scenarios else ""
    nobody = {"options": {"scenario": scenario}, "enemies": {}, "players": {}}
    return Names(words, WastelandBox(pack), cast("WastelandState", nobody))


def _are_tables(rows: object) -> bool:
    return isinstance(rows, list) and all(isinstance(row, dict) for row in rows)
