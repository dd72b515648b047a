"""Moves that come by the broker: refused unless the host allows them, and otherwise moves like any other."""

from __future__ import annotations

import threading
from collections import deque
from typing import TYPE_CHECKING, Any, Final

from companion.canonical import text_of
from companion.refusal import Refusal
from companion.table.outside import read_object
from companion.table.session.intents import Speaker, Tap

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from companion.table.session.intents import Answer, Intent

LARGEST: Final = 64 * 1024
"""As large as a move by a page may be."""
MOST_AT_ONCE: Final = 4
MOST_ANSWERS: Final = 64
BROKER: Final = Speaker(host=True, name="broker")


class Commands:
    """Hears commands in one thread, lets the session answer in another, and keeps the answers for a third."""

    def __init__(
        self, ask: Callable[[Intent], Future[Answer]], ready: Callable[[], None], *, allowed: bool = False
    ) -> None:
        self._ask = ask
        self._ready = ready
        self._allowed = allowed
        self._answers: deque[tuple[str, bytes]] = deque(maxlen=MOST_ANSWERS)
        self._places = threading.Semaphore(MOST_AT_ONCE)

    def hear(self, payload: bytes, *, retained: bool, data: bytes) -> None:
        """A command: what becomes of it is in the answers."""
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

    def _answered(self, answer: Future[Answer], move: dict[str, Any], data: bytes) -> None:
        """In the session's thread, which is not kept waiting."""
        self._places.release()
        try:
            self._keep({"do": move.get("do"), **answer.result().as_json()}, data)
        except Refusal as refusal:
            self._keep({"do": move.get("do"), "error": refusal.as_json()}, data)
        except Exception as error:  # noqa: BLE001 - the session has stopped over it and tells it itself
            self._keep({"error": {"code": "internal", "message": type(error).__name__, "fields": {}}}, data)

    def _keep(self, answer: dict[str, Any], data: bytes) -> None:
        try:
            text = text_of(answer)
        except (ValueError, RecursionError):
            text = text_of({"error": answer.get("error")})
        self._answers.append((text, data))
        self._ready()

    @property
    def waiting(self) -> bool:
        """Whether there are answers to send."""
        return bool(self._answers)

    def taken(self) -> list[tuple[str, bytes]]:
        """The answers so far, each once."""
        found = []
        while self._answers:
            found.append(self._answers.popleft())
        return found
