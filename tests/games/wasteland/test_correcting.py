"""Corrections can say any position, keep everything conserved, and refuse only what cannot be."""

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.wasteland import moves
from companion.games.wasteland.box import COLOURS
from companion.games.wasteland.corrections.correcting import CARDS, PEGS
from companion.games.wasteland.state import private_of, state_of
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

from .laws import problems
from .play import a_game, any_legal

NAMED = dict(enumerate(["the-netmaker", "the-pilgrim", "the-brine-child", "the-diver-maid"]))


def corrected(game, change, by=None):
    move = {"do": "correct", "set": change} | ({"by": by} if by else {})
    game.play(moves.read(move), SeededLuck(3))
    return game


def fresh(players=2, seed=0):
    return a_game(players=players, seed=seed, survivors=NAMED)


def idle(players, seed, steps):
    """A position in the middle of somebody's turn, with nothing under way."""
    game, source, luck = fresh(players, seed), random.Random(seed), SeededLuck(seed)
    kept = game.copy()
    for _ in range(steps):
        move = any_legal(game, source)
        if move is None or game.result is not None:
            break
        game.play(move, luck)
        if game.phase == 1 and not game.pending and not any(game.survivors[seat].eliminated for seat in game.seats):
            kept = game.copy()
    return kept


def as_set(game):
    """The position as a correction says it."""
    state = state_of(game)
    change = {
        key: state[key] for key in ("round", "turn", "first", "phase", "actions", "power", "shop", "quests", "enemies")
    }
    change["enemies"] = {
        number: {**enemy, "id": game.box.enemies[game.enemies[int(number)].kind].id}
        for number, enemy in state["enemies"].items()
    }
    change["players"] = {}
    for seat in game.seats:
        board = {key: value for key, value in state["players"][COLOURS[seat]].items() if key in PEGS | CARDS}
        board["hand"] = [one["id"] for one in private_of(game, seat)["hand"]]
        change["players"][COLOURS[seat]] = board
    return change


@settings(max_examples=25, suppress_health_check=list(HealthCheck))
@given(st.integers(1, 4), st.integers(0, 10**9), st.integers(0, 200))
def test_a_position_set_on_another_table_shows_the_same(players, seed, steps):
    game = idle(players, seed, steps)
    change = as_set(game)
    other = fresh(players, seed + 1)
    corrected(other, {"enemies": {str(number): None for number in other.enemies}})
    corrected(other, change)
    assert not problems(other)
    assert as_set(other) == change


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        ({"players": {"red": {"hp": 17}}}, "W-HP-1"),
        ({"players": {"red": {"hp": 3, "rads": 3}}}, "W-HP-3"),
        ({"players": {"red": {"caps": -1}}}, "W-CAPS-1"),
        ({"players": {"red": {"traits": ["idolized", "vilified"]}}}, "W-TRAIT-2"),
        ({"players": {"red": {"hand": ["good-name"] * 2}}}, "W-AGENDA-2"),
        ({"players": {"red": {"inventory": ["dried-fish", "dried-fish", "dried-fish", "oilskin"]}}}, "W-ITEM-4"),
        ({"players": {"red": {"weapon": "oilskin"}}}, "W-ITEM-1"),
        ({"players": {"red": {"perks": ["iron-grip", "iron-grip"]}}}, "W-PERK-5"),
        ({"players": {"green": {"hp": 3}}}, "W-TURN-10"),
        ({"power": {"star": 6}}, "W-FACT-3"),
        ({"quests": [1, 1]}, "W-QUEST-1"),
        ({"actions": {"left": 3}}, "W-TURN-2"),
        ({"shop": ["anchor", "anchor"]}, None),
        ({"enemies": {"9": {"id": "brine-wasp"}, "10": {"id": "brine-wasp"}}}, "W-LIMIT-2"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(change, clause):
    game = fresh()
    before = state_of(game)
    with pytest.raises(Refusal) as refused:
        corrected(game, change)
    assert refused.value.clause == clause
    assert state_of(game) == before


@pytest.mark.parametrize(
    "change",
    [
        {"weather": "rain"},
        {"power": {"moon": 1}},
        {"options": {"dice": "mine"}},
        {"pending": [1]},
        {"phase": "over"},
        {"players": {"red": {"xp": "Z"}}},
        {"players": {"red": {"shoes": 2}}},
        {"players": {"red": {"traits": ["tall"]}}},
        {"enemies": {"x": None}},
        {"enemies": {"1": {"hat": 1}}},
        {"actions": {"naps": 1}},
    ],
)
def test_a_malformed_correction_names_its_field(change):
    with pytest.raises(Refusal) as refused:
        corrected(fresh(), change)
    assert refused.value.code == "malformed"


def test_a_seat_corrects_its_own_board_only():
    assert corrected(fresh(), {"players": {"red": {"caps": 9}}}, by="red").survivors[0].caps == 9
    for change in ({"players": {"blue": {"caps": 9}}}, {"round": 3}):
        with pytest.raises(Refusal) as refused:
            corrected(fresh(), change, by="red")
        assert refused.value.code == "not_yours"


def test_an_open_choice_can_be_dropped_without_losing_a_card():
    game = fresh(seed=2)
    by = COLOURS[game.turn]
    result = moves.read({"do": "result", "by": by, "results": ["draw loot 1"], "drawn": ["boat-hook"]})
    game.play(result, SeededLuck(0))
    assert game.pending[0].kind == "equip"
    corrected(game, {"pending": []})
    assert not problems(game)
    assert not game.pending


def test_a_dropped_level_up_returns_its_letters():
    game = fresh(seed=2)
    by = COLOURS[game.turn]
    corrected(game, {"players": {by: {"letters": "SP"}}})
    game.play(moves.read({"do": "result", "by": by, "results": ["xp 3"], "drawn": ["E", "C"]}), SeededLuck(0))
    assert game.pending[0].kind == "letter"
    corrected(game, {"pending": []})
    assert not problems(game)


def test_the_enemy_phase_can_be_set_and_left_again():
    game = corrected(fresh(players=3), {"phase": "enemies"})
    assert state_of(game)["turn"] is None
    game.play(moves.read({"do": "correct", "set": {"phase": "turn", "turn": "green"}}), SeededLuck(0))
    assert state_of(game)["turn"] == "green"


def test_cards_may_change_places_between_boards():
    game = corrected(fresh(), {"players": {"red": {"weapon": "anchor"}, "blue": {"weapon": "harpoon-gun"}}})
    corrected(
        game, {"players": {"red": {"weapon": "harpoon-gun"}, "blue": {"weapon": {"id": "anchor", "exhausted": True}}}}
    )
    assert state_of(game)["players"]["blue"]["weapon"] == {"id": "anchor", "exhausted": True}
    assert not problems(game)


def test_an_unknown_scenario_or_table_is_refused():
    with pytest.raises(Refusal):
        a_game(scenario="the-moon")
    with pytest.raises(Refusal):
        a_game(players=0)
    with pytest.raises(Refusal):
        a_game(survivors={0: "nobody"})


def lamps():
    return a_game(scenario="lamps-of-low-tide", survivors=NAMED)


def test_tokens_and_locks_are_set_as_the_state_shows_them():
    game = corrected(lamps(), {"tokens": {"shield": ["market", "elsewhere"]}, "players": {"red": {
        "traits": ["synth", "idolized"], "locked": ["synth"]}}})  # fmt: skip
    state = state_of(game)
    assert state["tokens"] == {"shield": ["market", "elsewhere"]}
    assert state["players"]["red"]["locked"] == ["synth"]
    assert (
        "locked" not in state_of(corrected(game, {"players": {"red": {"traits": ["super-mutant"]}}}))["players"]["red"]
    )


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"tokens": {"star": ["market"]}}, "malformed"),
        ({"tokens": {"shield": ["nowhere"]}}, "not_on_the_map"),
        ({"players": {"red": {"locked": ["synth"]}}}, "impossible"),
    ],
)
def test_tokens_and_locks_that_cannot_be(change, code):
    with pytest.raises(Refusal) as refused:
        corrected(lamps(), change)
    assert refused.value.code == code
