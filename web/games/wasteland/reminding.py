"""What people do now by hand: the reminders of the last move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from web.base.words import Words
    from web.games.wasteland.names import Names


@dataclass(frozen=True, slots=True)
class Reminder:
    """One thing to do on the table, and who does it."""

    by: str
    who: str
    text: str
    clauses: str


def reminders(words: Words, names: Names, state: dict[str, Any]) -> list[Reminder]:
    """In the order in which they were given."""
    return [
        Reminder(
            by=raw["by"] or "",
            who=names.player(raw["by"]) if raw["by"] else "",
            text=_text(words, names, raw),
            clauses=" ".join(raw["clauses"]),
        )
        for raw in state["reminders"]
    ]


def _text(words: Words, names: Names, raw: dict[str, Any]) -> str:
    number = raw.get("number")
    text = words.text(
        f"wrem_{raw['key'].replace('-', '_')}",
        enemy=names.enemy(number) if raw["key"] == "enemy-moves" else "",
        toward=names.players(raw["toward"]) if raw.get("toward") else "",
        type=names.kind(str(raw["type"])) if raw.get("type") else "",
        at=names.space(raw["at"]) if raw.get("at") else "",
        reader=names.player(raw["reader"]) if raw.get("reader") else "",
        space=words.text(f"wicon_{raw['space']}") if words.has(f"wicon_{raw.get('space')}") else raw.get("space", ""),
        number=number or "",
    )
    more = [*raw.get("notes", ()), *([str(raw["words"])] if raw.get("words") else [])]
    return " ".join([text, *map(str, more)])
