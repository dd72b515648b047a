"""Opens a Wi-Fi of the table's own where no network is known, and closes it for known ones while nobody is in it."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.app.machine import HOTSPOT, rows_of, run
from companion.refusal import Refusal
from companion.table.fence import Fence
from companion.table.ports import Hint
from companion.table.session.intents import DeviceChanged

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.app.machine import Done
    from companion.table.ports import Machine
    from companion.table.session.intents import Intent

EVERY: Final = 5.0
"""Seconds between two looks."""
ALONE: Final = 20.0
"""Seconds without a network, where none is known, before the own Wi-Fi is opened."""
PATIENT: Final = 90.0
"""The same where one is known: after a power cut a router takes longer than a Pi."""
AGAIN: Final = 600.0
"""Seconds after which an own Wi-Fi with nobody in it gives way to the known ones."""
NEIGHBOURS: Final = Path("/proc/net/arp")
OURS: Final = "10.42.0."
THERE: Final = 0x2
"""The flag of a neighbour that has answered."""
WIFI, CABLE = "802-11-wireless", "802-3-ethernet"
NO_WAY: Final = "No network is known, and no Wi-Fi of the table's own can be opened ({why}): plug in a network cable."


class Links(NamedTuple):
    """What the machine is connected to."""

    joined: bool
    """A network that is not its own."""
    own: bool
    radio: bool
    """It has a Wi-Fi that can be used."""


def links(run: Callable[..., Done]) -> Links | None:
    """Return what NetworkManager says of the devices; None where it is not there."""
    said = run("nmcli", "--terse", "--fields", "TYPE,STATE,CONNECTION", "device")
    if said.code:
        return None
    rows = [row for row in rows_of(said.out) if len(row) == 3 and row[0] in ("wifi", "ethernet")]  # noqa: PLR2004 - as asked
    up = [name for _, state, name in rows if state == "connected"]
    return Links(
        joined=any(name != HOTSPOT for name in up),
        own=HOTSPOT in up,
        radio=any(kind == "wifi" and state not in ("unavailable", "unmanaged") for kind, state, _ in rows),
    )


def knows_a_wifi(run: Callable[..., Done]) -> bool:
    said = run("nmcli", "--terse", "--fields", "NAME,TYPE", "connection", "show").out
    return any(row[-1] == WIFI and row[0] != HOTSPOT for row in rows_of(said))


def somebody_is_in_it(neighbours: Path = NEIGHBOURS) -> bool:
    """Return whether a phone is in the own Wi-Fi: one that has answered the machine lately."""
    with suppress(OSError, ValueError, IndexError):
        rows = [line.split() for line in neighbours.read_text(encoding="ascii").splitlines()[1:]]
        return any(row[0].startswith(OURS) and int(row[2], 16) & THERE for row in rows)
    return False


class OwnWifiWatch:
    """Fills the port of a service: looks every few seconds, and does one thing at most."""

    def __init__(
        self,
        put: Callable[[Intent], None],
        machine: Machine,
        run: Callable[..., Done] = run,
        *,
        clock: Callable[[], float] = time.monotonic,
        neighbours: Path = NEIGHBOURS,
    ) -> None:
        self._fence = Fence(put, ("wifi",))
        self._machine = machine
        self._run = run
        self._clock = clock
        self._neighbours = neighbours
        self._since: float | None = None
        """Since when there is no network, or when the own one was opened or last used."""
        self._told: str | None = ""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work, name="own-wifi", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        self._fence.end()
        if self._thread.ident is not None:
            self._thread.join()

    def _work(self) -> None:
        self._fence.run(self.turn)

    def turn(self) -> bool:
        """Look once and wait; return False at the end."""
        self._look()
        return not self._ended.wait(EVERY)

    def _look(self) -> None:
        found = links(self._run)
        if found is None or self._machine.joining:
            self._since = None
        elif found.joined:
            self._machine.has_closed()
            self._since = None
            self._tell(self._machine.trouble)
        elif found.own and self._machine.own_wifi is not None:
            self._give_way()
        elif found.own or self._is_alone_for_long():
            self._open(found)

    def _is_alone_for_long(self) -> bool:
        now = self._clock()
        if self._since is None:
            self._since = now
        return now - self._since >= (PATIENT if knows_a_wifi(self._run) else ALONE)

    def _open(self, found: Links) -> None:
        self._since = None
        if not found.radio:
            self._tell(Hint("wifi_no_way", NO_WAY, why=Hint("no_radio", "this machine has no Wi-Fi")))
            return
        try:
            self._machine.open_own_wifi()
        except Refusal as refusal:
            self._tell(Hint("wifi_no_way", NO_WAY, why=refusal.fields.get("why", refusal.code)))
        else:
            self._tell(self._machine.trouble)

    def _give_way(self) -> None:
        """Close the own Wi-Fi for the known ones, when nobody has been in it for a while."""
        now = self._clock()
        if self._since is None or somebody_is_in_it(self._neighbours) or not knows_a_wifi(self._run):
            self._since = now
        elif now - self._since >= AGAIN:
            self._since = None
            self._run("nmcli", "connection", "down", "id", HOTSPOT)
            self._machine.has_closed()
        self._tell(self._machine.trouble)

    def _tell(self, hint: Hint | None) -> None:
        told = hint or ""
        if told != self._told:
            self._told = told
            self._fence.put(DeviceChanged("wifi", "failing" if hint else "ok", told))
