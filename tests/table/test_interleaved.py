"""Whoever taps when: the record and what is shown are the same game."""

import threading

import pytest
from at_the_table import Table
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.api import Button
from companion.refusal import Refusal
from companion.table.record.open_game import replay
from companion.table.record.verify import inspect
from companion.table.session.intents import ButtonPressed, TableSeen, Tap
from companion.table.sight.reading import Reading

SPACES = ["1:R1a", "1:R1b", "1:R2a", "1:L2a", "2:E", "3:E"]
COLOUR = st.sampled_from(["red", "blue"])
TAPS = st.one_of(
    st.builds(lambda by, space: {"do": "place", "by": by, "space": space}, COLOUR, st.sampled_from(SPACES)),
    st.builds(lambda by: {"do": "pass", "by": by}, COLOUR),
    st.builds(
        lambda by, option: {"do": "choose", "by": by, "option": option},
        COLOUR,
        st.sampled_from(["water", "food", "decline", "S", "yes", "done"]),
    ),
    st.sampled_from([{"do": "undo"}, {"do": "redo"}, {"do": "recall"}, {"do": "spawn"}, {"do": "undo", "to": 1}]),
    st.builds(lambda by, n: {"do": "correct", "set": {"players": {by: {"happiness": n}}}}, COLOUR, st.integers(0, 9)),
).map(Tap)
PRESSES = st.builds(ButtonPressed, st.sampled_from(list(Button)), st.booleans())


@st.composite
def looks(draw):
    figures = draw(st.lists(st.tuples(st.sampled_from(SPACES), COLOUR), max_size=4))
    raw = {"dwellers": [{"space": space, "player": player, "pose": "standing"} for space, player in figures]}
    return TableSeen(Reading.from_json(raw), asked=True)


INTENTS = st.lists(st.one_of(TAPS, TAPS, PRESSES, looks()), max_size=12)


@pytest.mark.long
@settings(max_examples=25)
@given(st.lists(INTENTS, min_size=2, max_size=4))
def test_random_interleavings_keep_the_record_and_the_game_the_same(tmp_path_factory, by_thread):
    table = Table(tmp_path_factory.mktemp("data"))
    try:
        table.start()
        acknowledged = []
        threads = [threading.Thread(target=say, args=(table, intents, acknowledged)) for intents in by_thread]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert table.session.failure is None
        check(table, acknowledged)
    finally:
        table.close()


def say(table, intents, acknowledged):
    for intent in intents:
        try:
            answer = table.ask(intent)
        except Refusal:
            continue
        if isinstance(intent, Tap) and answer.events:  # a correction that changes nothing is not recorded
            acknowledged.append(answer.version)


def check(table, acknowledged):
    found = inspect(table.folder)
    assert not found.damage
    replayed = replay(found.games["game-1"])
    assert replayed.trouble is None
    shown = table.state
    rebuilt = replayed.open_game.state()
    own = [choice for choice in shown["pending"] if choice["kind"] in ("placement", "passes")]
    assert {**rebuilt, "pending": []} == {**{key: shown[key] for key in rebuilt}, "pending": []}
    assert rebuilt["pending"] + own == shown["pending"]
    assert max(acknowledged, default=0) <= shown["version"]
    assert len(set(acknowledged)) == len(acknowledged)
