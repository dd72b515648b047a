"""The bot officers: they think in a process of their own, at low priority, so that they never delay the table."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.bots.policy.characters import make
from companion.bots.policy.greedy import Greedy
from companion.bots.policy.helper import Helper, latest
from companion.bots.policy.parcel import Parcels
from companion.bots.policy.policy import may_decide, moves_of
from companion.bots.policy.reasons import why
from companion.games.shelter.cards.box import Box
from companion.games.shelter.moves import read

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from companion.bots.policy.budget import Budget
    from companion.bots.policy.policy import Policy
    from companion.cards.pack import Pack
    from companion.games.shelter.game import Game
    from companion.games.shelter.moves import Move


@dataclass(frozen=True, slots=True)
class Moods:
    """The seed of the officers' moods, and their budget where it is not the usual one."""

    seed: str
    budget: Budget | None = None


class Proposal:
    """What an officer would do, why, and the version of the record that it looked at."""

    def __init__(self, seat: int, version: int, move: Move, reason: dict[str, Any]) -> None:
        self.seat = seat
        self.version = version
        self.move = move
        self.reason = reason

    def holds(self, game: Game, version: int) -> bool:
        """Whether it may be played now: the table stands as it did, or the seat may still make the move."""
        if not may_decide(game, self.seat):
            return False
        return version == self.version or self.move in moves_of(game, self.seat)


class Officer(Helper):
    """The thinking for all bots at a table. Ask, look in for the answer, and ask again when the table has changed."""

    def __init__(self, pack: Pack, box: Box, moods: Moods) -> None:
        super().__init__(_think_until_hung_up, pack, moods)
        self.box = box  # of the games that it will be asked about
        self._parcels = Parcels(box)
        self._asked: tuple[int, int] | None = None

    def consider(self, game: Game, seat: int, version: int, character: str) -> None:
        """Have it think about this table; an answer to an earlier question will be ignored."""
        self._asked = (seat, version)
        self.ask((seat, version, character, self._parcels.pack(game)))

    def proposal(self, patience: float = 0.0) -> Proposal | None:
        """The proposal for the last question, if it is there by now."""
        for seat, version, move, reason in self.answers(patience):
            if (seat, version) == self._asked:
                return Proposal(seat, version, read(move), reason)
        return None


def _think_until_hung_up(line: Connection, pack: Pack, moods: Moods) -> None:
    """The helper's process: one question after the other, only the latest of those that wait."""
    box, source = Box(pack), random.Random(moods.seed)
    greedy, parcels = Greedy(box, source), Parcels(box)
    policies: dict[str, Policy] = {}
    while True:
        seat, version, character, parcel = latest(line)
        if character not in policies:
            policies[character] = make(character, box, source, moods.budget)
        game = parcels.unpack(parcel)
        move = policies[character].choose(game, seat)
        line.send((seat, version, move.as_json(), why(game, seat, move, greedy)))
