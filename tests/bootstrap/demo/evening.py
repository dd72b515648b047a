"""An evening at a drawn table, and what a person does there."""

import json

from companion.app.config import Config
from companion.app.demo.helper import DemoHelper
from companion.app.demo.playground import DemoPlayground
from companion.app.devices import Devices
from companion.app.runtime import TableRuntime
from companion.cards.loader import builtin
from companion.games.api import Button
from companion.table.record.record import Record
from hardware.panel.wiring import load
from hardware.tabletop.simulated_table import PROFILE
from hardware.tabletop.table_contents import standing_on

SOON = 60
TOLD = ("round", "phase", "turn", "pending", "placed", "threats", "spawned", "suggestion", "devices", "table")


def told(state):
    return {key: state[key] for key in TOLD}


class Demo:
    """The parts of `companion demo`, without its pages."""

    def __init__(self, folder, seed="1", bots=("blue",)):
        wiring = load()
        self.drawn = DemoPlayground(builtin("homemade"), ("red", "blue"), folder / "pieces", wiring)
        camera, profile = self.drawn.camera.opened, self.drawn.pictures / PROFILE
        self.record = Record(folder / "record")
        chip = self.drawn.fingers.chip
        self.evening = TableRuntime(self.record, Config(voice=False), Devices(camera, profile, wiring, lambda: chip))
        setup = {"players": ["red", "blue"], "bots": dict.fromkeys(bots, "easy")}
        self.evening.add(DemoHelper(self.evening.session, self.drawn, setup, seed))
        self.evening.start()

    def until(self, holds):
        snapshots = self.evening.session.snapshots
        snapshot = snapshots.latest
        while not holds(snapshot.state):
            snapshot = snapshots.newer_than(snapshot.seq, SOON)
            assert snapshot is not None, json.dumps(told(snapshots.latest.state))
        return snapshot.state

    def begun(self):
        """The game has begun, and the layout has been looked at."""
        self.until(lambda state: state["phase"] == "place" and state["panel"] == "ok" and "coach" in state["table"])

    def drag(self, key, space):
        x, y = standing_on(space)
        self.drawn.do({"do": "move", "figure": key, "x": x + 3, "y": y - 4})

    def press(self, button):
        self.drawn.do({"do": "press", "button": button})
        self.drawn.fingers.press(Button(button))  # a finger stays for a moment
        self.drawn.do({"do": "release", "button": button})

    def close(self):
        self.evening.close()
        self.record.close()
