"""Many games of the second game by bots alone: who won, with how much influence, and how the games ended."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from companion.bots.study.tally import share_interval
from companion.bots.wasteland.policy import make, play_on
from companion.cards.wasteland.loader import pack_of, pack_text
from companion.games.wasteland.box import WastelandBox
from companion.games.wasteland.flow import ending
from companion.games.wasteland.flow.ways import Together, Ways
from companion.games.wasteland.game import WastelandTable, new_game
from companion.seeded_chance import SeededLuck

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WAYS = {"easy": Together.GENTLE, "normal": Together.USUAL, "hard": Together.HARD}
MOST_ROUNDS = 60


class StudyRequest(NamedTuple):
    """What is asked of `companion simulate`."""

    games: range
    players: int
    company: Sequence[str]
    """One policy for all, or two that change seats from game to game."""
    seed: int
    pack: str
    scenario: str
    together: str
    """The difficulty of a game together; empty where everybody plays for themselves."""


class PlayedGame(NamedTuple):
    """Each seat's policy, influence, and whether it won."""

    who: tuple[str, ...]
    influence: tuple[int, ...]
    won: tuple[bool, ...]
    ended: str
    rounds: int


def play(box: WastelandBox, asked: StudyRequest, nth: int) -> PlayedGame:
    """Play the game of this number; the same request plays the same games."""
    source, luck = random.Random(f"{asked.seed} {nth}"), SeededLuck(asked.seed * 1_000_003 + nth)
    table = WastelandTable(tuple(range(asked.players)), asked.scenario)
    table.ways = Ways(WAYS[asked.together]) if asked.together else Ways()
    game = new_game(box, table, luck)
    who = tuple(asked.company[(seat + nth) % len(asked.company)] for seat in game.seats)
    play_on(game, {seat: make(who[seat], source) for seat in game.seats}, luck, MOST_ROUNDS)
    winners = () if game.result is None else game.result.winners
    influence = tuple(ending.influence(game, seat) for seat in game.seats)
    won = tuple(seat in winners for seat in game.seats)
    return PlayedGame(who, influence, won, "unfinished" if game.result is None else game.result.decided_by, game.round)


@dataclass(slots=True)
class Tally:
    """What came of the games so far."""

    games: int = 0
    rounds: int = 0
    ended: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)
    ahead: Counter[str] = field(default_factory=Counter)
    seats: Counter[str] = field(default_factory=Counter)
    influence: Counter[str] = field(default_factory=Counter)
    lost: int = 0

    def add(self, one: PlayedGame) -> None:
        self.games += 1
        self.rounds += one.rounds
        self.ended[one.ended] += 1
        self.lost += not any(one.won)
        for name in set(one.who):
            own = [place for place, other in enumerate(one.who) if other == name]
            self.won[name] += any(one.won[place] for place in own)
            self.seats[name] += len(own)
            self.influence[name] += sum(one.influence[place] for place in own)
            best = max(one.influence[place] for place in own)
            others = [one.influence[place] for place in range(len(one.who)) if place not in own]
            self.ahead[name] += bool(others) and best > max(others)

    def lines(self, asked: StudyRequest) -> list[str]:
        ended = ", ".join(f"{name} {count}" for name, count in self.ended.most_common())
        way = f", together {asked.together}" if asked.together else ""
        story = f"{asked.scenario or 'first scenario'}{way}"
        found = [
            f"{self.games} games of {asked.players} players, {':'.join(asked.company)}, {story}",
            f"rounds      mean {self.rounds / max(1, self.games):.2f}; {ended}; lost by all {self.lost}",
        ]
        for name in self.seats:
            share, ahead = self.won[name] / self.games, self.ahead[name] / self.games
            mean = self.influence[name] / self.seats[name]
            lead = f"; most influence in {100 * ahead:.1f} %" if len(self.seats) > 1 else ""
            low, high = share_interval(self.won[name], self.games)
            won = f"{100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
            found.append(f"{name:<8} wins {self.won[name]}: {won}; influence mean {mean:.2f}{lead}")
        return found


def study(asked: StudyRequest) -> Iterable[str]:
    """Play the games that are asked for, and return what came of them."""
    box, tally = WastelandBox(pack_of(pack_text(asked.pack))), Tally()
    for nth in asked.games:
        tally.add(play(box, asked, nth))
    return tally.lines(asked)
