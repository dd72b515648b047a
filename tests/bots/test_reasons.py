"""Reasons: every move has one, out of a known list, with fields that are true."""

import random

import pytest

from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import RandomPolicy, move_of_the_table, who_decides
from companion.bots.policy.reasons import WHYS, why
from companion.cards.loader import builtin, builtin_names
from companion.games.shelter.cards.box import Box
from companion.games.shelter.moves import place
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.words import COLOURS, NOBODY, RED, SPACE_NUMBER
from companion.seeded_chance import QuickLuck


def reasons(pack, policy_of, players=3, seed=2):
    source = random.Random(seed)
    box, luck = Box(builtin(pack)), QuickLuck(source)
    greedy, policy = Greedy(box, source), policy_of(box, source)
    game = new_game(box, TableSetup(COLOURS[:players]), luck)
    while game.result is None:
        seat = who_decides(game)
        move = move_of_the_table(game) if seat == NOBODY else policy.choose(game, seat)
        if seat != NOBODY:
            yield why(game, seat, move, greedy)
        game.play(move, luck)


@pytest.mark.parametrize("pack", builtin_names())
@pytest.mark.parametrize("policy_of", [Greedy, lambda _, source: RandomPolicy(source)], ids=["greedy", "random"])
def test_every_move_has_a_reason_of_the_list(pack, policy_of):
    found = {reason["why"] for reason in reasons(pack, policy_of)}
    assert found <= set(WHYS)
    assert len(found) > 4


def test_the_gain_is_what_the_space_shows():
    box = Box(builtin("standard"))
    source = random.Random(1)
    game = new_game(box, TableSetup(["red", "blue"]), QuickLuck(source))
    reason = why(game, RED, place(RED, SPACE_NUMBER["1:R3a"], (0,)), Greedy(box, source))
    assert reason == {"why": "resources", "gain": {"energy": 2}}
    trained = why(game, RED, place(RED, SPACE_NUMBER["1:R3a"], (1,)), Greedy(box, source))
    assert trained == {"why": "resources", "gain": {"energy": 4}, "doubled": "S"}


def test_a_cube_that_completes_a_room_says_so():
    box = Box(builtin("standard"))
    source = random.Random(1)
    game = new_game(box, TableSetup(["red", "blue"]), QuickLuck(source))
    cards = box.numbers[1]
    game.tracks[1] = (cards["nuclear-reactor"],) * 3
    game.cubes[2] = 4
    reason = why(game, RED, place(RED, SPACE_NUMBER["1:R3b"], (0,)), Greedy(box, source))
    assert reason == {"why": "room_next_turn", "room": "nuclear-reactor", "gain": {"energy": 1}}
