"""Bots of the second game in a process of the lowest priority: it is sent a position and returns a move and why."""

from __future__ import annotations

import io
import pickle
import random
from typing import TYPE_CHECKING, Any

from companion.bots.policy.helper_process import Helper, Proposal, latest
from companion.bots.wasteland import seats
from companion.bots.wasteland.policy import make
from companion.bots.wasteland.reasons import why
from companion.games.wasteland.moves import read

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from companion.bots.wasteland.policy import WastelandPolicy
    from companion.games.wasteland.box import WastelandBox
    from companion.games.wasteland.game import WastelandGame


BOX, SCENARIO = "box", "scenario"


class _Pickler(pickle.Pickler):
    """Writes a game without its box and scenario: the other side has them."""

    def __init__(self, buffer: io.BytesIO, game: WastelandGame) -> None:
        super().__init__(buffer, pickle.HIGHEST_PROTOCOL)
        self._game = game

    def persistent_id(self, thing: object) -> str | None:
        if thing is self._game.box:
            return BOX
        return f"{SCENARIO} {self._game.scenario.id}" if thing is self._game.scenario else None


class _Unpickler(pickle.Unpickler):
    """Reads it back, onto this side's box."""

    def __init__(self, parcel: bytes, box: WastelandBox) -> None:
        super().__init__(io.BytesIO(parcel))
        self._box = box

    def persistent_load(self, name: str) -> object:
        kind, _, scenario = name.partition(" ")
        return self._box if kind == BOX else self._box.scenarios[scenario]


def packed(game: WastelandGame) -> bytes:
    buffer = io.BytesIO()
    _Pickler(buffer, game).dump(game.copy())
    return buffer.getvalue()


def unpacked(parcel: bytes, box: WastelandBox) -> WastelandGame:
    found: WastelandGame = _Unpickler(parcel, box).load()
    return found


class SurvivorProposal(Proposal):
    """What a bot would do as a survivor; it holds while the seat may still do it."""

    def holds(self, game: Any, version: int) -> bool:
        if not seats.may_decide(game, self.seat):
            return False
        return version == self.version or self.move in seats.moves_of(game, self.seat)


class SurvivorHelper(Helper):
    """The thinking for all bots of one game. It is asked about the table as it lies, with the cards of its pack."""

    def __init__(self, box: WastelandBox, seed: str) -> None:
        super().__init__(_think_until_hung_up, box, seed)
        self.box = box
        self._asked: tuple[int, int] | None = None

    def consider(self, game: WastelandGame, seat: int, version: int, character: str) -> None:
        """Have it think about this table; an answer to an earlier question will be ignored."""
        self._asked = (seat, version)
        self.ask((seat, version, character, packed(game)))

    def proposal(self, patience: float = 0.0) -> SurvivorProposal | None:
        """Return the proposal for the last question, if it has come."""
        for seat, version, move, reason in self.answers(patience):
            if (seat, version) == self._asked:
                return SurvivorProposal(seat, version, read(move), reason)
        return None


def _think_until_hung_up(line: Connection, box: WastelandBox, seed: str) -> None:
    source = random.Random(seed)
    policies: dict[str, WastelandPolicy] = {}
    while True:
        seat, version, character, parcel = latest(line)
        policy = policies.setdefault(character, make(character, source))
        game = unpacked(parcel, box)
        move = policy.choose(game, seat)
        line.send((seat, version, move.as_json(), why(game, seat, move)))
