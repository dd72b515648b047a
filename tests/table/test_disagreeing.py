"""Where the table shows what no rule explains, and the three ways out."""

import pytest
from at_the_table import BLUE, RED, placed

from companion.games.api import Button
from companion.refusal import Refusal
from companion.table.session.intents import ButtonPressed, Speaker


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


@pytest.mark.parametrize("number", ["1", None, True, 1.0, [1]])
def test_an_id_that_is_no_number_is_malformed(eye, table, number):
    eye.put(("1:R1a", "blue"))
    eye.look()
    with pytest.raises(Refusal) as refused:
        table.tap("resolve", id=number, option="right")
    assert (refused.value.code, refused.value.fields) == ("malformed", {"field": "id"})
    assert len(eye.disagreements) == 1


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


def test_a_figure_of_a_colour_that_does_not_play_cannot_be_right(eye, table):
    eye.put(("1:R1a", "green"))
    eye.look()
    [one] = eye.disagreements
    with pytest.raises(Refusal) as refused:
        table.tap("resolve", Speaker(host=True, name="host"), id=one["id"], option="right")
    assert refused.value.clause == "C1"
    table.tap("resolve", Speaker(host=True, name="host"), id=one["id"], option="ignore")
    assert not eye.disagreements
