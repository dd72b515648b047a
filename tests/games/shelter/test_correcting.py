"""A correction can say any position: what the state shows, set on another table, shows the same there."""

import pytest

from companion.games.shelter import moves as m
from companion.games.shelter.state import state_of
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

from .play import a_game, random_walk

SAID = ("round", "phase", "turn", "first", "last_round", "players", "levels", "placed", "threats", "tracks")


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("real_decks", [False, True])
def test_a_position_said_on_another_table_is_the_same_position(seed, real_decks):
    players = 2 + seed % 3
    for number, (game, _) in enumerate(random_walk(a_game(players, seed=seed, real_decks=real_decks), seed, 300)):
        if number % 9 or game.placement is not None or game.letters:
            continue
        wanted = {key: value for key, value in state_of(game).items() if key in SAID}
        for other in (a_game(players, seed=seed + 1000, real_decks=real_decks), game.copy()):
            other.play(m.read({"do": "correct", "set": wanted}), SeededLuck(1))
            assert {key: value for key, value in state_of(other).items() if key in SAID} == wanted


@pytest.mark.parametrize("seed", range(6))
def test_a_position_said_where_it_is_moves_no_card(seed):
    for number, (game, _) in enumerate(random_walk(a_game(2 + seed % 3, seed=seed), seed, 300)):
        if number % 9 or game.placement is not None or game.letters:
            continue
        before = state_of(game)
        twin = game.copy()
        twin.play(m.read({"do": "correct", "set": {key: before[key] for key in SAID}}), SeededLuck(1))
        after = state_of(twin)
        assert (after["decks"], after["discards"]) == (before["decks"], before["discards"])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("real_decks", [False, True])
def test_a_whole_state_sent_back_changes_nothing_whatever_is_open(seed, real_decks):
    for number, (game, _) in enumerate(random_walk(a_game(2 + seed % 3, seed=seed, real_decks=real_decks), seed, 200)):
        if number % 3:
            continue
        before = state_of(game)
        twin = game.copy()
        twin.play(
            m.read({"do": "correct", "set": {**before, "version": 3, "devices": {}, "record": {}}}), SeededLuck(1)
        )
        assert state_of(twin) == before


def two_incomes():
    game = a_game(3, seed=1)
    rooms = {"2": {"rooms": {"L1": "living-room"}}}
    for move in (
        {"do": "correct", "set": {"levels": rooms, "turn": "blue"}},
        {"do": "place", "by": "blue", "space": "2:L1a"},
        {"do": "correct", "set": {"levels": {"2": {"rooms": {"R1": "garden"}}}, "turn": "green"}},
        {"do": "place", "by": "green", "space": "2:R1a"},
    ):
        game.play(m.read(move), SeededLuck(1))
    assert [(one["by"], one["kind"]) for one in state_of(game)["pending"]] == [("red", "income")] * 2
    return game


def test_pending_may_lose_choices():
    game = two_incomes()
    first, second = state_of(game)["pending"]
    game.play(m.read({"do": "correct", "set": {"pending": [second]}}), SeededLuck(1))
    assert state_of(game)["pending"] == [second]
    game.play(m.read({"do": "correct", "set": {"pending": None}}), SeededLuck(1))
    assert state_of(game)["pending"] == []
    for wrong in ([first], [3], "all", {"id": 1}, True):
        with pytest.raises(Refusal) as refused:
            game.play(m.read({"do": "correct", "set": {"pending": wrong}}), SeededLuck(1))
        assert refused.value.code == "malformed"


def test_null_deletes_every_entry_of_a_part():
    game = two_incomes()
    game.play(m.read({"do": "correct", "set": {"threats": {"1:R1a": game.box.names[2][0]}}}), SeededLuck(1))
    game.play(m.read({"do": "correct", "set": {"placed": None, "threats": None}}), SeededLuck(1))
    state = state_of(game)
    assert (state["placed"], state["threats"], state["discards"]["threats"]) == ({}, {}, 1)
