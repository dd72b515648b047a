"""The games that can be played at the table. A game's rules are loaded when it is played for the first time."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.api import Rules

KNOWN: Final = {
    "shelter": "companion.games.shelter.adapter:ShelterRules",
    "wasteland": "companion.games.wasteland.adapter:WastelandRules",
}


def rules_of(name: object) -> Rules:
    """The rules of a game by its name."""
    if not isinstance(name, str) or name not in KNOWN:
        raise Refusal("no_such_game", None, f"There is no game {str(name)[:60]!r}; there is: {', '.join(KNOWN)}.")
    return _loaded(name)


@cache
def _loaded(name: str) -> Rules:
    module, _, rules = KNOWN[name].partition(":")
    return cast("Rules", getattr(import_module(module), rules)())
