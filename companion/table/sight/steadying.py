"""Two ways of playing: by stillness, when a changed table has rested for a while, and by button. Pure: time is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.table.sight.reading import Reading


class Steady:
    """Hands on a reading once it has been the same for `rest` seconds, and only once."""

    def __init__(self, rest: float) -> None:
        self.rest = rest
        self._last: Reading | None = None
        self._since = 0.0
        self._handed_on: Reading | None = None

    def feed(self, reading: Reading, at: float) -> Reading | None:
        """The reading, if the table has changed and rests."""
        if reading != self._last:
            self._last, self._since = reading, at
        if reading == self._handed_on or at - self._since < self.rest or reading.hand or reading.table != "found":
            return None
        self._handed_on = reading
        return reading

    def forget(self) -> None:
        """Hand on the next steady reading even if it is the same."""
        self._handed_on = None
