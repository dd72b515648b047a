"""Fingers for the kernel's simulated GPIO chip, with the verbs of the table."""

import os
import threading
from pathlib import Path

from hardware.panel.chips import pi_chip

SAMPLES = 40


class KernelFingers:
    """Presses buttons by pulling lines, and sees lamps by reading them."""

    def __init__(self, wiring):
        self._wiring = wiring
        self._config = Path(os.environ["COMPANION_CHIP"])
        self._pause = threading.Event().wait
        self.chip = pi_chip
        for button in wiring.buttons:
            self.up(button)

    def down(self, button):
        self._line(button, "pull-down")

    def up(self, button):
        self._line(button, "pull-up")

    def let_go(self, button):
        """Take it off, and wait until the contacts have come to rest."""
        self.up(button)
        self._pause(self._wiring.times.settle * 2)

    def press(self, button, seconds=0.1):
        self.down(button)
        self._pause(seconds)
        self.let_go(button)

    def hold(self, button):
        self.press(button, self._wiring.times.hold * 1.2)

    def chatter(self, button, gaps):
        is_down = False
        for gap in gaps:
            is_down = not is_down
            (self.down if is_down else self.up)(button)
            self._pause(gap)
        self.let_go(button)

    def brightness(self, lamp):
        """The share of time that the line is up: lamps are dimmed by switching them."""
        line = self._folder(self._wiring.lamps[lamp].pin) / "value"
        return sum(self._sample(line) for _ in range(SAMPLES)) / SAMPLES

    @property
    def buzzes(self):
        return (self._folder(self._wiring.buzzer.pin) / "value").read_text().strip() == "1"

    def unplug(self):
        """The whole chip goes."""
        (self._config / "live").write_text("0")

    def plug(self):
        """It comes back."""
        (self._config / "live").write_text("1")
        for button in self._wiring.buttons:
            self.up(button)

    def _sample(self, line):
        self._pause(0.0017)
        return int(line.read_text())

    def _line(self, button, level):
        (self._folder(self._wiring.buttons[button].pin) / "pull").write_text(level)

    def _folder(self, pin):
        device = (self._config / "dev_name").read_text().strip()
        chip = (self._config / "bank0" / "chip_name").read_text().strip()
        return Path("/sys/devices/platform") / device / chip / f"sim_gpio{pin}"
