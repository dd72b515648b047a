"""What the panel does, by real time and with its own thread: on pretended pins, and in the bench on a kernel's chip."""

import os
import threading
from contextlib import suppress
from dataclasses import replace
from queue import Empty, Queue

import pytest

from companion.games.api import Button
from companion.refusal import Refusal
from companion.table.session.events import MoveRefused
from companion.table.session.intents import ButtonPressed, DeviceChanged
from hardware.panel.lamps import BLINKING
from hardware.panel.panel import GpioPanel
from hardware.panel.pins import Fingers
from hardware.panel.wiring import load

from .conftest import snapshot
from .evening import Evening

IN_THE_BENCH = "COMPANION_BENCH" in os.environ
SOON = 120 if IN_THE_BENCH else 20


def pretended(wiring):
    fingers = Fingers(wiring)
    return fingers, lambda: fingers.chip


GAPS = ((0.003, 0.002), (0.004, 0.001), (0.08, 0.003), (0.002, 0.004))
TRIES = 30


def kernel(wiring):
    from tests.bench.gpio_sim import KernelFingers  # noqa: PLC0415 - of use in the bench only

    fingers = KernelFingers(wiring)
    return fingers, fingers.chip


class Desk:
    """A panel, fingers, and what arrives."""

    def __init__(self, made, wiring=None):
        self.intents = Queue()
        self.wiring = wiring = wiring or load()
        self.fingers, chip = made(wiring)
        self.panel = GpioPanel(wiring, self.intents.put, chip=chip)
        self.panel.start()
        self.comes_to("ok")

    def comes_to(self, state):
        """Wait until panel and lamps are both in this state."""
        states = {}
        while [states.get(device) for device in ("panel", "lamps")] != [state, state]:
            one = self.intents.get(timeout=SOON)
            assert isinstance(one, DeviceChanged)
            states[one.device] = one.state

    def arrived(self, count):
        found = [self.intents.get(timeout=SOON) for _ in range(count)]
        with pytest.raises(Empty):
            self.intents.get(timeout=0.1)
        return found

    def chatter(self, button):
        """A bad contact; tried again where a busy machine has kept it open for as long as a finger would."""
        settle = self.wiring.times.settle
        for _ in range(TRIES):
            if self.fingers.chatter(button, GAPS) < settle / 2:
                return
            with suppress(Empty):
                while self.intents.get(timeout=10 * settle):
                    pass
        pytest.fail("this machine never kept its time")

    def shines(self, lamp, level):
        """Whether a lamp comes to this brightness soon."""
        tries = (threading.Event().wait(0.02) or self.fingers.brightness(lamp) for _ in range(200))
        return any(abs(seen - level) < 0.05 for seen in tries)


@pytest.fixture(params=[kernel if IN_THE_BENCH else pretended], ids=lambda made: made.__name__)
def made(request):
    return request.param


@pytest.fixture
def desk(made):
    desk = Desk(made)
    yield desk
    desk.panel.close()


def test_a_press(desk):
    for button in (Button.RED, Button.THREATS, Button.ROLL, Button.RECALL):
        desk.fingers.press(button)
        assert desk.arrived(1) == [ButtonPressed(button)]


def test_a_hold_is_no_press(desk):
    for button in (Button.BLUE, Button.UNDO):
        desk.fingers.hold(button)
        assert desk.arrived(1) == [ButtonPressed(button, held=True)]


def test_chatter_is_one_press(made):
    """A contact is open for less than counts, of which an emulated machine needs more to keep to it."""
    usual = load()
    times = replace(usual.times, settle=0.25) if IN_THE_BENCH else usual.times
    desk = Desk(made, replace(usual, times=times))
    for button in (Button.GREEN, Button.ROLL):
        desk.chatter(button)
        assert desk.arrived(1) == [ButtonPressed(button)]
    desk.panel.close()


def test_two_at_once_are_two(desk):
    for step in (desk.fingers.down, desk.fingers.up):
        step(Button.RED)
        step(Button.YELLOW)
        threading.Event().wait(0.1)
    assert set(desk.arrived(2)) == {ButtonPressed(Button.RED), ButtonPressed(Button.YELLOW)}


def test_lamps_follow_the_snapshot(desk):
    desk.panel.show(snapshot(turn="red", table={"camera": "off", "disagreements": []}))
    assert desk.shines("red", 1.0)
    assert desk.shines("eye", 0.0)
    desk.panel.show(snapshot(turn="blue"))
    assert desk.shines("red", 0.0)
    assert desk.shines("blue", 1.0)
    assert desk.shines("eye", 1.0)


def test_a_lamp_blinks(desk):
    desk.panel.show(snapshot(table={"camera": "watching", "disagreements": [{"id": 1, "by": "green"}]}))
    for _ in range(2):
        assert desk.shines("green", 1.0)
        threading.Event().wait(BLINKING / 2)
        assert desk.shines("green", 0.0)


def test_a_lamp_breathes(desk):
    desk.panel.show(snapshot(pending=[{"by": "yellow"}]))
    assert desk.shines("yellow", 0.5)


def test_the_buzzer_sounds(desk):
    desk.panel.show(snapshot(MoveRefused(Refusal("no_game", None, "No game is being played."))))
    assert any(threading.Event().wait(0.005) or desk.fingers.buzzes for _ in range(200))
    assert any(threading.Event().wait(0.01) or not desk.fingers.buzzes for _ in range(200))


def test_from_a_press_to_an_entry_in_the_record(tmp_path):
    with Evening(tmp_path, *(kernel if IN_THE_BENCH else pretended)(load())) as evening:
        for _ in range(3):
            evening.press_threats()
            threading.Event().wait(0.08)
            evening.take_back()
        assert evening.entries()[-6:] == ["move", "undo"] * 3


def test_it_is_well(desk):
    desk.panel.close()
    assert desk.intents.empty()
    assert desk.panel.name == "gpio"
    assert DeviceChanged("panel", "ok") == DeviceChanged("panel", "ok", "")
