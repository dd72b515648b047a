"""What stays open for long: events and moving pictures, no more of them than there are places."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from companion.refusal import Refusal

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


def frame(snapshot: Snapshot) -> bytes:
    return f"event: state\nid: {snapshot.seq}\ndata: {snapshot.text}\n\n".encode()


class Streams:
    """The open streams, no more of them than there are places."""

    def __init__(self, snapshots: Snapshots, most: int = MOST, heartbeat: float = HEARTBEAT) -> None:
        self._snapshots = snapshots
        self.most = most
        self._heartbeat = heartbeat
        self._lock = threading.Condition()
        self._written: tuple[int, bytes] = (0, b"")
        self._closed = False
        self.open = 0

    def stream(self, seen: int, gone: Callable[[], bool], framed: Framed | None = None) -> Iterator[bytes]:
        """Yield the newest state at once unless it was seen, then each newer one; refuse when all places are taken."""
        self._sit_down()
        return Leaving(self._frames(seen, gone, framed or self._whole), self._stand_up)

    def _frames(self, seen: int, gone: Callable[[], bool], framed: Framed) -> Iterator[bytes]:
        latest = self._snapshots.latest
        if latest is not None and latest.seq < seen:
            seen = 0
        yield b"retry: 1000\n\n"
        silent = 0.0
        while not (self._closed or gone()):
            snapshot = self._snapshots.newer_than(seen, min(LOOK, self._heartbeat))
            if snapshot is not None:
                yield framed(snapshot, seen)
                seen, silent = snapshot.seq, 0.0
            elif self._snapshots.closed:
                return
            elif (silent := silent + LOOK) >= self._heartbeat:
                silent = 0.0
                yield b": still here\n\n"

    def _whole(self, snapshot: Snapshot, seen: int) -> bytes:
        """Return the whole state, whatever was seen: written once for all who read it."""
        del seen
        seq, written = self._written
        if seq != snapshot.seq:
            written = frame(snapshot)
            self._written = (snapshot.seq, written)
        return written

    def _sit_down(self) -> None:
        with self._lock:
            if self.open >= self.most:
                raise Refusal(
                    "too_many_streams", None, f"{self.most} phones are listening already; try again.", seconds=5
                )
            self.open += 1
            self._lock.notify_all()

    def _stand_up(self) -> None:
        with self._lock:
            self.open -= 1
            self._lock.notify_all()

    def close(self) -> None:
        """Let every stream end soon: whoever listens would hold the server for seconds. A signal may call this."""
        self._closed = True

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


def newest(sight: Sight) -> ShownPicture:
    """Return the newest picture there is; a refusal without a camera."""
    kept = sight.newer_than(0, drawn=True, timeout=PICTURE_PATIENCE)
    if kept is None:
        raise Refusal("no_picture", None, "There is no picture: no camera is at work.")
    return sight.newer_than(kept.number, drawn=True, timeout=FRESH) or kept


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
