"""Publish to a broker what happens at the table, and take moves from it where the host allows them."""

from __future__ import annotations

import secrets
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Final

from companion.canonical import text_of
from companion.network import broker_settings, discovery
from companion.network.link import BackOff, Link, OnceLog, on_stderr
from companion.network.results import FinishedGames
from companion.refusal import Refusal
from companion.table.fence import Fence
from companion.table.outside import read_object
from companion.table.ports import Hint
from companion.table.session.intents import DeviceChanged, Speaker, Tap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from concurrent.futures import Future

    from companion.network.broker_settings import Mqtt
    from companion.table.league_picture import Finished
    from companion.table.session.intents import Answer, Intent
    from companion.table.session.session import Session
    from companion.table.session.snapshots import Snapshot


LARGEST: Final = 64 * 1024
"""As large as a move by a page may be."""
MOST_AT_ONCE: Final = 4
MOST_ANSWERS: Final = 64
BROKER: Final = Speaker(host=True, name="broker")


class BrokerCommands:
    """Takes commands in one thread, lets the session answer in another, and keeps the answers for a third."""

    def __init__(
        self, ask: Callable[[Intent], Future[Answer]], ready: Callable[[], None], *, allowed: bool = False
    ) -> None:
        self._ask = ask
        self._ready = ready
        self._allowed = allowed
        self._answers: deque[tuple[str, bytes]] = deque(maxlen=MOST_ANSWERS)
        self._places = threading.Semaphore(MOST_AT_ONCE)

    def hear(self, payload: bytes, *, retained: bool, data: bytes) -> None:
        """Take a command; its outcome is in the answers."""
        try:
            move = self._read(payload, retained=retained)
            self._ask(Tap(move, BROKER)).add_done_callback(lambda answer: self._answered(answer, move, data))
        except Refusal as refusal:
            self._keep({"error": refusal.as_json()}, data)

    def _read(self, payload: bytes, *, retained: bool) -> dict[str, Any]:
        if retained:
            raise Refusal("retained", None, "A retained command would be obeyed at every start; send it without.")
        if not self._allowed:
            raise Refusal("not_allowed", None, "Moves by MQTT are off; the host allows them: allow_commands = true.")
        if len(payload) > LARGEST:
            raise Refusal("too_large", None, f"A command has {LARGEST} bytes at most.", bytes=len(payload))
        move = read_object(payload, "command")
        if not self._places.acquire(blocking=False):
            raise Refusal("too_many", None, f"{MOST_AT_ONCE} commands are being answered already; wait for one.")
        return move

    def _answered(self, answer: Future[Answer], move: Mapping[str, object], data: bytes) -> None:
        """Keep an answer. This runs in the session's thread, which must not wait."""
        self._places.release()
        try:
            self._keep({"do": move.get("do"), **answer.result().as_json()}, data)
        except Refusal as refusal:
            self._keep({"do": move.get("do"), "error": refusal.as_json()}, data)
        except Exception as error:  # noqa: BLE001 - the session has stopped over it and tells it itself
            self._keep({"error": {"code": "internal", "message": type(error).__name__, "fields": {}}}, data)

    def _keep(self, answer: dict[str, object], data: bytes) -> None:
        try:
            text = text_of(answer)
        except (ValueError, RecursionError):
            text = text_of({"error": answer.get("error")})
        self._answers.append((text, data))
        self._ready()

    @property
    def waiting(self) -> bool:
        return bool(self._answers)

    def taken(self) -> list[tuple[str, bytes]]:
        """Return the answers so far, each once."""
        found = []
        while self._answers:
            found.append(self._answers.popleft())
        return found


DEVICE: Final = "broker"
FAREWELL: Final = 2.0
"""Seconds that the last messages may take when the companion ends."""
HEADER: Final = 16
"""Bytes of a message beside its topic and payload, at most."""


class Publisher:
    """One table at its broker, from `start` to `close`."""

    def __init__(
        self,
        session: Session,
        settings: Mqtt,
        *,
        past: Callable[[], Iterable[Finished]] = tuple,
        address: Callable[[], str] = lambda: "",
        pauses: BackOff | None = None,
        say: Callable[[str], None] = on_stderr,
    ) -> None:
        self._session = session
        self._settings = settings
        self._past = past
        self._address = address
        self._trouble = OnceLog(say)
        self._pauses = pauses or BackOff()
        self._commands = BrokerCommands(session.ask, session.snapshots.wake, allowed=settings.allow_commands)
        self._go = threading.Event()
        self._online = self._stopping = False
        self._since = 0.0
        self._asserted = self._insist = False
        self._largest: int | None = None
        self._connections = self._greeted = 0
        self._seen = 0
        self._acks = threading.Condition()
        self._open: set[int] = set()
        self._early: set[int] = set()
        away = (self._topic(broker_settings.AVAILABILITY), broker_settings.OFFLINE)
        name = f"companion-{broker_settings.node(settings.table)}-{secrets.token_hex(4)}"
        listens = [self._topic(broker_settings.COMMAND), self._topic(broker_settings.AVAILABILITY)]
        self._link = Link(settings.broker, name, self, listens, will=away, pauses=self._pauses)
        self._fence = Fence(session.put, (DEVICE,), lost=self._pass_over)
        self._thread = threading.Thread(target=self._run, name="publisher", daemon=True)

    def start(self) -> None:
        """Begin; the broker may be there or not."""
        self._thread.start()
        self._link.start()

    def close(self) -> None:
        """Hand over what is left, if the broker is there, announce that the table goes, and end."""
        self._stopping = True
        self._fence.end()
        self._go.set()
        self._session.snapshots.wake()
        with self._acks:
            self._acks.notify_all()
        self._thread.join(3 * FAREWELL)
        self._link.stop()

    # --- what the link tells, in its thread ---------------------------------------------------------------------------

    def up(self, largest: int | None) -> None:
        """Take in that the broker has accepted us."""
        self._largest, self._since = largest, time.monotonic()
        self._connections += 1
        self._asserted = False
        self._online = True
        self._go.set()
        self._session.snapshots.wake()
        self._fence.put(DeviceChanged(DEVICE, "ok"))

    def down(self, hint: str) -> None:
        """Take in that the broker is away, or refuses us."""
        if self._online and time.monotonic() - self._since >= self._pauses.lasting:
            self._trouble.settled("link")
        self._online = False
        if not self._stopping:
            self._go.clear()
        self._trouble.say("link", hint)
        self._fence.put(DeviceChanged(DEVICE, "failing", hint))

    def heard(self, topic: str, payload: bytes, *, retained: bool, data: bytes) -> None:
        """Take in a command, or what somebody else says about our availability."""
        if topic == self._topic(broker_settings.AVAILABILITY):
            if not retained:
                self._assert_online(payload)
            return
        if not payload:
            return
        if retained:
            self._trouble.say("retained", f"a retained command on {topic} is left alone: take it away there")
        self._commands.hear(payload, retained=retained, data=data)

    def _assert_online(self, payload: bytes) -> None:
        """Assert our availability: the broker ended an old connection of ours, or a second table has our name."""
        if payload == broker_settings.ONLINE.encode():
            hint = Hint(
                "broker_twin",
                "another companion at this broker is called {name}: each needs a name of its own",
                name=repr(self._settings.table),
            )
            self._trouble.say("twin", hint)
            self._fence.put(DeviceChanged(DEVICE, "failing", hint))
            if self._asserted:
                return
        self._asserted = self._insist = True
        self._session.snapshots.wake()

    def acknowledged(self, number: int, refusal: str | None) -> None:
        """Take in that the broker has a message, or refuses it: nothing is waited for any more."""
        if refusal is not None:
            self._trouble.say("refusal", f"the broker refuses what is said of {self._settings.table!r}: {refusal}")
        with self._acks:
            if number in self._open:
                self._open.remove(number)
            else:
                self._early.add(number)
            self._acks.notify_all()

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        self._results = FinishedGames(())
        self._fence.once(self._begin)
        self._fence.run(self._turn)
        if self._online:
            self._fence.once(self._say_goodbye)

    def _begin(self) -> None:
        self._results = FinishedGames(self._past())

    def _say_goodbye(self) -> None:
        self._hand_over(broker_settings.AVAILABILITY, broker_settings.OFFLINE, retain=True)
        self._settled()

    def _pass_over(self) -> None:
        """Leave out what cannot be published: the next snapshot holds the whole state again."""
        latest = self._session.snapshots.latest
        self._seen = self._seen if latest is None else latest.seq

    def _turn(self) -> bool:
        """Publish whatever is new, once; return whether to go on."""
        snapshots = self._session.snapshots
        news = snapshots.all_newer_than(self._seen, unless=self._called)
        self._go.wait()
        ending = self._stopping or (snapshots.closed and not news)
        if self._online:
            if self._greeted != self._connections:
                self._publish_everything()
            if self._insist:
                self._insist = False
                self._hand_over(broker_settings.AVAILABILITY, broker_settings.ONLINE, retain=True)
            self._tell(snapshots.all_newer_than(self._seen, 0))
            self._settled()
        return not ending

    def _called(self) -> bool:
        return self._stopping or self._insist or self._greeted != self._connections or self._commands.waiting

    def _publish_everything(self) -> None:
        """Publish everything at every connection: the broker may have forgotten it."""
        self._greeted = self._connections
        self._hand_over(broker_settings.AVAILABILITY, broker_settings.ONLINE, retain=True)
        for topic, payload in discovery.messages(self._settings, self._address()).items():
            self._send(topic, payload, retain=True)
        latest = self._session.snapshots.latest
        if latest is not None:
            self._results.look(latest.state)
            if self._seen:
                self._hand_over(broker_settings.STATE, latest.text, retain=True)
        self._hand_over(broker_settings.RESULTS, text_of(self._results.as_list()), retain=True)

    def _tell(self, news: Sequence[Snapshot]) -> None:
        for snapshot in news:
            for nth, event in enumerate(snapshot.events_as_json()):
                self._hand_over(broker_settings.EVENT, text_of({**event, "seq": snapshot.seq, "nth": nth}))
        if news:
            self._seen = news[-1].seq
            self._hand_over(broker_settings.STATE, news[-1].text, retain=True)
            if any([self._results.look(snapshot.state) for snapshot in news]):  # noqa: C419 - look at all of them
                self._hand_over(broker_settings.RESULTS, text_of(self._results.as_list()), retain=True)
        for answer, data in self._commands.taken():
            self._hand_over(broker_settings.ANSWER, answer, data=data)

    def _hand_over(self, what: str, payload: str, *, retain: bool = False, data: bytes = b"") -> None:
        self._send(self._topic(what), payload, retain=retain, data=data)

    def _send(self, topic: str, payload: str, *, retain: bool, data: bytes = b"") -> None:
        size = len(payload.encode()) + len(topic.encode()) + len(data) + HEADER
        if self._largest is not None and size > self._largest:
            self._trouble.say("size", f"the broker takes {self._largest} bytes at most; {topic} is left out")
            return
        number = self._link.publish(topic, payload, retain=retain, data=data)
        with self._acks:
            if number in self._early:
                self._early.remove(number)
            else:
                self._open.add(number)

    def _settled(self) -> None:
        """Wait until the broker has all of it, be it behind a lost connection; not for ever when we end."""
        with self._acks:
            self._acks.wait_for(lambda: not self._open or self._stopping)
            self._acks.wait_for(lambda: not self._open, FAREWELL)

    # --- words --------------------------------------------------------------------------------------------------------

    def _topic(self, what: str) -> str:
        return broker_settings.topic(self._settings.table, what)
