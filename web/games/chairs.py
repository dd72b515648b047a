"""Who sits where: a person, or a bot of some character, as every game's pages show it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from web.base.words import name_of

if TYPE_CHECKING:
    from companion.games.json_types import State
    from web.base.words import Words


@dataclass(frozen=True, slots=True)
class Chair:
    """A seat, and who sits there: a character, or nothing for a person."""

    colour: str
    name: str
    character: str


def chairs(words: Words, state: State) -> list[Chair]:
    return [
        Chair(colour, name_of(words, state, colour), player.get("bot") or "")
        for colour, player in state["players"].items()
    ]


def character(words: Words, name: str) -> str:
    """Return what a family calls a character; nobody plays for a person."""
    return words.text(f"bot_{name}") if name else words.text("bot_nobody")
