"""What comes out of the session: snapshots for readers, lamps and voice, and what becomes of these."""

import threading

import pytest
from at_the_table import WAIT, reading_of

from companion.games.shelter.events import TurnPassed
from companion.refusal import Refusal
from companion.table.ports import DeviceError
from companion.table.record.verify import inspect
from companion.table.session.events import GameStarted
from companion.table.session.intents import DeviceChanged, Look, TableSeen
from companion.table.session.snapshots import REMEMBERED
from companion.table.sight.reading import Reading


def test_every_reader_gets_a_newer_version(table):
    table.start()
    seen = [[] for _ in range(4)]
    goal = 15

    def read(into):
        seq = 0
        while True:
            for snapshot in table.session.snapshots.all_newer_than(seq, WAIT):
                seq = snapshot.seq
                into.append(snapshot.version)
                if snapshot.version == goal:
                    return

    threads = [threading.Thread(target=read, args=(into,)) for into in seen]
    for thread in threads:
        thread.start()
    for number in range(goal):
        table.tap("correct", set={"players": {"red": {"happiness": number + 1}}})
    for thread in threads:
        thread.join()
    assert all(into[-goal:] == list(range(1, goal + 1)) for into in seen)


def test_a_reader_that_was_late_gets_the_latest(table):
    table.start()
    first = table.session.snapshots.latest
    assert table.session.snapshots.newer_than(first.seq, 0) is None
    table.tap("pass", by="red")
    assert table.session.snapshots.newer_than(first.seq, WAIT).version == 1
    assert table.session.snapshots.newer_than(0) is table.session.snapshots.latest


def test_lamps_and_voice_hear_of_what_is_on_the_disk(make_table):
    heard = []

    class Lamps:
        def show(self, snapshot):
            found = inspect(table.folder)
            recorded = len(found.order) - 1 if found.order else 0
            heard.append((snapshot.version, recorded))

    table = make_table(lamps=None)
    table.session._lamps = Lamps()
    table.start()
    table.tap("pass", by="red")
    assert heard == [(0, 0), (1, 1)]


def test_a_lamp_that_fails_is_a_state_and_play_goes_on(make_table):
    class Broken:
        def show(self, _):
            raise DeviceError("The lamps do not answer; look at their cable.")

    table = make_table(lamps=Broken())
    table.start()
    table.tap("pass", by="red")
    assert table.ask(Look()).version == 1
    assert table.state["devices"]["lamps"]["state"] == "failing"


def test_a_device_that_goes_and_comes_back(table):
    table.start()
    table.ask(DeviceChanged("panel", "ok"))
    assert table.state["panel"] == "ok"
    answer = table.ask(DeviceChanged("camera", "off", "Look at its cable."))
    assert answer.events[0].hint == "Look at its cable."
    assert table.state["table"]["camera"] == "off"
    table.tap("pass", by="red")
    with pytest.raises(Refusal):
        table.ask(DeviceChanged("kettle", "off"))


def test_a_snapshot_s_game_is_a_copy(table):
    table.start()
    before = table.session.snapshots.latest
    table.tap("place", by="red", space="1:R1a")
    assert before.position.state()["placed"] == {}
    assert before.text == before.text
    assert '"phase":"place"' in before.text


def a_hand_passes(table, times):
    """A hand that comes and goes: each look is a snapshot without events."""
    for _ in range(times):
        for hand in (True, False):
            table.ask(TableSeen(Reading.from_json(reading_of(table.state, hand=hand)), 0.0))


def test_hands_over_the_table_push_out_nothing_that_has_happened(table):
    table.start()
    table.tap("pass", by="red")
    before = table.session.snapshots.latest.seq
    a_hand_passes(table, REMEMBERED)
    snapshots = table.session.snapshots
    happened = [type(event) for one in snapshots.all_newer_than(0, 0) for event in one.events]
    assert {GameStarted, TurnPassed} <= set(happened)
    assert snapshots.latest.seq >= before + REMEMBERED
    assert snapshots.newer_than(before, 0) is snapshots.latest
    assert [one.seq for one in snapshots.all_newer_than(before, 0)] == [snapshots.latest.seq]


def test_the_oldest_snapshot_stays_for_comparing(table):
    oldest = table.session.snapshots.latest
    a_hand_passes(table, 3)
    assert table.session.snapshots.all_newer_than(0, 0)[0] is oldest
