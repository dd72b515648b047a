"""The chip with the pins, where there is one."""

import re
import sys
from types import SimpleNamespace

import pytest
from gpiozero import PinUnknownPi

from companion.table.ports import DeviceError
from hardware.panel.chips import pi_chip


def test_lgpio_needs_a_folder_that_it_may_write(monkeypatch):
    class Finder:
        def find_spec(self, name, path=None, target=None):
            if name == "gpiozero.pins.lgpio":
                raise FileNotFoundError(2, "No such file or directory", ".lgd-nfy-3")

    monkeypatch.setattr(sys, "meta_path", [Finder(), *sys.meta_path])
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    with pytest.raises(DeviceError, match="WorkingDirectory="):
        pi_chip()


class LgpioError(Exception):
    """lgpio's errors have a root of their own."""


@pytest.mark.parametrize("error", [PinUnknownPi("no Pi"), OSError("no chip"), LgpioError("can not open gpiochip")])
def test_a_chip_that_cannot_be_opened(monkeypatch, error):
    def factory():
        raise error

    monkeypatch.setitem(sys.modules, "lgpio", SimpleNamespace(error=LgpioError))
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", SimpleNamespace(LGPIOFactory=factory))
    monkeypatch.setitem(sys.modules, "hardware.panel.listening_pin", SimpleNamespace(ListeningPin=None))
    with pytest.raises(DeviceError, match=re.escape(f"({error})")):
        pi_chip()


def test_a_laptop_has_no_chip():
    with pytest.raises(DeviceError, match=r"lgpio is not installed|GPIO chip cannot be opened"):
        pi_chip()
