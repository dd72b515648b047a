"""A pin that is closed while edges come: gpiozero on an lgpio that only notes what it is asked."""

import sys
from unittest.mock import MagicMock

import pytest
from gpiozero import DigitalInputDevice, DigitalOutputDevice
from gpiozero.pins.local import LocalPiFactory

RED, LAMP = 5, 6


@pytest.fixture
def lgpio(monkeypatch):
    """A library without a chip. What was loaded with it goes with it."""
    pretended = MagicMock(error=OSError)
    pretended.gpio_read.return_value = 1
    monkeypatch.setitem(sys.modules, "lgpio", pretended)
    for name in ("gpiozero.pins.lgpio", "hardware.panel.listening_pin"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    yield pretended
    for name in ("gpiozero.pins.lgpio", "hardware.panel.listening_pin"):
        sys.modules.pop(name, None)


@pytest.fixture
def chip(lgpio, monkeypatch):
    monkeypatch.setattr(LocalPiFactory, "_get_revision", lambda factory: 0xC03114)
    from gpiozero.pins.lgpio import LGPIOFactory  # noqa: PLC0415 - once there is a library

    from hardware.panel.chips import pi_chip  # noqa: PLC0415

    assert LGPIOFactory is not None
    chip = pi_chip()
    yield chip
    chip.close()


def freed(lgpio):
    """The lines that were claimed anew, by which their files are closed."""
    return {call.args[1] for call in lgpio.gpio_claim_input.call_args_list}


def test_an_edge_that_comes_too_late_ends_nothing(chip):
    button = DigitalInputDevice(RED, pull_up=True, pin_factory=chip)
    pin = button.pin
    pin.when_changed = None
    pin._call_when_changed(0, RED, 0, 1)


def test_an_edge_arrives(chip):
    button = DigitalInputDevice(RED, pull_up=True, pin_factory=chip)
    seen = []
    button.when_activated = lambda: seen.append(RED)
    button.pin._call_when_changed(0, RED, 0, 1)
    assert seen == [RED]
    button.close()


def test_a_line_that_listens_is_closed_with_its_chip(chip, lgpio):
    button = DigitalInputDevice(RED, pull_up=True, pin_factory=chip)
    lamp = DigitalOutputDevice(LAMP, pin_factory=chip)
    lgpio.gpio_claim_input.reset_mock()
    button.pin.when_changed = None
    assert lgpio.callback.return_value.cancel.called
    button.close()
    lamp.close()
    chip.close()
    assert freed(lgpio) == {LAMP}
    assert lgpio.gpiochip_close.called
