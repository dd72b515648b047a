"""From what the camera sees to what the game does, through the session."""

import pytest
from at_the_table import Eye

from companion.games.refusal import Refusal
from companion.table.intents import Button, ButtonPressed, ChangeSettings, DeviceChanged, Freeze, Speaker, Thaw
from companion.table.settings import Settings

RED = Speaker(frozenset({"red"}), name="red")
BLUE = Speaker(frozenset({"blue"}), name="blue")


@pytest.fixture
def eye(table):
    table.start(start={"players": {"red": {"available": ["plain"] * 3}, "blue": {"available": ["plain"] * 3}}})
    eye = Eye(table)
    eye.look()
    return eye


def placed(table):
    return {space: one["by"] for space, one in table.state["placed"].items()}


def test_a_figure_put_down_is_a_placement(eye, table):
    eye.put(("1:R1a", "red"))
    answer = eye.look()
    assert placed(table) == {"1:R1a": "red"}
    assert table.state["players"]["red"]["resources"]["water"] == 1
    assert table.state["turn"] == "blue"
    assert answer.version == 1


def test_up_to_four_quick_ones_in_a_row(eye, table):
    eye.put(("1:R1a", "red"), ("1:R1b", "blue"))
    eye.look()
    assert list(placed(table)) == ["1:R1a", "1:R1b"]
    eye.put(("1:R2a", "red"), ("1:R2b", "blue"), ("1:R3a", "red"), ("1:R3b", "blue"))
    eye.look()
    assert len(placed(table)) == 6
    assert not eye.disagreements


def test_a_hand_in_view_waits(eye, table):
    eye.put(("1:R1a", "red"))
    eye.look(hand=True)
    assert placed(table) == {}
    assert table.state["table"]["camera"] == "hand"
    eye.look()
    assert placed(table) == {"1:R1a": "red"}


def test_a_table_that_is_lost_is_said(eye, table):
    eye.look(table="lost", dwellers=[])
    assert table.state["table"]["camera"] == "lost"
    assert not eye.disagreements


def test_what_cannot_be_read_is_no_difference(eye, table):
    eye.put(("1:R1a", "red"))
    eye.look(unsure=["1:R1a"])
    assert placed(table) == {}
    assert table.state["table"]["camera"] == "unsure"


def test_a_table_that_has_not_rested_is_not_read(make_table):
    table = make_table(settings=Settings(rest=2.0))
    table.start()
    eye = Eye(table)
    eye.look()
    eye.put(("1:R1a", "red"))
    eye.look(rest=0.9)
    assert placed(table) == {}
    eye.look(rest=0.9)
    assert placed(table) == {"1:R1a": "red"}


def test_a_trained_dweller_looks_plain_so_the_seat_is_asked_and_the_move_held(eye, table):
    table.tap("correct", set={"players": {"red": {"available": ["plain", "S"]}}})
    eye.put(("1:R3a", "red"))  # 2E, letter S
    eye.look()
    (question,) = table.state["pending"]
    assert (question["kind"], question["by"], question["options"]) == ("placement", "red", ["plain", "S"])
    assert not eye.disagreements
    assert placed(table) == {}
    with pytest.raises(Refusal):
        table.tap("choose", BLUE, id=question["id"], option="S")
    with pytest.raises(Refusal, match="not offered"):
        table.tap("choose", RED, option="Q")
    table.tap("choose", RED, option="S")
    assert table.state["players"]["red"]["resources"]["energy"] == 4
    assert table.state["pending"] == []
    assert not eye.disagreements


def test_where_training_does_not_matter_nobody_is_asked(eye, table):
    table.tap("correct", set={"players": {"red": {"available": ["plain", "S"]}}})
    eye.put(("1:R1a", "red"))
    eye.look()
    assert table.state["players"]["red"]["available"] == ["S"]


def test_an_open_choice_stands_in_the_way_and_the_next_figure_is_held(eye, table):
    table.tap("correct", set={"levels": {"2": {"rooms": {"R1": "game-room"}}}})
    eye.follow()
    eye.put(("2:R1a", "red"), ("1:R1a", "blue"))
    eye.look()
    if table.state["pending"]:
        assert placed(table) == {"2:R1a": "red"}
        assert not eye.disagreements
        table.all_answered()
    assert placed(table) == {"2:R1a": "red", "1:R1a": "blue"}


def test_a_wrong_turn_disagrees_and_each_way_out_is_open(eye, table):
    eye.put(("1:R1a", "blue"))
    eye.look()
    (one,) = eye.disagreements
    assert (one["kind"], one["place"], one["seen"], one["clause"]) == ("turn", "1:R1a", "blue", "R2")
    assert one["options"] == ["moved", "right", "ignore"]
    with pytest.raises(Refusal):
        table.tap("resolve", RED, id=one["id"], option="right")
    with pytest.raises(Refusal):
        table.tap("resolve", BLUE, id=one["id"], option="perhaps")
    with pytest.raises(Refusal):
        table.tap("resolve", BLUE, id=99, option="moved")
    table.tap("resolve", BLUE, id=one["id"], option="right")
    assert placed(table) == {"1:R1a": "blue"}
    assert table.state["players"]["blue"]["resources"]["water"] == 1
    assert not eye.disagreements


def test_moved_closes_it_until_the_table_says_otherwise(eye, table):
    eye.put(("1:R1a", "blue"))
    eye.look()
    table.tap("resolve", BLUE, id=eye.disagreements[0]["id"], option="moved")
    assert not eye.disagreements
    eye.take("1:R1a")
    eye.put(("1:R1a", "red"))
    eye.look()
    assert placed(table) == {"1:R1a": "red"}


def test_ignored_differences_stay_ignored_until_they_are_gone(eye, table):
    eye.put(("1:R1a", "blue"))
    eye.look()
    table.tap("resolve", BLUE, id=eye.disagreements[0]["id"], option="ignore")
    assert not eye.disagreements
    table.again()
    eye.look()
    assert not eye.disagreements
    eye.take("1:R1a")
    eye.look()
    table.tap("correct", set={"players": {"red": {"happiness": 1}}})
    eye.put(("1:R1a", "blue"))
    eye.look()
    assert len(eye.disagreements) == 1


def test_a_figure_on_a_taken_space(eye):
    eye.put(("1:R1a", "red"))
    eye.look()
    eye.put(("1:R1a", "blue"))
    eye.look()
    (one,) = eye.disagreements
    assert (one["kind"], one["seen"], one["expected"], one["clause"]) == ("extra", "blue", "red", "P1")


def test_an_injured_figure_on_a_normal_space(eye, table):
    table.tap("correct", set={"players": {"red": {"available": ["plain", "injured"]}}})
    eye.put(("1:R1a", "red", "lying"))
    eye.look()
    (one,) = eye.disagreements
    assert (one["kind"], one["clause"]) == ("pose", "J2")
    table.tap("resolve", RED, id=one["id"], option="right")
    assert table.state["placed"]["1:R1a"]["dwellers"] == ["injured"]
    assert table.state["players"]["red"]["available"] == ["plain"]
    assert table.state["turn"] == "blue"
    assert not eye.disagreements


def test_a_placement_that_cannot_be_paid(eye, table):
    eye.put(("1:L3a", "red"))
    eye.look()
    (one,) = eye.disagreements
    assert (one["kind"], one["clause"]) == ("rule", "P2")
    table.tap("resolve", RED, id=one["id"], option="right")
    assert placed(table) == {"1:L3a": "red"}
    assert not eye.disagreements


def test_a_figure_that_is_gone(eye, table):
    eye.put(("1:R1a", "red"))
    eye.look()
    eye.take("1:R1a")
    eye.look()
    (one,) = eye.disagreements
    assert (one["kind"], one["seen"], one["expected"]) == ("missing", None, "red")
    table.tap("resolve", RED, id=one["id"], option="right")
    assert placed(table) == {}
    assert table.state["players"]["red"]["available"] == ["plain"] * 3


def test_a_figure_moved_elsewhere_is_not_played_twice(eye, table):
    table.tap("place", by="red", space="1:R1a")
    table.tap("pass", by="blue")
    eye.follow()
    eye.take("1:R1a")
    eye.put(("1:R2a", "red"))
    eye.look()
    assert placed(table) == {"1:R1a": "red"}
    assert {one["kind"] for one in eye.disagreements} == {"missing", "extra"}


def test_nothing_is_played_again_after_an_undo_until_the_table_changes(eye, table):
    eye.put(("1:R1a", "red"))
    eye.look()
    table.tap("undo")
    assert placed(table) == {}
    assert [one["kind"] for one in table.state["table"]["todo"]] == ["extra"]
    eye.look(ms=1)
    assert placed(table) == {}
    assert not eye.disagreements
    eye.look(dwellers=[], unsure=["1:R1a"])
    eye.look()
    assert placed(table) == {}, "a shadow is no change of the table"
    eye.take("1:R1a")
    eye.look()
    assert table.state["table"]["todo"] == []
    eye.put(("1:R1a", "red"))
    eye.look()
    assert placed(table) == {"1:R1a": "red"}


def test_or_somebody_confirms_it(eye, table):
    eye.put(("1:R1a", "red"))
    eye.look()
    table.tap("undo")
    table.ask(ButtonPressed(Button.BLUE))
    assert placed(table) == {}
    table.ask(ButtonPressed(Button.RED))
    assert placed(table) == {"1:R1a": "red"}


def test_what_a_phone_has_played_is_for_the_table_to_follow(eye, table):
    table.tap("place", by="red", space="1:R1a")
    assert not eye.disagreements
    assert [one["place"] for one in table.state["table"]["todo"]] == ["1:R1a"]
    eye.put(("1:R1a", "red"))
    eye.look()
    assert table.state["table"]["todo"] == []


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


def test_the_camera_goes_and_play_goes_on_by_phone(eye, table):
    table.ask(DeviceChanged("camera", "off", "Look at its cable."))
    table.tap("place", by="red", space="1:R1a")
    eye.follow()
    assert table.state["table"]["camera"] == "watching"
    assert not eye.disagreements


def test_a_linked_space_waits_for_its_second_figure(table):
    table.start(start={"threats": {"1:R1a": "deathclaw"}})
    eye = Eye(table)
    eye.look()
    eye.put(("1:R1a", "red"))
    eye.look()
    assert placed(table) == {}
    assert not eye.disagreements
    eye.put(("1:R1a", "red"))
    eye.look()
    assert placed(table) == {"1:R1a": "red"}


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


def test_a_figure_of_a_colour_that_does_not_play_cannot_be_right(eye, table):
    eye.put(("1:R1a", "green"))
    eye.look()
    [one] = eye.disagreements
    with pytest.raises(Refusal) as refused:
        table.tap("resolve", Speaker(host=True, name="host"), id=one["id"], option="right")
    assert refused.value.clause == "C1"
    table.tap("resolve", Speaker(host=True, name="host"), id=one["id"], option="ignore")
    assert not eye.disagreements


def test_a_camera_that_is_off_stays_off_while_people_play_on(eye, table):
    table.ask(DeviceChanged("camera", "failing", "The plug is out."))
    table.tap("place", by="red", space="1:R1a")
    table.all_answered()
    assert table.state["table"]["camera"] == "off"
    eye.follow()
    assert table.state["table"]["camera"] == "watching"
