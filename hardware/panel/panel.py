"""The panel: buttons, lamps and buzzer under one thread. A callback puts one value on a queue, nothing else."""

from __future__ import annotations

import threading
import time
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final

from companion.games.api import Button
from companion.refusal import Refusal
from companion.table.fence import Fence
from companion.table.ports import DeviceError, Hint
from companion.table.session.intents import ButtonPressed, DeviceChanged, Intent
from hardware.panel.check import WiringCheck
from hardware.panel.chips import chip_errors, pi_chip
from hardware.panel.gestures import POWER, Edge, Gesture, Gestures
from hardware.panel.lamps import (
    COLOURS,
    DARK,
    LONG,
    SHORT,
    Beeping,
    LampState,
    beeps,
    brightness,
    disagreements,
    lights,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpiozero import Factory

    from companion.table.session.snapshots import Snapshot
    from hardware.panel.pins import PanelPins
    from hardware.panel.wiring import Wiring

CHECKING: Final = 2.0
"""Seconds between checks of the chip: whether it is there, whether an edge was lost."""
RETRYING: Final = 5.0
FRAME: Final = 0.04
"""Seconds between steps of a lamp that moves."""
LATE: Final = 1.0
"""Seconds after which an edge is taken to be from now."""
SAYING: Final = 1.0
"""Seconds after which the lamps say that the machine is about to be switched off."""
OFF_TOGETHER: Final = (Button.UNDO, Button.RECALL)
OK, PARTLY, OFF = "ok", "partly", "off"


class Woken:
    """Something to look at now: a check of the wiring has gone on."""


class GpioPanel:
    """The panel on GPIO pins: fills the ports `Panel` and `Lamps`."""

    name = "gpio"

    def __init__(
        self,
        wiring: Wiring,
        put: Callable[[Intent], None],
        *,
        chip: Callable[[], Factory] = pi_chip,
        clock: Callable[[], float] = time.monotonic,
        switch_off: Callable[[], object] | None = None,
    ) -> None:
        """`switch_off` is called when UNDO and RECALL were held together for long; it raises Refusal if it cannot."""
        self._wiring = wiring
        self._switch_off = switch_off
        self._going_off = False
        self._fence = Fence(put, ("panel", "lamps"), failing=OFF, lost=self._begin_anew)
        self._put = self._fence.put
        self._chip = chip
        self._clock = clock
        self._buttons = {line.pin: button for button, line in wiring.buttons.items()}
        self._queue: SimpleQueue[Edge | Snapshot | Woken | None] = SimpleQueue()
        self.check = WiringCheck(wiring, clock, lambda: self._queue.put(Woken()))
        self._bank: PanelPins | None = None
        self._gestures = Gestures({})
        self._lights = dict(DARK)
        self._shown: dict[str, float] = {}
        self._beeping = Beeping()
        self._known: frozenset[int] = frozenset()
        self._next_check = clock()
        self._told: dict[str, tuple[str, str]] = {}
        self._thread = threading.Thread(target=self._run, name="panel", daemon=True)

    # --- what others call ---------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Open the chip, if it is there, and watch it from now on."""
        self._thread.start()

    def show(self, snapshot: Snapshot) -> None:
        self._queue.put(snapshot)

    def close(self) -> None:
        """Switch the lamps off and release the pins."""
        self._fence.end()
        self._queue.put(None)
        if self._thread.ident is not None:
            self._thread.join()
        self._fence.once(self._release)

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        self._fence.run(self.turn)

    def turn(self, wait: float | None = None) -> bool:
        """Wait for something, at most until something is due, and do all of it; return False at the end."""
        self._look_after()
        try:
            item = self._queue.get(timeout=max(0.0, self._due() - self._clock()) if wait is None else wait)
            while True:
                if item is None:
                    return False
                self._take(item)
                item = self._queue.get_nowait()
        except Empty:
            now = self._clock()
        self._tell(self._gestures.until(now))
        self._update_outputs(now)
        return True

    def _due(self) -> float:
        now = self._clock()
        if self.check.is_running():
            return now + FRAME
        times = [self._next_check, self._gestures.next_change(), self._beeping.next_change(now)]
        if self._bank is not None and (self._countdown(now) or any(light.moves for light in self._lights.values())):
            times.append(now + FRAME)
        return min(at for at in times if at is not None)

    def _take(self, item: Edge | Snapshot | Woken) -> None:
        if isinstance(item, Woken):
            return
        if isinstance(item, Edge):
            if item.down and self.check.is_running():
                self.check.pressed(self._buttons[item.pin])
            if self._bank is not None:
                self._tell(self._gestures.feed(item))
            return
        self._lights = lights(item.state)
        self._beeping.add(self._clock(), beeps(item, self._known))
        self._known = disagreements(item.state)

    def _edge(self, pin: int, down: bool, ago: float) -> None:
        """Note an edge, on a thread of the chip's, and nothing else."""
        # Kernels before 5.7 time edges by a clock that says nothing of how long ago they were.
        self._queue.put(Edge(self._clock() - (ago if 0 <= ago < LATE else 0.0), pin, down))

    def _tell(self, gestures: list[Gesture]) -> None:
        for gesture in gestures if not self.check.is_running() else ():
            if gesture.together:
                self._power(gesture.at)
                continue
            if gesture.held:
                self._beeping.add(gesture.at, [SHORT])
            self._put(ButtonPressed(self._buttons[gesture.pin], gesture.held))

    def _power(self, at: float) -> None:
        """Switch the machine off; a long beep says that it may not."""
        try:
            if self._switch_off is not None:
                self._switch_off()
                self._going_off = True
        except Refusal:
            self._beeping.add(at, [LONG])

    def _countdown(self, now: float) -> dict[str, float]:
        """Return what the lamps show instead while both are held: one more every second or so, then all of them."""
        if self._going_off:
            return dict.fromkeys(self._bank.lamps if self._bank is not None else (), 1.0)
        since = self._gestures.paired_since()
        if since is None or self._switch_off is None or now - since < SAYING:
            return {}
        lit = int((now - since) / POWER * (len(COLOURS) + 1))
        return {colour: float(place < lit) for place, colour in enumerate(COLOURS)}

    def _update_outputs(self, now: float) -> None:
        """Set the lamps and the buzzer that have changed."""
        if self._bank is None:
            return
        try:
            is_checked = self.check.is_running()
            lamps = self._bank.lamps
            instead = {name: self.check.lit(name) for name in lamps} if is_checked else self._countdown(now)
            for name, lamp in self._bank.lamps.items():
                value = instead.get(name, brightness(self._lights.get(name, LampState.OFF), now))
                if self._shown.get(name) != value:
                    lamp.value = value
                    self._shown[name] = value
            if self._bank.buzzer is not None:
                self._bank.buzzer.value = self.check.sounds() if is_checked else self._beeping.sounds(now)
            else:
                self._beeping.sounds(now)
        except chip_errors() as error:
            self._lose(str(error))

    # --- looking after the chip ---------------------------------------------------------------------------------------

    def _look_after(self) -> None:
        now = self._clock()
        if now < self._next_check:
            return
        if self._bank is None:
            self._open(now)
        else:
            self._check(self._bank, now)
        self._next_check = now + (RETRYING if self._bank is None else CHECKING)

    def _open(self, now: float) -> None:
        from hardware.panel.pins import PanelPins  # noqa: PLC0415 - the page serves before gpiozero is loaded

        try:
            bank = PanelPins(self._wiring, self._chip(), self._edge)
        except DeviceError as error:
            self._report_off(str(error))
            return
        try:
            down = frozenset(pin for pin, is_down in bank.levels().items() if is_down)
        except chip_errors() as error:
            bank.close()
            self._report_off(str(error))
            return
        self._bank = bank
        self._shown.clear()
        self._gestures = Gestures(
            {pin: button.meaning for pin, button in self._buttons.items()},
            self._wiring.times,
            down,
            frozenset(line.pin for button, line in self._wiring.buttons.items() if button in OFF_TOGETHER),
        )
        self._report(bank, now)

    def _check(self, bank: PanelPins, now: float) -> None:
        """Check the chip: is it there, has an edge been lost, is what was missing back?"""
        try:
            for pin, is_down in bank.levels().items():
                self._tell(self._gestures.feed(Edge(now, pin, is_down)))
            if bank.missing:
                bank.open_missing()
        except chip_errors() as error:
            self._lose(str(error))
            return
        self._report(bank, now)

    def _lose(self, why: str) -> None:
        """Give the chip up: play goes on by phone, and it is retried."""
        self._release()
        self._next_check = self._clock() + RETRYING
        self._report_off(
            Hint(
                "gpio_silent",
                "The GPIO chip does not answer ({why}): check the board; it is tried again by itself.",
                why=why,
            )
        )

    def _begin_anew(self) -> None:
        """Give the chip up behind a fault that nobody knows; the next turn opens it again and says how it is."""
        self._told.clear()
        self._next_check = self._clock()
        self._release()

    def _release(self) -> None:
        bank, self._bank = self._bank, None
        self._gestures = Gestures({})
        if bank is not None:
            bank.close()

    # --- reporting ----------------------------------------------------------------------------------------------------

    def _report(self, bank: PanelPins, now: float) -> None:
        stuck = [self._buttons[pin] for pin in sorted(self._gestures.stuck(now))]
        faulty = [why for part, why in bank.missing.items() if part.startswith("buttons.")]
        faulty += [f"{button} seems to be stuck: free it, or look for a wire that touches" for button in stuck]
        self._say(
            "panel",
            _state(len(self._wiring.buttons), len(faulty)),
            _hint(faulty, Hint("no_button_wired", "No button is wired.")),
        )
        dark = [why for part, why in bank.missing.items() if not part.startswith("buttons.")]
        wired = len(self._wiring.lines) - len(self._wiring.buttons)
        self._say("lamps", _state(wired, len(dark)), _hint(dark, Hint("no_lamp_wired", "No lamp is wired.")))

    def _report_off(self, why: str) -> None:
        self._say("panel", OFF, why)
        self._say("lamps", OFF, why)

    def _say(self, device: str, state: str, hint: str) -> None:
        hint = "" if state == OK else hint
        if self._told.get(device) != (state, hint):
            self._told[device] = (state, hint)
            self._put(DeviceChanged(device, state, hint))


def _state(wired: int, faulty: int) -> str:
    return OFF if faulty >= wired else PARTLY if faulty else OK


def _hint(faulty: list[str], nothing: str) -> str:
    return f"{'; '.join(faulty)}. The wiring is printed by `companion doctor --wiring`." if faulty else nothing
