"""The session: one thread that owns the game, and what is asked of it."""

import threading

import pytest
from at_the_table import SETUP

from companion.games.shelter.events import DwellersPlaced
from companion.refusal import Refusal
from companion.table.record.open_game import replay
from companion.table.record.verify import inspect
from companion.table.session.intents import ChooseGame, Freeze, Look, Speaker, StartGame, Tap, Thaw

RED = Speaker(frozenset({"red"}), name="red")


def rebuilt(table):
    found = inspect(table.folder)
    assert not found.damage
    return replay(found.games[found.current])


def test_before_the_first_game_there_is_a_state(table):
    assert (table.state["phase"], table.state["version"], table.state["id"]) == ("none", 0, None)
    with pytest.raises(Refusal, match="No game"):
        table.tap("spawn")


def test_a_move_is_recorded_before_it_is_answered(table):
    table.start()
    answer = table.tap("place", by="red", space="1:R1a")
    assert answer.version == table.state["version"] == 1
    assert isinstance(answer.events[0], DwellersPlaced)
    assert rebuilt(table).open_game.state()["placed"] == table.state["placed"] != {}


def test_an_intent_that_changes_nothing_is_not_answered_with_the_events_of_the_last_one(table):
    table.start()
    assert table.tap("place", by="red", space="1:R1a").events
    answer = table.ask(Look())
    assert (answer.version, answer.events) == (1, ())


def test_the_same_game_after_the_plug_was_pulled(table):
    table.start(names={"red": "Ann"})
    table.tap("place", by="red", space="1:R1a")
    before = table.state
    table.again()
    after = table.state
    assert after["seq"] > before["seq"]
    assert {**after, "seq": 0} == {**before, "seq": 0, "devices": after["devices"]}
    assert after["players"]["red"]["name"] == "Ann"


def test_a_name_is_corrected_and_kept(table):
    table.start(names={"red": "Ann"})
    table.tap("correct", RED, set={"players": {"red": {"name": "Zoë"}}})
    table.again()
    assert table.state["players"]["red"]["name"] == "Zoë"
    with pytest.raises(Refusal) as refused:
        table.tap("correct", RED, set={"players": {"red": {"name": "A" * 61}}})
    assert (refused.value.code, refused.value.fields["field"]) == ("malformed", "players.red.name")
    table.tap("correct", RED, set={"players": {"red": {"name": None}}})
    assert table.state["players"]["red"]["name"] == "Red"
    table.tap("undo", to=0)
    assert table.state["players"]["red"]["name"] == "Ann"


def test_undo_and_redo_are_entries(table):
    table.start()
    table.tap("place", by="red", space="1:R1a")
    placed = table.state["placed"]
    assert table.tap("undo").version == 2
    assert table.state["placed"] == {}
    assert table.tap("redo").version == 3
    assert table.state["placed"] == placed
    assert table.tap("undo", to=0).version == 4
    table.again()
    assert table.state["placed"] == {}
    assert table.state["version"] == 4
    with pytest.raises(Refusal, match="no version 99"):
        table.tap("undo", to=99)


def test_undo_goes_behind_what_changed_nothing(table):
    table.start()
    table.tap("place", by="red", space="1:R1a")
    table.ask(Freeze())
    table.ask(Thaw())
    table.tap("undo")
    assert table.state["placed"] == {}


def test_a_roll_made_again_after_an_undo_and_a_restart_falls_the_same(table):
    table.start(start={"round": 2, "phase": "spawn"})
    table.tap("spawn")
    first = table.state["spawned"]
    table.tap("undo")
    table.again()
    table.tap("spawn")
    assert table.state["spawned"] == first
    assert rebuilt(table).open_game.state()["spawned"] == first


def test_a_version_that_has_passed_is_refused(table):
    table.start()
    with pytest.raises(Refusal) as refused:
        table.ask(Tap({"do": "pass", "by": "red"}, if_version=7))
    assert refused.value.code == "version_mismatch"
    with pytest.raises(Refusal, match="version 0, not 3"):
        table.tap("pass", by="red", if_version=3)
    table.tap("pass", by="red", if_version=0)


def test_a_seat_speaks_for_itself(table):
    table.start()
    with pytest.raises(Refusal) as refused:
        table.tap("place", RED, by="blue", space="1:R1a")
    assert refused.value.code == "not_yours"
    with pytest.raises(Refusal, match="Only the host"):
        table.ask(StartGame(SETUP, speaker=RED))
    with pytest.raises(Refusal):
        table.tap("spawn", Speaker())
    table.tap("place", RED, space="1:R1a")
    assert table.state["placed"]["1:R1a"]["by"] == "red"
    table.tap("correct", RED, set={"players": {"red": {"happiness": 4}}})
    with pytest.raises(Refusal):
        table.tap("correct", RED, set={"players": {"blue": {"happiness": 4}}})


def test_a_refusal_changes_nothing_and_publishes_nothing(table):
    table.start()
    before = table.session.snapshots.latest
    with pytest.raises(Refusal) as refused:
        table.tap("place", by="blue", space="1:R1a")
    assert refused.value.clause == "R2"
    with pytest.raises(Refusal):
        table.ask(Tap("nonsense"))
    table.ask(Look())
    assert table.session.snapshots.latest is before


def test_two_taps_at_once_lose_no_move(table):
    table.start()
    taps = [Tap({"do": "correct", "set": {"players": {"red": {"happiness": n}}}}) for n in range(1, 21)]
    threads = [threading.Thread(target=table.ask, args=(tap,)) for tap in taps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert table.state["version"] == 20
    assert rebuilt(table).open_game.version == 20


def test_several_games_one_current(table):
    table.start()
    table.tap("pass", by="red")
    table.start()
    assert table.state["id"] == "game-2"
    table.ask(ChooseGame("game-1"))
    assert (table.state["id"], table.state["version"]) == ("game-1", 2)
    table.again()
    assert table.state["id"] == "game-1"
    with pytest.raises(Refusal):
        table.ask(ChooseGame("game-9"))


def test_a_frozen_game_waits(table):
    table.start()
    table.tap("place", by="red", space="1:R1a")
    table.ask(Freeze("photo.jpg"))
    assert table.state["phase"] == "frozen"
    with pytest.raises(Refusal, match="frozen"):
        table.tap("pass", by="blue")
    table.again()
    assert table.state["phase"] == "frozen"
    lies = rebuilt(table).open_game.frozen
    assert lies["photo"] == "photo.jpg"
    assert {"place": "1:R1a", "piece": "red plain"} in lies["pieces"]
    table.ask(Thaw())
    assert table.state["phase"] == "place"
