"""The games that can be played at the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.refusal import Refusal
from companion.table.shelter_rules import ShelterRules
from companion.table.wasteland_rules import WastelandRules

if TYPE_CHECKING:
    from companion.table.rules import Rules

KNOWN: Final[dict[str, Rules]] = {"shelter": ShelterRules(), "wasteland": WastelandRules()}


def rules_of(name: object) -> Rules:
    """The rules of a game by its name."""
    rules = KNOWN.get(name) if isinstance(name, str) else None
    if rules is None:
        raise Refusal("no_such_game", None, f"There is no game {str(name)[:60]!r}; there is: {', '.join(KNOWN)}.")
    return rules
