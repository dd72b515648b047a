"""A budget in milliseconds holds whatever the machine's speed: the search stops by its own clock."""

import random

import pytest

from companion.bots.policy.budget import Budget
from companion.bots.policy.policy import moves_of
from companion.bots.policy.search import Search
from companion.cards.loader import builtin
from companion.games.shelter.cards.box import Box
from companion.games.shelter.setup import TableSetup, new_game
from companion.seeded_chance import QuickLuck

BOX = Box(builtin("homemade"))


class SlowMachine:
    """A clock on which every walk takes as long as it would on a slow machine: it is looked at after each walk."""

    def __init__(self, walk):
        self.walk = walk
        self.now = 100.0

    def __call__(self):
        self.now += self.walk
        return self.now


def a_game():
    return new_game(BOX, TableSetup(["red", "blue"]), QuickLuck(random.Random(4)))


@pytest.mark.parametrize("walk", [0.001, 0.03, 0.11, 0.24])
def test_it_stops_in_time_on_any_machine(walk):
    clock, game = SlowMachine(walk), a_game()
    began = clock.now
    thought = Search(BOX, random.Random(1), Budget(milliseconds=500, clock=clock)).think(game, game.turn)
    assert clock.now - began <= 0.5 + walk  # the look that begins counts as one
    assert thought.walks >= int(0.5 / walk) - 2


def test_on_the_slowest_machine_one_walk_is_still_a_legal_move():
    game = a_game()
    search = Search(BOX, random.Random(1), Budget(milliseconds=500, clock=SlowMachine(3.0)))
    assert search.think(game, game.turn).walks == 1
    assert search.choose(game, game.turn) in moves_of(game, game.turn)


def test_it_stops_early_only_where_nothing_can_change():
    game = a_game()
    for seed in range(6):
        whole = Search(BOX, random.Random(seed), Budget(walks=120)).think(game, game.turn)
        chosen = Search(BOX, random.Random(seed), Budget(walks=120)).choose(game, game.turn)
        assert chosen.as_json() == whole.branches[0].move.as_json()


def test_what_is_left_is_told_by_both_bounds():
    clock = SlowMachine(0.1)
    budget = Budget(walks=10, milliseconds=1000, clock=clock)
    since = budget.begin()
    clock.now += 0.4
    assert budget.left(5, since) == pytest.approx(5)
    assert budget.left(2, since) == pytest.approx(0.4 * 2 / 0.6)
    assert Budget(walks=10).left(4, 0.0) == 6
