"""Recalls, play by button, the start of an evening, real decks and frozen games, as the camera sees them."""

import pytest
from at_the_table import RED, Eye, placed

from companion.games.api import Button
from companion.refusal import Refusal
from companion.table.session.intents import ButtonPressed, ChangeSettings, Freeze, Thaw
from companion.table.session.settings import Settings


class TestRecall:
    @pytest.fixture
    def done(self, eye, table):
        eye.put(("1:R1a", "red"), ("1:R1b", "blue"), ("1:R2a", "red"))
        eye.look()
        table.tap("pass", by="blue")
        table.tap("pass", by="red")
        assert table.state["phase"] == "recall"
        return eye

    def test_a_partial_pick_up_is_a_recall_in_progress(self, done, table):
        done.take("1:R1a")
        done.look()
        assert table.state["table"]["picking_up"]
        assert not done.disagreements
        assert table.state["phase"] == "recall"

    def test_the_empty_vault_is_the_recall(self, done, table):
        done.take("1:R1a", "1:R1b", "1:R2a")
        done.look()
        assert table.state["round"] == 2
        assert not done.disagreements

    def test_recall_pressed_first_leaves_the_figures_to_be_taken(self, done, table):
        table.ask(ButtonPressed(Button.RECALL))
        assert table.state["round"] == 2
        assert not done.disagreements
        assert len(table.state["table"]["todo"]) == 3

    def test_before_everybody_has_passed_the_passes_are_offered(self, eye, table):
        eye.put(("1:R1a", "red"), ("1:R1b", "blue"), ("1:R2a", "red"))
        eye.look()
        eye.take("1:R1a", "1:R1b")
        eye.look()
        assert table.state["table"]["picking_up"]
        assert table.state["pending"] == []
        eye.take("1:R2a")
        eye.look()
        (offer,) = table.state["pending"]
        assert offer["kind"] == "passes"
        table.tap("choose", RED, id=offer["id"], option="yes")
        assert table.state["round"] == 2
        assert table.state["pending"] == []


class TestByButton:
    class Eyes:
        def __init__(self):
            self.asked = 0

        def look_now(self):
            self.asked += 1

    def test_the_button_asks_for_a_look_and_moves_for_its_colour(self, make_table):
        eyes = self.Eyes()
        table = make_table(settings=Settings(way="button"), eyes=eyes)
        table.start()
        eye = Eye(table)
        eye.look()
        eye.put(("1:R1a", "red"), ("1:R1b", "blue"))
        eye.look()
        assert placed(table) == {}
        assert not eye.disagreements
        table.ask(ButtonPressed(Button.RED))
        assert eyes.asked == 1
        eye.look(asked=True)
        assert placed(table) == {"1:R1a": "red"}
        table.ask(ButtonPressed(Button.BLUE))
        eye.look(asked=True)
        assert placed(table) == {"1:R1a": "red", "1:R1b": "blue"}

    def test_without_a_camera_the_button_does_no_harm(self, make_table):
        table = make_table(settings=Settings(way="button"))
        table.start()
        table.ask(ButtonPressed(Button.RED))
        assert table.state["version"] == 0


def test_at_the_start_record_and_table_are_compared(eye, table):
    eye.put(("1:R1a", "red"))
    eye.look()
    table.again()
    assert table.state["table"]["camera"] == "off"
    eye.take("1:R1a")
    eye.raw["rooms"]["1:R3"] = {"card": "diner"}
    eye.look()
    assert sorted(one["kind"] for one in eye.disagreements) == ["card", "missing"]


def test_what_lay_there_at_the_start_is_said_and_played_on_somebody_s_word(eye, table):
    eye.put(("1:R1a", "red"))
    eye.look()
    table.tap("undo")
    table.again()
    eye.look()
    assert placed(table) == {}
    (one,) = eye.disagreements
    assert one["kind"] == "extra"
    table.tap("resolve", RED, id=one["id"], option="right")
    assert placed(table) == {"1:R1a": "red"}
    assert table.state["version"] == 3
    assert not eye.disagreements
    table.tap("undo")
    table.again()
    eye.look()
    table.ask(ButtonPressed(Button.RED))
    assert placed(table) == {"1:R1a": "red"}
    eye.put(("1:R1b", "blue"))
    eye.look()
    assert len(placed(table)) == 2


def test_an_empty_table_at_the_start_is_no_recall(eye, table):
    eye.put(("1:R1a", "red"), ("1:R1b", "blue"))
    eye.look()
    table.tap("correct", set={"phase": "recall"})
    table.again()
    eye.take("1:R1a", "1:R1b")
    eye.look()
    assert table.state["round"] == 1
    assert len(eye.disagreements) == 2
    table.ask(ButtonPressed(Button.RECALL))
    assert table.state["round"] == 2
    assert not eye.disagreements


def test_real_decks_the_camera_names_the_cards(table):
    table.start(cards="table")
    assert {choice["kind"] for choice in table.state["pending"]} == {"drawn"}
    eye = Eye(table)
    eye.raw["tracks"] = {"items": ["shotgun", None, None], "rooms": ["garden", "lounge", None]}
    eye.look()
    assert table.state["tracks"] == {
        "items": ["shotgun", "unknown", "unknown"],
        "rooms": ["garden", "lounge", "unknown"],
    }
    assert len(table.state["pending"]) == 3
    assert not eye.disagreements


def test_a_card_that_cannot_lie_there_disagrees(eye, table):
    eye.raw["threats"] = {"1:R1a": {"card": "raider"}}
    eye.look()
    (one,) = eye.disagreements
    assert (one["kind"], one["place"], one["seen"]) == ("card", "1:R1a", "raider")
    table.tap("resolve", id=one["id"], option="right")
    assert table.state["threats"] == {"1:R1a": "raider"}
    eye.raw["threats"] = {}
    eye.raw["tracks"]["items"][0] = "camera" if eye.raw["tracks"]["items"][0] != "camera" else "globe"
    eye.look()
    for one in list(eye.disagreements):
        table.tap("resolve", id=one["id"], option="right")
    assert table.state["threats"] == {}
    assert table.state["tracks"]["items"][0] == eye.raw["tracks"]["items"][0]


def test_spawned_threats_are_laid_and_ticked_off(table):
    table.start(start={"round": 2, "phase": "spawn"})
    eye = Eye(table)
    eye.look()
    table.ask(ButtonPressed(Button.THREATS))
    spaces = {one["space"] for one in table.state["spawned"] if one["space"]}
    assert {one["place"] for one in table.state["table"]["todo"]} == spaces
    assert not eye.disagreements
    eye.follow()
    assert table.state["table"]["todo"] == []


def test_a_room_laid_answers_what_to_build(table):
    table.start(
        decks={"rooms": ["garden", "lounge", "armory"]},
        start={"players": {"red": {"resources": {"water": 6, "food": 6, "energy": 6}}}},
    )
    eye = Eye(table)
    eye.look()
    table.tap("place", by="red", space="2:E")
    while table.state["pending"] and table.state["pending"][0]["kind"] != "build":
        choice = table.state["pending"][0]
        table.tap("choose", by=choice["by"], option=choice["options"][0])
    (choice,) = table.state["pending"]
    assert "lounge@right" in choice["options"]
    eye.put(("2:E", "red"))
    eye.raw["rooms"]["2:R1"] = {"card": "lounge"}
    eye.raw["tracks"]["rooms"][1] = None
    eye.look()
    assert table.state["levels"]["2"]["rooms"] == {"R1": "lounge"}
    assert not eye.disagreements


def test_setup_coach_ticks_off_the_layout(table):
    table.start()
    eye = Eye(table)
    eye.raw["rooms"] = {"1:L3": {"card": "the-wasteland"}, "1:R3": {"card": "diner"}, "1:E": {"card": "elevator"}}
    eye.look()
    coach = table.state["table"]["coach"]
    assert {"place": "1:L3", "piece": "the-wasteland"} in coach["lies"]
    assert {"place": "1:E", "piece": "elevator"} in coach["lies"]
    assert {"place": "1:R3", "piece": "power-generator"} in coach["wrong"]
    assert {"place": "1:L2", "piece": "vault-door"} in coach["missing"]
    assert not eye.disagreements
    eye.follow()
    assert {one["piece"] for one in table.state["table"]["coach"]["missing"]} == {
        "elevator", "elevator-red", "elevator-blue",
    }  # fmt: skip


def test_a_frozen_game_is_laid_again_with_the_coach(eye, table):
    eye.put(("1:R1a", "red"))
    eye.look()
    table.ask(Freeze())
    table.again()
    eye.raw["dwellers"] = []
    eye.look()
    assert {"place": "1:R1a", "piece": "red plain"} in table.state["table"]["coach"]["missing"]
    assert not eye.disagreements
    table.ask(Thaw())
    assert [one["kind"] for one in eye.disagreements] == ["missing"]
    eye.follow()
    assert not eye.disagreements


def test_the_host_changes_how_the_people_play(eye, table):
    table.ask(ChangeSettings("button", 0.5))
    assert table.state["table"]["way"] == "button"
    eye.put(("1:R1a", "red"))
    eye.look()
    assert placed(table) == {}
    table.ask(ChangeSettings("stillness", 0.0))
    eye.look()
    assert placed(table) == {"1:R1a": "red"}
    for odd in (("shouting", 1.0), ("button", float("nan")), ("button", 99.0)):
        with pytest.raises(Refusal):
            table.ask(ChangeSettings(*odd))
    with pytest.raises(Refusal):
        table.ask(ChangeSettings("button", 1.0, RED))
