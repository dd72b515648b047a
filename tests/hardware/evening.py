"""A whole evening behind a panel: real panel, session and record, put together as `companion run` does it."""

import os
import time
from pathlib import Path

from companion.app.config import Config
from companion.app.devices import Devices
from companion.app.runtime import TableRuntime as Parts
from companion.games.api import Button
from companion.table.record.record import Record
from companion.table.session.intents import StartGame, Tap
from hardware.panel.wiring import load

SOON = 120 if "COMPANION_BENCH" in os.environ else 20
"""Seconds: the bench's guest is emulated."""


class Evening:
    """A game in which THREATS may be pressed."""

    def __init__(self, folder, fingers, chip, camera=None, profile=Path()):
        self.fingers = fingers
        self.record = Record(folder)
        devices = Devices(camera, profile, load(), chip)
        self.parts = Parts(self.record, Config(voice=False), devices)
        self.parts.start()
        self.session = self.parts.session

    def __enter__(self):
        try:
            self._begin()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(self, *error):
        """Bedtime, also where something went wrong: what is left would look on while its camera is taken away."""
        self.end()

    def _begin(self):
        self.until(lambda state: state["panel"] == "ok" and state["devices"].get("lamps", {}).get("state") == "ok")
        start = {"round": 2, "phase": "spawn"}
        self.session.ask(StartGame({"players": ["red", "blue"], "start": start}, seed="1")).result(SOON)

    def until(self, holds):
        """The first state that is as it should be."""
        snapshot = self.session.snapshots.latest
        while not holds(snapshot.state):
            told = snapshot.state["devices"]
            snapshot = self.session.snapshots.newer_than(snapshot.seq, SOON)
            assert snapshot is not None, told
        return snapshot.state

    def entries(self):
        """What is in the record of this game."""
        return [entry.kind for entry in self.record.entries(self.record.current)]

    def press_threats(self):
        """Seconds from the edge to the snapshot; the entry is in the record by then."""
        entries = len(self.entries())
        began = time.monotonic()
        self.fingers.down(Button.THREATS)
        self.until(lambda state: state["spawned"])
        passed = time.monotonic() - began
        assert len(self.entries()) == entries + 1
        self.fingers.let_go(Button.THREATS)
        return passed

    def take_back(self):
        """A script takes the threats away again."""
        self.session.ask(Tap({"do": "undo"})).result(SOON)

    def end(self):
        self.parts.close()
        self.record.close()
