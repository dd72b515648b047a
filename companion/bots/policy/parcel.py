"""A game as bytes for another process: what lies in the box stays behind, both sides have one."""

from __future__ import annotations

import io
import pickle
from types import GetSetDescriptorType, MemberDescriptorType
from typing import TYPE_CHECKING, Any, Final

from companion.games.shelter.board.figures import Choice, Placement, Result, Score, Spawned, Standing
from companion.games.shelter.board.vault import Vault
from companion.games.shelter.cards.hand import Hand
from companion.games.shelter.game import Game

if TYPE_CHECKING:
    from companion.games.shelter.cards.box import Box

BORN_WITH: Final[dict[type, tuple[str, ...]]] = {
    Choice: ("id", "by", "kind", "clause", "data", "of_placement"),
    Game: ("box",),
    Hand: ("_box", "cards"),
    Placement: ("by", "space", "face", "program", "price"),
    Result: ("winners", "decided_by", "scores"),
    Score: ("happiness", "items", "threats"),
    Spawned: ("level", "dice", "space", "threat", "why_not"),
    Standing: ("colour", "dwellers", "training"),
    Vault: ("box",),
}
"""What each kind of thing on the table is made from; the rest of its fields are filled in."""

RULES: Final = "companion.games."
SLOTS: Final = (MemberDescriptorType, GetSetDescriptorType)


class Parcels:
    """Packs and unpacks games of one box. Only ever between a process and the helper that it started itself."""

    def __init__(self, box: Box) -> None:
        faces = [box.top_elevator, box.elevator, *box.threats]
        for room in box.rooms:
            faces += room.faces
        self._left_behind: list[Any] = [box, *faces, *box.rooms, *box.items]
        self._numbers = {id(thing): number for number, thing in enumerate(self._left_behind)}

    def pack(self, game: Game) -> bytes:
        """The game as it lies, its events and its box left out."""
        buffer = io.BytesIO()
        _Packer(buffer, self._numbers).dump(game.copy())
        return buffer.getvalue()

    def unpack(self, parcel: bytes) -> Game:
        """The game on this side's box."""
        game: Game = _Unpacker(parcel, self._left_behind).load()
        return game


class _Packer(pickle.Pickler):
    """Writes the rules' objects field by field, so that compiled ones travel like any other."""

    def __init__(self, buffer: io.BytesIO, numbers: dict[int, int]) -> None:
        super().__init__(buffer, pickle.HIGHEST_PROTOCOL)
        self._numbers = numbers

    def persistent_id(self, thing: object) -> int | None:
        """What stays behind, by its number."""
        return self._numbers.get(id(thing))

    def reducer_override(self, thing: object) -> Any:
        """The rules' own objects; the rest goes the usual way."""
        kind = type(thing)
        if not kind.__module__.startswith(RULES):
            return NotImplemented
        born_with = [getattr(thing, name) for name in BORN_WITH.get(kind, ())]
        return _rebuild, (kind, born_with, _fields_of(thing))


class _Unpacker(pickle.Unpickler):
    """Reads them back, onto this side's box."""

    def __init__(self, parcel: bytes, left_behind: list[Any]) -> None:
        super().__init__(io.BytesIO(parcel))
        self._left_behind = left_behind

    def persistent_load(self, number: int) -> Any:
        """This side's piece of that number."""
        return self._left_behind[number]


def _fields_of(thing: object) -> dict[str, Any]:
    """Everything that an object holds, in slots or not, compiled or not."""
    names = [
        name
        for kind in type(thing).__mro__
        for name, what in vars(kind).items()
        if isinstance(what, SLOTS) and not name.startswith("__")
    ]
    fields = {name: getattr(thing, name) for name in names if hasattr(thing, name)}
    return fields | getattr(thing, "__dict__", {})


def _rebuild(kind: type, born_with: list[Any], fields: dict[str, Any]) -> object:
    thing: object = kind(*born_with)
    for name, value in fields.items():
        setattr(thing, name, value)
    return thing
