"""What strains a Pi: too little power, heat, and slowness. The doctor asks, and it is watched while people play."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.app.doctor.machine_checks import output
from companion.table.fence import Fence
from companion.table.ports import Check, Hint, fail, note, ok
from companion.table.session.intents import DeviceChanged

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.table.session.intents import Intent

SYS: Final = Path("/sys")
LOW_NOW, SLOW_NOW = 0x1, 0x2 | 0x4 | 0x8
"""Bits of the firmware's answer: too little power; a capped clock, a throttled one, the limit of temperature."""
SINCE_START: Final = 16
"""The same bits again this much higher: it has been so since the start."""
HOT: Final = 80.0
"""Degrees from which on a Pi slows itself down, a little later."""
EVERY: Final = 20.0
OK, STRAINED = "ok", "strained"
LOW: Final = Hint("power_low", "The Pi gets too little power: use its own power supply and a short cable.")


class Strain(NamedTuple):
    """What a Pi says of itself; nothing is None where the machine cannot tell."""

    bits: int | None
    celsius: float | None

    @property
    def hint(self) -> Hint | None:
        """What people at the table should know at once."""
        if self.bits is not None and self.bits & LOW_NOW:
            return LOW
        if (self.bits is not None and self.bits & SLOW_NOW) or (self.celsius or 0.0) >= HOT:
            return Hint(
                "power_hot",
                "The Pi is too hot ({celsius} °C) and slows down: give it air or a cooler.",
                celsius=round(self.celsius or 0),
            )
        return None


def strain(ask: Callable[..., str | None] = output, sys: Path = SYS) -> Strain:
    """Ask the firmware; where its program is missing, the kernel knows of power and heat alone."""
    bits = None
    with suppress(ValueError):
        bits = int((ask("vcgencmd", "get_throttled") or "").partition("=")[2], 16)
    if bits is None:
        bits = _alarm(sys)
    return Strain(bits, _celsius(sys))


def _alarm(sys: Path) -> int | None:
    for name in sorted(sys.glob("class/hwmon/*/name")):
        with suppress(OSError, ValueError):
            if name.read_text(encoding="ascii").strip() == "rpi_volt":
                return LOW_NOW if int((name.parent / "in0_lcrit_alarm").read_text(encoding="ascii")) else 0
    return None


def _celsius(sys: Path) -> float | None:
    with suppress(OSError, ValueError):
        return int((sys / "class/thermal/thermal_zone0/temp").read_text(encoding="ascii")) / 1000
    return None


def power(found: Strain) -> Check | None:
    """Check whether a Pi gets enough power; other machines cannot tell."""
    if found.bits is None:
        return None
    if found.bits & LOW_NOW:
        return fail("power", "low", needed=False)
    return note("power", "was_low") if found.bits & LOW_NOW << SINCE_START else ok("power")


def heat(found: Strain) -> Check | None:
    """Check whether a Pi is too hot, and whether it has slowed down for it."""
    if found.bits is None or found.celsius is None:
        return None
    celsius = round(found.celsius)
    if found.bits & SLOW_NOW or found.celsius >= HOT:
        return fail("heat", "slow", needed=False, celsius=celsius)
    was_slow = found.bits & SLOW_NOW << SINCE_START
    return note("heat", "was_slow", celsius=celsius) if was_slow else ok("heat", celsius=celsius)


class StrainWatch:
    """Says what strains the machine while people play, and when it is over; on other machines nothing."""

    def __init__(self, put: Callable[[Intent], None], ask: Callable[[], Strain] = strain, every: float = EVERY) -> None:
        self._fence = Fence(put, ("power",), failing=OK)
        self._ask = ask
        self._every = every
        self._ended = threading.Event()
        self._told = ""
        self._thread = threading.Thread(target=self._run, name="power", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        self._fence.end()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        self._fence.run(self.turn)

    def turn(self) -> bool:
        """Ask once and wait; return False at the end."""
        hint = self._ask().hint or ""
        if hint != self._told:
            self._told = hint
            self._fence.put(DeviceChanged("power", STRAINED if hint else OK, hint))
        return not self._ended.wait(self._every)
