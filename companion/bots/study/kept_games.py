"""Games of a study that are kept, one line each: hours of thinking can be stopped, gone on with, and put together."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from companion.bots.study.reliability import Told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from companion.bots.study.tournament import Played

T = TypeVar("T")


class NotOfThisStudyError(Exception):
    """A file keeps games of another study, or something that is no game."""


class KeptGame:
    """What a tally asks of a game, without the game."""

    def __init__(self, raw: dict[str, Any]) -> None:
        self.sat: tuple[str, ...] = tuple(raw["sat"])
        self.decisions: int = raw["decisions"]
        self.seconds: float = raw["seconds"]
        self.rounds: int = raw["rounds"]
        self.finished: bool = raw["finished"]
        self._won: list[float] = raw["won"]
        self._scores: list[int] = raw["scores"]

    def won(self, place: int) -> float:
        return self._won[place]

    def score(self, place: int) -> int:
        return self._scores[place]


def written_game(played: Played) -> dict[str, Any]:
    """A game as it is kept."""
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


def written_chances(told: Told) -> dict[str, Any]:
    """What was told of a game, as it is kept."""
    return {"chances": told.chances, "happened": told.won}


def told_again(raw: dict[str, Any]) -> Told:
    """What was told of a game, read again."""
    return Told(raw["chances"], raw["happened"])


class Shelf:
    """One file of games. Every line names its study and its number; a line that was cut off is played again."""

    def __init__(self, file: Path, study: dict[str, Any]) -> None:
        self._file = file
        self._study = study
        self._games: dict[int, dict[str, Any]] = {}
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
            raise NotOfThisStudyError(f"{self._file}, line {number}: this is no game that was kept.") from error
        if study != self._study:
            raise NotOfThisStudyError(f"{self._file}, line {number}: a game of another study, {study}.")
        self._games[game] = raw

    def games(
        self, numbers: range, play: Callable[[int], T], write: Callable[[T], dict[str, Any]]
    ) -> Iterator[dict[str, Any]]:
        """The games of these numbers: those that are there, and the others, each kept as soon as it is over."""
        for number in numbers:
            if number not in self._games:
                self._games[number] = raw = write(play(number))
                with self._file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"study": self._study, "game": number, **raw}) + "\n")
            yield self._games[number]
