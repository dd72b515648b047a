"""Play whole games without a table, from one seed, and study what wins."""

from __future__ import annotations

import random
from collections import Counter
from time import perf_counter
from typing import TYPE_CHECKING, Final, TypedDict

from companion.bots.policy.characters import make
from companion.bots.policy.policy import MOST_ROUNDS, play_on
from companion.bots.study.tally import ShareJson, share, spread
from companion.games.shelter.cards.box import Box
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.words import COLOURS, ELEVATOR_COLUMN, ROOMS_A_LEVEL
from companion.seeded_chance import QuickLuck

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.bots.policy.policy import Policy
    from companion.bots.policy.search import Budget
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


class Tournament:
    """Games of one box between the same policies, which rotate seats from game to game."""

    def __init__(self, box: Box, company: Sequence[str], players: int, seed: int, budget: Budget | None = None) -> None:
        self._box = box
        self._company = company
        self._colours = COLOURS[:players]
        self._seed = seed
        self._thoughts = random.Random(f"{seed}/thoughts")
        self._policies: dict[str, Policy] = {
            name: make(name, box, self._thoughts, budget) for name in sorted(set(company))
        }

    def games(self, count: int) -> Iterator[Played]:
        """Play so many games. The same seed plays the same games."""
        for number in range(count):
            yield self.play(number)

    def play(self, number: int) -> Played:
        """The game of a number: its chance and the policies' ties follow from the seed and the number alone."""
        self._thoughts.seed(f"{self._seed}/thoughts/{number}")
        luck = QuickLuck(random.Random(f"{self._seed}/luck/{number}"))
        game = new_game(self._box, TableSetup(self._colours), luck)
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
