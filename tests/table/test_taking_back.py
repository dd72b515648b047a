"""Undo and redo: a seat takes back its own last move alone, the host anything."""

import pytest

from companion.refusal import Refusal
from companion.table.session.intents import EditCards, SeatBot, Speaker

RED, BLUE = Speaker(frozenset({"red"}), name="red"), Speaker(frozenset({"blue"}), name="blue")
BOTH = Speaker(frozenset({"red", "blue"}), name="blue+red")


def refused(table, speaker, do="undo", **move):
    with pytest.raises(Refusal) as told:
        table.tap(do, speaker, **move)
    return told.value


def place(table, speaker, space, by):
    table.tap("place", speaker, by=by, space=space)


def test_a_seat_takes_back_its_own_last_move(table):
    table.start()
    place(table, RED, "1:R1a", "red")
    told = refused(table, BLUE)
    assert (told.code, told.fields) == ("not_your_move", {"by": "red"})
    assert table.state["placed"].keys() == {"1:R1a"}
    table.tap("undo", RED)
    assert table.state["placed"] == {}
    assert refused(table, BLUE, "redo").code == "not_your_move"
    table.tap("redo", RED)
    assert table.state["placed"].keys() == {"1:R1a"}


def test_not_behind_another_s_move_and_not_further_back(table):
    table.start()
    place(table, RED, "1:R1a", "red")
    place(table, BLUE, "1:R2a", "blue")
    assert refused(table, RED).fields["by"] == "blue"
    assert refused(table, RED, to=0).code == "not_your_move"
    assert refused(table, BLUE, to=0).code == "not_your_move"
    table.tap("undo", BLUE, to=1)
    assert table.state["placed"].keys() == {"1:R1a"}
    assert refused(table, RED, to=2).fields["by"] is None
    table.tap("undo", RED)
    assert refused(table, RED).code == "nothing_to_undo"
    assert refused(table, RED, to=99).code == "no_such_version"


def test_a_phone_with_two_seats_takes_back_for_both_one_by_one(table):
    table.start()
    place(table, BOTH, "1:R1a", "red")
    place(table, BOTH, "1:R2a", "blue")
    assert refused(table, BOTH, to=0).code == "not_your_move"
    table.tap("undo", BOTH)
    table.tap("undo", BOTH)
    assert table.state["placed"] == {}


def test_an_answer_is_taken_back_by_whoever_gave_it(table):
    table.start(start={"players": {"red": {"resources": {"water": 2, "food": 2, "energy": 2}}}})
    place(table, RED, "1:L3b", "red")
    choice = table.state["pending"][0]
    table.tap("choose", RED, id=choice["id"], option=choice["options"][0])
    assert refused(table, BLUE).code == "not_your_move"
    table.tap("undo", RED)
    assert table.state["pending"][0]["id"] == choice["id"]


def test_the_threats_are_nobody_s_and_corrected_cards_are_the_host_s(table):
    table.start()
    table.ask(EditCards("standard"))
    assert refused(table, RED).code == "not_your_move"
    table.tap("undo")
    table.tap("correct", set={"phase": "spawn"})
    table.tap("spawn", RED)
    assert refused(table, RED).fields["by"] is None
    table.tap("undo")
    assert table.state["phase"] == "spawn"


def test_the_host_takes_back_anything(table):
    table.start()
    place(table, RED, "1:R1a", "red")
    place(table, BLUE, "1:R2a", "blue")
    table.tap("undo", to=0)
    assert table.state["placed"] == {}
    assert refused(table, BLUE, "redo").code == "not_your_move"
    table.tap("redo")
    assert len(table.state["placed"]) == 2


def test_what_bots_answered_at_once_does_not_stand_in_the_way(table):
    table.start()
    place(table, RED, "1:R1a", "red")
    table.ask(SeatBot("blue", "easy"))
    table.tap("place", Speaker(host=True, name="bot"), by="blue", space="1:R2a")
    table.tap("undo", RED)
    assert table.state["placed"] == {}


def test_a_correction_that_changes_nothing_is_accepted_and_no_entry(table):
    table.start()
    table.tap("place", by="red", space="1:R1a")
    before = table.state
    red = before["players"]["red"]
    for change in (
        {}, {"round": before["round"]}, {"players": {"red": {"resources": red["resources"]}}},
        {"placed": before["placed"]}, {"players": {"red": {"available": red["available"]}}}, {"turn": before["turn"]},
    ):  # fmt: skip
        answer = table.tap("correct", set=change)
        assert answer.as_json() == {"version": 1, "events": []}
    assert table.state == before
    assert len(table.record.entries("game-1")) == 2
    table.tap("undo")
    table.tap("correct", set={"round": before["round"]})
    table.tap("redo")
    assert table.state["placed"] == before["placed"]
    table.tap("correct", set={"players": {"red": {"name": "Ada"}}})
    assert table.state["players"]["red"]["name"] == "Ada"
    table.tap("correct", set={"players": {"red": {"happiness": 3}}})
    assert table.state["version"] == 5
