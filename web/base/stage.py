"""What all pages show at the same moment: the scene that plays, its step, and what anybody has tapped on."""

from __future__ import annotations

import json
import threading
import time
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from web.games.port import pages_of, recent_of
from web.games.scenes import moved_on, showing

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.table.session.snapshots import Snapshot, Snapshots
    from web.games.scenes import Scene, Showing

OVER: Final = "over"
SHORTEST: Final = 0.02
"""Seconds; the stage is looked at no more often."""


class Beat(NamedTuple):
    """What a page is told by the stream: which scene and step, and how often all pages were to be loaded anew."""

    key: str = ""
    step: int = 0
    renewed: int = 0

    def frame(self, before: Beat) -> bytes:
        """Return it as an event of the stream; `renewed` says whether the page is to be loaded anew."""
        data = {"key": self.key, "step": self.step, "renewed": self.renewed != before.renewed}
        return f"event: moment\ndata: {json.dumps(data)}\n\n".encode()


class Stage:
    """The scenes of the game that is played, on the clock of this machine alone."""

    def __init__(self, snapshots: Snapshots, pace: float = 1.0, clock: Callable[[], float] = time.monotonic) -> None:
        """`pace` stretches every scene; with 0 none is shown."""
        self._snapshots = snapshots
        self._pace = pace
        self._clock = clock
        self._lock = threading.Lock()
        self._taps: dict[tuple[str, int], float] = {}
        self._made: tuple[int, list[Scene], list[float]] = (-1, [], [])
        self._renewed = 0
        self._changed = threading.Event()
        self.beat = Beat()
        """The last one that was told; streams look at it without a lock."""

    def showing(self) -> Showing | None:
        """Return the scene that is shown now."""
        latest = self._snapshots.latest
        if latest is None or not self._pace:
            return None
        scenes, moved = self._scenes(latest)
        with self._lock:
            return showing(scenes, moved, self._taps, self._clock(), self._pace)

    def asked_of(self, seats: frozenset[str]) -> Scene | None:
        """Return the scene that waits for an answer of these seats: they see it before all others."""
        latest = self._snapshots.latest
        if latest is None or not self._pace:
            return None
        scenes, _ = self._scenes(latest)
        return scenes[-1] if scenes and scenes[-1].asks in seats else None

    def now(self) -> Beat:
        """Return what every page is to show now."""
        shown, latest = self.showing(), self._snapshots.latest
        if shown is not None:
            return Beat(shown.scene.key, shown.step, self._renewed)
        over = latest is not None and latest.state["phase"] == OVER
        return Beat(f"{OVER}-{latest.state['id']}" if latest is not None and over else "", 0, self._renewed)

    def go_on(self, key: str, step: int) -> None:
        """End a step for everybody, because somebody has seen enough of it; a tap that comes late does nothing."""
        shown = self.showing()
        if shown is None or (shown.scene.key, shown.step) != (key, step):
            return
        kept = {scene.key for scene in self._made[1]}  # an earlier one that was tapped away must not come back
        with self._lock:
            self._taps = {**{tap: at for tap, at in self._taps.items() if tap[0] in kept}, (key, step): self._clock()}
        self._changed.set()

    def renew(self) -> None:
        """Let every page load itself anew: something has changed that is in no snapshot, such as who holds a seat."""
        self._renewed += 1
        self._changed.set()

    def watch(self, news: Callable[[], None]) -> None:
        """Call `news` whenever there is another beat, from a thread that ends with the snapshots."""
        self._snapshots.watch(self._changed.set)
        threading.Thread(target=self._run, args=(news,), name="stage", daemon=True).start()

    def _run(self, news: Callable[[], None]) -> None:
        while not self._snapshots.closed:
            self._changed.clear()
            beat = self.now()
            if beat != self.beat:
                self.beat = beat
                news()
            self._changed.wait(self._seconds_left())

    def _seconds_left(self) -> float | None:
        """Return how long it stays as it is, while nothing happens; None: for ever."""
        shown = self.showing()
        return None if shown is None or shown.until == inf else max(shown.until - self._clock(), SHORTEST)

    def _scenes(self, latest: Snapshot) -> tuple[list[Scene], list[float]]:
        seq, scenes, moved = self._made
        if seq != latest.seq:
            recent = recent_of(self._snapshots, latest.state["id"])
            scenes, moved = pages_of(str(latest.state["game"])).scenes(recent), moved_on(recent)
            self._made = (latest.seq, scenes, moved)
        return scenes, moved
