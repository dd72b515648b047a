"""Run the thread of a device or a helper: whatever it raises is a fault of that device, tried again with back-off."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from typing import TYPE_CHECKING, Final

from companion.table.ports import Hint
from companion.table.session.intents import DeviceChanged

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.table.session.intents import Intent

LEAST: Final = 1.0
MOST: Final = 60.0
"""Seconds to the next try: doubled each time, until a turn has gone well."""
LONGEST: Final = 200


def fails(error: BaseException) -> Hint:
    """Return what to do about a device whose library raises what nobody has foreseen."""
    why = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST]
    return Hint(
        "fails",
        "It fails ({why}). Play goes on without it, and it is tried again by itself; if it stays so, start again.",
        why=why,
    )


class Fence:
    """Calls a turn of a thread again and again, as long as it says that there is more to do.

    What the thread tells of its devices goes through `put`: after a fault, when a turn has gone well again, the last
    word about each is repeated, since the device itself does not know that it was thought to fail.
    """

    def __init__(
        self,
        put: Callable[[Intent], None],
        devices: tuple[str, ...],
        *,
        failing: str = "failing",
        lost: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
        name: str = "",
    ) -> None:
        """`failing` is the state that is told; `lost` gives up what is broken, so that the next turn opens it anew.

        `name` is what the log calls a thread that is for no device.
        """
        self._put = put
        self._devices = devices
        self._name = name or devices[0]
        self._failing = failing
        self._lost = lost
        self._clock = clock
        self._ended = threading.Event()
        self._last: dict[str, Intent] = {}
        self._why = ""
        self._pause = LEAST

    def put(self, intent: Intent) -> None:
        """Pass on what the thread has to say."""
        if isinstance(intent, DeviceChanged) and intent.device in self._devices:
            self._last[intent.device] = intent
        self._put(intent)

    def end(self) -> None:
        """Try nothing again: what ends the thread otherwise is its turn."""
        self._ended.set()

    def run(self, turn: Callable[[], bool]) -> None:
        """Call `turn` as long as it returns that there is more to do."""
        goes_on = True
        while goes_on:
            try:
                goes_on = turn()
            except Exception as error:  # noqa: BLE001 - any library may raise anything, and play goes on
                self._fault(error)
                goes_on = not self._ended.wait(self._pause)
                self._pause = min(2 * self._pause, MOST)
            else:
                self._well()

    def once(self, act: Callable[[], object]) -> bool:
        """Do something that may fail as a turn may; return whether it went well."""
        try:
            act()
        except Exception as error:  # noqa: BLE001 - any library may raise anything, and play goes on
            self._fault(error)
            return False
        return True

    def _fault(self, error: Exception) -> None:
        hint = fails(error)
        if hint != self._why:
            sys.stderr.write(f"{self._name} fails: {''.join(traceback.format_exception(error))}")
            self._why = hint
        try:
            self._lost()
        except Exception:  # noqa: BLE001 - what is broken may break again when it is given up
            sys.stderr.write(f"{self._name} cannot be given up: {traceback.format_exc()}")
        for device in self._devices:
            self._put(DeviceChanged(device, self._failing, hint))

    def _well(self) -> None:
        self._pause = LEAST
        if not self._why:
            return
        self._why = ""
        for device in self._devices:
            self._put(self._last.get(device, DeviceChanged(device, "ok")))
