"""The panel's devices on one chip, as far as they are there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpiozero import PWMLED, DigitalInputDevice, DigitalOutputDevice

from hardware.panel.chips import faults, let_go

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gpiozero import Device, Factory

    from hardware.panel.wiring import Line, Wiring


class Bank:
    """Opens what is wired; a part that cannot be had is `missing` with its reason, and can be tried again."""

    def __init__(self, wiring: Wiring, factory: Factory, tell: Callable[[int, bool], None]) -> None:
        self.missing: dict[str, str] = {}
        self.buttons: dict[int, DigitalInputDevice] = {}
        self.lamps: dict[str, PWMLED] = {}
        self.buzzer: DigitalOutputDevice | None = None
        self._wiring = wiring
        self._factory = factory
        self._tell = tell
        self.mend()

    def mend(self) -> None:
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
        """Which buttons are down by their wires; raises what a chip that is gone raises."""
        return {pin: bool(button.value) for pin, button in self.buttons.items()}

    def close(self) -> None:
        """Let go of everything, also of a chip that is gone.

        The edges first: gpiozero leaves lgpio's callbacks of a closed pin registered, and the next edge on a chip that
        is opened again would end lgpio's thread, and with it every button.
        """
        for button in self.buttons.values():
            try:
                button.pin.when_changed = None
            except faults():
                continue
        devices: Iterable[Device] = [
            *self.buttons.values(),
            *self.lamps.values(),
            *([self.buzzer] if self.buzzer else []),
        ]
        for device in devices:
            try:
                device.close()
            except faults():
                self._factory.release_all(device)
        let_go(self._factory)

    def _open(self, line: Line, opened: Callable[[Line], None]) -> None:
        try:
            opened(line)
        except faults() as error:
            self.missing[line.part] = f"{line.part} (GPIO {line.pin}, header {line.header}): {error}"

    def _open_button(self, line: Line) -> None:
        button = DigitalInputDevice(line.pin, pull_up=True, pin_factory=self._factory)
        pin, tell = line.pin, self._tell
        button.when_activated = lambda: tell(pin, True)
        button.when_deactivated = lambda: tell(pin, False)
        self.buttons[pin] = button

    def _open_lamp(self, line: Line) -> None:
        self.lamps[line.part.removeprefix("lamps.")] = PWMLED(line.pin, pin_factory=self._factory)

    def _open_buzzer(self, line: Line) -> None:
        self.buzzer = DigitalOutputDevice(line.pin, pin_factory=self._factory)
