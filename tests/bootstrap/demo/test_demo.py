"""The whole pipeline without hardware: drawn table, real vision, session and panel code, a bot, helping hands."""

import sys

import pytest
import segno
from click.testing import CliRunner

from companion.app.serving import Served
from companion.cli import main
from companion.commands.demo import PAGE, greet
from companion.commands.run import show_code
from companion.table.session.intents import Tap

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


def test_the_threats_are_thrown_with_the_drawn_dice_level_by_level(demo):
    demo.begun()
    demo.until(lambda state: state["id"])
    demo.evening.session.ask(Tap({"do": "correct", "set": {"round": 2, "phase": "spawn"}})).result(SOON)
    thrown = []
    for levels in range(1, 4):
        demo.drawn.do({"do": "throw"})
        state = demo.until(lambda state, levels=levels: len(state["table"].get("dice", {"dice": []})["dice"]) == levels)
        thrown.append(sorted(die["value"] for die in demo.drawn.shown()["dice"]))
    (move,) = state["table"]["dice"]["moves"]
    demo.evening.session.ask(Tap(move)).result(SOON)
    state = demo.until(lambda state: state["spawned"])
    assert [one["dice"] for one in state["spawned"]] == thrown


def lying(state):
    """How many cards the coach has seen on the tracks."""
    return sum(
        one["place"].split(":")[0] in state["tracks"] for one in state["table"].get("coach", {"lies": []})["lies"]
    )


def test_the_tracks_are_laid_and_read(demo):
    state = demo.until(lambda state: lying(state) == 6)
    assert state["table"]["disagreements"] == []


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


def test_another_game_begins_on_a_fresh_table_whenever_somebody_wants_one(demo):
    demo.begun()
    first = demo.until(lambda state: state["id"])["id"]
    demo.drag("red-1", "1:R3a")
    demo.until(lambda state: "1:R3a" in state["placed"])
    demo.drawn.do({"do": "again"})
    state = demo.until(lambda state: state["id"] != first and state["phase"] == "place")
    assert state["placed"] == {}
    assert all(demo.drawn.table.space_of(one) is None for one in demo.drawn.table.scene.figures)


def test_a_game_goes_on_where_it_was_when_the_plug_was_pulled(tmp_path):
    demo = Demo(tmp_path, seed=None)
    demo.begun()
    demo.drag("red-1", "1:R3a")
    before = demo.until(lambda state: len(state["placed"]) == 2 and state["turn"] == "red")
    demo.close()
    demo = Demo(tmp_path, seed=None)
    state = demo.until(lambda state: state["table"]["camera"] == "watching")
    assert (state["id"], state["placed"]) == (before["id"], before["placed"])
    demo.drag("red-2", next(space for space in ("1:R1a", "1:R1b") if space not in state["placed"]))
    state = demo.until(lambda state: len(state["placed"]) > 2 or state["table"]["disagreements"])
    for one in state["table"]["disagreements"]:  # the first look only compares: whoever is quicker than it is asked
        demo.evening.session.ask(Tap({"do": "resolve", "id": one["id"], "option": "right"})).result(SOON)
    state = demo.until(lambda state: len(state["placed"]) > 2)
    assert state["table"]["disagreements"] == []
    demo.close()


def test_a_seed_begins_a_new_game(tmp_path):
    demo = Demo(tmp_path)
    demo.begun()
    before = demo.until(lambda state: state["id"])["id"]
    demo.close()
    demo = Demo(tmp_path)
    assert demo.until(lambda state: state["id"] != before)["placed"] == {}
    demo.close()


def test_the_command_puts_it_together(tmp_path, monkeypatch):
    told = {}

    def serve(record, config, devices, **options):
        told.update(options, config=config, devices=devices, folder=record.folder)
        options["greet"](Served("http://127.0.0.1:1", "123456", record.folder))
        return True

    monkeypatch.setattr("companion.commands.demo.serve", serve)
    words = ["demo", "--players", "3", "--bots", "1", "--seed", "7", "--token", "t", "--data", str(tmp_path)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert "http://127.0.0.1:1/demo" in result.output
    assert "123456" in result.output
    assert told["fresh_pin"]
    assert told["playground"].seats == ("red", "blue")
    assert told["devices"].profile.exists()
    assert told["token"] == words[-3]
    assert told["devices"].camera().name == "simulated camera"


@pytest.mark.parametrize("words", [("--players", "5"), ("--players", "2", "--bots", "3"), ("--port", "x")])
def test_wrong_use_is_told(words):
    result = CliRunner().invoke(main, ["demo", *words])
    assert result.exit_code == 2
    assert "Error: " in result.output


@pytest.fixture
def served(tmp_path):
    return Served("http://127.0.0.1:1", None, tmp_path)


def test_where_no_pin_may_be_told_the_way_to_one_is(served, capsys):
    greet(served)
    assert f"companion pin --data {served.folder}" in capsys.readouterr().out


def test_phones_find_the_drawn_table_by_a_code_where_somebody_sees_it(served, capsys, monkeypatch):
    show_code(served, PAGE)
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    show_code(served, PAGE)
    drawn = capsys.readouterr().out
    segno.make("http://127.0.0.1:1/demo", error="m", micro=False).terminal(compact=True)
    assert drawn == capsys.readouterr().out != ""
