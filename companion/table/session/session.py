"""The session: one thread owns the game. Intents go in, immutable snapshots come out, and it only dispatches."""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Generic, TypeVar, assert_never, overload

from companion.fair.promise import new_secret
from companion.refusal import Refusal
from companion.table.fence import fails
from companion.table.ports import DeviceError, Nobody
from companion.table.record.open_game import why_of
from companion.table.session.containment import Bugs, GameBefore, internal
from companion.table.session.events import MoveRefused
from companion.table.session.handlers import bot_seats, devices, games, hand_tasks, promises, table_seen, taps
from companion.table.session.hands import Hands
from companion.table.session.intents import (
    AddNumber,
    Answer,
    AskCards,
    AskLegal,
    ButtonPressed,
    ChangeSettings,
    ChooseGame,
    Decide,
    DeviceChanged,
    EditCards,
    Follow,
    Foreseen,
    Freeze,
    GoAway,
    HandsDone,
    Intent,
    Look,
    Offer,
    Propose,
    RecordDoubted,
    SeatBot,
    StartGame,
    TableSeen,
    Tap,
    Thaw,
)
from companion.table.session.next_promise import NextPromise
from companion.table.session.settings import Settings, keep, kept
from companion.table.session.snapshots import Numbers, Snapshot, Snapshots
from companion.table.session.state import SessionState
from companion.table.session.state_view import state_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.cards.loader import PackText
    from companion.table.ports import Eyes, Lamps, Voice
    from companion.table.record.record import Record

T = TypeVar("T", "list[Offer]", "PackText | None")
"""What questions are answered with."""


@dataclass(frozen=True, slots=True)
class _Order:
    """An intent in the inbox, and where somebody waits for what becomes of it."""

    intent: Intent
    answer: Future[Answer] | None = None


@dataclass(frozen=True, slots=True)
class _Query(Generic[T]):
    """A question in the inbox, and where its answer goes."""

    ask: Callable[[SessionState], T]
    answer: Future[T] = field(default_factory=Future)

    def run(self, state: SessionState, bugs: Bugs) -> None:
        """Answer; a bug in a question changes nothing."""
        try:
            found = self.ask(state)
        except Refusal as refusal:
            self.answer.set_exception(refusal)
        except Exception as error:  # noqa: BLE001 - whatever it is, it ends one question
            bugs.note("a question to the session", error)
            self.answer.set_exception(internal(state.version))
        else:
            self.answer.set_result(found)


Message = _Order | _Query["list[Offer]"] | _Query["PackText | None"]


def handle(state: SessionState, intent: Intent) -> None:  # noqa: C901, PLR0912 - one case an intent
    """Do what somebody wants, or refuse it."""
    match intent:
        case Tap():
            taps.handle(state, intent)
        case TableSeen():
            table_seen.handle(state, intent)
        case ButtonPressed():
            devices.press(state, intent)
        case DeviceChanged():
            devices.handle(state, intent)
        case StartGame():
            games.start(state, intent)
        case AddNumber():
            promises.add(state, intent)
        case ChooseGame():
            games.choose(state, intent)
        case EditCards():
            games.edit_cards(state, intent)
        case Freeze():
            games.freeze(state, intent)
        case Thaw():
            games.thaw(state, intent)
        case Decide():
            games.decide(state, intent)
        case ChangeSettings():
            devices.change_settings(state, intent)
        case SeatBot():
            bot_seats.seat(state, intent)
        case Propose():
            bot_seats.propose(state, intent)
        case Follow():
            bot_seats.follow(state, intent)
        case HandsDone():
            hand_tasks.done(state, intent)
        case GoAway():
            hand_tasks.go_away(state, intent)
        case Foreseen():
            devices.foreseen(state, intent)
        case RecordDoubted():
            state.journal.doubt()
        case Look():
            pass  # a snapshot follows anyway
        case _:
            assert_never(intent)


class Session:
    """Owns the game of one table from `start` to `stop`."""

    def __init__(  # noqa: PLR0913 - one collaborator each, all named
        self,
        record: Record,
        *,
        settings: Settings | None = None,
        eyes: Eyes | None = None,
        lamps: Lamps | None = None,
        voice: Voice | None = None,
        new_id: Callable[[], str] = lambda: os.urandom(8).hex(),
        new_secret: Callable[[], str] = new_secret,
    ) -> None:
        nobody = Nobody()
        self.snapshots = Snapshots()
        self.failure: str | None = None
        self.bugs = Bugs()
        """What was contained: intents that a bug has stopped, and questions."""
        self._inbox: SimpleQueue[Message | None] = SimpleQueue()
        self._lamps: Lamps = lamps or nobody
        self._voice: Voice = voice or nobody
        self._numbers = Numbers(record.folder)
        self._current: Message | None = None
        self._ended = threading.Event()
        played = kept(record.folder, settings or Settings())
        self._state = SessionState(
            record,
            played,
            eyes or nobody,
            new_id,
            NextPromise(record.folder, new_secret),
            keep_settings=partial(keep, record.folder),
            hands=Hands(record.folder),
        )
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)

    def start(self) -> None:
        """Take up the current game and publish it; when this returns there is a snapshot."""
        state = self._state
        game = state.journal.current
        try:
            state.take_up(game)
            self._publish()
        except Exception as error:  # noqa: BLE001 - ended by it, the companion would end by it at every start
            self.bugs.note("the game of the record cannot be shown", error)
            self._begin_without(game, why_of(error))
        self._thread.start()

    def _begin_without(self, game: str | None, why: str) -> None:
        """Publish the game as it is before its last entry, as where that cannot be replayed; if need be, no game."""
        state = self._state
        try:
            state.take_up_before_last(game, why)
            self._publish()
        except Exception as error:  # noqa: BLE001 - the record keeps the game, and people can begin another one
            self.bugs.note("nor can it be shown before its last entry", error)
            state.leave(game, why)
            self._publish()

    def put(self, intent: Intent) -> None:
        """Put an intent in the inbox; what becomes of it shows in the snapshots."""
        self._inbox.put(_Order(intent))

    def ask(self, intent: Intent) -> Future[Answer]:
        """Put an intent in the inbox; the answer, or the refusal, comes when it is on the disk."""
        answer: Future[Answer] = Future()
        self._enqueue(_Order(intent, answer))
        return answer

    @overload
    def question(self, question: AskLegal) -> Future[list[Offer]]: ...

    @overload
    def question(self, question: AskCards) -> Future[PackText | None]: ...

    def question(self, question: AskLegal | AskCards) -> Future[list[Offer]] | Future[PackText | None]:
        """Ask about the game as it is when the question's turn comes; nothing is changed or published."""
        match question:
            case AskLegal():
                return self._asked(_Query(partial(taps.legal_offers, question=question)))
            case AskCards():
                return self._asked(_Query(taps.pack_played))

    def _asked(self, query: _Query[T]) -> Future[T]:
        self._enqueue(query)
        return query.answer

    def _enqueue(self, message: Message) -> None:
        self._inbox.put(message)
        if self._ended.is_set():
            self._turn_away()

    def stop(self) -> None:
        """Finish what is in the inbox, then end."""
        self._inbox.put(None)
        self._thread.join()

    def wait(self) -> None:
        """Wait until the session has ended, on request or by a bug (`failure`)."""
        self._thread.join()

    def _run(self) -> None:
        try:
            while self._next():
                pass
        except Exception as error:  # noqa: BLE001 - the thread's outermost edge: report, stop, be started again
            self.failure = "".join(traceback.format_exception(error))
            sys.stderr.write(f"the session has stopped: {self.failure}")
            if self._current is not None and self._current.answer is not None and not self._current.answer.done():
                self._current.answer.set_exception(error)
        finally:
            self._ended.set()
            self.snapshots.close()
            self._turn_away()

    def _next(self) -> bool:
        self._current = message = self._inbox.get()
        if isinstance(message, _Order):
            self._handle(message.intent, message.answer)
        elif message is not None:
            message.run(self._state, self.bugs)
        return message is not None

    def _handle(self, intent: Intent, answer: Future[Answer] | None) -> None:
        refused, is_news = self._tried(intent)
        if refused is not None and answer is None and is_news:
            self._state.events.append(MoveRefused(refused))
        before = self.snapshots.latest
        try:
            snapshot = self._publish()
        except Exception as error:
            if before is None:
                raise
            self.bugs.note("a state that cannot be shown", error)
            snapshot, refused = before, internal(self._state.version)
        if answer is None:
            return
        if refused is not None:
            answer.set_exception(refused)
        else:  # where nothing is new, the latest events are those of an earlier intent
            answer.set_result(Answer(replace(snapshot, events=()) if snapshot is before else snapshot))

    def _tried(self, intent: Intent) -> tuple[Refusal | None, bool]:
        """Do what somebody wants; return why not, and whether that is news.

        A bug that has not touched the game, or only between two entries, ends this intent alone. A game that is not
        what its record says ends the session: the next one takes the game up from the record.
        """
        before = GameBefore.of(self._state)
        try:
            handle(self._state, intent)
            bot_seats.settle(self._state)
        except Refusal as refusal:
            return refusal, True
        except Exception as error:
            if not before.is_whole(self._state):
                raise
            return internal(self._state.version), self.bugs.note(f"{type(intent).__name__} is refused", error)
        return None, False

    def _publish(self) -> Snapshot:
        """Publish a snapshot, then tell lamps and voice. What it shows has been recorded by now."""
        session = self._state
        events, session.events = tuple(session.events), []
        latest = self.snapshots.latest
        state = state_of(session, 0 if latest is None else latest.seq)
        if latest is not None and not events and latest.state == state:
            return latest
        seq = state["seq"] = self._numbers.next()
        snapshot = Snapshot(seq, session.version, state, events, session.copied(), time.monotonic())
        self.snapshots.publish(snapshot)
        self._show("lamps", self._lamps.show, snapshot)
        self._show("voice", self._voice.tell, snapshot)
        return snapshot

    def _show(self, device: str, show: Callable[[Snapshot], None], snapshot: Snapshot) -> None:
        try:
            show(snapshot)
        except DeviceError as error:
            hint = str(error)
        except Exception as error:  # noqa: BLE001 - whatever a device raises, play goes on without it
            self.bugs.note(f"{device} cannot show a state", error)
            hint = fails(error)
        else:
            return
        if self._state.devices.get(device) != ("failing", hint):
            self._inbox.put(_Order(DeviceChanged(device, "failing", hint)))

    def _turn_away(self) -> None:
        """Refuse everybody who still waits for a thread that has ended."""
        while True:
            try:
                message = self._inbox.get_nowait()
            except Empty:
                return
            if message is not None and message.answer is not None:
                message.answer.set_exception(Refusal("stopped", None, "The session has stopped."))
