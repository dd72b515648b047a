"""The story of a game out of its record: what was done, and how everybody stood after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from companion.table.replaying import replay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.entries import Entry
    from companion.table.sitting import Sitting


@dataclass(frozen=True, slots=True)
class Step:
    """One entry and what the game was like behind it."""

    nth: int
    at: str
    kind: str
    by: str
    do: str
    what: str
    round: int
    phase: str
    turn: str
    happiness: dict[str, int]

    def as_json(self) -> dict[str, Any]:
        """For exports and pages."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(slots=True)
class Story:
    """A game from its first entry to its last good one."""

    game: str
    colours: list[str] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    state: dict[str, Any] | None = None
    trouble: str | None = None


def told(entries: Sequence[Entry]) -> Story:
    """Replay a game and take notes."""
    story = Story(entries[0].game)
    replayed = replay(entries, watch=lambda entry, sitting: story.steps.append(_step(entry, sitting)))
    if replayed.trouble is not None:
        story.trouble = str(replayed.trouble)
    if replayed.sitting is not None:
        story.state = replayed.sitting.state()
        story.colours = list(story.state["order"])
    return story


def _step(entry: Entry, sitting: Sitting) -> Step:
    state = sitting.state()
    move = entry.body.get("move", {})
    return Step(
        nth=entry.nth,
        at=str(entry.body.get("at", "")),
        kind=entry.kind,
        by=str(move.get("by") or entry.body.get("seat") or entry.body.get("by", "")),
        do=str(move.get("do", entry.kind)),
        what=_what(entry, move),
        round=state["round"],
        phase=state["phase"],
        turn=state["turn"] or "",
        happiness={colour: player["happiness"] for colour, player in state["players"].items()},
    )


def _what(entry: Entry, move: dict[str, Any]) -> str:
    """What was done, in a few words of the contract."""
    words = [str(move[key]) for key in ("space", "option", "item") if key in move]
    for key in ("dwellers", "use", "drawn"):
        words += [str(one) for one in move.get(key, ())]
    if "set" in move:
        words.append(", ".join(sorted(move["set"])))
    dice = entry.body.get("chance", {}).get("dice", move.get("dice", []))
    words += [f"{first}+{second}" for first, second in dice]
    if "character" in entry.body:
        words.append(str(entry.body["character"] or "nobody"))
    if "to" in entry.body:
        words.append(f"to {entry.body['to']}")
    return " ".join(words)
