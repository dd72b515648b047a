"""The story of a game out of its record: what was done, and how everybody stood after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from companion.refusal import Refusal
from companion.table.record.open_game import replay

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.record.entries import Entry
    from companion.table.record.open_game import OpenGame


WORDS: Final = ("space", "option", "item", "to", "card", "icon", "enemy", "quest", "objective", "letters", "type", "at")
"""The fields of a move that say what was done."""


@dataclass(frozen=True, slots=True)
class StoryStep:
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
    standing: dict[str, int]

    def as_json(self, measure: str) -> dict[str, Any]:
        """For exports; how everybody stood is called by what it counts."""
        told = {name: getattr(self, name) for name in self.__slots__ if name != "standing"}
        return {**told, measure.replace(" ", "_"): self.standing}


@dataclass(slots=True)
class Story:
    """A game from its first entry to its last good one."""

    game: str
    colours: list[str] = field(default_factory=list)
    steps: list[StoryStep] = field(default_factory=list)
    state: dict[str, Any] | None = None
    trouble: str | None = None
    measure: str = ""
    """What the numbers of the steps count."""
    standing: dict[str, int] = field(default_factory=dict)
    """How everybody stands at the end."""

    @property
    def over(self) -> bool:
        """Whether the game has its result. One that was put away, or that cannot be replayed to its end, has not."""
        return self.state is not None and self.state["result"] is not None


def story_of(entries: Sequence[Entry]) -> Story:
    """Replay a game and take notes."""
    story = Story(entries[0].game)
    replayed = replay(entries, watch=lambda entry, open_game: story.steps.append(_step(entry, open_game)))
    if replayed.trouble is not None:
        story.trouble = str(replayed.trouble)
    if replayed.open_game is not None:
        open_game = replayed.open_game
        story.state = open_game.state()
        story.measure, story.standing = open_game.rules.measure, open_game.rules.standing(story.state)
        story.colours = list(story.state["order"])
    return story


def _step(entry: Entry, open_game: OpenGame) -> StoryStep:
    state = open_game.state()
    move = _shown(entry, open_game)
    return StoryStep(
        nth=entry.nth,
        at=str(entry.body.get("at", "")),
        kind=entry.kind,
        by=str(move.get("by") or entry.body.get("seat") or entry.body.get("by", "")),
        do=str(move.get("do", entry.kind)),
        what=_what(entry, move),
        round=state["round"],
        phase=state["phase"],
        turn=state["turn"] or "",
        standing=open_game.rules.standing(state),
    )


def _shown(entry: Entry, open_game: OpenGame) -> dict[str, Any]:
    """The move as everybody may see it; of one that cannot be read any more only its name."""
    move = entry.body.get("move")
    if move is None:
        return {}
    try:
        return open_game.rules.shown(open_game.rules.read(move))
    except Refusal:
        return {key: move[key] for key in ("do", "by") if key in move}


def _what(entry: Entry, move: dict[str, Any]) -> str:
    """What was done, in a few words of the contract."""
    words = [str(move[key]) for key in WORDS if key in move]
    for key in ("dwellers", "use", "drawn", "results"):
        listed = move.get(key, ())
        words += [str(one) for one in (listed if isinstance(listed, list | tuple) else [listed])]
    if "set" in move:
        words.append(", ".join(sorted(move["set"])))
    dice = entry.body.get("chance", {}).get("dice", move.get("dice", []))
    words += ["+".join(map(str, thrown)) for thrown in dice]
    if "character" in entry.body:
        words.append(str(entry.body["character"] or "nobody"))
    if "to" in entry.body:
        words.append(f"to {entry.body['to']}")
    return " ".join(words)
