"""Save the games of a study, one line each, so that long studies can be stopped, resumed and combined."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from companion.bots.study.reliability import MidGameEstimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from companion.bots.study.tournament import Played

T = TypeVar("T")
J = TypeVar("J")


class OtherStudyError(Exception):
    """A file holds games of another study, or something that is no game."""


class SavedGameJson(TypedDict):
    sat: Sequence[str]
    decisions: int
    seconds: float
    rounds: int
    finished: bool
    won: list[float]
    scores: list[int]


class SavedEstimateJson(TypedDict):
    chances: list[float]
    happened: list[float]


class SavedGame:
    """What a tally asks of a game, without the game."""

    def __init__(self, raw: SavedGameJson) -> None:
        self.sat = tuple(raw["sat"])
        self.decisions = raw["decisions"]
        self.seconds = raw["seconds"]
        self.rounds = raw["rounds"]
        self.finished = raw["finished"]
        self._won = raw["won"]
        self._scores = raw["scores"]

    def won(self, place: int) -> float:
        return self._won[place]

    def score(self, place: int) -> int:
        return self._scores[place]


def serialize_game(played: Played) -> SavedGameJson:
    places = range(len(played.sat))
    return {
        "sat": played.sat,
        "decisions": played.decisions,
        "seconds": round(played.seconds, 3),
        "rounds": played.rounds,
        "finished": played.finished,
        "won": [played.won(place) for place in places],
        "scores": [played.score(place) for place in places],
    }


def serialize_estimate(estimate: MidGameEstimate) -> SavedEstimateJson:
    return {"chances": estimate.chances, "happened": estimate.won}


def parse_estimate(raw: SavedEstimateJson) -> MidGameEstimate:
    return MidGameEstimate(raw["chances"], raw["happened"])


class SavedGames:
    """One file of games. Every line names its study and its number; a line that was cut off is played again."""

    def __init__(self, file: Path, study: Mapping[str, object]) -> None:
        self._file = file
        self._study = study
        self._games: dict[int, Any] = {}  # as JSON
        if file.exists():
            self._read(file.read_text(encoding="utf-8"))

    def _read(self, text: str) -> None:
        whole, _, cut_off = text.rpartition("\n")
        for number, line in enumerate(whole.splitlines(), start=1):
            self._take(number, line)
        if cut_off:
            self._file.write_text(whole + "\n" if whole else "", encoding="utf-8")

    def _take(self, number: int, line: str) -> None:
        try:
            raw = json.loads(line)
            study, game = raw.pop("study"), raw.pop("game")
        except (ValueError, KeyError, AttributeError, TypeError) as error:
            raise OtherStudyError(f"{self._file}, line {number}: this is no game that was kept.") from error
        if study != self._study:
            raise OtherStudyError(f"{self._file}, line {number}: a game of another study, {study}.")
        self._games[game] = raw

    def games(self, numbers: range, play: Callable[[int], T], write: Callable[[T], J]) -> Iterator[J]:
        """Yield the games of these numbers; those that are not in the file are played, and saved when they are over."""
        for number in numbers:
            if number not in self._games:
                self._games[number] = write(play(number))
                with self._file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"study": self._study, "game": number, **self._games[number]}) + "\n")
            yield self._games[number]
