"""Whatever a library raises is a fault of its device, with what to do; it is tried again, and people play by phone."""

import contextlib
from contextlib import contextmanager
from queue import Queue
from threading import Event
from types import SimpleNamespace

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.games.api import Button
from companion.table import fence
from companion.table.fence import Fence
from companion.table.session.intents import ButtonPressed, DeviceChanged
from companion.table.sight.eye import Eye
from companion.table.sight.reading import Reading
from hardware.panel import panel as panels
from hardware.panel.panel import GpioPanel
from hardware.panel.pins import Fingers
from hardware.panel.wiring import load
from hardware.voice.voice import SpokenVoice

from .conftest import snapshot

SOON = 10
ERRORS = (RuntimeError, OSError, AttributeError, ValueError, TypeError, KeyError, SystemError, gpiozero.GPIOZeroError)


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    """Tries follow at once: how long they wait is tested below."""
    monkeypatch.setattr(fence, "LEAST", 0.001)
    monkeypatch.setattr(panels, "RETRYING", 0.01)
    monkeypatch.setattr(panels, "CHECKING", 0.01)


class Told(Queue):
    """What devices tell, until it is what is waited for."""

    def __init__(self):
        super().__init__()
        self.last = {}

    def get(self, *rest, **more):
        intent = super().get(*rest, **more)
        if isinstance(intent, DeviceChanged):
            self.last[intent.device] = intent.state
        return intent

    def until_any(self, *states):
        while self.get(timeout=SOON).state not in states:
            pass

    def until_both_are_ok(self):
        while self.last != {"panel": "ok", "lamps": "ok"}:
            self.get(timeout=SOON)

    def until(self, device, state):
        while True:
            intent = self.get(timeout=SOON)
            if isinstance(intent, DeviceChanged) and (intent.device, intent.state) == (device, state):
                return intent.hint


CALLS = {
    "the chip": (MockFactory, "__init__"),
    "a pin": (MockFactory, "pin"),
    "reserving a pin": (MockFactory, "reserve_pins"),
    "a level": (gpiozero.DigitalInputDevice, "value"),
    "a callback": (MockPWMPin, "_set_when_changed"),
    "a lamp": (gpiozero.PWMLED, "value"),
    "the buzzer": (gpiozero.DigitalOutputDevice, "value"),
    "a button's class": (gpiozero.DigitalInputDevice, "__init__"),
    "a lamp's class": (gpiozero.PWMLED, "__init__"),
    "closing a pin": (MockPWMPin, "close"),
    "closing the chip": (MockFactory, "close"),
}


# gpiozero's own __del__ closes what could not be closed once more.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
@pytest.mark.parametrize("call", CALLS)
def test_the_pins(call, error, monkeypatch):
    told = Told()
    wiring = load()
    panel = GpioPanel(wiring, told.put, chip=lambda: MockFactory(pin_class=MockPWMPin))
    owner, name = CALLS[call]

    def raising(*_, **__):
        raise error("odd")

    with monkeypatch.context() as broken:
        old = getattr(owner, name)
        broken.setattr(owner, name, property(raising, raising) if isinstance(old, property) else raising)
        panel.start()
        panel.show(snapshot(turn="red", phase="place"))
        if call.startswith("closing"):
            told.until("panel", "ok")
            panel._queue.put("no such thing")  # a bug of ours in the thread: the pins are given up
        told.until_any("off", "partly")
    told.until_both_are_ok()
    panel.close()
    assert not panel._thread.is_alive()


def test_a_button_works_again_behind_a_fault(monkeypatch):
    told = Told()
    wiring = load()
    fingers = Fingers(wiring)
    panel = GpioPanel(wiring, told.put, chip=lambda: fingers.chip)
    panel.start()
    told.until("panel", "ok")
    with monkeypatch.context() as broken:
        broken.setattr(gpiozero.DigitalInputDevice, "value", property(lambda _: 1 / 0))
        assert "ZeroDivisionError" in told.until("panel", "off")
    told.until("panel", "ok")
    fingers.press(Button.THREATS)
    while told.get(timeout=SOON) != ButtonPressed(Button.THREATS):
        pass
    panel.close()


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
def test_the_voice(error):
    told = Told()
    broken = [error("odd"), None]

    def speak(*_):
        if (fault := broken.pop(0)) is not None:
            raise fault

    voice = SpokenVoice(told.put, speak=speak)
    voice.start()
    told.until("voice", "ok")
    voice._waiting = "now"
    with voice._changed:
        voice._changed.notify()
    assert error.__name__ in told.until("voice", "off")
    with voice._changed:
        voice._waiting = "again"
        voice._changed.notify()
    told.until("voice", "ok")
    voice.close()
    voice._thread.join(SOON)
    assert not voice._thread.is_alive()


class Seeing:
    """A camera and a vision; `broken` is what raises."""

    why, resting, name = "", True, "pretended"

    def __init__(self):
        self.broken, self.error = "", None

    def __call__(self, *_):
        self._or_raise("opened")
        return self

    def _or_raise(self, what):
        if self.broken == what:
            raise self.error

    @contextmanager
    def frame(self, *, full):
        self._or_raise("frame")
        yield SimpleNamespace(image=full, at=0.0)

    def due(self, *_):
        self._or_raise("due")
        return True

    def read(self, *_, **__):
        self._or_raise("read")
        return Reading()

    def jpeg(self, *_, **__):
        self._or_raise("jpeg")
        return b""

    def close(self):
        self._or_raise("close")


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.__name__)
@pytest.mark.parametrize("what", ["opened", "frame", "due", "read", "jpeg"])
def test_the_eye(what, error):
    told, seeing = Told(), Seeing()
    hold = seeing.__call__
    eye = Eye(lambda _: seeing, hold, told.put)
    eye.start()
    while isinstance(told.get(timeout=SOON), DeviceChanged):
        pass
    seeing.error, seeing.broken = error("odd"), what
    if what == "opened":
        eye.reload()
    with contextlib.suppress(Exception):
        eye.window.newer_than(0, drawn=True, timeout=0)
    assert error.__name__ in told.until("camera", "off")
    seeing.broken = ""
    told.until("camera", "ok")
    eye.close()
    assert not eye._thread.is_alive()


def test_tries_follow_in_ever_longer_pauses_until_one_goes_well(monkeypatch):
    monkeypatch.setattr(fence, "LEAST", 1.0)
    pauses, told, turns = [], [], iter([False] * 8 + [True] + [False] * 2)

    class Waiting(Event().__class__):
        def wait(self, timeout=None):
            pauses.append(timeout)
            return False

    fenced = Fence(told.append, ("camera",), failing="off")
    fenced._ended = Waiting()

    def turn():
        well = next(turns, None)
        if well is None:
            return False
        if not well:
            raise RuntimeError("odd")
        return True

    fenced.run(turn)
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 1, 2]
    assert told[0].hint.code == "fails"
    assert [one.state for one in told] == ["off"] * 8 + ["ok"] + ["off"] * 2 + ["ok"]


def test_what_ends_while_it_waits_ends_at_once():
    told = Told()
    fenced = Fence(told.put, ("voice",))
    fenced._pause = 1000

    def turn():
        fenced.end()
        raise RuntimeError("odd")

    fenced.run(turn)
    assert told.get(timeout=SOON).state == "failing"
