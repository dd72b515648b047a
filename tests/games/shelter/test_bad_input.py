"""Whatever arrives, the answer is a refusal in one line, and the game is as it was."""

import json
import random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from companion.games.shelter import moves as m
from companion.games.shelter.state import state_of
from companion.games.shelter.words import COLOURS, DWELLERS, SPACE_NAMES
from companion.games.timeline import Timeline
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck
from tests.games.scenarios import make, run

from .play import a_game, box, everything, random_walk

ODD = [
    None,
    True,
    False,
    0,
    -1,
    7,
    10**30,
    1.5,
    "",
    "x",
    "red",
    "1:L3a",
    "6:R9z",
    "ÿ" * 300,
    [],
    [[]],
    {},
    {"a": 1},
    ["S"],
]
PARTS = ["players", "levels", "tracks", "placed", "threats", "phase", "round"]
FIELDS = [
    "by",
    "space",
    "dwellers",
    "use",
    "option",
    "id",
    "item",
    "set",
    "to",
    "dice",
    "drawn",
    "if_version",
    "nonsense",
]


def fuzzed(source, game):
    """A move that is nearly right, or not at all."""
    raw = {"do": source.choice([*m.DOES, "undo", "redo", "dance", None, 3])}
    good = {
        "by": lambda: source.choice(COLOURS),
        "space": lambda: source.choice(SPACE_NAMES),
        "dwellers": lambda: [source.choice(DWELLERS) for _ in range(source.randrange(3))],
        "use": lambda: [source.choice(game.box.names[0])],
        "option": lambda: source.choice(["water", "roll", "done", "garden@left", "use:minigun", "decline"]),
        "id": lambda: source.randrange(40),
        "item": lambda: source.choice(game.box.names[0]),
        "set": lambda: {source.choice(PARTS): source.choice(ODD)},
        "to": lambda: source.randrange(-2, 50),
        "dice": lambda: [[source.randrange(8), source.randrange(8)]],
        "drawn": lambda: [source.choice(game.box.names[2])],
    }
    for field in source.sample(FIELDS, source.randrange(6)):
        raw[field] = good[field]() if field in good and source.random() < 0.7 else source.choice(ODD)
    return source.choice(ODD) if source.random() < 0.02 else raw


@pytest.mark.long
def test_ten_thousand_fuzzed_moves():
    source = random.Random(11)
    refused = 0
    for seed in range(20):
        timeline = Timeline(
            a_game(2 + seed % 3, pack=("standard", "homemade")[seed % 2], real_decks=seed % 5 == 0, seed=seed)
        )
        for game, _ in random_walk(timeline.game, seed, seed * 4):
            assert game
        for _ in range(500):
            before = everything(timeline.game)
            raw = fuzzed(source, timeline.game)
            try:
                make(timeline, raw, SeededLuck(seed))
            except Refusal as refusal:
                refused += 1
                assert everything(timeline.game) == before, raw
                assert refusal.code
                assert "\n" not in refusal.message
                assert len(json.dumps(refusal.as_json())) < 3000
    assert refused > 7000


WORDS = st.sampled_from(["red", "garden", "S", "2:L1a", "L1", "plain", "zzz"])
junk = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 9) | WORDS,
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["red", "blue", "green", "1", "2", "9", "L1", "R3", "E", "rooms", "items", "resources", "water",
             "available", "arriving", "arriving_at", "owner", "1:L3a", "2:L1a", "by", "dwellers", "id",
             "exhausted", "house_rules"]
        ),
        inner,
        max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip
parts = st.sampled_from([*PARTS, "turn", "first", "last_round", "options", "pending", "seq", "??"])


@pytest.mark.long
@settings(max_examples=400, suppress_health_check=list(HealthCheck))
@given(st.dictionaries(parts, junk, max_size=4), st.integers(0, 60))
@example({"pending": False}, 0)
@example({"pending": 0.0}, 0)
def test_a_correction_holds_or_changes_nothing(change, steps):
    game = a_game(2, seed=steps)
    for _ in random_walk(game, steps, steps):
        pass
    before = everything(game)
    try:
        game.play(m.read({"do": "correct", "set": change}), SeededLuck(1))
    except Refusal as refusal:
        assert everything(game) == before
        assert "\n" not in refusal.message
        return
    state_of(game)
    game.legal_moves()
    for _ in random_walk(game, steps, 40):
        pass


SCENARIO = {"players": ["red", "blue"], "levels": ["red", "blue"], "first": "red", "moves": [], "then": {}}


@pytest.mark.parametrize(
    "change",
    [
        {"players": ["red"]}, {"players": ["red", "red"]}, {"players": "red"}, {"players": [1, 2]}, {"players": None},
        {"players": ["red", "blue", "green", "yellow", "red"]}, {"levels": ["red"]}, {"levels": ["red", "green"]},
        {"levels": 3}, {"first": "green"}, {"first": 4}, {"dice": [[0, 1]]}, {"dice": 4}, {"dice": [[1, 2, 3]]},
        {"dice": [["1", 2]]}, {"decks": []}, {"decks": {"items": ["no-such-card"]}}, {"decks": {"items": [3]}},
        {"decks": {"stones": []}}, {"decks": {"items": {"most": []}}}, {"decks": {"items": ["globe", "globe"]}},
        {"discards": {"threats": ["garden"]}}, {"discards": 1}, {"house_rules": {"fun": True}}, {"house_rules": []},
        {"house_rules": {"income_automatic": 1}}, {"start": {"round": "two"}}, {"start": 5}, {"start": {"rounds": 1}},
        {"moves": {}}, {"cards": "none"}, {"options": 3}, {"surprise": 1},
    ],
)  # fmt: skip
def test_a_malformed_scenario_is_refused_in_one_line(change):
    with pytest.raises(Refusal) as caught:
        run({**SCENARIO, **change}, box(), SeededLuck(1))
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    "then", [{"turn": "blue"}, {"nothing": 1}, {"players": {"green": {}}}, {"players": []}, {"pending": [1]}]
)
def test_what_does_not_hold_is_named(then):
    assert run({**SCENARIO, "then": then}, box(), SeededLuck(1))


def test_a_move_that_should_have_been_refused_is_named():
    move = {"do": "pass", "by": "red", "refused": "R4"}
    assert "not refused" in run({**SCENARIO, "moves": [move]}, box(), SeededLuck(1))[0]
    move = {"do": "pass", "by": "blue", "refused": "R4"}
    assert "instead of R4" in run({**SCENARIO, "moves": [move]}, box(), SeededLuck(1))[0]
