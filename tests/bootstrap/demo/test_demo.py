"""The whole pipeline without hardware: drawn table, real vision, session and panel code, a bot, helping hands."""

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.table.intents import Tap

from .evening import SOON, Demo


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
