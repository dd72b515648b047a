"""The games of the record, and the people who played them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from web.base.words import name_of
from web.games.port import pages_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.table.record.history import Story
    from web.base.words import Words
    from web.games.port import PastGame


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    games: int
    wins: int
    average: float
    best: int


def people(words: Words, stories: Iterable[Story]) -> list[Person]:
    """Return everybody who gave a name, over all games that were played to their end: the most victories first."""
    found: dict[str, list[tuple[str, int, bool]]] = {}
    for story in stories:
        state = story.state
        if state is None or not state["result"]:
            continue
        scores = cast("dict[str, dict[str, int]]", state["result"].get("scores", {}))
        for colour, score in scores.items():
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


def past_games(words: Words, stories: Sequence[Story], current: str | None) -> list[PastGame]:
    """Return every game that can be shown, the newest first."""
    shown = (
        pages_of(story.state["game"]).past(words, story, current=story.game == current)
        for story in reversed(stories)
        if story.state is not None and story.steps
    )
    return [game for game in shown if game is not None]
