"""Contain a bug: an intent that raises is refused as `internal`, unless it has left the game half-way."""

from __future__ import annotations

import sys
import threading
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.table.record.commit import RecordedGame
    from companion.table.session.state import SessionState

MOST_TRACES: Final = 50
"""So many different traces are logged: a bug that the camera meets four times a second must not fill the disk."""


class Bugs:
    """What was contained since the start, for log and `/metrics`; any thread may report."""

    def __init__(self, say: Callable[[str], object] | None = None) -> None:
        self._say = say
        self._lock = threading.Lock()
        self._known: set[tuple[str, tuple[tuple[str, int], ...]]] = set()
        self.count = 0

    def add(self) -> None:
        """Count one that somebody else has logged."""
        with self._lock:
            self.count += 1

    def note(self, what: str, error: BaseException) -> bool:
        """Count a bug, and log its trace the first time; return whether it was."""
        frames = tuple((frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__))
        mark = type(error).__name__, frames
        with self._lock:
            self.count += 1
            is_new = mark not in self._known and len(self._known) < MOST_TRACES
            if is_new:
                self._known.add(mark)
        if is_new:
            (self._say or sys.stderr.write)(f"{what}: {''.join(traceback.format_exception(error))}")
        return is_new


def internal(version: int) -> Refusal:
    """Return the refusal for what a bug has stopped; `version` tells whether something was recorded before it."""
    return Refusal("internal", None, "The companion made a mistake; it is in its log.", version=version)


@dataclass(frozen=True, slots=True)
class GameBefore:
    """The game that is played and the record's current one, before an intent is handled."""

    played: RecordedGame | None
    current: str | None

    @classmethod
    def of(cls, session: SessionState) -> GameBefore:
        return cls(session.played, session.journal.current)

    def is_whole(self, session: SessionState) -> bool:
        """Whether it is still this game, and as its record says: to the last entry."""
        if session.played is not self.played or session.journal.current != self.current:
            return False
        if session.played is None:
            return True
        open_game = session.played.open_game
        return session.journal.entries(open_game.id)[-1].nth == open_game.version
