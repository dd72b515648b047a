"""Past games, the history of this one, and the people who played, in words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.games.shelter.words import LETTERS
from companion.table.record.export import formats_of
from web.games.shelter.icons import card_name, space_name
from web.games.shelter.placement_view import dweller_name
from web.pages.history.charts import Chart, chart, decided
from web.pages.play.people import name_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.table.record.history import Story, StoryStep
    from web.base.words import Words
    from web.pages.cards.view import Cards

SHELTER: Final = "shelter"
ROLLED: Final = re.compile(r"\d\+\d")


@dataclass(frozen=True, slots=True)
class Past:
    """A game of the record."""

    game: str
    began: str
    round: int
    players: list[tuple[str, str, int, bool]]
    chart: Chart
    current: bool
    trouble: bool
    decided: int | None
    kinds: tuple[str, ...]
    over: bool


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody across evenings."""

    name: str
    games: int
    wins: int
    average: float
    best: int


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
    if state is None or not story.steps or state["game"] != SHELTER:
        return None
    winners = state["result"]["winners"] if state["result"] else []
    return Past(
        game=story.game,
        began=story.steps[0].at[:16].replace("T", " "),
        round=state["round"],
        players=[
            (colour, name_of(words, state, colour), story.standing[colour], colour in winners)
            for colour in state["players"]
        ],
        chart=chart(story.steps, story.colours),
        current=current,
        trouble=story.trouble is not None,
        decided=decided(story),
        kinds=formats_of(story),
        over=story.over,
    )


def people(words: Words, stories: Iterable[Story]) -> list[Person]:
    """Everybody who gave a name, over all games that were played to their end: the most victories first."""
    found: dict[str, list[tuple[str, int, bool]]] = {}
    for story in stories:
        state = story.state
        if state is None or not state["result"]:
            continue
        for colour, score in state["result"]["scores"].items():
            name = name_of(words, state, colour)
            if name != words.text(f"colour_{colour}"):
                won = colour in state["result"]["winners"]
                found.setdefault(name.casefold(), []).append((name, score["happiness"], won))
    tallied = [_person(games) for games in found.values()]
    return sorted(tallied, key=lambda one: (-one.wins, -one.average, one.name))


def _person(games: list[tuple[str, int, bool]]) -> Person:
    happiness = [happy for _, happy, _ in games]
    average = sum(happiness) / len(happiness)
    return Person(games[-1][0], len(games), sum(won for _, _, won in games), average, max(happiness))


def entries(words: Words, story: Story, cards: Cards) -> list[Entry]:
    """The history of a game, the newest first."""
    state = story.state
    if state is None:
        return []
    return [
        Entry(step.nth, step.by if step.by in state["players"] else "", text_of(words, state, cards, step), step.round)
        for step in reversed(story.steps)
    ]


def text_of(words: Words, state: dict[str, Any], cards: Cards, step: StoryStep) -> str:
    """What was done, in words."""
    who = name_of(words, state, step.by) if step.by in state["players"] else ""
    done = words.text(f"did_{step.do}") if words.has(f"did_{step.do}") else step.do
    told = (_what(words, state, cards, word) for word in step.values)
    what = " ".join(word for word in told if word)
    return " ".join(part for part in (f"{who}:" if who else "", done, what) if part)


def _what(words: Words, state: dict[str, Any], cards: Cards, word: str) -> str:
    """One word of the contract in the reader's own; what says nothing to a reader is left out."""
    room, _, side = word.partition("@")
    card = word.removeprefix("use:")
    if word[:1].isdigit() and word[1:2] == ":":
        return space_name(words, state, cards, word)
    if side and room in cards:
        return f"{card_name(words, cards, room)}, {words.text(f'side_{side}')}"
    if card in cards:
        return card_name(words, cards, card)
    if ROLLED.fullmatch(word) or "->" in word:
        return word
    if word in LETTERS or word.startswith("injured"):
        return dweller_name(words, word).lower()
    key = next((key for key in (f"resource_{word}", f"option_{word}") if words.has(key)), "")
    return words.text(key).lower() if key and word != "plain" else ""
