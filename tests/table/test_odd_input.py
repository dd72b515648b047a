"""Whatever arrives, the session goes on: it is a refusal, and nothing is recorded that cannot be read again."""

import pytest
from at_the_table import Table
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.refusal import Refusal
from companion.table.record.open_game import replay
from companion.table.record.verify import inspect
from companion.table.session.intents import Speaker, StartGame, TableSeen, Tap
from companion.table.sight.reading import Reading

WORDS = st.sampled_from(
    ["place", "pass", "choose", "use", "spawn", "recall", "correct", "undo", "redo", "resolve", "red", "blue", "yes",
     "1:R1a", "9:Z9", "water", "by", "id", "option", "to", "set", "players", "table", "names", "\ud800", "plain"]
)  # fmt: skip
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 9), st.floats(), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=6,
)
KEYS = st.sampled_from(
    ["by", "space", "dwellers", "use", "option", "id", "item", "set", "to", "dice", "drawn", "if_version", "odd"]
)
MOVES = st.builds(lambda do, rest: {"do": do, **rest}, st.one_of(WORDS, ANYTHING), st.dictionaries(KEYS, ANYTHING))
SPEAKERS = st.sampled_from([Speaker(), Speaker(frozenset({"red"})), Speaker(host=True, name="host")])
SETUPS = st.dictionaries(
    st.sampled_from(["players", "levels", "first", "cards", "house_rules", "decks", "discards", "names", "start"]),
    ANYTHING,
)


@pytest.fixture(scope="module")
def odd_table(tmp_path_factory):
    table = Table(tmp_path_factory.mktemp("odd") / "data")
    table.start()
    yield table
    table.close()
    found = inspect(table.folder)
    assert not found.damage
    assert all(replay(entries).trouble is None for entries in found.games.values())


def ask(table, intent):
    try:
        table.ask(intent)
    except Refusal as refusal:
        assert refusal.code != "stopped", table.session.failure
    assert table.session.failure is None


FEW = settings(max_examples=150)


@pytest.mark.parametrize("by", [{}, [], 5, True, "", "pink"], ids=repr)
def test_an_answer_of_whomever(odd_table, by):
    ask(odd_table, Tap({"do": "choose", "by": by, "option": "water"}, Speaker(host=True, name="host")))


@pytest.mark.long
@FEW
@given(st.one_of(MOVES, ANYTHING), SPEAKERS)
def test_any_tap(odd_table, move, speaker):
    ask(odd_table, Tap(move, speaker))


@pytest.mark.long
@FEW
@given(st.one_of(SETUPS, ANYTHING), ANYTHING, WORDS)
def test_any_game(odd_table, setup, plays, pack):
    ask(odd_table, StartGame({"players": ["red", "blue"], **setup} if isinstance(setup, dict) else setup))
    ask(odd_table, StartGame({"players": ["red", "blue"]}, plays=plays, pack=pack))


READINGS = st.dictionaries(
    st.sampled_from(["rooms", "threats", "tracks", "dwellers", "unsure", "hand", "table"]),
    st.one_of(
        ANYTHING,
        st.dictionaries(WORDS, st.fixed_dictionaries({"card": ANYTHING}), max_size=3),
        st.lists(st.fixed_dictionaries({"space": WORDS, "player": WORDS, "pose": WORDS}), max_size=4),
    ),
)


@pytest.mark.long
@FEW
@given(READINGS)
def test_any_reading(odd_table, raw):
    try:
        reading = Reading.from_json(raw)
    except Refusal:
        return
    ask(odd_table, TableSeen(reading, asked=True))
    for one in odd_table.state["table"]["disagreements"]:
        ask(odd_table, Tap({"do": "resolve", "id": one["id"], "option": "right"}))


@pytest.mark.parametrize("key", ["9" * 5000, "9" * 400, "²", "٣"], ids=["5000", "400", "superscript", "arabic"])
@pytest.mark.parametrize("what", ["levels", "enemies", "threats", "placed", "players"])
def test_a_key_of_thousands_of_digits(odd_table, key, what):
    ask(odd_table, Tap({"do": "correct", "set": {what: {key: {}}}}))
