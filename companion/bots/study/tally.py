"""Means and shares with their confidence intervals."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Final, TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.bots.study.tournament import Played, SavedGame


Z95: Final = 1.959964
"""95 % of a normal distribution lie within so many standard deviations."""

Interval = tuple[float, float]


class SpreadJson(TypedDict):
    """Mean, its 95 % interval, least and most."""

    mean: float
    interval: list[float]
    min: float
    max: float


class ScoresJson(SpreadJson):
    """Happiness at the end, and that of the winners."""

    winner: SpreadJson


class ShareJson(TypedDict):
    """Wins, their share, and its 95 % interval."""

    wins: float
    share: float
    interval: list[float]


class SeatJson(ShareJson):
    """How one seat did, in the order of the first turn."""

    seat: int
    times_fair_share: float
    score: float


class SpeedJson(TypedDict):
    """How fast the games were played."""

    seconds: float
    decisions: int
    decisions_per_second: int
    games_per_second: float


class TallyJson(TypedDict):
    """What was counted over all games."""

    unfinished: int
    speed: SpeedJson
    rounds: SpreadJson
    scores: ScoresJson
    shared_victories: int
    seats: list[SeatJson]


def share_interval(successes: float, trials: int) -> Interval:
    """Wilson's 95 % interval of a share."""
    if not trials:
        return 0.0, 1.0
    share, square = successes / trials, Z95 * Z95
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    half = Z95 * sqrt(share * (1 - share) / trials + square / (4 * trials * trials)) / (1 + square / trials)
    return max(0.0, middle - half), min(1.0, middle + half)


def mean(values: Sequence[float]) -> float:
    """The mean, 0 of nothing."""
    return sum(values) / len(values) if values else 0.0


def mean_interval(values: Sequence[float]) -> Interval:
    """The 95 % interval of a mean."""
    middle = mean(values)
    if len(values) < 2:  # noqa: PLR2004 - one value says nothing about how they scatter
        return middle, middle
    scatter = sqrt(sum((value - middle) ** 2 for value in values) / (len(values) - 1))
    half = Z95 * scatter / sqrt(len(values))
    return middle - half, middle + half


def spread(values: Sequence[float]) -> SpreadJson:
    """Mean, its interval, least and most of some values, rounded for reading."""
    low, high = mean_interval(values)
    return {
        "mean": round(mean(values), 3),
        "interval": [round(low, 3), round(high, 3)],
        "min": min(values, default=0),
        "max": max(values, default=0),
    }


def share(successes: float, trials: int) -> ShareJson:
    """A share with its interval, rounded for reading."""
    low, high = share_interval(successes, trials)
    return {
        "wins": round(successes, 3),
        "share": round(successes / trials, 4) if trials else 0.0,
        "interval": [round(low, 4), round(high, 4)],
    }


class Tally:
    """Running statistics of games."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.games = 0
        self.unfinished = 0
        self.decisions = 0
        self.seconds = 0.0
        self.rounds: list[float] = []
        self.scores: list[float] = []
        self.best: list[float] = []
        self.shared = 0
        self.won = [0.0] * players
        self.happiness: list[list[float]] = [[] for _ in range(players)]
        self.by_name: dict[str, list[float]] = {}

    def add(self, played: Played | SavedGame) -> None:
        """Add a game; one that did not end does not count for lengths and winners."""
        self.games += 1
        self.decisions += played.decisions
        self.seconds += played.seconds
        if not played.finished:
            self.unfinished += 1
            return
        self.rounds.append(played.rounds)
        scores = [played.score(place) for place in range(self.players)]
        self.scores += scores
        self.best.append(max(scores))
        shares = [played.won(place) for place in range(self.players)]
        self.shared += max(shares) < 1
        for place, won in enumerate(shares):
            self.won[place] += won
            self.happiness[place].append(scores[place])
        for name in set(played.sat):
            mine = sum(won for won, sat in zip(shares, played.sat, strict=True) if sat == name)
            self.by_name.setdefault(name, []).append(mine)

    def as_json(self) -> TallyJson:
        ended = self.games - self.unfinished
        return {
            "unfinished": self.unfinished,
            "speed": self._speed(),
            "rounds": spread(self.rounds),
            "scores": {**spread(self.scores), "winner": spread(self.best)},
            "shared_victories": self.shared,
            "seats": [
                {
                    "seat": place + 1,
                    **share(won, ended),
                    "times_fair_share": round(won * self.players / ended, 3) if ended else 0.0,
                    "score": spread(self.happiness[place])["mean"],
                }
                for place, won in enumerate(self.won)
            ],
        }

    def shares(self, names: Sequence[str]) -> dict[str, ShareJson]:
        """Return how much each policy has won against the others."""
        return {name: share(sum(self.by_name.get(name, [])), self.games - self.unfinished) for name in names}

    def _speed(self) -> SpeedJson:
        seconds = self.seconds or 1e-9
        return {
            "seconds": round(self.seconds, 3),
            "decisions": self.decisions,
            "decisions_per_second": round(self.decisions / seconds),
            "games_per_second": round(self.games / seconds, 2),
        }
