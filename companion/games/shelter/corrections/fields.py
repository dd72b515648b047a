"""Reading the fields of a correction: the right type, or a refusal that names the field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.shelter.words import COLOUR_NUMBER, SPACE_NUMBER
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.shelter.position import Position


def wrong(field: str, found: object, expected: str) -> Refusal:
    """A field that cannot be read."""
    shown = str(found)[:60]
    return Refusal("malformed", None, f"{field}: {shown!r} is not {expected}.", field=field, found=shown)


def mapping(raw: dict[str, Any], key: str) -> dict[str, Any]:
    """An object, empty where the key is missing."""
    value = raw.get(key, {})
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value):
        raise wrong(key, value, "an object")
    return value


def whole(raw: object, field: str, low: int, high: int, clause: str | None = None) -> int:
    """A whole number; one out of bounds is refused with the clause that it breaks."""
    if not isinstance(raw, int) or isinstance(raw, bool):
        raise wrong(field, raw, "a whole number")
    if not low <= raw <= high:
        raise Refusal("impossible", clause, f"{field} is from {low} to {high}, not {raw}.", field=field, found=raw)
    return raw


def flag(raw: object, field: str) -> bool:
    """True or false."""
    if not isinstance(raw, bool):
        raise wrong(field, raw, "true or false")
    return raw


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
        raise wrong(field, raw, "a list of names")
    return raw
