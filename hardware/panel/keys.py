"""USB keypads and gamepads as a panel: read from the kernel's input devices, with the gestures of soldered buttons."""

from __future__ import annotations

import fcntl
import os
import select
import socket
import struct
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.games.api import Button
from companion.refusal import Refusal
from companion.table.fence import Fence
from companion.table.session.intents import ButtonPressed, DeviceChanged
from hardware.panel.gestures import Edge, Gesture, Gestures

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.table.session.intents import Intent

FOLDER: Final = Path("/dev/input")
LOOKING: Final = 2.0
"""Seconds between looks for what was plugged in."""
EVENT: Final = struct.Struct("llHHi")
KEY: Final = 1
"""The type of an event that is a key's."""
UP, DOWN = 0, 1
NAME_OF, KEYS_OF, TAKE = 0x81004506, 0x80604521, 0x40044590
"""Linux's requests: the name, in at most 256 bytes; the keys, a bit each, in 96; to have the keys for ourselves."""
NAME_BYTES, KEY_BYTES = 256, 96
LETTER: Final = 16
"""The key Q: what has it is a keyboard, on which somebody may write."""
KEYPAD: Final = {
    79: Button.RED, 80: Button.BLUE, 81: Button.GREEN, 75: Button.YELLOW, 76: Button.THREATS, 77: Button.ROLL,
    71: Button.RECALL, 82: Button.UNDO,
}  # fmt: skip
"""1 to 4 the colours, 5 the threats, 6 the dice, 7 the recall, 0 takes back."""
GAMEPAD: Final = {
    0x131: Button.RED, 0x133: Button.BLUE, 0x130: Button.GREEN, 0x134: Button.YELLOW, 0x136: Button.THREATS,
    0x137: Button.ROLL, 0x13B: Button.RECALL, 0x13A: Button.UNDO,
}  # fmt: skip
"""B, X, A and Y by the colours they have; the shoulders left and right, start, and select."""
JOYSTICK: Final = {
    0x120: Button.RED, 0x121: Button.BLUE, 0x122: Button.GREEN, 0x123: Button.YELLOW, 0x124: Button.THREATS,
    0x125: Button.ROLL, 0x129: Button.RECALL, 0x128: Button.UNDO,
}  # fmt: skip
"""The same of a gamepad that only numbers its buttons."""
KEYS: Final = KEYPAD | GAMEPAD | JOYSTICK
BUTTONS: Final = tuple(Button)
OFF_TOGETHER: Final = frozenset({BUTTONS.index(Button.UNDO), BUTTONS.index(Button.RECALL)})


@dataclass(frozen=True, slots=True)
class InputDevice:
    """What an input device says of itself."""

    name: str
    keys: frozenset[int]

    @property
    def is_panel(self) -> bool:
        """Return whether it is played with: a keypad without letters, or a gamepad."""
        plays = any(len(self.keys & wanted.keys()) >= len(BUTTONS) for wanted in (KEYPAD, GAMEPAD, JOYSTICK))
        return plays and LETTER not in self.keys


def describe(fd: int) -> InputDevice:
    """Ask the kernel for a device's name and keys."""
    name, keys = bytearray(NAME_BYTES), bytearray(KEY_BYTES)
    fcntl.ioctl(fd, NAME_OF, name)
    fcntl.ioctl(fd, KEYS_OF, keys)
    there = frozenset(code for code in range(KEY_BYTES * 8) if keys[code // 8] >> code % 8 & 1)
    return InputDevice(bytes(name).rstrip(b"\0").decode(errors="replace"), there)


def take(fd: int) -> None:
    """Have a device's keys for ourselves: they would be typed into a terminal or a page of this machine as well."""
    fcntl.ioctl(fd, TAKE, 1)


class KeyPanel:
    """Every keypad and gamepad that is plugged in, under one thread."""

    def __init__(
        self,
        put: Callable[[Intent], None],
        *,
        folder: Path = FOLDER,
        described: Callable[[int], InputDevice] = describe,
        taken: Callable[[int], None] = take,
        switch_off: Callable[[], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._fence = Fence(put, ("keys",), failing="off", lost=self._let_go)
        self._put = self._fence.put
        self._folder = folder
        self._described = described
        self._taken = taken
        self._switch_off = switch_off
        self._clock = clock
        self._open: dict[int, tuple[Path, str]] = {}
        self._others: set[Path] = set()
        """What is no panel; looked at again when it was unplugged meanwhile."""
        self._gestures = self._fresh()
        self._next_look = clock()
        self._told = ""
        self._wake, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="keys", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._fence.end()
        self._wake.close()
        if self._thread.ident is not None:
            self._thread.join()
        self._woken.close()
        self._let_go()

    def _run(self) -> None:
        self._fence.run(self.turn)

    def turn(self, wait: float | None = None) -> bool:
        """Wait for keys, at most until something is due; return False at the end."""
        if self._clock() >= self._next_look:
            self._look()
        times = [at for at in (self._next_look, self._gestures.next_change()) if at is not None]
        timeout = max(0.0, min(times) - self._clock()) if wait is None else wait
        woken = self._woken.fileno()
        ready, _, _ = select.select([woken, *self._open], [], [], timeout)
        if woken in ready:
            return False
        for fd in ready:
            self._read(fd)
        self._tell(self._gestures.until(self._clock()))
        return True

    def _look(self) -> None:
        """Open what was plugged in."""
        self._next_look = self._clock() + LOOKING
        there = set(self._folder.glob("event*")) if self._folder.is_dir() else set()
        self._others &= there
        for path in sorted(there - self._others - {path for path, _ in self._open.values()}):
            with suppress(OSError):
                fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
                try:
                    device = self._described(fd)
                    if device.is_panel:
                        self._taken(fd)
                        self._open[fd] = (path, device.name)
                        continue
                    self._others.add(path)
                except OSError:
                    self._others.add(path)
                os.close(fd)
        self._report()

    def _read(self, fd: int) -> None:
        try:
            data = os.read(fd, EVENT.size * 64)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:  # unplugged
            os.close(fd)
            del self._open[fd]
            self._gestures = self._fresh()
            self._report()
            return
        now = self._clock()
        for _, _, kind, code, value in EVENT.iter_unpack(data[: len(data) // EVENT.size * EVENT.size]):
            button = KEYS.get(code)
            if kind == KEY and value in (UP, DOWN) and button is not None:
                self._tell(self._gestures.feed(Edge(now, BUTTONS.index(button), value == DOWN)))

    def _tell(self, gestures: list[Gesture]) -> None:
        for gesture in gestures:
            if not gesture.together:
                self._put(ButtonPressed(BUTTONS[gesture.pin], gesture.held))
            elif self._switch_off is not None:
                with suppress(Refusal):  # there is no lamp to say so
                    self._switch_off()

    def _fresh(self) -> Gestures:
        meanings: Mapping[int, Button] = dict(enumerate(BUTTONS))
        return Gestures({pin: button.meaning for pin, button in meanings.items()}, pair=OFF_TOGETHER)

    def _report(self) -> None:
        names = ", ".join(sorted(name for _, name in self._open.values()))
        if names != self._told:
            self._told = names
            self._put(DeviceChanged("keys", "ok" if names else "off", names))

    def _let_go(self) -> None:
        for fd in self._open:
            with suppress(OSError):
                os.close(fd)
        self._open.clear()
        self._told = ""
