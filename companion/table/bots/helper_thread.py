"""Base class for threads that wait for snapshots and a helper process's answers without polling."""

from __future__ import annotations

import threading
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from companion.bots.policy.helper_process import Helper
from companion.refusal import Refusal
from companion.table.fence import Fence
from companion.table.session.intents import AskCards

if TYPE_CHECKING:
    from companion.cards.loader import PackText
    from companion.table.session.session import Session


H = TypeVar("H", bound=Helper)


class HelperThread(Generic[H]):
    """Runs from `start`, when the session has started, to `close`, before it stops; it ends with the session too."""

    def __init__(self, session: Session, name: str, device: str) -> None:
        self._session = session
        self._fence = Fence(session.put, (device,), lost=self._dismiss)
        self._bell, self._ringing = Pipe(duplex=False)
        self._closed = False
        self.helper: H | None = None
        """The process that works for it, while there is something to do."""
        self._deaths = 0
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._watcher = threading.Thread(target=self._watch, name=f"{name}-watch", daemon=True)

    def start(self) -> None:
        self._thread.start()
        self._watcher.start()

    def close(self) -> None:
        """End before the session stops."""
        self._closed = True
        self._fence.end()
        self._ring()
        self._thread.join()

    def _watch(self) -> None:
        seen = 0
        while (snapshot := self._session.snapshots.newer_than(seen)) is not None:
            seen = snapshot.seq
            self._ring()
        self._closed = True
        self._fence.end()
        self._ring()

    def _ring(self) -> None:
        try:
            self._ringing.send_bytes(b"!")
        except OSError:
            return  # it has ended already

    def _run(self) -> None:
        try:
            self._fence.run(self._turn)
        finally:
            self._fence.once(self._dismiss)
            self._ringing.close()
            self._bell.close()

    def _turn(self) -> bool:
        self._work()
        self._wait()
        return not self._closed

    def _wait(self) -> None:
        """Wait for a snapshot, an answer, the end of the helper process, or the timeout."""
        helper = self.helper
        sources: list[Connection | int] = [self._bell] if helper is None else [self._bell, helper.line, helper.sentinel]
        if not wait(sources, self._timeout()):
            self._waited_in_vain()
        while self._bell.poll():
            self._bell.recv_bytes()

    def _staff(self, game: Any) -> H | None:
        """Return the helper for the cards of this game; None without cards, or when the session has stopped."""
        if self.helper is None or self.helper.box is not game.box:
            self._dismiss()
            with suppress(Refusal):
                cards = self._session.question(AskCards()).result()
                self.helper = None if cards is None else self._new_helper(cards, game)
        return self.helper

    def _dismiss(self) -> None:
        """End the helper process."""
        if self.helper is not None:
            self.helper.dismiss()
        self.helper = None

    # --- what the thread is for ---------------------------------------------------------------------------------------

    def _work(self) -> None:
        """Do what there is to do now."""
        raise NotImplementedError

    def _new_helper(self, cards: PackText, game: Any) -> H:
        """Start a helper process."""
        raise NotImplementedError

    def _timeout(self) -> float | None:
        """Return the longest time to wait, in seconds."""
        return None

    def _waited_in_vain(self) -> None:
        """React to a timeout."""
