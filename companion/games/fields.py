"""Readers of the fields of moves, corrections and setups: each is of its kind, or a refusal names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST: Final = 60


def malformed(field: str, found: object, expected: str) -> Refusal:
    """Return a refusal of something that is not in the shape of the protocol."""
    shown = str(found)[:LONGEST]
    return Refusal("malformed", None, f"{field}: {shown!r} is not {expected}", field=field, found=shown)


def text(raw: object, field: str) -> str:
    """Return a short text of one line."""
    if not isinstance(raw, str) or not raw.strip() or len(raw) > LONGEST or not raw.isprintable():
        raise malformed(field, raw, f"a text of one line and {LONGEST} characters at most")
    return raw


def whole(raw: object, field: str, low: int, high: int, clause: str | None = None) -> int:
    """Return a whole number; one out of bounds is refused with the clause that it breaks."""
    if not isinstance(raw, int) or isinstance(raw, bool):
        raise malformed(field, raw, "a whole number")
    if not low <= raw <= high:
        raise Refusal("impossible", clause, f"{field} is from {low} to {high}, not {raw}.", field=field, found=raw)
    return raw


def flag(raw: object, field: str) -> bool:
    if not isinstance(raw, bool):
        raise malformed(field, raw, "true or false")
    return raw


def a_list(raw: object, field: str) -> list[object]:
    if not isinstance(raw, list):
        raise malformed(field, raw, "a list")
    return raw


def texts(raw: object, field: str) -> list[str]:
    return [text(one, field) for one in a_list(raw, field)]


def an_object(raw: object, field: str) -> dict[str, object]:
    if not isinstance(raw, dict) or not all(isinstance(key, str) for key in raw):
        raise malformed(field, raw, "an object")
    return raw


def by_table(raw: object, field: str) -> bool:
    """Return whether real dice or decks on the table decide, or the companion."""
    if raw not in ("companion", "table"):
        raise malformed(field, raw, "companion or table")
    return bool(raw == "table")


# --- names of players ------------------------------------------------------------------------------------------------


def one_of(raw: object, field: str, words: Sequence[str]) -> str:
    """Return one of these words."""
    found = text(raw, field)
    if found not in words:
        raise malformed(field, raw, "one of " + ", ".join(words))
    return found


def is_name(raw: object) -> bool:
    """Return whether this can be somebody's name; an empty one stands for the colour's."""
    return isinstance(raw, str) and raw.isprintable() and len(raw) <= LONGEST


def renamed(names: dict[str, str], colour: str, raw: object) -> dict[str, str]:
    """Return the names with another one for a colour; null takes it away."""
    name = "" if raw is None else raw
    if not isinstance(name, str) or not is_name(name):
        field = f"players.{colour}.name"
        raise Refusal("malformed", None, f"{field} is a text of {LONGEST} letters at most.", field=field)
    return {**names, colour: name}


def called(names: dict[str, str], colour: str) -> str:
    """Return the name of a colour's player."""
    return names.get(colour, "").strip() or colour.capitalize()
