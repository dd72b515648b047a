"""Statistics of co-operative games: how many were won, what lost the others, and how each aim went."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypedDict

from companion.bots.study.tally import ShareJson, SpreadJson, share, spread
from companion.cards.together import AIMS, DIFFICULTIES
from companion.games.shelter.together.aims import is_met

if TYPE_CHECKING:
    from companion.bots.study.report import Heading
    from companion.bots.study.tournament import Played

__all__ = ["DIFFICULTIES", "TogetherReport", "TogetherTally", "as_lines", "serialize_evening"]


class EveningJson(TypedDict):
    """A co-operative game as it is counted and saved."""

    decided_by: str
    rounds: int
    breaches: int
    aims: dict[str, bool]
    """Those that were drawn, and whether each was met at the end."""
    decisions: int
    seconds: float


class AimShareJson(TypedDict):
    id: str
    drawn: int
    met: ShareJson
    won: ShareJson
    """Evenings with this aim that were won."""


class TogetherJson(TypedDict):
    won: ShareJson
    decided_by: dict[str, int]
    rounds: SpreadJson
    breaches: SpreadJson
    decisions: SpreadJson
    seconds: float
    aims: list[AimShareJson]


class TogetherReport(TypedDict):
    games: int
    players: int
    pack: str
    policy: str
    seed: int
    difficulty: str
    together: TogetherJson


def serialize_evening(played: Played) -> EveningJson:
    game, result, together = played.game, played.game.result, played.game.together
    if result is None or together is None:
        raise AssertionError("a co-operative game ends with its crisis deck")
    return {
        "decided_by": result.decided_by,
        "rounds": game.round,
        "breaches": together.breaches,
        "aims": {AIMS[number].key: is_met(game, together, number) for number in together.aims},
        "decisions": played.decisions,
        "seconds": round(played.seconds, 3),
    }


class TogetherTally:
    def __init__(self) -> None:
        self._evenings: list[EveningJson] = []

    def add(self, evening: EveningJson) -> None:
        self._evenings.append(evening)

    def report(self, heading: Heading, difficulty: str) -> TogetherReport:
        return {**heading, "difficulty": difficulty, "together": self._as_json()}

    def _as_json(self) -> TogetherJson:
        evenings = self._evenings
        return {
            "won": _won(evenings),
            "decided_by": dict(Counter(one["decided_by"] for one in evenings).most_common()),
            "rounds": spread([one["rounds"] for one in evenings]),
            "breaches": spread([one["breaches"] for one in evenings]),
            "decisions": spread([one["decisions"] for one in evenings]),
            "seconds": round(sum(one["seconds"] for one in evenings), 1),
            "aims": [self._aim(aim.key) for aim in AIMS if any(aim.key in one["aims"] for one in evenings)],
        }

    def _aim(self, key: str) -> AimShareJson:
        drawn = [one for one in self._evenings if key in one["aims"]]
        met = share(sum(one["aims"][key] for one in drawn), len(drawn))
        return {"id": key, "drawn": len(drawn), "met": met, "won": _won(drawn)}


def _won(evenings: list[EveningJson]) -> ShareJson:
    return share(sum(one["decided_by"] == "aims" for one in evenings), len(evenings))


def as_lines(report: TogetherReport) -> list[str]:
    """Return a report for people."""
    together = report["together"]
    rounds, breaches = together["rounds"], together["breaches"]
    heading = f"{report['games']} games of {report['players']} together, {report['difficulty']}, {report['policy']}"
    return [
        f"{heading}, pack {report['pack']}",
        f"won         {_percents(together['won'])}",
        "decided by  " + ", ".join(f"{name} {count}" for name, count in together["decided_by"].items()),
        f"rounds      mean {rounds['mean']:.2f}, {rounds['min']} to {rounds['max']}",
        f"break-ins   mean {breaches['mean']:.2f}, {breaches['min']} to {breaches['max']}",
        f"decisions   mean {together['decisions']['mean']:.1f}",
        "",
        "aim       drawn  met                         evenings won",
        *(
            f"{aim['id']:<9} {aim['drawn']:<6} {_percents(aim['met']):<27} {_percents(aim['won'])}"
            for aim in together["aims"]
        ),
    ]


def _percents(found: ShareJson) -> str:
    low, high = found["interval"]
    return f"{100 * found['share']:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
