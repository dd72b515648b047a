"""What goes on behind a table that plays, in a process of the lowest priority: verify, compile, review games."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from companion.compiled.modules import builds, in_use
from companion.table.bots import reviews
from companion.table.record.audit import DAMAGED, start_aside
from companion.table.session.intents import RecordDoubted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from companion.table.session.session import Session
    from companion.table.session.snapshots import Snapshot


class RecordAudit:
    """Runs `companion verify` once, and tells the session where what the start did not read does not verify."""

    def __init__(self, session: Session, folder: Path) -> None:
        self._session = session
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._wait, name="record-audit", daemon=True)

    def start(self) -> None:
        self._process = start_aside("verify", "--data", str(self._folder))
        self._thread.start()

    def close(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._thread.join(LAST_PATIENCE)

    def _wait(self) -> None:
        if self._process is not None:
            self._process.communicate()
            if self._process.returncode == DAMAGED:
                self._session.put(RecordDoubted())


WANTED: Final = "COMPANION_COMPILE"
"""`./run` sets it: a package that somebody has installed is left as it is."""
COMMAND: Final = (sys.executable, "-m", "companion.cli", "compile", "--in-background")
LAST_PATIENCE: Final = 5.0


def is_wanted(environment: Mapping[str, str]) -> bool:
    """Return whether there is something to compile, and a place for it that this process may write."""
    folder = builds()
    if folder is None or not environment.get(WANTED) or in_use():
        return False
    return os.access(folder if folder.exists() else folder.parent, os.W_OK)


class RulesBuild:
    """Runs `companion compile` once. The bots' next helper process takes what comes of it, the table its next start."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._wait, name="rules-build", daemon=True)

    def start(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own command, and no word of it comes from outside
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # with the compiler that it starts, so that all of it ends together
        )
        self._thread.start()

    def close(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGTERM)
            self._thread.join(LAST_PATIENCE)

    def _wait(self) -> None:
        if self._process is not None:
            said = self._process.communicate()[1].strip()
            if self._process.returncode > 0 and said:
                logging.getLogger(__name__).warning("%s The rules run from their sources.", said.splitlines()[-1])


REVIEW_PATIENCE: Final = 1800.0
"""Seconds in which a review is worked out on the slowest machine that is otherwise busy."""
TRIES: Final = 2
OVER: Final = "over"
WAITING: Final = "waiting"
MOST_WAITING: Final = 20
"""So many games wait to be reviewed; who asks for another one asks again later."""


class GameReviews:
    """Reviews games that are over, one at a time: the one at the table by itself, others when somebody asks.

    A process that dies or stands still is tried once more. Nobody waits for it: pages look for what it has kept.
    """

    def __init__(
        self,
        session: Session,
        folder: Path,
        start: Callable[..., subprocess.Popen[str]] = start_aside,
        patience: float = REVIEW_PATIENCE,
    ) -> None:
        self._session, self._folder = session, folder
        self._start, self._patience = start, patience
        self._asked: SimpleQueue[str | None] = SimpleQueue()
        self._states: dict[str, str] = {}
        self._lock = threading.Lock()
        self._closed = False
        self._process: subprocess.Popen[str] | None = None
        self._threads = [
            threading.Thread(target=work, name=name, daemon=True)
            for work, name in ((self._watch, "reviews-watch"), (self._work, "reviews"))
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._process is not None:
                self._process.terminate()
        self._asked.put(None)
        if self._threads[1].ident is not None:
            self._threads[1].join(LAST_PATIENCE)

    def state(self, game: str) -> str:
        """Return `waiting` while a review is worked out or waits for its turn, `failed`, or nothing."""
        return self._states.get(game, "")

    def ask(self, game: str) -> None:
        """Have a game reviewed; one that waits already is not asked for twice."""
        with self._lock:
            waiting = [one for one, state in self._states.items() if state == WAITING]
            if game in waiting or len(waiting) >= MOST_WAITING:
                return
            self._states[game] = WAITING
        self._asked.put(game)

    def _watch(self) -> None:
        """Ask for the game at the table as soon as it is over, and again if it has changed since."""
        seq, last = 0, ("", -1)
        while (snapshot := self._session.snapshots.newer_than(seq)) is not None and not self._closed:
            seq = snapshot.seq
            if last != (snapshot.state["id"] or "", snapshot.version):
                last = snapshot.state["id"] or "", snapshot.version
                self._look(snapshot)

    def _look(self, snapshot: Snapshot) -> None:
        game, plays = snapshot.state["id"] or "", snapshot.state["game"]
        if snapshot.state["phase"] != OVER or not reviews.can_be_reviewed(plays):
            return
        if reviews.read(self._folder, game, plays, snapshot.version) is None:
            self.ask(game)

    def _work(self) -> None:
        while (game := self._asked.get()) is not None:
            begun = self._session.snapshots.latest
            done = any(self._tried(game) for _ in range(TRIES))
            self._states[game] = "" if done else "failed"
            now = self._session.snapshots.latest
            if begun is not None and now is not None and begun.version != now.version and not self._closed:
                self._look(now)  # it was corrected while it was looked at

    def _tried(self, game: str) -> bool:
        """Have a process work out a review; return whether it did, or whether there is no use in trying again."""
        with self._lock:
            if self._closed:
                return True
            process = self._process = self._start("review", game, "--aside", "--data", str(self._folder))
        try:
            process.communicate(timeout=self._patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        return process.returncode == 0 or self._closed
