"""The panel's gpiozero devices on one chip, and simulated pins with fingers that press the buttons."""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Final

from gpiozero import PWMLED, DigitalInputDevice, DigitalOutputDevice
from gpiozero.pins.mock import MockFactory, MockPWMPin

from hardware.panel.chips import chip_errors, close_chip

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gpiozero import Device, Factory

    from companion.games.api import Button
    from hardware.panel.wiring import PinWire, Wiring


LOG: Final = logging.getLogger(__name__)


class PanelPins:
    """Opens what is wired; a part that cannot be had is `missing` with its reason, and can be tried again."""

    def __init__(self, wiring: Wiring, factory: Factory, tell: Callable[[int, bool, float], None]) -> None:
        self.missing: dict[str, str] = {}
        self.buttons: dict[int, DigitalInputDevice] = {}
        self.lamps: dict[str, PWMLED] = {}
        self.buzzer: DigitalOutputDevice | None = None
        self._wiring = wiring
        self._factory = factory
        self._tell = tell
        try:
            self.open_missing()
        except BaseException:  # a chip that stays open would be busy at the next try
            self.close()
            raise

    def open_missing(self) -> None:
        """Try to open what is not open."""
        self.missing.clear()
        for line in self._wiring.buttons.values():
            if line.pin not in self.buttons:
                self._open(line, self._open_button)
        for name, line in self._wiring.lamps.items():
            if name not in self.lamps:
                self._open(line, self._open_lamp)
        if self._wiring.buzzer is not None and self.buzzer is None:
            self._open(self._wiring.buzzer, self._open_buzzer)

    def levels(self) -> dict[int, bool]:
        """Return which buttons are down by their wires; raise what a chip that is gone raises."""
        return {pin: bool(button.value) for pin, button in self.buttons.items()}

    def close(self) -> None:
        """Close everything, also on a chip that is gone.

        The edges first: gpiozero leaves lgpio's callbacks of a closed pin registered, and the next edge on a chip that
        is opened again would end lgpio's thread, and with it every button.
        """
        for button in self.buttons.values():
            try:
                button.pin.when_changed = None
            except chip_errors():
                continue
            except Exception:  # the others are closed all the same
                LOG.exception("the callback of a button cannot be taken away")
        devices: Iterable[Device] = [
            *self.buttons.values(),
            *self.lamps.values(),
            *([self.buzzer] if self.buzzer else []),
        ]
        for device in devices:
            try:
                device.close()
            except chip_errors():
                self._factory.release_all(device)
            except Exception:
                LOG.exception("a pin cannot be closed")
                self._factory.release_all(device)
        close_chip(self._factory)

    def _open(self, line: PinWire, opened: Callable[[PinWire], None]) -> None:
        try:
            opened(line)
        except chip_errors() as error:
            self.missing[line.part] = f"{line.part} (GPIO {line.pin}, header {line.header}): {error}"

    def _open_button(self, line: PinWire) -> None:
        button = DigitalInputDevice(line.pin, pull_up=True, pin_factory=self._factory)
        pin, tell = line.pin, self._tell
        # How long ago, by the kernel's clock: the thread that brings edges may be late, and not equally for each.
        button.when_activated = lambda: tell(pin, True, button.active_time or 0.0)
        button.when_deactivated = lambda: tell(pin, False, button.inactive_time or 0.0)
        self.buttons[pin] = button

    def _open_lamp(self, line: PinWire) -> None:
        self.lamps[line.part.removeprefix("lamps.")] = PWMLED(line.pin, pin_factory=self._factory)

    def _open_buzzer(self, line: PinWire) -> None:
        self.buzzer = DigitalOutputDevice(line.pin, pin_factory=self._factory)


class Fingers:
    """Presses the buttons of a simulated chip. `pause` lets time pass."""

    def __init__(self, wiring: Wiring, pause: Callable[[float], object] | None = None) -> None:
        self.chip = MockFactory(pin_class=MockPWMPin)
        self._wiring = wiring
        self._pause = pause or threading.Event().wait

    def down(self, button: Button) -> None:
        self._pin(button).drive_low()

    def up(self, button: Button) -> None:
        self._pin(button).drive_high()

    def let_go(self, button: Button) -> None:
        """Release a button, and wait until the contacts have come to rest."""
        self.up(button)
        self._pause(self._wiring.times.settle * 2)

    def press(self, button: Button, seconds: float = 0.1) -> None:
        self.down(button)
        self._pause(seconds)
        self.let_go(button)

    def hold(self, button: Button) -> None:
        self.press(button, self._wiring.times.hold * 1.2)

    def chatter(self, button: Button, gaps: Iterable[tuple[float, float]]) -> float:
        """Simulate a bad contact: closed and open again, as often as there are pairs of gaps, and open in the end.

        Return the longest time in seconds that it was open in between: a busy machine keeps no time.
        """
        longest, opened = 0.0, None
        for closed_for, open_for in gaps:
            self.down(button)
            longest = max(longest, time.monotonic() - opened if opened is not None else 0.0)
            self._pause(closed_for)
            opened = time.monotonic()
            self.up(button)
            self._pause(open_for)
        self.let_go(button)
        return longest

    @property
    def is_open(self) -> bool:
        return bool(self.chip.pins)

    def brightness(self, lamp: str) -> float:
        return float(self.chip.pin(self._wiring.lamps[lamp].pin).state)

    @property
    def buzzes(self) -> bool:
        return self._wiring.buzzer is not None and bool(self.chip.pin(self._wiring.buzzer.pin).state)

    def _pin(self, button: Button) -> MockPWMPin:
        return self.chip.pin(self._wiring.buttons[button].pin)
