"""From what the camera sees to what the game does, through the session."""

import pytest
from at_the_table import BLUE, RED, Eye, placed

from companion.refusal import Refusal
from companion.table.session.intents import DeviceChanged
from companion.table.session.settings import Settings


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


def test_a_doubt_about_a_pose_is_settled_by_what_is_possible(eye, table):
    eye.look(unsure=["1:R1a"], unposed={"1:R1a": "red"})
    assert placed(table) == {"1:R1a": "red"}
    eye.look(unsure=["1:R1a"], unposed={"1:R1a": "red"})
    assert not eye.disagreements
    table.tap("undo", RED)
    eye.look(unsure=["1:R1a"], unposed={"1:R1a": "red"})
    assert placed(table) == {}, "somebody has taken it back: the same figure is not placed again"


def test_a_table_that_has_not_rested_is_not_read(make_table):
    table = make_table(settings=Settings(rest=2.0))
    table.start()
    eye = Eye(table)
    eye.look()
    eye.put(("1:R1a", "red"))
    eye.look(rest=0.3)
    assert placed(table) == {}
    eye.look(rest=0.3)
    assert placed(table) == {"1:R1a": "red"}, "certain after a third of the rest"


@pytest.mark.parametrize(
    "doubt",
    [{"unsure": ["2:R2a"]}, {"unposed": {"2:R2a": "blue"}, "unsure": ["2:R2a"]}],
    ids=["unsure", "without a pose"],
)
def test_what_is_in_doubt_waits_for_the_whole_rest(make_table, doubt):
    table = make_table(settings=Settings(rest=3.0))
    table.start()
    eye = Eye(table)
    eye.look()
    eye.put(("1:R1a", "red"))
    eye.look(rest=0.9, **doubt)
    eye.look(rest=0.9, **doubt)
    assert placed(table) == {}
    eye.look(rest=0.9, **doubt)
    assert placed(table) == {"1:R1a": "red"}


def test_what_moves_do_not_explain_waits_for_the_whole_rest(make_table):
    table = make_table(settings=Settings(rest=3.0))
    table.start()
    eye = Eye(table)
    eye.look()
    eye.put(("1:R1a", "blue"))
    eye.look(rest=0.9)
    eye.look(rest=0.9)
    assert not eye.disagreements, "a hand may not be done yet"
    eye.look(rest=0.9)
    assert eye.disagreements


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


def test_an_answer_without_a_number_is_to_what_its_player_is_asked_not_to_what_anybody_is(eye, table):
    start = {"round": 2, "phase": "spawn", "players": {"red": {"available": ["plain", "S"]}}}
    table.start(cards="table", start=start)
    eye.look()
    table.tap("spawn", dice=[[4, 5], [3, 4], [3, 4]])
    eye.put(("1:R3a", "red"))
    eye.look()
    assert {choice["kind"]: choice["by"] for choice in table.state["pending"]} == {"drawn": None, "placement": "red"}
    table.tap("choose", RED, by="red", option="S")
    assert table.state["players"]["red"]["available"] == ["plain"]


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


def test_a_camera_that_is_off_stays_off_while_people_play_on(eye, table):
    table.ask(DeviceChanged("camera", "failing", "The plug is out."))
    table.tap("place", by="red", space="1:R1a")
    table.all_answered()
    assert table.state["table"]["camera"] == "off"
    eye.follow()
    assert table.state["table"]["camera"] == "watching"
