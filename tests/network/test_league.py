"""Many tables at one broker, against a real Mosquitto."""

import json
import random
import threading
from datetime import datetime

import pytest

from companion.network import league as leagues
from companion.network.results import finished


def final_of(place):
    state = place.state
    return (place.name, state["id"]), {colour: one["happiness"] for colour, one in state["result"]["scores"].items()}


def names(picture, *, online=True):
    return [table["name"] for table in picture["tables"] if table["online"] == online]


def seen_of(name, picture):
    """As of which of its states a table is shown."""
    return next((one["state"]["seq"] for one in picture["tables"] if one["name"] == name and one["state"]), None)


def test_a_broker_killed_in_the_middle_of_eight_games_loses_no_final_score(mosquitto, place, league):
    broker = mosquitto()
    shown = league(broker.port)
    places = [place(broker.port, f"Table {number}") for number in range(1, 9)]
    half, down, up = threading.Barrier(9), threading.Barrier(9), threading.Event()
    away = threading.Semaphore(0)

    def play(number, at):
        rng = random.Random(number)
        at.table.start(players=["red", "blue", "green"], levels=["red", "blue", "green"])
        at.play(rng, lambda state: state["round"] == 2)
        half.wait()
        down.wait()
        if number % 2:
            at.play_to_the_end(rng)
            away.release()
        up.wait()
        if not number % 2:
            at.play_to_the_end(rng)

    playing = [threading.Thread(target=play, args=one) for one in enumerate(places)]
    for one in playing:
        one.start()
    half.wait()
    broker.kill()
    down.wait()
    shown.until(lambda picture: not picture["broker"]["online"])
    for _ in playing[1::2]:
        away.acquire()
    up.set()
    broker.start()
    for one in playing:
        one.join()
    wanted = dict(final_of(one) for one in places)
    assert shown.finals(8) == wanted
    shown.until(lambda picture: len(names(picture)) == 8)
    assert league(broker.port).finals(8) == wanted, "a league that is started again knows what it knew"
    standings = shown.picture["standings"]
    assert sum(one["games"] for one in standings) == 24
    assert [one["rank"] for one in standings] == sorted(one["rank"] for one in standings)


def test_a_table_that_is_started_again_tells_of_the_games_before(mosquitto, place, league, rng):
    broker = mosquitto()
    first = place(broker.port)
    first.table.start()
    first.play_to_the_end(rng)
    wanted = dict([final_of(first)])
    assert league(broker.port).finals(1) == wanted
    first.publisher.close()
    first.table.start()
    broker.kill()
    broker.start()  # without a memory
    again = place(broker.port, past=lambda: finished(first.table.folder))
    assert league(broker.port).finals(1) == wanted
    assert again.state["id"] is None


def test_tables_appear_and_vanish(mosquitto, listening, place, league):
    broker = mosquitto()
    shown = league(broker.port)
    for name in ("Table 10", "Table 9"):
        place(broker.port, name).connected()
    shown.until(lambda picture: names(picture) == ["Table 9", "Table 10"])
    gone = place(broker.port, "Table 1")
    shown.until(lambda picture: names(picture) == ["Table 1", "Table 9", "Table 10"])
    gone.publisher.close()
    shown.until(lambda picture: names(picture, online=False) == ["Table 1"])
    ear = listening(broker.port)
    for what in ("state", "results", "availability"):
        ear.say(f"companion/Table 1/{what}", b"", retain=True)
    shown.until(lambda picture: names(picture, online=False) == [])


def test_what_is_shown_of_a_table_that_died_with_its_broker_is_not_believed(mosquitto, place, league):
    broker = mosquitto()
    shown, table = league(broker.port), place(broker.port)
    shown.until(lambda picture: names(picture) == ["Table 1"])
    broker.kill()
    table.publisher.close()
    shown.until(lambda picture: not picture["broker"]["online"])
    broker.start()
    shown.until(lambda picture: picture["broker"]["online"] and names(picture) == [])


GARBAGE = {
    "companion/Rubbish/state": b"\xff\x00",
    "companion/Deep/state": b"[" * 100_000,
    "companion/Large/state": b" " * 1_000_000,
    "companion/List/state": b"[]",
    "companion/Colours/state": b'{"players": {"pink": {}}}',
    "companion/Number/results": b'[{"players": {"red": {"name": "x", "happiness": 1e999}}}]',
    "companion/Many/results": b"[" + b"1," * 99 + b"1]",
    "companion/Time/results": b'[{"game": "x", "ended": "soon", "players": {}}]',
    "companion/There/availability": b"perhaps",
    "companion/%2f%00/state": b"{}",
    "companion/" + "x" * 5000 + "/state": b"{}",
}


def test_garbage_and_oversized_messages_are_survived_and_said_once(mosquitto, listening, place, league):
    broker = mosquitto()
    ear = listening(broker.port, "companion/none")
    for topic, payload in GARBAGE.items():
        ear.say(topic, payload, retain=True)
    shown = league(broker.port)
    for topic, payload in GARBAGE.items():
        ear.say(topic, payload)
        shown.said.until(topic[:100])
    place(broker.port, "Honest").connected()
    shown.until(lambda picture: names(picture) == ["Honest"])
    assert len(shown.said.lines) == len(set(shown.said.lines)) == len(GARBAGE)
    assert len(shown.picture["faults"]) == 5
    assert len(shown.picture["tables"]) == 1


def test_a_topic_that_makes_sense_again_is_believed(mosquitto, listening, place, league):
    broker = mosquitto()
    shown, table, ear = league(broker.port), place(broker.port), listening(broker.port, "companion/none")
    table.connected()
    # A state of the table's own that came behind the rubbish would hide it: it has to have told everything before.
    shown.until(lambda picture: seen_of("Table 1", picture) == table.snapshots.latest.seq)
    ear.say("companion/Table 1/state", b"rubbish", retain=True)
    shown.until(lambda picture: picture["faults"])
    table.table.start()
    shown.until(lambda picture: not picture["faults"] and picture["tables"][0]["state"]["players"])


def test_endless_tables_end_somewhere(mosquitto, listening, league, monkeypatch):
    monkeypatch.setattr(leagues, "MOST_TABLES", 3)
    monkeypatch.setattr(leagues, "MOST_COMPLAINTS", 4)
    broker = mosquitto()
    shown, ear = league(broker.port), listening(broker.port, "companion/none")
    ear.say("companion/0/availability", "online", retain=True)
    shown.until(lambda picture: names(picture) == ["0"])
    for number in range(12):
        ear.say(f"companion/{number}/availability", "online")
    ear.say("companion/0/availability", "offline")
    shown.until(lambda picture: "0" not in names(picture) and len(picture["tables"]) == 2)
    assert len(shown.said.lines) == 5
    assert "no more of them are named" in shown.said.lines[-1]


def test_a_wrong_address_is_said_once(league):
    shown = league(1)
    first = shown.until(lambda picture: "no broker" in picture["broker"]["hint"])
    shown.until(lambda picture: picture["seq"] > first["seq"] + 3)
    assert len(shown.said.lines) == 1


def result(table, ended, **players):
    scored = {
        colour: {"name": name, "won": won, "happiness": happy, "cubes": 1, "dwellers": 2, "items": 0}
        for colour, (name, won, happy) in players.items()
    }
    return {"game": f"{table} {ended}", "ended": ended, "rounds": 9, "decided_by": "happiness", "players": scored}


def test_an_evening_begins_at_five_and_another_may_be_asked_for(mosquitto, listening, league):
    broker = mosquitto()
    ear = listening(broker.port, "companion/none")
    told = [
        result("1", "2026-11-18T04:30:00+00:00", red=("Anna", True, 9)),
        result("1", "2026-11-18T19:00:00+00:00", red=("Anna", True, 8), blue=("Jan", False, 3)),
        result("1", "2026-11-19T01:00:00", red=("Red", False, 8), blue=("anna", True, 9)),
    ]
    ear.say("companion/1/results", json.dumps(told), retain=True)
    now = [datetime.fromisoformat("2026-11-19T02:00:00+00:00")]
    shown = league(broker.port, clock=lambda: now[-1])
    picture = shown.until(lambda picture: picture["results"])
    assert (len(picture["results"]), picture["earlier"]) == (2, 1)
    assert [(one["name"], one["games"], one["wins"], one["happiness"]) for one in picture["standings"]] == [
        ("Anna", 2, 2, 17),
        ("", 1, 0, 8),
        ("Jan", 1, 0, 3),
    ]
    since = datetime.fromisoformat("2026-11-01T00:00:00+00:00")
    whole = league(broker.port, since=since).until(lambda picture: picture["results"])
    assert (len(whole["results"]), whole["earlier"]) == (3, 0)
    now.append(datetime.fromisoformat("2026-11-19T05:00:00+00:00"))
    ear.say("companion/2/availability", "online", retain=True)
    assert shown.until(lambda picture: not picture["results"])["earlier"] == 3


@pytest.mark.parametrize("wrong", [{"seq": "x"}, {"phase": 1}, {"turn": "pink"}, {"players": []}, {"table": None}])
def test_a_state_of_another_shape_is_refused(mosquitto, listening, place, league, wrong):
    broker = mosquitto()
    shown, table, ear = league(broker.port), place(broker.port), listening(broker.port, "companion/none")
    table.table.start()
    ear.say("companion/Other/state", json.dumps({**table.state, **wrong}), retain=True)
    shown.said.until("companion/Other/state")
