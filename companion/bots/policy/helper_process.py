"""Run bots and forecasts in a process of the lowest priority, and exchange positions and answers with it."""

from __future__ import annotations

import io
import multiprocessing
import os
import pickle
import random
import signal
from dataclasses import dataclass
from types import GetSetDescriptorType, MemberDescriptorType
from typing import TYPE_CHECKING, Any, Final

from companion.bots.policy.characters import make
from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import may_decide, moves_of
from companion.bots.policy.reasons import why
from companion.bots.worth.win_chance import EstimateJson, WinEstimator
from companion.games.shelter.board.vault import (
    Cubes,
    ExchangeRate,
    GameResult,
    OngoingPlacement,
    PendingShelterChoice,
    Score,
    Spawned,
    Standing,
    Vault,
)
from companion.games.shelter.cards.box import Box
from companion.games.shelter.cards.hand import Hand
from companion.games.shelter.game import ShelterGame
from companion.games.shelter.moves import read
from companion.games.shelter.together.aims import Together

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection

    from companion.bots.policy.budget import Budget
    from companion.bots.policy.policy import Policy
    from companion.bots.policy.reason_texts import Reason
    from companion.cards.pack import Pack


MADE_FROM: Final[dict[type, tuple[str, ...]]] = {
    PendingShelterChoice: ("id", "by", "kind", "clause", "data", "of_placement"),
    ShelterGame: ("box",),
    Cubes: ("resource", "amount"),
    ExchangeRate: ("left", "right"),
    Hand: ("_box", "cards"),
    OngoingPlacement: ("by", "space", "face", "program", "price"),
    GameResult: ("winners", "decided_by", "scores"),
    Score: ("happiness", "items", "threats"),
    Spawned: ("level", "dice", "space", "threat", "why_not"),
    Standing: ("colour", "dwellers", "training"),
    Together: Together._fields,
    Vault: ("box",),
}
"""What each kind of thing on the table is made from; the rest of its fields are filled in."""

RULES: Final = "companion.games."
SLOTS: Final = (MemberDescriptorType, GetSetDescriptorType)


class PositionCodec:
    """Packs and unpacks games of one box. Only ever between a process and the helper that it started itself."""

    def __init__(self, box: Box) -> None:
        faces = [box.top_elevator, *dict.fromkeys(box.elevators), *box.threats]
        for room in box.rooms:
            faces += room.faces
        self._left_behind: list[object] = [box, *faces, *box.rooms, *box.items]
        self._numbers = {id(thing): number for number, thing in enumerate(self._left_behind)}

    def pack(self, game: ShelterGame) -> bytes:
        """Serialize a game, without its events and its box."""
        buffer = io.BytesIO()
        _Pickler(buffer, self._numbers).dump(game.copy())
        return buffer.getvalue()

    def unpack(self, parcel: bytes) -> ShelterGame:
        """Restore a game onto this side's box."""
        game: ShelterGame = _Unpickler(parcel, self._left_behind).load()
        return game


class _Pickler(pickle.Pickler):
    """Writes the rules' objects field by field, so that compiled ones travel like any other."""

    def __init__(self, buffer: io.BytesIO, numbers: dict[int, int]) -> None:
        super().__init__(buffer, pickle.HIGHEST_PROTOCOL)
        self._numbers = numbers

    def persistent_id(self, thing: object) -> int | None:
        """Return the number of a thing that stays behind."""
        return self._numbers.get(id(thing))

    def reducer_override(self, thing: object) -> Any:
        """Reduce the rules' own objects; everything else is pickled as usual."""
        kind = type(thing)
        if not kind.__module__.startswith(RULES):
            return NotImplemented
        made_from = [getattr(thing, name) for name in MADE_FROM.get(kind, ())]
        return _rebuild, (kind, made_from, _fields_of(thing))


class _Unpickler(pickle.Unpickler):
    """Reads them back, onto this side's box."""

    def __init__(self, parcel: bytes, left_behind: list[object]) -> None:
        super().__init__(io.BytesIO(parcel))
        self._left_behind = left_behind

    def persistent_load(self, number: int) -> object:
        return self._left_behind[number]


def _fields_of(thing: object) -> dict[str, object]:
    """Return all fields of an object, in slots or not, compiled or not."""
    names = [
        name
        for kind in type(thing).__mro__
        for name, what in vars(kind).items()
        if isinstance(what, SLOTS) and not name.startswith("__")
    ]
    fields = {name: getattr(thing, name) for name in names if hasattr(thing, name)}
    return fields | getattr(thing, "__dict__", {})


def _rebuild(kind: type, made_from: list[object], fields: dict[str, object]) -> object:
    thing: object = kind(*made_from)
    for name, value in fields.items():
        setattr(thing, name, value)
    return thing


LOW_PRIORITY: Final = 19
LAST_PATIENCE: Final = 2.0
HUNG_UP: Final = (EOFError, ConnectionError)
"""What a line says when nobody is at its other end any more."""


class Helper:
    """One process and the connection to it. A dead connection answers nothing; the owner checks whether it lives."""

    box: object
    """Of the games that it will be asked about."""

    def __init__(self, work: Callable[..., None], *given: object) -> None:
        context = multiprocessing.get_context("spawn")
        self.line, theirs = context.Pipe()
        self._process = context.Process(target=_begin, args=(work, theirs, *given), daemon=True)
        self._process.start()
        theirs.close()

    @property
    def pid(self) -> int | None:
        return self._process.pid

    @property
    def sentinel(self) -> int:
        """A handle that becomes ready when the process has ended."""
        return self._process.sentinel

    def ask(self, question: object) -> None:
        """Send a question; a process that has ended never answers it."""
        try:
            self.line.send(question)
        except HUNG_UP:
            return

    def answers(self, patience: float = 0.0) -> list[Any]:
        """Return the answers that have come by now, or wait so many seconds for the first ones."""
        found: list[Any] = []
        try:
            while self.line.poll(0.0 if found else patience):
                found.append(self.line.recv())
        except HUNG_UP:
            return found
        return found

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def dismiss(self) -> None:
        """Close the connection and end the process."""
        self.line.close()
        self._process.terminate()
        self._process.join(LAST_PATIENCE)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()


def _begin(work: Callable[..., None], line: Connection, *given: object) -> None:
    """Run in the process at the lowest priority, and ignore the Ctrl-C that ends the companion."""
    os.nice(LOW_PRIORITY)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        work(line, *given)
    except HUNG_UP:
        return


def latest(line: Connection) -> Any:
    """Wait for a question and return the latest one."""
    question = line.recv()
    while line.poll():
        question = line.recv()
    return question


@dataclass(frozen=True, slots=True)
class BotSettings:
    """The seed of the bots' moods, and their budget where it is not the usual one."""

    seed: str
    budget: Budget | None = None


class Proposal:
    """What a bot would do, why, and the version of the record that it looked at."""

    def __init__(self, seat: int, version: int, move: Any, reason: Reason) -> None:
        self.seat = seat
        self.version = version
        self.move = move
        self.reason = reason

    def holds(self, game: Any, version: int) -> bool:
        """Return whether it may be played now: nothing has changed, or the seat may still make the move."""
        if not may_decide(game, self.seat):
            return False
        return version == self.version or self.move in moves_of(game, self.seat)


class BotHelper(Helper):
    """The thinking for all bots at a table. Ask, look in for the answer, and ask again when the table has changed."""

    def __init__(self, pack: Pack, box: Box, moods: BotSettings) -> None:
        super().__init__(_think_until_hung_up, pack, moods)
        self.box = box
        self._parcels = PositionCodec(box)
        self._asked: tuple[int, int] | None = None

    def consider(self, game: ShelterGame, seat: int, version: int, character: str) -> None:
        """Have it think about this table; an answer to an earlier question will be ignored."""
        self._asked = (seat, version)
        self.ask((seat, version, character, self._parcels.pack(game)))

    def proposal(self, patience: float = 0.0) -> Proposal | None:
        """Return the proposal for the last question, if it has come."""
        for seat, version, move, reason in self.answers(patience):
            if (seat, version) == self._asked:
                return Proposal(seat, version, read(move), reason)
        return None


def _think_until_hung_up(line: Connection, pack: Pack, moods: BotSettings) -> None:
    """Answer the latest of the waiting questions until the connection is closed."""
    box, source = Box(pack), random.Random(moods.seed)
    greedy, parcels = Greedy(box, source), PositionCodec(box)
    policies: dict[str, Policy] = {}
    while True:
        seat, version, character, parcel = latest(line)
        if character not in policies:
            policies[character] = make(character, box, source, moods.budget)
        game = parcels.unpack(parcel)
        policy = policies[character]
        move = policy.choose(game, seat)
        reason = why(game, seat, move, policy if isinstance(policy, Greedy) else greedy)
        line.send((seat, version, move.as_json(), reason))


FIRST: Final = 60
"""After so many playouts a first chance is told."""
LAST: Final = 240


class SureEstimate(EstimateJson):
    """An estimate, and whether the game is over, so that no playout could change it."""

    sure: bool


class ForecastHelper(Helper):
    """Asked about one position at a time; what is asked next puts an end to what is being thought about."""

    def __init__(self, pack: Pack, box: Box, seed: str, last: int = LAST) -> None:
        super().__init__(_foresee_until_hung_up, pack, seed)
        self.box = box
        self._parcels = PositionCodec(box)
        self._last = last
        self._asked: object = None
        self._goal = last

    def consider(self, game: ShelterGame, key: object, *, well: bool = True) -> None:
        """Have it play this game on, well or just for a first chance; the key comes back with every answer."""
        self._asked, self._goal = key, self._last if well else min(FIRST, self._last)
        self.ask((key, self._goal, self._parcels.pack(game)))

    def estimate(self, patience: float = 0.0) -> tuple[SureEstimate, bool] | None:
        """Return the newest estimate for the last question, if there is one, and whether it is the last."""
        found = None
        for key, estimate in self.answers(patience):
            if key == self._asked:
                found = estimate, estimate["playouts"] >= self._goal or estimate["sure"]
        return found


def _foresee_until_hung_up(line: Connection, pack: Pack, seed: str) -> None:
    """Estimate the latest position, first roughly and then well, until the connection is closed."""
    box, source = Box(pack), random.Random(seed)
    foresight, parcels = WinEstimator(box, source), PositionCodec(box)
    while True:
        key, last, parcel = latest(line)
        game = parcels.unpack(parcel)
        estimate = foresight.begin(game)
        for goal in sorted({min(FIRST, last), last}):
            foresight.go_on(estimate, game, goal, lambda: not line.poll())
            if estimate.playouts < goal and game.result is None:
                break
            line.send((key, {**estimate.as_json(), "sure": game.result is not None}))
            if game.result is not None:
                break
