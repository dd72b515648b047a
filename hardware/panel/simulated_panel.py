"""The panel without hardware: pretended pins, and fingers that speak the verbs of the table."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from gpiozero.pins.mock import MockFactory, MockPWMPin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from companion.games.api import Button
    from hardware.panel.wiring import Wiring


class Fingers:
    """Presses the buttons of a pretended chip. `pause` lets time pass."""

    def __init__(self, wiring: Wiring, pause: Callable[[float], object] | None = None) -> None:
        self.chip = MockFactory(pin_class=MockPWMPin)
        self._wiring = wiring
        self._pause = pause or threading.Event().wait

    def down(self, button: Button) -> None:
        """Put a finger on a button."""
        self._pin(button).drive_low()

    def up(self, button: Button) -> None:
        """Take it off."""
        self._pin(button).drive_high()

    def let_go(self, button: Button) -> None:
        """Take it off, and wait until the contacts have come to rest."""
        self.up(button)
        self._pause(self._wiring.times.settle * 2)

    def press(self, button: Button, seconds: float = 0.1) -> None:
        """Press and let go."""
        self.down(button)
        self._pause(seconds)
        self.let_go(button)

    def hold(self, button: Button) -> None:
        """Press for long enough."""
        self.press(button, self._wiring.times.hold * 1.2)

    def chatter(self, button: Button, gaps: Iterable[float]) -> None:
        """A bad contact: down and up and down again, as often as there are gaps, and up in the end."""
        is_down = False
        for gap in gaps:
            is_down = not is_down
            (self.down if is_down else self.up)(button)
            self._pause(gap)
        self.let_go(button)

    @property
    def is_open(self) -> bool:
        """Whether the panel has opened its pins."""
        return bool(self.chip.pins)

    def brightness(self, lamp: str) -> float:
        """How bright a lamp is."""
        return float(self.chip.pin(self._wiring.lamps[lamp].pin).state)

    @property
    def buzzes(self) -> bool:
        """Whether the buzzer sounds."""
        return self._wiring.buzzer is not None and bool(self.chip.pin(self._wiring.buzzer.pin).state)

    def _pin(self, button: Button) -> MockPWMPin:
        return self.chip.pin(self._wiring.buttons[button].pin)
