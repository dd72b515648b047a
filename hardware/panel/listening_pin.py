"""A pin on lgpio that may be closed while edges come.

lgpio reads edges on a thread in C. Of a line that is freed it gives this thread 2 ms to let go, then closes the file.
On a busy machine the thread is later than that and reads whatever file has the number by then: the next line that was
opened, where it waits for an edge. That line is busy for as long as it waits, and no other button is heard. Closing the
whole chip gives the thread 100 ms, so a line that listens is closed with its chip and never before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from gpiozero.pins.lgpio import LGPIOPin

if TYPE_CHECKING:
    from gpiozero import Factory


class Callback(Protocol):
    """Who is told of edges, in lgpio."""

    def cancel(self) -> None: ...


class ListeningPin(LGPIOPin):  # type: ignore[misc]
    """gpiozero's pin on lgpio, except for how it stops listening."""

    _callback: Callback | None

    def __init__(self, factory: Factory, info: object) -> None:
        super().__init__(factory, info)
        self._has_listened = False

    def close(self) -> None:
        """Free the line, unless it has listened: then the chip frees it."""
        if not self._has_listened:
            super().close()

    def _enable_event_detect(self) -> None:
        self._has_listened = True
        super()._enable_event_detect()

    def _disable_event_detect(self) -> None:
        if self._callback is not None:
            self._callback.cancel()
            self._callback = None

    def _call_when_changed(self, chip: int, gpio: int, level: int, ticks: int) -> None:
        """Pass an edge on, unless nobody listens any more.

        gpiozero looks without the lock: an edge that comes while a pin is closed would end lgpio's only thread in
        Python, and with it every button until the companion is started again.
        """
        with self._when_changed_lock:
            if self._when_changed is not None:
                super()._call_when_changed(chip, gpio, level, ticks)
