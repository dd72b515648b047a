"""What a player is called: a text of one line, else the colour."""

from __future__ import annotations

from typing import Final

from companion.refusal import Refusal

LONGEST_NAME: Final = 60


def is_name(raw: object) -> bool:
    """Whether this can be somebody's name; an empty one is the colour's."""
    return isinstance(raw, str) and raw.isprintable() and len(raw) <= LONGEST_NAME


def renamed(names: dict[str, str], colour: str, raw: object) -> dict[str, str]:
    """The names with another one for a colour; null takes it away."""
    name = "" if raw is None else raw
    if not isinstance(name, str) or not is_name(name):
        field = f"players.{colour}.name"
        raise Refusal("malformed", None, f"{field} is a text of {LONGEST_NAME} letters at most.", field=field)
    return {**names, colour: name}


def called(names: dict[str, str], colour: str) -> str:
    """The name of a colour's player."""
    return names.get(colour, "").strip() or colour.capitalize()
