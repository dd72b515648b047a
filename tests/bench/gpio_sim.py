"""Fingers for the kernel's simulated GPIO chip, with the verbs of the table."""

import os
import threading
import time
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
