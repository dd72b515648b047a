"""The bot officer: thinks in a process of its own, at low priority, so that it never delays the table."""

from __future__ import annotations

import multiprocessing
import os
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.bots.characters import make
from companion.bots.greedy import Greedy
from companion.bots.parcel import Parcels
from companion.bots.policy import may_decide, moves_of
from companion.bots.reasons import why
from companion.games.shelter.box import Box
from companion.games.shelter.moves import read

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from companion.bots.budget import Budget
    from companion.cards.pack import Pack
    from companion.games.shelter.game import Game
    from companion.games.shelter.moves import Move

LOW_PRIORITY = 19
LAST_PATIENCE = 2.0


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who sits in the chair: a character, the seed of its moods, and its budget where it is not the usual one."""

    character: str
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


class Officer:
    """One seat's thinking. Ask, look in for the answer, and ask again when the table has changed."""

    def __init__(self, pack: Pack, box: Box, sits: Sitting) -> None:
        context = multiprocessing.get_context("spawn")
        self._parcels = Parcels(box)  # the box of the games that it will be asked about
        self._asked: tuple[int, int] | None = None
        self._line, theirs = context.Pipe()
        self._process = context.Process(target=_think_until_hung_up, args=(theirs, pack, sits), daemon=True)
        self._process.start()
        theirs.close()

    def ask(self, game: Game, seat: int, version: int) -> None:
        """Have it think about this table; an answer to an earlier question will be ignored."""
        self._asked = (seat, version)
        self._line.send((seat, version, self._parcels.pack(game)))

    def answer(self, patience: float = 0.0) -> Proposal | None:
        """The proposal for the last question, if it is there by now."""
        while self._line.poll(patience):
            try:
                seat, version, move, reason = self._line.recv()
            except EOFError:
                return None
            if (seat, version) == self._asked:
                return Proposal(seat, version, read(move), reason)
        return None

    def is_alive(self) -> bool:
        """Whether its process runs."""
        return self._process.is_alive()

    def dismiss(self) -> None:
        """End its process."""
        self._line.close()
        self._process.join(LAST_PATIENCE)
        if self._process.is_alive():
            self._process.terminate()
            self._process.join()


def _think_until_hung_up(line: Connection, pack: Pack, sits: Sitting) -> None:
    """The helper's process: one question after the other, only the latest of those that wait."""
    os.nice(LOW_PRIORITY)
    box, source = Box(pack), random.Random(sits.seed)
    policy, greedy, parcels = make(sits.character, box, source, sits.budget), Greedy(box, source), Parcels(box)
    while True:
        try:
            seat, version, parcel = line.recv()
            while line.poll():
                seat, version, parcel = line.recv()
            game = parcels.unpack(parcel)
            move = policy.choose(game, seat)
            line.send((seat, version, move.as_json(), why(game, seat, move, greedy)))
        except (EOFError, BrokenPipeError):
            return
