"""Random evenings together: nobody's secret, one result for all, and a clock that ends them."""

import random

import pytest

from companion.games.wasteland.flow import ending
from companion.games.wasteland.flow.ways import GOALS, Together, Ways
from companion.games.wasteland.game import WastelandTable, new_game
from companion.games.wasteland.state import state_of
from companion.seeded_chance import SeededLuck

from .laws import problems
from .play import any_legal, the_box


@pytest.mark.parametrize("seed", range(4))
def test_an_evening_together_ends_for_all_alike(seed):
    table = WastelandTable(tuple(range(seed % 4 + 1)), "the-sunken-bell")
    table.ways = Ways(list(GOALS)[seed % 3])
    game, source, luck = new_game(the_box(), table, SeededLuck(seed)), random.Random(seed), SeededLuck(seed)
    for _ in range(1500):
        if game.result is not None:
            break
        before = state_of(game)["together"]
        assert before["influence"] == sum(sum(ending.worths(game, seat)) for seat in game.alive())
        assert max(game.power) < len(game.scenario.track)
        assert not problems(game)
        game.play(any_legal(game, source), luck)
    if game.result is not None:
        assert game.result.winners in ((), tuple(game.alive()))


def test_goals_grow_with_people_and_with_difficulty():
    for goals in GOALS.values():
        assert list(goals) == sorted(goals)
    for gentle, usual, hard in zip(
        *(GOALS[one] for one in (Together.GENTLE, Together.USUAL, Together.HARD)), strict=True
    ):
        assert gentle < usual < hard
