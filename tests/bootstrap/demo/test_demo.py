"""The whole pipeline without hardware: drawn table, real vision, session and panel code, a bot, helping hands."""

import json

import pytest
from click.testing import CliRunner

from companion.bootstrap.config import Config
from companion.bootstrap.demo.hands import Hands
from companion.bootstrap.demo.playground import DrawnTable
from companion.bootstrap.devices import Devices
from companion.bootstrap.evening import Evening
from companion.cards.loader import builtin
from companion.cli import main
from companion.table.intents import Button, Tap
from companion.table.record import Record
from hardware.tabletop.scene import standing_on
from hardware.tabletop.setting import PROFILE
from hardware.wiring import load

SOON = 60
TOLD = ("round", "phase", "turn", "pending", "placed", "threats", "spawned", "suggestion", "devices", "table")


def told(state):
    return {key: state[key] for key in TOLD}


class Demo:
    """An evening at a drawn table, and what a person does there."""

    def __init__(self, folder):
        wiring = load()
        self.drawn = DrawnTable(builtin("homemade"), ("red", "blue"), folder / "pieces", wiring)
        camera, profile = self.drawn.camera.opened, self.drawn.pictures / PROFILE
        self.record = Record(folder / "record")
        chip = self.drawn.fingers.chip
        self.evening = Evening(self.record, Config(voice=False), Devices(camera, profile, wiring, lambda: chip))
        setup = {"players": ["red", "blue"], "bots": {"blue": "easy"}}
        self.evening.add(Hands(self.evening.session, self.drawn, setup, "1"))
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


@pytest.fixture
def demo(tmp_path):
    made = Demo(tmp_path)
    yield made
    made.close()


def test_a_round_is_played_by_hand_and_eye(demo):
    demo.begun()
    demo.drag("red-1", "1:R3a")
    state = demo.until(lambda state: "1:R3a" in state["placed"])
    assert state["players"]["red"]["resources"]["food"] == 2
    state = demo.until(lambda state: state["turn"] == "red")
    demo.drag("red-2", next(space for space in ("1:R1a", "1:R1b") if space not in state["placed"]))
    demo.until(lambda state: state["phase"] == "recall")
    demo.drawn.do({"do": "home"})
    state = demo.until(lambda state: state["round"] == 2)
    assert state["table"]["disagreements"] == []
    demo.press("threats")
    state = demo.until(lambda state: state["spawned"] and not state["table"]["todo"])
    for space, threat in state["threats"].items():
        assert demo.drawn.table.card_at(space, threat=True) == threat
    assert demo.evening.session.failure is None


def test_a_wrong_place_a_covered_lens_and_a_pressed_button_are_told(demo):
    demo.begun()
    demo.drag("red-1", "3:E")
    state = demo.until(lambda state: state["table"]["disagreements"])
    assert {one["clause"] for one in state["table"]["disagreements"]} == {"P4"}
    demo.drawn.do({"do": "home"})
    demo.until(lambda state: not state["table"]["disagreements"])
    demo.drawn.do({"do": "cover", "on": True})
    state = demo.until(lambda state: state["table"]["camera"] in ("lost", "off"))
    assert "uncover" in state["devices"]["camera"]["hint"]
    demo.drawn.do({"do": "cover", "on": False})
    demo.until(lambda state: state["table"]["camera"] == "watching")
    demo.until(lambda _: demo.drawn.shown()["panel"]["red"] > 0)
    demo.evening.session.ask(Tap({"do": "pass", "by": "red"})).result(SOON)
    demo.until(lambda state: state["players"]["red"]["passed"])


@pytest.mark.parametrize("words", [("--players", "5"), ("--players", "2", "--bots", "3"), ("--port", "x")])
def test_wrong_use_is_told(words):
    result = CliRunner().invoke(main, ["demo", *words])
    assert result.exit_code == 2
    assert "Error: " in result.output
