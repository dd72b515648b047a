"""The packs that can be played with: those that come with the companion, and the owner's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.loader import builtin, builtin_names, load_pack
from companion.games.refusal import Refusal

if TYPE_CHECKING:
    from pathlib import Path

    from companion.cards.wasteland.types import WastelandPack

FOLDER: Final = "wasteland-cards"
"""The owner's own pack, in the data folder: what is printed on their cards stays on their device."""
MINE: Final = "mine"


class Packs:
    """Packs by their names."""

    def __init__(self, folder: Path) -> None:
        self.own = folder / FOLDER

    def names(self) -> tuple[str, ...]:
        """The owner's own first, once there is one."""
        own = (MINE,) if (self.own / "pack.toml").is_file() else ()
        return (*own, *builtin_names())

    def place(self, name: str) -> str:
        """What a game is started with: a name of ours, or the folder of the owner's own."""
        if name and name not in self.names():
            raise Refusal("no_such_pack", None, f"There is no pack {name[:60]!r}.", pack=name[:60])
        return str(self.own) if name == MINE else name

    def load(self, name: str) -> WastelandPack:
        """A pack; PackFaults tells all that is wrong with the owner's."""
        return load_pack(self.own) if name == MINE else builtin(name)
