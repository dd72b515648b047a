"""Laws that hold in every position of every game."""

import json
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.games.timeline import Outcome, Replaying, Timeline
from companion.games.wasteland import moves
from companion.games.wasteland.box import letters_of
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

from .laws import problems
from .play import a_game, any_legal, everything, random_walk, walked

tables = st.fixed_dictionaries(
    {
        "players": st.integers(1, 4),
        "seed": st.integers(0, 10**9),
        "table_dice": st.booleans(),
        "table_cards": st.booleans(),
        "scenario": st.sampled_from(["the-salt-road", "low-tide", "the-drowned-lights", "the-sunken-bell"]),
    }
)
some = settings(max_examples=25, suppress_health_check=list(HealthCheck))


@pytest.mark.long
@some
@given(tables)
def test_pegs_in_range_and_tokens_conserved(table):
    game = a_game(**table)
    assert not problems(game)
    for move, _ in random_walk(game, table["seed"], steps=250):
        assert not problems(game), move


@pytest.mark.long
@some
@given(tables)
def test_hands_are_over_four_only_while_their_owner_is_asked(table):
    game = a_game(**table)
    for _ in random_walk(game, table["seed"], steps=250):
        asked = {choice.by for choice in game.pending if choice.kind in ("agenda-discard", "equip", "discard")}
        waiting = {step.seat for step in game.steps if step.do == "agenda-limit"}
        for seat in game.seats:
            assert len(game.survivors[seat].hand) <= 4 or seat in asked | waiting


@pytest.mark.long
@some
@given(tables)
def test_replay_equals_play(table):
    timeline = Timeline(a_game(**table))
    again = timeline.game.copy()
    source, luck = random.Random(table["seed"]), SeededLuck(table["seed"])
    for _ in range(150):
        move = any_legal(timeline.game, source)
        if move is None:
            break
        _, outcome = timeline.play(moves.read(move.as_json()), luck)
        fell = json.loads(json.dumps(outcome.as_json()))
        again.play(moves.read(json.loads(json.dumps(move.as_json()))), Replaying(Outcome.from_json(fell)))
        assert everything(again) == everything(timeline.game)
    last, version = everything(timeline.game), timeline.version
    if version:
        timeline.undo(version // 2)
        timeline.undo(version)
    assert everything(timeline.game) == last


@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(tables, st.integers(0, 150))
def test_every_listed_move_plays(table, steps):
    game = walked(steps=steps, **table)
    for seat in game.seats:
        for move in game.legal_moves(seat):
            twin = game.copy()
            assert moves.read(move.as_json()) == move
            twin.play(move, SeededLuck(1))
            assert not problems(twin), move


@pytest.mark.parametrize(
    "at", ["", "reef-beyond", "a-space-with-a-name-as-long-as-names-may-be"[:40], "x" * 29 + "-beyond"]
)
def test_moves_are_listed_wherever_a_survivor_stands(at):
    game = a_game(survivors={0: "the-netmaker", 1: "the-pilgrim"})
    game.survivors[game.turn].at = at
    assert any(move.do == "explore" for move in game.legal_moves())


@settings(max_examples=15, suppress_health_check=list(HealthCheck))
@given(tables, st.integers(0, 150))
def test_a_copy_shares_nothing_that_changes(table, steps):
    game = walked(steps=steps, **table)
    before = everything(game)
    twin = game.copy()
    for _ in random_walk(twin, table["seed"] + 1, steps=60):
        pass
    assert everything(game) == before
    assert not problems(game)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_random_games_run_sixty_rounds(seed):
    game = a_game(players=seed % 4 + 1, seed=seed, table_dice=seed > 5)
    for _ in random_walk(game, seed, rounds=60, steps=6000):
        pass
    assert game.result is not None or game.round > 60
    assert not problems(game)


@some
@given(tables)
def test_w_setup_12_everybody_begins_with_two_different_letters(table):
    table |= {"scenario": "low-tide", "table_cards": False}
    game = a_game(
        survivors=dict(enumerate(["the-netmaker", "the-pilgrim", "the-brine-child", "the-diver-maid"])), **table
    )
    assert all(len(letters_of(game.survivors[seat].letters)) == 2 for seat in game.seats)


def test_w_shop_7_the_row_is_four_between_turns():
    game = a_game(seed=4)
    for _ in random_walk(game, 4, steps=500):
        if not game.pending and not game.steps and game.result is None:
            assert len(game.shop) == 4


def test_a_refusal_is_never_an_accident():
    """An unplayable legal move would be a fault of the list, not of the player."""
    game = walked(7, players=3)
    with pytest.raises(Refusal):
        game.play(moves.read({"do": "end", "by": "yellow"}), SeededLuck(0))
