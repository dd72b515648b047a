"""What stays open for long: events and moving pictures, no more of them than there are places."""

from __future__ import annotations

import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Final, Self

from companion.refusal import Refusal
from web.base.stage import Beat, Stage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.table.ports import ShownPicture, Sight
    from companion.table.session.snapshots import Snapshot, Snapshots


class Leaving:
    """The parts of an answer; `leave` gives the place back, exactly once."""

    def __init__(self, parts: Iterator[bytes], leave: Callable[[], None]) -> None:
        self._parts = parts
        self._leave: Callable[[], None] | None = leave

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._parts)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Give the place back."""
        leave, self._leave = self._leave, None
        if leave is not None:
            leave()


if TYPE_CHECKING:
    Framed = Callable[[Snapshot, int], bytes]
    """How one event is written for a reader who has seen what was before."""

HEARTBEAT: Final = 15.0
LOOK: Final = 1.0
"""So often a reader who waits is looked after: one who is gone has no place longer than that."""
MOST: Final = 64
"""Streams of one address, which may be that of many phones."""
MOST_OF_ALL: Final = 4 * MOST
RETRY: Final = b"retry: 1000\n\n"
STILL_HERE: Final = b": still here\n\n"


def frame(snapshot: Snapshot) -> bytes:
    return f"event: state\nid: {snapshot.seq}\ndata: {snapshot.text}\n\n".encode()


UNTOLD: Final = "untold"
"""The scene of a reader who was told of none, not even that none is shown."""


class Stream:
    """One reader's events: the newest state at once unless it was seen, then whatever is newest when they can read.

    Our own server asks what is due and keeps no thread for it; whoever iterates waits.
    """

    def __init__(
        self, streams: Streams, seen: int, gone: Callable[[], bool], framed: Framed | None, *, moments: bool
    ) -> None:
        self._streams = streams
        self._seen = seen
        self._gone = gone
        self._framed = framed
        self._moments = moments
        self._is_begun = False
        self._spoke = 0.0
        self._told = Beat()
        self._leave: Callable[[], None] | None = None
        self.is_given_up = False
        """Whether its place went to an address with fewer."""

    @property
    def is_quick(self) -> bool:
        """Whether every reader gets the same bytes, which are made once."""
        return self._framed is None

    @property
    def is_due(self) -> bool:
        return not self._is_begun or self._newer() is not None or self._has_beat() or self._is_silent()

    @property
    def is_over(self) -> bool:
        return self.is_given_up or self._streams.are_over

    def due(self) -> bytes | None:
        """Return what this reader is to be sent now."""
        if not self._is_begun:
            self._begin()
            return RETRY
        snapshot = self._newer()
        if snapshot is not None:
            seen, self._seen, self._spoke = self._seen, snapshot.seq, time.monotonic()
            return self._streams.whole(snapshot) if self._framed is None else self._framed(snapshot, seen)
        if self._has_beat():
            before, self._told, self._spoke = self._told, self._streams.stage.beat, time.monotonic()
            return self._told.frame(before)
        if self._is_silent():
            self._spoke = time.monotonic()
            return STILL_HERE
        return None

    def take(self, address: str) -> Self:
        """Take a place, or refuse."""
        self._streams.sit_down(self, address)
        self._leave = partial(self._streams.stand_up, self, address)
        return self

    def close(self) -> None:
        """Give the place back, exactly once."""
        leave, self._leave = self._leave, None
        if leave is not None:
            leave()

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        while self._leave is not None and not self.is_over and not self._gone():
            piece = self.due()
            if piece is not None:
                return piece
            self._streams.wait(self._seen)
        self.close()
        raise StopIteration

    def _begin(self) -> None:
        self._is_begun = True
        self._spoke = time.monotonic()
        self._told = Beat(UNTOLD, renewed=self._streams.stage.beat.renewed)  # a page may show what is over by now
        latest = self._streams.latest
        if latest is not None and latest.seq < self._seen:
            self._seen = 0

    def _newer(self) -> Snapshot | None:
        latest = self._streams.latest
        return latest if latest is not None and latest.seq > self._seen else None

    def _has_beat(self) -> bool:
        return self._moments and self._streams.stage.beat != self._told

    def _is_silent(self) -> bool:
        return time.monotonic() - self._spoke >= self._streams.heartbeat


class Streams:
    """The open streams, no more of them than there are places, for one address and for all."""

    def __init__(
        self, snapshots: Snapshots, most: int = MOST, heartbeat: float = HEARTBEAT, stage: Stage | None = None
    ) -> None:
        self._snapshots = snapshots
        self.stage = stage or Stage(snapshots, pace=0)
        self._is_staged = stage is not None
        self.most = most
        self.heartbeat = heartbeat
        self._lock = threading.Condition()
        self._written: tuple[int, bytes] = (0, b"")
        self._of: dict[str, dict[Stream, None]] = {}
        self._news: Callable[[], object] = bool
        self._is_closed = False

    @property
    def open(self) -> int:
        """How many streams are open."""
        return sum(map(len, self._of.values()))

    @property
    def latest(self) -> Snapshot | None:
        return self._snapshots.latest

    @property
    def are_over(self) -> bool:
        return self._is_closed or self._snapshots.closed

    def stream(
        self,
        seen: int,
        gone: Callable[[], bool] = bool,
        framed: Framed | None = None,
        *,
        address: str = "",
        moments: bool = False,
    ) -> Stream:
        """Return a stream of the events after `seen`; refuse when all places are taken.

        Only pages ask for moments: a program that follows the table reads a state in every event.
        """
        return Stream(self, seen, gone, framed, moments=moments).take(address)

    def watch(self, news: Callable[[], None]) -> None:
        """Call `news` whenever there is something for streams to send, or they end."""
        self._news = news
        self._snapshots.watch(news)
        if self._is_staged:  # a league has no game to show scenes of
            self.stage.watch(news)

    def wait(self, seen: int) -> None:
        """Wait for something newer, for no longer than a reader may be out of sight."""
        self._snapshots.newer_than(seen, min(LOOK, self.heartbeat))

    def whole(self, snapshot: Snapshot) -> bytes:
        """Return the whole state: written once for all who read it."""
        seq, written = self._written
        if seq != snapshot.seq:
            written = frame(snapshot)
            self._written = (snapshot.seq, written)
        return written

    def sit_down(self, stream: Stream, address: str) -> None:
        """Take a place. When all are taken, the address that has most gives one up to an address that has fewer."""
        with self._lock:
            number = len(self._of.get(address, ()))
            is_full = self.open >= max(self.most, MOST_OF_ALL)
            if number >= self.most or (is_full and not self._give_up_one(number + 1)):
                raise Refusal(
                    "too_many_streams", None, f"{self.open} phones are listening already; try again.", seconds=5
                )
            self._of.setdefault(address, {})[stream] = None
            self._lock.notify_all()
        if is_full:
            self._news()

    def _give_up_one(self, fewer: int) -> bool:
        """End the oldest stream of the address with most, where it has more than that; return whether one was."""
        address = max(self._of, key=lambda one: len(self._of[one]))
        if len(self._of[address]) <= fewer:
            return False
        oldest = next(iter(self._of[address]))
        del self._of[address][oldest]
        oldest.is_given_up = True
        return True

    def stand_up(self, stream: Stream, address: str) -> None:
        with self._lock:
            mine = self._of.get(address, {})
            mine.pop(stream, None)
            if not mine:
                self._of.pop(address, None)
            self._lock.notify_all()

    def close(self) -> None:
        """Let every stream end soon: whoever listens would hold the server for seconds. A signal may call this."""
        self._is_closed = True
        self._news()

    def wait_until(self, number: int, timeout: float) -> bool:
        """Wait until so many streams are open; return whether they are."""
        with self._lock:
            return self._lock.wait_for(lambda: self.open == number, timeout)


MOST_FILMS: Final = 3
"""So many may look on at once: each holds a thread of the server."""
PICTURE_PATIENCE: Final = 4.0
"""Seconds in which a camera gives a picture, or there is none."""
FRESH: Final = 1.5
"""Seconds for a picture newer than the one that was made when somebody last looked."""
LIVELESS: Final = 3
"""So often there may be no newer picture before a film ends."""
BOUNDARY: Final = "picture"
MIMETYPE: Final = f"multipart/x-mixed-replace; boundary={BOUNDARY}"


class Films:
    """The films that are being shown, no more of them than there are places."""

    def __init__(self, most: int = MOST_FILMS) -> None:
        self._places = threading.BoundedSemaphore(most)
        self._closed = False

    def show(self, sight: Sight, gone: Callable[[], bool]) -> Iterator[bytes]:
        """Yield each newer picture as a part, until the reader or the camera is gone; refuse when it is crowded."""
        first = newest(sight)
        if not self._places.acquire(blocking=False):
            raise Refusal("too_many_streams", None, "Enough phones are looking on already; try again.", seconds=5)
        return Leaving(_parts(sight, first, lambda: self._closed or gone()), self._places.release)

    def close(self) -> None:
        """Let every film end with its next picture. A signal may call this."""
        self._closed = True


def newest(sight: Sight, place: str = "") -> ShownPicture:
    """Return the newest picture there is, of the whole table or cut to a place; a refusal without a camera."""
    kept = sight.newer_than(0, drawn=not place, place=place, timeout=PICTURE_PATIENCE)
    if kept is None:
        raise Refusal("no_picture", None, "There is no picture: no camera is at work.")
    return sight.newer_than(kept.number, drawn=not place, place=place, timeout=FRESH) or kept


def _parts(sight: Sight, shown: ShownPicture, gone: Callable[[], bool]) -> Iterator[bytes]:
    yield part(shown.jpeg)
    misses = 0
    while not gone() and misses < LIVELESS:
        newer = sight.newer_than(shown.number, drawn=True, timeout=PICTURE_PATIENCE)
        misses += 1
        if newer is not None:
            misses, shown = 0, newer
            yield part(shown.jpeg)


def part(picture: bytes) -> bytes:
    """Return one picture of a film; the boundary behind it lets a browser show it at once."""
    head = f"Content-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n".encode()
    return b"--" + BOUNDARY.encode() + b"\r\n" + head + picture + b"\r\n--" + BOUNDARY.encode() + b"\r\n"
