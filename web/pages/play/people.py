"""Players in words: names, and what is said of each on the status page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from web.base.words import Words


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the scores."""

    colour: str
    name: str
    sub: str
    happiness: int
    if_ended_now: int
    on_turn: bool
    mine: bool
    passed: bool
    first: bool
    level: int


def name_of(words: Words, state: dict[str, Any], colour: str) -> str:
    """A player's name; the colour's in the reader's language where nobody gave one."""
    given = str(state["players"].get(colour, {}).get("name", ""))
    if not given or given == colour.capitalize():
        return words.text(f"colour_{colour}")
    return given


def rows(words: Words, state: dict[str, Any], mine: frozenset[str]) -> list[Row]:
    """All players in the order of the table."""
    return [
        Row(
            colour=colour,
            name=name_of(words, state, colour),
            sub=_sub(words, player),
            happiness=player["happiness"],
            if_ended_now=player["if_ended_now"],
            on_turn=state["turn"] == colour,
            mine=colour in mine,
            passed=player["passed"],
            first=state["first"] == colour,
            level=player["level"],
        )
        for colour, player in state["players"].items()
    ]


def _sub(words: Words, player: dict[str, Any]) -> str:
    cubes = sum(player["resources"].values())
    return " · ".join(
        (
            words.count("cubes", cubes),
            words.count("dwellers", player["total"]),
            words.count("items", len(player["items"])),
        )
    )
