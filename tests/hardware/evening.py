"""A whole table behind a panel: real panel, real session, real record."""

import time
from queue import SimpleQueue

from companion.table.intents import Button, DeviceChanged, StartGame, Tap
from companion.table.record import Record
from companion.table.session import Session
from hardware.panel import GpioPanel
from hardware.wiring import load

SOON = 20


class Evening:
    """A game in which THREATS may be pressed."""

    def __init__(self, folder, fingers, chip):
        self.fingers = fingers
        self.record = Record(folder)
        self._told = SimpleQueue()
        self.panel = GpioPanel(load(), self._put, chip=chip)
        self.session = Session(self.record, lamps=self.panel)
        self.session.start()
        start = {"round": 2, "phase": "spawn"}
        self.session.ask(StartGame({"players": ["red", "blue"], "start": start}, seed="1")).result(SOON)
        self.panel.start()
        left = {DeviceChanged("panel", "ok"), DeviceChanged("lamps", "ok")}
        while left:
            left.discard(self._told.get(timeout=SOON))
        self.session.ask(Tap({"do": "undo"})).exception(SOON)  # behind it, nothing of the start is still to come

    def entries(self):
        """What is in the record of this game."""
        return [entry.kind for entry in self.record.entries(self.record.current)]

    def press_threats(self):
        """Seconds from the edge to the snapshot; the entry is in the record by then."""
        before, entries = self.session.snapshots.latest, len(self.entries())
        began = time.monotonic()
        self.fingers.down(Button.THREATS)
        after = self.session.snapshots.newer_than(before.seq, SOON)
        passed = time.monotonic() - began
        assert after is not None
        assert after.state["spawned"]
        assert len(self.entries()) == entries + 1
        self.fingers.up(Button.THREATS)
        return passed

    def take_back(self):
        """A script takes the threats away again."""
        self.session.ask(Tap({"do": "undo"})).result(SOON)

    def end(self):
        """Bedtime."""
        self.panel.close()
        self.session.stop()
        self.record.close()

    def _put(self, intent):
        self.session.put(intent)
        self._told.put(intent)
