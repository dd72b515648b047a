"""What hands owe the table: listed in the state of every game, ticked off by a camera, a tap, or by itself."""

import pytest
from at_the_table import BLUE, RED, Eye
from bots_at_the_table import events

from companion.refusal import Refusal
from companion.table.session.events import HandsAsked, SeatLeft, SeatReturned
from companion.table.session.intents import (
    ChangeSettings,
    DeviceChanged,
    Freeze,
    GoAway,
    HandsDone,
    Propose,
    SeatBot,
    Speaker,
)

PLACED = {"do": "place", "by": "red", "space": "1:R2a", "dwellers": ["plain"]}
SPAWNING = {"round": 2, "phase": "spawn"}


def owed(table):
    """What is left to do, but for the cards of the tracks that were dealt at the start."""
    tasks = [(one["do"], one["what"], one["place"], one["by"]) for one in table.state["hands"]]
    return [task for task in tasks if not task[2].startswith(("items:", "rooms:"))]


def do_all(table):
    table.ask(HandsDone(tuple(one["place"] for one in table.state["hands"])))
    assert table.state["hands"] == []


def test_a_new_game_owes_the_cards_that_were_dealt(table):
    table.start()
    tracks = table.state["tracks"]
    dealt = [f"{name}:{at}" for name in ("items", "rooms") for at in range(len(tracks[name]))]
    assert [one["place"] for one in table.state["hands"]] == dealt
    assert table.state["hands"][0] == {
        "do": "lay", "kind": "item", "what": tracks["items"][0], "place": "items:0", "by": None
    }  # fmt: skip
    assert {one["kind"] for one in table.state["hands"]} == {"item", "room"}


def test_threats_are_to_be_laid_where_they_spawned_until_somebody_says_so(table):
    table.start(start=SPAWNING)
    table.tap("spawn", dice=[[4, 5], [3, 5], [1, 1]])
    spawned = {one["space"]: one["threat"] for one in table.state["spawned"] if one["space"]}
    assert spawned
    assert {(what, place) for do, what, place, _ in owed(table) if do == "lay"} == {
        (threat, space) for space, threat in spawned.items()
    }
    assert {one["kind"] for one in table.state["hands"] if one["place"] in spawned} == {"threat"}
    space = next(iter(spawned))
    table.ask(HandsDone((space,), RED))
    assert space not in {place for _, _, place, _ in owed(table)}


def test_what_was_laid_and_taken_back_is_to_be_taken_off(table):
    table.start(start=SPAWNING)
    table.tap("spawn", dice=[[4, 5], [1, 1], [1, 1]])
    (_, what, place, by), *_ = owed(table)
    table.ask(HandsDone((place,)))
    table.tap("undo")
    assert owed(table) == [("take", what, place, by)]
    table.tap("redo")
    assert ("take", what, place, by) not in owed(table)


def test_what_was_never_laid_vanishes_when_it_is_taken_back(table):
    table.start(start=SPAWNING)
    table.tap("spawn")
    table.tap("undo")
    assert owed(table) == []


def test_whoever_sits_at_the_table_moves_their_own_figure(table):
    table.start()
    table.tap(**PLACED)
    assert owed(table) == []


def test_a_dweller_stands_on_a_card_that_lies_there(table):
    table.start()
    table.tap("correct", set={"threats": {"1:R2a": "raider"}})
    assert owed(table) == [("lay", "raider", "1:R2a", None)]
    table.tap("place", by="red", space="1:R2a")
    assert owed(table) == []


# --- a seat that is not at the table ----------------------------------------------------------------------------------


def test_a_seat_that_is_not_at_the_table_has_its_figures_moved_by_others(table):
    table.start()
    table.ask(GoAway("red", True, RED))
    assert table.state["table"]["away"] == ["red"]
    assert events(table, SeatLeft) == [SeatLeft("red")]
    table.tap(**PLACED)
    assert owed(table) == [("move", "plain", "1:R2a", "red")]
    assert events(table, HandsAsked)[0].by == "red"
    table.ask(HandsDone(("1:R2a",), BLUE))
    assert owed(table) == []
    table.tap("undo")
    assert owed(table) == [("take", "plain", "1:R2a", "red")]
    table.ask(GoAway("red", False, RED))
    assert table.state["table"]["away"] == []
    assert events(table, SeatReturned) == [SeatReturned("red")]


def test_nobody_sends_another_seat_away(table):
    table.start()
    with pytest.raises(Refusal, match="seat itself"):
        table.ask(GoAway("red", True, BLUE))
    with pytest.raises(Refusal, match="not playing"):
        table.ask(GoAway("green", True))


def test_the_recall_sends_their_figures_home(table):
    table.start()
    table.ask(GoAway("red", True))
    table.tap(**PLACED)
    table.ask(HandsDone(("1:R2a",)))
    table.tap("pass", by="blue")
    table.tap("pass", by="red")
    table.tap("recall")
    table.all_answered()
    assert owed(table) == [("take", "plain", "1:R2a", "red")]


def test_ticks_and_who_is_away_are_remembered(table):
    table.start(start=SPAWNING)
    table.tap("spawn", dice=[[4, 5], [3, 5], [1, 1]])
    table.ask(HandsDone((owed(table)[0][2],)))
    table.ask(GoAway("blue", True))
    left = table.state["hands"]
    table.again()
    assert table.state["hands"] == left
    assert table.state["table"]["away"] == ["blue"]


def test_a_game_of_an_older_version_owes_what_happens_from_now_on(table):
    table.start(start=SPAWNING)
    table.close()
    (table.folder / "hands.json").unlink()
    table.open()
    assert table.state["hands"] == []
    table.tap("spawn", dice=[[4, 5], [3, 5], [1, 1]])
    left = table.state["hands"]
    assert left
    table.again()
    assert table.state["hands"] == left


@pytest.mark.parametrize("damage", [b"", b"{", b'{"game": "game-1"}', b'{"game": "game-1", "cards": [1]}', b"\xff"])
def test_a_damaged_list_costs_ticks_and_nothing_else(table, damage):
    table.start(start=SPAWNING)
    table.tap("spawn")
    table.close()
    (table.folder / "hands.json").write_bytes(damage)
    table.open()
    assert table.state["hands"] == []
    assert table.state["round"] == 2


# --- bots -------------------------------------------------------------------------------------------------------------


def test_without_a_camera_a_bot_says_what_to_move_and_waits(table):
    table.start(bots={"red": "fair"})
    table.ask(Propose(PLACED, {"why": "resources", "gain": {"food": 2}}))
    assert table.state["placed"] == {}
    assert owed(table) == [("move", "plain", "1:R2a", "red")]
    table.ask(HandsDone(("1:R2a",), BLUE))
    assert table.state["placed"]["1:R2a"]["by"] == "red"
    assert table.state["suggestion"] is None
    assert owed(table) == []


def test_a_switch_makes_bots_play_at_once_and_hands_follow(table):
    table.start(bots={"red": "fair"})
    table.ask(ChangeSettings(bots_wait=False))
    table.ask(Propose(PLACED))
    assert table.state["placed"]["1:R2a"]["by"] == "red"
    assert owed(table) == [("move", "plain", "1:R2a", "red")]


def test_where_nobody_is_at_the_table_bots_wait_for_nobody(table):
    table.start(bots={"red": "fair"})
    table.ask(GoAway("blue", True, BLUE))
    table.ask(Propose(PLACED))
    assert table.state["placed"]["1:R2a"]["by"] == "red"


def test_a_person_takes_back_their_own_move_though_a_bot_has_moved_since(table):
    table.start(bots={"blue": "fair"})
    table.tap(**PLACED, speaker=RED)
    table.ask(Propose({"do": "place", "by": "blue", "space": "1:R3a"}))
    table.ask(HandsDone(("1:R3a",), RED))
    table.tap("undo", RED)
    assert table.state["placed"] == {}
    assert owed(table) == [("take", "plain", "1:R3a", "blue")]


def test_a_figure_that_stood_there_before_a_bot_took_the_seat_is_not_asked_for(table):
    table.start()
    table.tap(**PLACED)
    table.ask(SeatBot("red", "fair"))
    assert owed(table) == []


# --- with a camera ----------------------------------------------------------------------------------------------------


def test_the_camera_ticks_off_what_it_sees(table):
    table.start(start=SPAWNING)
    eye = Eye(table)
    eye.look()
    table.tap("spawn", dice=[[4, 5], [3, 5], [1, 1]])
    spawned = {one["space"] for one in table.state["spawned"] if one["space"]}
    assert {place for _, _, place, _ in owed(table)} >= spawned
    eye.follow()
    assert table.state["hands"] == []


def test_what_was_tapped_while_a_camera_looks_is_moved_by_hand(table):
    table.start()
    eye = Eye(table)
    eye.look()
    table.tap(**PLACED)
    assert owed(table) == [("move", "plain", "1:R2a", "red")]
    eye.follow()
    assert owed(table) == []
    table.tap("undo")
    assert owed(table) == [("take", "plain", "1:R2a", "red")]
    eye.follow()
    assert owed(table) == []


def test_where_the_camera_is_not_sure_a_task_stays_open(table):
    table.start()
    eye = Eye(table)
    eye.look()
    table.tap(**PLACED)
    eye.look(unsure=["1:R2a"])
    assert owed(table) == [("move", "plain", "1:R2a", "red")]


def test_somebodys_word_counts_where_the_camera_sees_nothing(table):
    table.start()
    eye = Eye(table)
    eye.look()
    table.tap(**PLACED)
    table.ask(HandsDone(("1:R2a",), RED))
    assert owed(table) == []
    eye.look()
    assert owed(table) == []
    assert eye.disagreements == []


def test_when_the_camera_goes_the_list_goes_on_where_it_was(table):
    table.start(start=SPAWNING)
    eye = Eye(table)
    eye.look()
    table.tap("spawn", dice=[[4, 5], [3, 5], [1, 1]])
    left = owed(table)
    table.ask(DeviceChanged("camera", "failing", "The plug is out."))
    assert owed(table) == left


# --- who may say so ---------------------------------------------------------------------------------------------------


def test_only_what_is_owed_can_be_done_and_only_by_a_seat(table):
    table.start()
    with pytest.raises(Refusal, match="Nothing is left"):
        table.ask(HandsDone(("1:R2a",)))
    with pytest.raises(Refusal, match="take a seat"):
        table.ask(HandsDone(("items:0",), Speaker()))
    do_all(table)


def test_a_game_that_is_put_away_owes_nothing(table):
    table.start()
    table.ask(Freeze())
    assert table.state["hands"] == []


def test_cards_of_real_decks_are_drawn_by_hand_and_known_once_they_are_named(table):
    table.start(cards="table", start=SPAWNING)
    do_all(table)
    table.tap("spawn", dice=[[4, 5], [1, 1], [1, 1]])
    (do, what, place, _), *_ = owed(table)
    assert (do, what) == ("lay", "unknown")
    choice = next(one for one in table.state["pending"] if "raider" in one["options"])
    table.tap("choose", id=choice["id"], option="raider")
    assert owed(table) == []
    assert table.state["threats"][place] == "raider"
