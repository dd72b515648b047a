"""Moving pictures for who looks on: parts of one answer, a few a second, and nothing is drawn when nobody looks."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from companion.refusal import Refusal
from web.base.streams import Leaving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.table.ports import ShownPicture, Sight

MOST: Final = 3
"""So many may look on at once: each holds a thread of the server."""
PATIENCE: Final = 4.0
"""Seconds in which a camera gives a picture, or there is none."""
FRESH: Final = 1.5
"""Seconds for a picture newer than the one that was made when somebody last looked."""
LIVELESS: Final = 3
"""So often there may be no newer picture before a film ends."""
BOUNDARY: Final = "picture"
MIMETYPE: Final = f"multipart/x-mixed-replace; boundary={BOUNDARY}"


class Films:
    """The films that are being shown, no more of them than there are places."""

    def __init__(self, most: int = MOST) -> None:
        self._places = threading.BoundedSemaphore(most)
        self._closed = False

    def show(self, sight: Sight, gone: Callable[[], bool]) -> Iterator[bytes]:
        """Each newer picture as a part, until whoever looks or the camera is gone; a refusal when it is crowded."""
        first = newest(sight)
        if not self._places.acquire(blocking=False):
            raise Refusal("too_many_streams", None, "Enough phones are looking on already; try again.", seconds=5)
        return Leaving(_parts(sight, first, lambda: self._closed or gone()), self._places.release)

    def close(self) -> None:
        """Let every film end with its next picture. A signal may call this."""
        self._closed = True


def newest(sight: Sight) -> ShownPicture:
    """The newest picture there is; a refusal without a camera."""
    kept = sight.newer_than(0, drawn=True, timeout=PATIENCE)
    if kept is None:
        raise Refusal("no_picture", None, "There is no picture: no camera is at work.")
    return sight.newer_than(kept.number, drawn=True, timeout=FRESH) or kept


def _parts(sight: Sight, shown: ShownPicture, gone: Callable[[], bool]) -> Iterator[bytes]:
    yield part(shown.jpeg)
    misses = 0
    while not gone() and misses < LIVELESS:
        newer = sight.newer_than(shown.number, drawn=True, timeout=PATIENCE)
        misses += 1
        if newer is not None:
            misses, shown = 0, newer
            yield part(shown.jpeg)


def part(picture: bytes) -> bytes:
    """One picture of a film; the boundary behind it lets a browser show it at once."""
    head = f"Content-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n".encode()
    return b"--" + BOUNDARY.encode() + b"\r\n" + head + picture + b"\r\n--" + BOUNDARY.encode() + b"\r\n"
