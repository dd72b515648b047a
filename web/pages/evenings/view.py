"""What a table has played of the week's challenges, and what of all its evenings is worth telling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.table.record.summaries import GameSummary
    from web.base.words import Words
    from web.games.port import CampaignText

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


# --- campaigns --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EveningLine:
    """One evening of a campaign: what it is, and how it ended (None: it is still to be played to its end)."""

    number: int
    title: str
    told: str
    does: str
    game: str
    won: bool | None


@dataclass(frozen=True, slots=True)
class CampaignRun:
    """A campaign as far as it has been played: the run that was begun last."""

    id: str
    title: str
    run: str
    """The game that it began with; empty where nobody has begun it."""
    evenings: list[EveningLine]
    next: int
    """The evening that comes next; 0 when all have been played."""
    names: dict[str, str]
    """Who played last."""

    @property
    def won(self) -> int:
        return sum(one.won is True for one in self.evenings)

    @property
    def won_before(self) -> bool | None:
        return self.evenings[self.next - 2].won if self.next > 1 else None


def campaign_run(text: CampaignText, results: Sequence[GameSummary]) -> CampaignRun:
    """Return how far a campaign has come; of an evening that was played twice, the game that was begun last counts."""
    about = [(one, one.campaign) for one in results if one.campaign is not None and one.campaign[0] == text.id]
    run = next((campaign[1] for one, campaign in reversed(about) if campaign[2] == 1), "")
    played = {campaign[2]: one for one, campaign in about if campaign[1] == run}
    lines = [_evening(number, evening, played.get(number)) for number, evening in enumerate(text.evenings, 1)]
    last = played[max(played)] if played else None
    following = next((line.number for line in lines if line.won is None), 0)
    return CampaignRun(text.id, text.title, run, lines, following, dict(last.names) if last is not None else {})


def _evening(number: int, evening: tuple[str, str, str], played: GameSummary | None) -> EveningLine:
    game = "" if played is None else played.game
    return EveningLine(number, *evening, game, played.won if played is not None and played.over else None)


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
    "six_evenings",
    "regulars",
)
"""In the order of the page."""
MANY_WEEKS: Final = 4
MANY_GAMES: Final = 25
ALL_EVENINGS: Final = 6


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
    for run in {one.campaign[1] for one in results if one.campaign is not None}:
        evenings = {
            str(one.campaign[2]): one for one in results if one.over and one.campaign and one.campaign[1] == run
        }
        _count(done, "six_evenings", ALL_EVENINGS, evenings)
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
