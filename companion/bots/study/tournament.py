"""Play whole games without a table, from one seed, to study what wins; saved so that long studies can be resumed."""

from __future__ import annotations

import json
import random
from collections import Counter
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict, TypeVar

from companion.bots.policy.characters import make
from companion.bots.policy.policy import MOST_ROUNDS, play_on
from companion.bots.study.reliability import MidGameEstimate
from companion.bots.study.tally import ShareJson, share, spread
from companion.games.shelter.cards.box import Box
from companion.games.shelter.position import read_house_rules
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.together.wasteland import agreed_from_json
from companion.games.shelter.words import COLOURS, ELEVATOR_COLUMN, ROOMS_A_LEVEL
from companion.seeded_chance import QuickLuck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from companion.bots.policy.budget import Budget
    from companion.bots.policy.policy import Policy
    from companion.bots.study.tally import SpreadJson
    from companion.cards.pack import Pack
    from companion.games.shelter.game import ShelterGame

__all__ = ["Box", "Played", "Tournament", "box_of"]


MOST_SHOWN: Final = 60


def box_of(pack: Pack) -> Box:
    """Return the box that games of a pack are played with."""
    return Box(pack)


class Played:
    """A finished game: its last state, the policy of each seat, and how long it took."""

    def __init__(self, game: ShelterGame, sat: tuple[str, ...], decisions: int, seconds: float) -> None:
        self.game = game
        self.sat = sat
        self.decisions = decisions
        self.seconds = seconds
        self.rounds = game.round
        self.finished = game.result is not None

    def won(self, place: int) -> float:
        """Return a place's share of the victory: 1, or less where it is shared (E3)."""
        result = self.game.result
        if result is None or self.game.seats[place] not in result.winners:
            return 0.0
        return 1 / len(result.winners)

    def score(self, place: int) -> int:
        result, colour = self.game.result, self.game.seats[place]
        return self.game.happiness[colour] if result is None else result.scores[colour].happiness


class Terms(NamedTuple):
    """What a table agrees on before it plays."""

    together: str = ""
    """The difficulty of a co-operative game; empty where everybody plays for themselves."""
    rules: tuple[str, ...] = ()
    """House rules by name."""


BY_THE_BOOK: Final = Terms()


class Tournament:
    """Games of one box between the same policies, which rotate seats from game to game, or play together."""

    def __init__(
        self,
        box: Box,
        company: Sequence[str],
        players: int,
        seed: int,
        budgets: Mapping[str, Budget] | None = None,
        terms: Terms = BY_THE_BOOK,
    ) -> None:
        self._box = box
        self._company = company
        self._together = agreed_from_json(terms.together) if terms.together else None
        self._rules = read_house_rules(dict.fromkeys(terms.rules, True))
        self._colours = COLOURS[:players]
        self._seed = seed
        self._thoughts = random.Random(f"{seed}/thoughts")
        self._policies: dict[str, Policy] = {
            name: make(name, box, self._thoughts, (budgets or {}).get(name)) for name in sorted(set(company))
        }

    def games(self, count: int) -> Iterator[Played]:
        """Play so many games. The same seed plays the same games."""
        for number in range(count):
            yield self.play(number)

    def play(self, number: int) -> Played:
        """The game of a number: its chance and the policies' ties follow from the seed and the number alone."""
        self._thoughts.seed(f"{self._seed}/thoughts/{number}")
        luck = QuickLuck(random.Random(f"{self._seed}/luck/{number}"))
        table = TableSetup(self._colours)
        table.together, table.rules = self._together, self._rules
        game = new_game(self._box, table, luck)
        sat = tuple(self._company[(place + number) % len(self._company)] for place in range(len(self._colours)))
        start = perf_counter()
        policies = {seat: self._policies[name] for seat, name in zip(game.seats, sat, strict=True)}
        decisions = play_on(game, policies, luck, MOST_ROUNDS)
        return Played(game, sat, decisions, perf_counter() - start)


class CardShareJson(ShareJson):
    """How often the owners of a card have won."""

    id: str
    owners: int
    times_fair_share: float


class StudyJson(TypedDict):
    """What many games show beside the tally."""

    lengths: dict[str, int]
    decided_by: dict[str, int]
    lead: SpreadJson
    happiness_by_seat: list[dict[str, int]]
    rooms: list[CardShareJson]
    items: list[CardShareJson]


class Study:
    """Statistics of final positions."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._rooms = CardCounts()
        self._items = CardCounts()
        self._lengths: Counter[int] = Counter()
        self._decided: Counter[str] = Counter()
        self._leads: list[float] = []
        self._seat_scores: list[Counter[int]] = [Counter() for _ in range(players)]

    def add(self, played: Played) -> None:
        game, result = played.game, played.game.result
        if result is None:
            return
        self._lengths[played.rounds] += 1
        self._decided[result.decided_by] += 1
        scores = sorted((played.score(place) for place in range(self._players)), reverse=True)
        self._leads.append(scores[0] - scores[1])
        for place, colour in enumerate(game.seats):
            won = played.won(place)
            self._seat_scores[place][played.score(place)] += 1
            self._rooms.add(rooms_of(game, colour), won)
            self._items.add([game.box.items[card >> 1].name for card in game.hands[colour].cards], won)

    def as_json(self) -> StudyJson:
        return {
            "lengths": {str(rounds): count for rounds, count in sorted(self._lengths.items())},
            "decided_by": dict(self._decided.most_common()),
            "lead": spread(self._leads),
            "happiness_by_seat": [
                {str(score): count for score, count in sorted(scores.items())} for scores in self._seat_scores
            ],
            "rooms": self._rooms.as_json(self._players),
            "items": self._items.as_json(self._players),
        }


class CardCounts:
    """How often the owners of a card have won."""

    def __init__(self) -> None:
        self._owners: Counter[str] = Counter()
        self._won: dict[str, float] = {}

    def add(self, cards: list[str], won: float) -> None:
        """Count the cards of one player; two alike count once."""
        for card in set(cards):
            self._owners[card] += 1
            self._won[card] = self._won.get(card, 0.0) + won

    def as_json(self, players: int) -> list[CardShareJson]:
        """Return the cards whose owners won most first; a card that does nothing has a share of 1/n."""
        rows = [self._row(card, owners, players) for card, owners in self._owners.items()]
        return sorted(rows, key=lambda row: (-row["share"], row["id"]))[:MOST_SHOWN]

    def _row(self, card: str, owners: int, players: int) -> CardShareJson:
        won = share(self._won[card], owners)
        return {"id": card, "owners": owners, **won, "times_fair_share": round(won["share"] * players, 3)}


def rooms_of(game: ShelterGame, colour: int) -> list[str]:
    start = game.levels[colour] * ROOMS_A_LEVEL
    row = game.vault.rooms[start : start + ROOMS_A_LEVEL]
    return [game.box.rooms[kind].name for column, kind in enumerate(row) if kind >= 0 and column != ELEVATOR_COLUMN]


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
