"""Keypads and gamepads as a panel: what the kernel sends of them, through pipes that stand for their devices."""

import os
import struct
from pathlib import Path

import pytest

from companion.games.api import Button
from companion.refusal import Refusal
from companion.table.session.intents import ButtonPressed, DeviceChanged
from hardware.panel import keys
from hardware.panel.gestures import POWER
from hardware.panel.keys import EVENT, GAMEPAD, JOYSTICK, KEYPAD, LOOKING, InputDevice, KeyPanel, describe

NUMPAD = InputDevice("Numpad", frozenset(KEYPAD))
PAD = InputDevice("X-Box pad", frozenset(GAMEPAD))
KEYBOARD = InputDevice("Keyboard", frozenset(range(1, 128)))


class Plugs:
    """The folder of input devices: each is a pipe, and what its other end writes are keys."""

    def __init__(self, folder, clock):
        self.folder, self.clock, self.ends = folder, clock, {}
        self.kinds, self.taken, self.intents, self.off = {}, [], [], []
        self.panel = KeyPanel(
            self.intents.append,
            folder=folder,
            described=self.described,
            taken=self.taken.append,
            switch_off=lambda: self.off.append(clock()),
            clock=clock,
        )

    def described(self, fd):
        return self.kinds[Path(f"/proc/self/fd/{fd}").readlink().name]

    def plug(self, name, device):
        os.mkfifo(self.folder / name)
        self.kinds[name] = device
        self.look()
        self.ends[name] = os.open(self.folder / name, os.O_RDWR)

    def pull(self, name):
        os.close(self.ends.pop(name))
        (self.folder / name).unlink()
        self.look()

    def look(self):
        self.clock.go(LOOKING)
        self.panel.turn(0)
        self.panel.turn(0)

    def key(self, name, code, value, kind=1):
        os.write(self.ends[name], EVENT.pack(1, 2, kind, code, value) + EVENT.pack(1, 2, 0, 0, 0))
        self.panel.turn(0)

    def passes(self, seconds):
        for _ in range(20):
            self.clock.go(seconds / 20)
            self.panel.turn(0)

    def press(self, name, code, seconds=0.1):
        self.key(name, code, 1)
        self.passes(seconds)
        self.key(name, code, 0)
        self.passes(0.1)

    def pressed(self):
        return [(one.button, one.held) for one in self.intents if isinstance(one, ButtonPressed)]

    def said(self):
        return [(one.state, one.hint) for one in self.intents if isinstance(one, DeviceChanged)]


@pytest.fixture
def plugs(tmp_path, clock):
    made = Plugs(tmp_path, clock)
    yield made
    made.panel.close()
    for end in made.ends.values():
        os.close(end)


@pytest.mark.parametrize(("device", "codes"), [(NUMPAD, KEYPAD), (PAD, GAMEPAD)])
def test_every_button_of_the_panel_has_a_key(plugs, device, codes):
    plugs.plug("event0", device)
    assert plugs.said() == [("ok", device.name)]
    assert len(plugs.taken) == 1, "its keys are typed nowhere else"
    for code in codes:
        plugs.press("event0", code)
        plugs.press("event0", code, 1.2)
    for code, button in codes.items():
        held = [how for one, how in plugs.pressed() if one is button]
        assert held == {"undo": [True]}.get(button, [False, True] if code in list(codes)[:4] else [False, False])


def test_a_pad_that_only_numbers_its_buttons_is_one_too():
    assert InputDevice("cheap", frozenset(JOYSTICK)).is_panel
    assert set(JOYSTICK.values()) == set(GAMEPAD.values()) == set(KEYPAD.values()) == set(Button)


def test_a_keyboard_on_which_somebody_writes_is_left_alone(plugs):
    plugs.plug("event0", KEYBOARD)
    plugs.plug("event1", InputDevice("mouse", frozenset({0x110, 0x111})))
    assert (plugs.said(), plugs.taken) == ([], [])


def test_a_key_that_repeats_or_means_nothing_presses_nothing(plugs):
    plugs.plug("event0", NUMPAD)
    plugs.key("event0", 79, 2)
    plugs.key("event0", 83, 1)
    plugs.key("event0", 79, 1, kind=4)
    plugs.passes(2)
    assert plugs.pressed() == []


def test_one_that_is_unplugged_presses_nothing_and_comes_back(plugs):
    plugs.plug("event0", NUMPAD)
    plugs.key("event0", 79, 1)
    plugs.pull("event0")
    plugs.passes(2)
    assert (plugs.said()[-1], plugs.pressed()) == (("off", ""), [])
    plugs.plug("event7", NUMPAD)
    plugs.press("event7", 79)
    assert plugs.pressed() == [(Button.RED, False)]


def test_something_laid_on_a_keypad_presses_none(plugs):
    plugs.plug("event0", NUMPAD)
    for code in KEYPAD:
        plugs.key("event0", code, 1)
    plugs.passes(3)
    for code in KEYPAD:
        plugs.key("event0", code, 0)
    plugs.passes(1)
    assert plugs.pressed() == []


def test_undo_and_recall_held_together_switch_off(plugs):
    plugs.plug("event0", NUMPAD)
    plugs.key("event0", 82, 1)
    plugs.key("event0", 71, 1)
    plugs.passes(POWER + 1)
    assert len(plugs.off) == 1


def test_a_machine_that_may_not_be_switched_off_goes_on(plugs):
    def refused():
        raise Refusal("not_our_machine", None, "no")

    plugs.panel._switch_off = refused
    plugs.plug("event0", NUMPAD)
    plugs.key("event0", 82, 1)
    plugs.key("event0", 71, 1)
    plugs.passes(POWER + 1)
    plugs.key("event0", 82, 0)
    plugs.key("event0", 71, 0)
    plugs.passes(1)
    plugs.press("event0", 79)
    assert plugs.pressed() == [(Button.RED, False)]


def test_the_kernel_is_asked_for_name_and_keys(monkeypatch):
    def ioctl(fd, request, buffer):
        if request == keys.NAME_OF:
            buffer[:4] = b"Pad\0"
        else:
            for code in GAMEPAD:
                buffer[code // 8] |= 1 << code % 8

    monkeypatch.setattr(keys.fcntl, "ioctl", ioctl)
    assert describe(0) == InputDevice("Pad", frozenset(GAMEPAD))
    size = {request: request >> 16 & 0x3FFF for request in (keys.NAME_OF, keys.KEYS_OF)}
    assert size == {keys.NAME_OF: keys.NAME_BYTES, keys.KEYS_OF: keys.KEY_BYTES}
    assert EVENT.size == struct.calcsize("llHHi")


def test_it_ends_while_nobody_presses(tmp_path):
    panel = KeyPanel(lambda _: None, folder=tmp_path / "none")
    panel.start()
    panel.close()
    assert not panel._thread.is_alive()
