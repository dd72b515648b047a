"""Readers of the fields that only a correction of Shelter has: its players, spaces and cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games import fields
from companion.games.fields import malformed
from companion.games.shelter.words import COLOUR_NUMBER, SPACE_NUMBER
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.shelter.position import Position


def mapping(raw: dict[str, Any], key: str) -> dict[str, Any]:
    """An object, empty where the key is missing."""
    return fields.an_object(raw.get(key, {}), key)


def colour_of(game: Position, raw: object, field: str) -> int:
    """The colour of somebody who plays."""
    colour = COLOUR_NUMBER.get(raw, -1) if isinstance(raw, str) else -1
    if colour not in game.seats:
        raise Refusal("not_playing", "C1", f"{field}: {str(raw)[:60]!r} is not playing.", field=field)
    return colour


def space_of(name: str, field: str) -> int:
    """A space by its name."""
    if name not in SPACE_NUMBER:
        raise Refusal("no_such_space", "P1", f"There is no space {name[:60]!r} in the vault.", field=field)
    return SPACE_NUMBER[name]


def names(raw: object, field: str) -> list[str]:
    """A list of texts."""
    if not isinstance(raw, list) or not all(isinstance(name, str) for name in raw):
        raise malformed(field, raw, "a list of names")
    return raw
