"""What many games say: speed, lengths, scores, and who wins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.bots.study.statistics import share, spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.bots.study.kept_games import KeptGame
    from companion.bots.study.tournament import Played


class Tally:
    """Counts games as they come."""

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

    def add(self, played: Played | KeptGame) -> None:
        """Count one game; one that did not end says nothing about lengths and winners."""
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

    def as_json(self) -> dict[str, Any]:
        """Everything counted, for programs."""
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

    def shares(self, names: Sequence[str]) -> dict[str, Any]:
        """How much each of a company has won, where they play against each other."""
        return {name: share(sum(self.by_name.get(name, [])), self.games - self.unfinished) for name in names}

    def _speed(self) -> dict[str, Any]:
        seconds = self.seconds or 1e-9
        return {
            "seconds": round(self.seconds, 3),
            "decisions": self.decisions,
            "decisions_per_second": round(self.decisions / seconds),
            "games_per_second": round(self.games / seconds, 2),
        }
