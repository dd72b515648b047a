"""What a table has played of the week's challenges, and what of all its evenings is worth telling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.table.record.summaries import GameSummary
    from web.base.words import Words

MOST_WEEKS: Final = 12


@dataclass(frozen=True, slots=True)
class WeekPlayed:
    """One game of a week's challenge that was played to its end."""

    week: str
    game: str
    players: int
    points: int
    won: bool


def weeks(results: Iterable[GameSummary]) -> list[WeekPlayed]:
    """Return the challenges that were played here: the newest week first, in each the most points first."""
    found = [
        WeekPlayed(one.week, one.game, len(one.names), one.points or 0, one.won)
        for one in results
        if one.over and one.week
    ]
    return sorted(sorted(found, key=lambda one: -one.points), key=lambda one: one.week, reverse=True)[:MOST_WEEKS]


# --- what is worth telling --------------------------------------------------------------------------------------------

DEEDS: Final = (
    "full_level",
    "everybody_home",
    "hoarder",
    "landslide",
    "whisker",
    "bare_hands",
    "beat_the_machine",
    "quiet_vault",
    "alone",
    "hard_times",
    "nobody_came_in",
    "last_minute",
    "second_thoughts",
    "night_shift",
    "four_weeks",
    "regulars",
)
"""In the order of the page."""
MANY_WEEKS: Final = 4
MANY_GAMES: Final = 25


@dataclass(frozen=True, slots=True)
class DeedLine:
    """Something worth telling: what it is called and what it takes, and who did it first, if anybody has."""

    key: str
    title: str
    how: str
    game: str = ""
    who: str = ""
    day: str = ""
    times: int = 0


def achievements(words: Words, results: Sequence[GameSummary]) -> list[DeedLine]:
    """Return all there are: those that somebody has done with the first time, the others with what they take."""
    done: dict[str, list[tuple[GameSummary, str]]] = {}
    for one in (one for one in results if one.over):
        for deed in one.deeds:
            done.setdefault(deed.key, []).append((one, dict(one.names).get(deed.colour, "")))
    _count(done, "four_weeks", MANY_WEEKS, {one.week: one for one in reversed(results) if one.over and one.week})
    _count(done, "regulars", MANY_GAMES, {one.game: one for one in results if one.over})
    return [_line(words, key, done.get(key, [])) for key in DEEDS]


def _count(
    done: dict[str, list[tuple[GameSummary, str]]], key: str, many: int, different: dict[str, GameSummary]
) -> None:
    """Note a deed that takes many games: it was done with the one that made it so many."""
    if len(different) >= many:
        done[key] = [(sorted(different.values(), key=lambda one: one.began)[many - 1], "")]


def _line(words: Words, key: str, done: list[tuple[GameSummary, str]]) -> DeedLine:
    title, how = words.text(f"deed_{key}"), words.text(f"deed_{key}_how")
    if not done:
        return DeedLine(key, title, how)
    first, who = min(done, key=lambda one: one[0].began)
    return DeedLine(key, title, how, first.game, who, first.began[:10], len(done))
