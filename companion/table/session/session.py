"""The session: one thread owns the game. Intents go in, immutable snapshots come out, and it only dispatches."""

from __future__ import annotations

import os
import sys
import threading
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any, Final

from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck
from companion.table.ports import DeviceError, Nobody
from companion.table.session.events import MoveRefused
from companion.table.session.handlers import bot_seats, devices, games, table_seen, taps
from companion.table.session.handlers import devices as settings_
from companion.table.session.intents import (
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
    Intent,
    Look,
    Propose,
    Question,
    SeatBot,
    StartGame,
    TableSeen,
    Tap,
    Thaw,
)
from companion.table.session.settings import Settings, keep, kept
from companion.table.session.snapshots import Numbers, Snapshot, Snapshots
from companion.table.session.state import SessionState
from companion.table.session.state_view import state_of

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.table.ports import Eyes, Lamps, Voice
    from companion.table.record.record import Record

Handler = Callable[[SessionState, Any], None]
Asked = Callable[[SessionState, Any], Any]


def _look(session: SessionState, intent: Look) -> None:
    """Nothing changes; a snapshot follows anyway."""


HANDLERS: Final[dict[type, Handler]] = {
    Tap: taps.handle,
    TableSeen: table_seen.handle,
    ButtonPressed: devices.press,
    DeviceChanged: devices.handle,
    StartGame: games.start,
    ChooseGame: games.choose,
    EditCards: games.edit_cards,
    Freeze: games.freeze,
    Thaw: games.thaw,
    Decide: games.decide,
    ChangeSettings: settings_.change_settings,
    SeatBot: bot_seats.seat,
    Propose: bot_seats.propose,
    Follow: bot_seats.follow,
    Foreseen: devices.foreseen,
    Look: _look,
}


QUESTIONS: Final[dict[type, Asked]] = {AskLegal: taps.legal_offers, AskCards: taps.pack_played}


class Session:
    """Owns the game of one table from `start` to `stop`."""

    def __init__(  # noqa: PLR0913 - one collaborator each, all named
        self,
        record: Record,
        *,
        luck: Callable[[str], Chance] = SeededLuck,
        settings: Settings | None = None,
        eyes: Eyes | None = None,
        lamps: Lamps | None = None,
        voice: Voice | None = None,
        new_id: Callable[[], str] = lambda: os.urandom(8).hex(),
    ) -> None:
        nobody = Nobody()
        self.snapshots = Snapshots()
        self.failure: str | None = None
        self._inbox: SimpleQueue[tuple[Intent | Question | None, Future[Any] | None]] = SimpleQueue()
        self._lamps: Lamps = lamps or nobody
        self._voice: Voice = voice or nobody
        self._numbers = Numbers(record.folder)
        self._answer: Future[Any] | None = None
        self._ended = threading.Event()
        played = kept(record.folder, settings or Settings())
        self._state = SessionState(
            record, luck, played, eyes or nobody, new_id, keep_settings=partial(keep, record.folder)
        )
        self._thread = threading.Thread(target=self._run, name="session", daemon=True)

    def start(self) -> None:
        """Take up the current game and publish it; when this returns there is a snapshot."""
        self._state.take_up(self._state.journal.current)
        self._publish()
        self._thread.start()

    def put(self, intent: Intent) -> None:
        """Put an intent in the inbox; whatever becomes of it shows in the snapshots."""
        self._inbox.put((intent, None))

    def ask(self, intent: Intent) -> Future[Answer]:
        """Put an intent in the inbox; the answer, or the refusal, comes when it is on the disk."""
        return self._asked(intent)

    def question(self, question: Question) -> Future[Any]:
        """Ask about the game as it is when the question's turn comes; nothing is changed or published."""
        return self._asked(question)

    def _asked(self, what: Intent | Question) -> Future[Any]:
        answer: Future[Any] = Future()
        self._inbox.put((what, answer))
        if self._ended.is_set():
            self._turn_away()
        return answer

    def stop(self) -> None:
        """Finish what is in the inbox, then end."""
        self._inbox.put((None, None))
        self._thread.join()

    def wait(self) -> None:
        """Until the session has ended, on request or by a bug that `failure` tells."""
        self._thread.join()

    def _run(self) -> None:
        try:
            while self._next():
                pass
        except Exception as error:  # noqa: BLE001 - the thread's outermost edge: report, stop, be started again
            self.failure = "".join(traceback.format_exception(error))
            sys.stderr.write(f"the session has stopped: {self.failure}")
            if self._answer is not None and not self._answer.done():
                self._answer.set_exception(error)
        finally:
            self._ended.set()
            self.snapshots.close()
            self._turn_away()

    def _next(self) -> bool:
        intent, self._answer = self._inbox.get()
        if isinstance(intent, Question):
            self._tell(intent, self._answer)
        elif intent is not None:
            self._handle(intent, self._answer)
        return intent is not None

    def _tell(self, question: Question, answer: Future[Any] | None) -> None:
        told = QUESTIONS[type(question)](self._state, question)
        if answer is not None:
            answer.set_result(told)

    def _handle(self, intent: Intent, answer: Future[Any] | None) -> None:
        try:
            HANDLERS[type(intent)](self._state, intent)
            bot_seats.settle(self._state)
        except Refusal as refusal:
            if answer is None:
                self._state.events.append(MoveRefused(refusal))
            self._publish()
            if answer is not None:
                answer.set_exception(refusal)
            return
        snapshot = self._publish()
        if answer is not None:
            answer.set_result(Answer(snapshot))

    def _publish(self) -> Snapshot:
        """Record first, which is done by now; then the snapshot; then lamps and voice."""
        session = self._state
        events, session.events = tuple(session.events), []
        latest = self.snapshots.latest
        state = state_of(session, 0 if latest is None else latest.seq)
        if latest is not None and not events and latest.state == state:
            return latest
        seq = state["seq"] = self._numbers.next()
        snapshot = Snapshot(seq, session.version, state, events, session.copied())
        self.snapshots.publish(snapshot)
        self._show("lamps", self._lamps.show, snapshot)
        self._show("voice", self._voice.tell, snapshot)
        return snapshot

    def _show(self, device: str, show: Callable[[Snapshot], None], snapshot: Snapshot) -> None:
        try:
            show(snapshot)
        except DeviceError as error:
            if self._state.devices.get(device) != ("failing", str(error)):
                self._inbox.put((DeviceChanged(device, "failing", str(error)), None))

    def _turn_away(self) -> None:
        """Nobody waits for a thread that has ended."""
        while True:
            try:
                _, answer = self._inbox.get_nowait()
            except Empty:
                return
            if answer is not None:
                answer.set_exception(Refusal("stopped", None, "The session has stopped."))
