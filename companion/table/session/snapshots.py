"""Snapshots out: each reader waits for a newer version than the one it has, so nobody can lose an update."""

from __future__ import annotations

import threading
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from companion.canonical import text_of
from companion.games.registry import game_of
from companion.table.record.data_folder import put
from companion.table.session import events as table_events
from companion.table.session.events import TableEvent

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from companion.games.api import AnyGame, Event
    from companion.games.json_types import EventJson
    from companion.games.mat import GamePosition
    from companion.table.session.state_view import SnapshotState


REMEMBERED: Final = 256


@dataclass(frozen=True)
class Snapshot:
    """The state at one moment, and the events that led to it. Nobody changes it."""

    seq: int
    version: int
    state: SnapshotState
    events: tuple[Event, ...] = ()
    """Those of the game's rules and the table's own (`TableEvent`), in the order in which they happened."""
    position: GamePosition | None = None
    """A copy of the game, to ask what would happen; nobody plays in it."""
    at: float = 0.0
    """Seconds on the monotonic clock when it was published."""

    @cached_property
    def text(self) -> str:
        """The state as JSON, written once for all readers."""
        return text_of(self.state)

    @property
    def game(self) -> AnyGame:
        """The game that is being played; without one, the game that is offered first."""
        return game_of(self.state["game"])

    def by(self, event: Event) -> str | None:
        """Return the colour whose event this is."""
        return table_events.by(event) if isinstance(event, TableEvent) else self.game.by(event)

    @property
    def seconds_to_see(self) -> float:
        """How long people look at what happened before they want to see anything else."""
        return sum(self.game.seconds_to_see(event) for event in self.events if not isinstance(event, TableEvent))

    def events_as_json(self) -> list[EventJson]:
        """Return the events as JSON, for programs."""
        return [
            table_events.serialize(event) if isinstance(event, TableEvent) else self.game.serialize(event)
            for event in self.events
        ]


class Snapshots:
    """The latest snapshot, and those with events before it."""

    def __init__(self) -> None:
        self._newer = threading.Condition()
        self._last: deque[Snapshot] = deque(maxlen=REMEMBERED)
        self._watching: tuple[Callable[[], None], ...] = ()
        self._closed = False

    @property
    def latest(self) -> Snapshot | None:
        with self._newer:
            return self._last[-1] if self._last else None

    @property
    def closed(self) -> bool:
        return self._closed

    def watch(self, news: Callable[[], None]) -> None:
        """Call `news` after each snapshot and at the end, in the thread that publishes: it must not take long."""
        self._watching = (*self._watching, news)

    def publish(self, snapshot: Snapshot) -> None:
        """Hand a snapshot to everybody who waits.

        A hand over the table publishes several snapshots without events. Only the last of such a run is remembered, so
        that they cannot push out what has happened; the oldest one stays, for readers compare with it.
        """
        with self._newer:
            if len(self._last) > 1 and not snapshot.events and not self._last[-1].events:
                self._last.pop()
            self._last.append(snapshot)
            self._newer.notify_all()
        self._tell()

    def newer_than(self, seq: int, timeout: float | None = None) -> Snapshot | None:
        """Return the latest snapshot as soon as it is newer than `seq`; None after the timeout or at the end."""
        with self._newer:
            self._newer.wait_for(lambda: self._closed or self._is_newer(seq), timeout)
            return self._last[-1] if self._is_newer(seq) else None

    def all_newer_than(
        self, seq: int, timeout: float | None = None, *, unless: Callable[[], bool] = bool
    ) -> list[Snapshot]:
        """Return every remembered snapshot newer than `seq`, oldest first, waiting for one if need be.

        Who has more to wait for than snapshots says so with `unless` and is called by `wake`.
        """
        with self._newer:
            self._newer.wait_for(lambda: self._closed or self._is_newer(seq) or unless(), timeout)
            return [snapshot for snapshot in self._last if snapshot.seq > seq]

    def wake(self) -> None:
        """Let everybody who waits check whether they still want to."""
        with self._newer:
            self._newer.notify_all()

    def close(self) -> None:
        with self._newer:
            self._closed = True
            self._newer.notify_all()
        self._tell()

    def _tell(self) -> None:
        for news in self._watching:
            news()

    def _is_newer(self, seq: int) -> bool:
        return bool(self._last) and self._last[-1].seq > seq


BLOCK: Final = 1000
FILE: Final = "snapshots.reserved"


class Numbers:
    """Numbers of snapshots that never come back; a file says up to where they have been given out."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._next = self._reserved() + 1
        self._end = self._next

    def next(self) -> int:
        if self._next >= self._end:
            self._end = self._next + BLOCK
            self._reserve(self._end)
        self._next += 1
        return self._next - 1

    def _reserved(self) -> int:
        try:
            return int(self._path.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return 0

    def _reserve(self, end: int) -> None:
        with suppress(OSError):  # a full disk must not stop anybody from looking
            put(self._path, str(end).encode())
