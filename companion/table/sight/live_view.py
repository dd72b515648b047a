"""The window: where people look on. Pictures are made only while somebody looks, a few a second."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from companion.table.ports import Shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.table.sight.reading import Reading

EVERY: Final = 0.25
WATCHED: Final = 3.0
"""Seconds after somebody's last question in which they may ask again."""
NEVER: Final = -1e9


class Window:
    """Fills the port `Sight` for readers; the eye's thread puts pictures in."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._newer = threading.Condition()
        self._shown: dict[bool, Shown] = {}
        self._asked = {False: NEVER, True: NEVER}
        self._made = NEVER
        self._closed = False

    def newer_than(self, number: int, *, drawn: bool, timeout: float | None = None) -> Shown | None:
        """The newest picture as soon as it is beyond `number`; None after the timeout or at the end."""
        with self._newer:
            self._asked[drawn] = self._clock()
            self._newer.wait_for(lambda: self._closed or self._is_newer(number, drawn=drawn), timeout)
            self._asked[drawn] = self._clock()
            return self._shown[drawn] if self._is_newer(number, drawn=drawn) else None

    def wanted(self) -> list[bool]:
        """Which kinds of pictures are due now: plain, drawn on, both or none."""
        now = self._clock()
        if now - self._made < EVERY:
            return []
        return [drawn for drawn, asked in self._asked.items() if now - asked < WATCHED]

    def show(self, jpeg: bytes, reading: Reading | None, *, drawn: bool) -> None:
        """A new picture for whoever waits."""
        with self._newer:
            self._made = self._clock()
            last = self._shown.get(drawn)
            self._shown[drawn] = Shown(1 if last is None else last.number + 1, jpeg, reading)
            self._newer.notify_all()

    def close(self) -> None:
        """Nothing newer will come."""
        with self._newer:
            self._closed = True
            self._newer.notify_all()

    def _is_newer(self, number: int, *, drawn: bool) -> bool:
        return drawn in self._shown and self._shown[drawn].number > number
