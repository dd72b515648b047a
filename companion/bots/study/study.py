"""A study of many games: which rooms and items win, and how happiness grows, beside what every tally counts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, TypedDict

from companion.bots.study.tally import ShareJson, share, spread
from companion.games.shelter.words import ELEVATOR_COLUMN, ROOMS_A_LEVEL

if TYPE_CHECKING:
    from companion.bots.study.tally import SpreadJson
    from companion.bots.study.tournament import Played
    from companion.games.shelter.game import Game

MOST_SHOWN: Final = 60


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
    """Looks at the table at the end of every game."""

    def __init__(self, players: int) -> None:
        self._players = players
        self._rooms = Belongings()
        self._items = Belongings()
        self._lengths: Counter[int] = Counter()
        self._decided: Counter[str] = Counter()
        self._leads: list[float] = []
        self._seat_scores: list[Counter[int]] = [Counter() for _ in range(players)]

    def add(self, played: Played) -> None:
        """Look at one game that has ended."""
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
        """What was seen."""
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


class Belongings:
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
        """The cards whose owners won most first; a card that does nothing has a share of 1/n."""
        rows = [self._row(card, owners, players) for card, owners in self._owners.items()]
        return sorted(rows, key=lambda row: (-row["share"], row["id"]))[:MOST_SHOWN]

    def _row(self, card: str, owners: int, players: int) -> CardShareJson:
        won = share(self._won[card], owners)
        return {"id": card, "owners": owners, **won, "times_fair_share": round(won["share"] * players, 3)}


def rooms_of(game: Game, colour: int) -> list[str]:
    """The rooms on a player's level."""
    start = game.levels[colour] * ROOMS_A_LEVEL
    row = game.vault.rooms[start : start + ROOMS_A_LEVEL]
    return [game.box.rooms[kind].name for column, kind in enumerate(row) if kind >= 0 and column != ELEVATOR_COLUMN]
