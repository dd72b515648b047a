"""A game as bytes for another process: what lies in the box stays behind, both sides have one."""

from __future__ import annotations

import io
import pickle
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from companion.games.shelter.box import Box
    from companion.games.shelter.game import Game


class Parcels:
    """Packs and unpacks games of one box. Only ever between a process and the helper that it started itself."""

    def __init__(self, box: Box) -> None:
        faces = [box.top_elevator, box.elevator, *box.threats]
        for room in box.rooms:
            faces += [room.left, room.right]
        self._left_behind: list[Any] = [box, *faces, *box.rooms, *box.items]
        self._number = {id(thing): number for number, thing in enumerate(self._left_behind)}

    def pack(self, game: Game) -> bytes:
        """The game as it lies, its events and its box left out."""
        buffer = io.BytesIO()
        pickler = pickle.Pickler(buffer, pickle.HIGHEST_PROTOCOL)
        pickler.persistent_id = self._persistent_id  # type: ignore[method-assign]
        pickler.dump(game.copy())
        return buffer.getvalue()

    def unpack(self, parcel: bytes) -> Game:
        """The game on this side's box."""
        unpickler = pickle.Unpickler(io.BytesIO(parcel))  # noqa: S301 - from our own parent, over our own pipe
        unpickler.persistent_load = self._left_behind.__getitem__  # type: ignore[method-assign]
        game: Game = unpickler.load()
        return game

    def _persistent_id(self, thing: object) -> int | None:
        return self._number.get(id(thing))
