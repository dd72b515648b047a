"""The story of a game out of its record: what was done, and how everybody stood after it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from companion.refusal import Refusal
from companion.table.record.open_game import replay

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.canonical import JsonObject
    from companion.table.record.entries import CampaignJson, Entry, GameBody
    from companion.table.record.open_game import OpenGame, OpenGameState


FIELDS: Final = (
    "space", "option", "item", "to", "card", "icon", "enemy", "quest", "objective", "letters", "type", "at",
)  # fmt: skip
"""The fields of a move that say what was done."""
MANY_TAKEN_BACK: Final = 10
EARLY: Final = 5
"""Before this hour of the morning it is still the night."""
LISTS: Final = ("dwellers", "use", "drawn", "results")


@dataclass(frozen=True, slots=True)
class StoryStep:
    """One entry and what the game was like behind it."""

    nth: int
    at: str
    kind: str
    by: str
    move: Mapping[str, object]
    """As everybody may see it; empty where the entry is no move."""
    dice: tuple[tuple[int, ...], ...]
    """What was rolled or told, throw by throw."""
    character: str | None
    """Who plays the seat from now on, where a bot was seated; `nobody` where it left."""
    to: int | None
    """The entry that was gone back to, where one was named."""
    round: int
    phase: str
    turn: str
    standing: dict[str, int]
    tally: dict[str, int] = field(default_factory=dict)
    """What was secret until the end, and is for nobody's eyes before."""

    @property
    def do(self) -> str:
        """What was done, in one word of the contract."""
        return str(self.move.get("do", self.kind))

    @property
    def values(self) -> tuple[str, ...]:
        """With what it was done, value by value in the words of the contract."""
        found = [str(self.move[key]) for key in FIELDS if key in self.move]
        for key in LISTS:
            listed = self.move.get(key, ())
            found += [str(one) for one in (listed if isinstance(listed, list | tuple) else [listed])]
        change = self.move.get("set")
        if isinstance(change, dict):
            found.append(", ".join(sorted(change)))
        found += ["+".join(map(str, thrown)) for thrown in self.dice]
        if self.character is not None:
            found.append(self.character)
        if self.to is not None:
            found.append(f"to {self.to}")
        return tuple(found)


class Deed(NamedTuple):
    """Something worth telling of a game, and whose it is; empty: everybody's."""

    key: str
    colour: str


@dataclass(slots=True)
class Story:
    """A game from its first entry to its last good one."""

    game: str
    colours: list[str] = field(default_factory=list)
    steps: list[StoryStep] = field(default_factory=list)
    state: OpenGameState | None = None
    trouble: str | None = None
    measure: str = ""
    """What the numbers of the steps count."""
    standing: dict[str, int] = field(default_factory=dict)
    """How everybody stands at the end."""
    week: str = ""
    """The week whose challenge it was."""
    campaign: CampaignJson | None = None
    """Which evening of which campaign it was."""
    points: int | None = None
    """What it was worth beside the same evening at other tables."""
    reopened: list[int] = field(default_factory=list)
    """The entries by which it went on after its end."""
    deeds: tuple[Deed, ...] = ()
    """What of it is worth telling, once it is over."""

    @property
    def over(self) -> bool:
        """Whether the game has its result. One that was put away, or that cannot be replayed to its end, has not."""
        return self.state is not None and self.state["result"] is not None


class Ends:
    """Notes, while a game is replayed, by which entries it goes on after its end."""

    def __init__(self) -> None:
        self.reopened: list[int] = []
        self._over = False

    def watch(self, entry: Entry, open_game: OpenGame) -> None:
        over = open_game.rules_state()["result"] is not None
        if self._over and not over:
            self.reopened.append(entry.nth)
        self._over = over


def story_of(entries: Sequence[Entry]) -> Story:
    """Replay a game and take notes."""
    body = cast("GameBody", entries[0].body)
    story = Story(entries[0].game, week=body.get("fair", {}).get("week", ""), campaign=body.get("campaign"))
    ends = Ends()

    def watch(entry: Entry, open_game: OpenGame) -> None:
        ends.watch(entry, open_game)
        story.steps.append(_step(entry, open_game))

    replayed = replay(entries, watch=watch)
    story.reopened = ends.reopened
    if replayed.trouble is not None:
        story.trouble = str(replayed.trouble)
    if replayed.open_game is not None:
        open_game = replayed.open_game
        story.state = open_game.state()
        story.measure, story.standing = open_game.rules.measure, open_game.rules.standing(story.state)
        story.colours = list(story.state["order"])
        if story.over:
            story.points = open_game.rules.points(story.state)
            deeds = (*open_game.rules.deeds(story.state), *_deeds_of_the_table(story))
            story.deeds = tuple(Deed(*one) for one in deeds)
    return story


def _deeds_of_the_table(story: Story) -> list[tuple[str, str]]:
    """Return what is worth telling of any game: how often it was gone back, and how late it became."""
    found, steps = [], story.steps
    if sum(step.kind == "undo" for step in steps) >= MANY_TAKEN_BACK:
        found.append(("second_thoughts", ""))
    hour = steps[-1].at[11:13] if steps else ""
    if hour.isdigit() and int(hour) < EARLY:
        found.append(("night_shift", ""))
    return found


def _step(entry: Entry, open_game: OpenGame) -> StoryStep:
    state, body = open_game.state(), entry.body
    move = _shown(entry, open_game)
    return StoryStep(
        nth=entry.nth,
        at=str(body.get("at", "")),
        kind=entry.kind,
        by=str(move.get("by") or body.get("seat") or body.get("by", "")),
        move=move,
        dice=tuple(tuple(thrown) for thrown in body.get("chance", {}).get("dice", move.get("dice", []))),
        character=str(body["character"] or "nobody") if "character" in body else None,
        to=body.get("to"),
        round=state["round"],
        phase=state["phase"],
        turn=state["turn"] or "",
        standing=open_game.rules.standing(state),
        tally=open_game.rules.tally(open_game.game),
    )


def _shown(entry: Entry, open_game: OpenGame) -> Mapping[str, object]:
    """Return the move as everybody may see it; of one that cannot be read any more only its name."""
    move: JsonObject | None = entry.body.get("move")
    if move is None:
        return {}
    try:
        return open_game.rules.shown(open_game.rules.read(move))
    except Refusal:
        return {key: move[key] for key in ("do", "by") if key in move}
