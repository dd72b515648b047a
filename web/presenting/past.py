"""Past games and the history of this one, in words and as a curve."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from web.presenting.people import name_of
from web.presenting.places import card_name, space_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.table.history import Step, Story
    from web.presenting.cards import Cards
    from web.presenting.words import Words

WIDTH: Final = 340
HEIGHT: Final = 120


@dataclass(frozen=True, slots=True)
class Curve:
    """One player's happiness, entry by entry."""

    colour: str
    points: str
    last_x: float
    last_y: float


@dataclass(frozen=True, slots=True)
class Past:
    """A game of the record."""

    game: str
    began: str
    round: int
    players: list[tuple[str, str, int, bool]]
    curves: list[Curve]
    current: bool
    trouble: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry to which the host may go back."""

    nth: int
    colour: str
    text: str
    round: int


def past(words: Words, story: Story, *, current: bool) -> Past | None:
    """A game as the history shows it; None where not even its first entry can be replayed."""
    state = story.state
    if state is None or not story.steps:
        return None
    winners = state["result"]["winners"] if state["result"] else []
    return Past(
        game=story.game,
        began=story.steps[0].at[:16].replace("T", " "),
        round=state["round"],
        players=[
            (colour, name_of(words, state, colour), player["happiness"], colour in winners)
            for colour, player in state["players"].items()
        ],
        curves=curves(story.steps, story.colours),
        current=current,
        trouble=story.trouble is not None,
    )


def curves(steps: Sequence[Step], colours: Sequence[str]) -> list[Curve]:
    """Everybody's happiness from the first entry to the last."""
    most = max((happy for step in steps for happy in step.standing.values()), default=0) or 1
    across = max(len(steps) - 1, 1)
    found = []
    for colour in colours:
        points = [
            (round(WIDTH * at / across, 1), round(HEIGHT - HEIGHT * step.standing.get(colour, 0) / most, 1))
            for at, step in enumerate(steps)
        ]
        found.append(Curve(colour, " ".join(f"{x},{y}" for x, y in points), *points[-1]))
    return found


def entries(words: Words, story: Story, cards: Cards) -> list[Entry]:
    """The history of a game, the newest first."""
    state = story.state
    if state is None:
        return []
    return [
        Entry(step.nth, step.by if step.by in state["players"] else "", _text(words, state, cards, step), step.round)
        for step in reversed(story.steps)
    ]


def _text(words: Words, state: dict[str, Any], cards: Cards, step: Step) -> str:
    who = name_of(words, state, step.by) if step.by in state["players"] else ""
    done = words.text(f"did_{step.do}") if words.has(f"did_{step.do}") else step.do
    what = " ".join(_what(words, state, cards, word) for word in step.what.split())
    return " ".join(part for part in (f"{who}:" if who else "", done, what) if part)


def _what(words: Words, state: dict[str, Any], cards: Cards, word: str) -> str:
    if word[:1].isdigit() and word[1:2] == ":":
        return space_name(words, state, cards, word)
    if word in cards.items or word in cards.rooms or word in cards.threats:
        return card_name(words, cards, word)
    key = f"resource_{word}"
    return words.text(key) if words.has(key) else word
