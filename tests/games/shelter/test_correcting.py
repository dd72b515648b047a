"""A correction can say any position: what the state shows, set on another table, shows the same there."""

import pytest

from companion.games.shelter import moves as m
from companion.games.shelter.state import state_of
from companion.luck import SeededLuck

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
