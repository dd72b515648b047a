"""The games of the record, and the people who played them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from web.games.port import pages_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.table.record.summaries import GameSummary
    from web.base.past_games import GamesPage
    from web.base.words import Words
    from web.games.port import PastGame


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    games: int
    wins: int
    average: float
    best: int


def people(results: Iterable[GameSummary]) -> list[Person]:
    """Return everybody who gave a name, over all games that were played to their end: the most victories first."""
    found: dict[str, list[tuple[str, int, bool]]] = {}
    for result in results:
        for score in result.scores:
            if score.name not in ("", score.colour.capitalize()):
                found.setdefault(score.name.casefold(), []).append((score.name, score.happiness, score.won))
    tallied = [_person(games) for games in found.values()]
    return sorted(tallied, key=lambda one: (-one.wins, -one.average, one.name))


def _person(games: list[tuple[str, int, bool]]) -> Person:
    happiness = [happy for _, happy, _ in games]
    average = sum(happiness) / len(happiness)
    return Person(games[-1][0], len(games), sum(won for _, _, won in games), average, max(happiness))


def past_games(words: Words, page: GamesPage) -> list[PastGame]:
    """Return the games of a page that can be shown, the newest first."""
    shown = (
        pages_of(story.state["game"]).past(words, story, current=story.game == page.current)
        for story in page.stories
        if story.state is not None and story.steps
    )
    return [game for game in shown if game is not None]
