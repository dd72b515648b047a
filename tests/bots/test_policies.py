"""The policies: only legal moves, games that end, the same seed the same game."""

import random
from dataclasses import replace

import pytest

from companion.bots.policy.budget import Budget
from companion.bots.policy.characters import POLICIES, make
from companion.bots.policy.policy import MOST_ROUNDS, move_of_the_table, moves_of, who_decides
from companion.bots.policy.search import Search
from companion.bots.study.tournament import Tournament
from companion.bots.worth.win_chance import WinEstimator
from companion.cards.loader import builtin, builtin_names
from companion.cards.together import DIFFICULTIES
from companion.games.shelter.cards.box import Box
from companion.games.shelter.moves import read
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.state import state_of
from companion.games.shelter.together.wasteland import agreed_from_json
from companion.games.shelter.words import COLOURS, NOBODY
from companion.seeded_chance import QuickLuck

BOXES = {name: Box(builtin(name)) for name in builtin_names()}
ROOMS = builtin("standard").rooms
BOXES["narrow"] = Box(  # every room to build has one space (V2)
    replace(builtin("standard"), rooms=tuple(replace(card, spaces=(card.spaces[0], None)) for card in ROOMS))
)
QUICK = ("random", "greedy")


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("pack", BOXES)
@pytest.mark.parametrize("name", QUICK)
def test_a_policy_chooses_only_legal_moves_and_games_end(name, pack, players):
    box, source = BOXES[pack], random.Random(f"{name}{pack}{players}")
    policy, luck = make(name, box, source), QuickLuck(source)
    for _ in range(4):
        game = new_game(box, TableSetup(COLOURS[:players]), luck)
        while game.result is None:
            seat = who_decides(game)
            legal = game.legal_moves()
            move = move_of_the_table(game) if seat == NOBODY else policy.choose(game, seat)
            assert move in legal
            assert seat == NOBODY or move in moves_of(game, seat)
            game.play(move, luck)
            assert game.round <= MOST_ROUNDS


@pytest.mark.parametrize("name", QUICK)
def test_choosing_changes_nothing(name):
    source = random.Random(3)
    policy, luck = make(name, BOXES["standard"], source), QuickLuck(source)
    game = new_game(BOXES["standard"], TableSetup(COLOURS[:3]), luck)
    for _ in range(150):
        seat = who_decides(game)
        before = state_of(game)
        move = move_of_the_table(game) if seat == NOBODY else policy.choose(game, seat)
        assert state_of(game) == before
        game.play(move, luck)
        if game.result is not None:
            break


@pytest.mark.parametrize("name", QUICK)
def test_the_same_seed_plays_the_same_game(name):
    first, second = (
        [state_of(played.game) for played in Tournament(BOXES["standard"], [name], 3, 7).games(3)] for _ in range(2)
    )
    assert first == second
    assert state_of(Tournament(BOXES["standard"], [name], 3, 7).play(2).game) == first[2]


def test_greedy_beats_random():
    games = Tournament(BOXES["standard"], ["greedy", "random"], 2, 1).games(20)
    won = sum(played.won(played.sat.index("greedy")) for played in games)
    assert won >= 18


def test_an_open_choice_of_another_seat_comes_before_the_turn():
    source = random.Random(5)
    luck = QuickLuck(source)
    wandering = make("random", BOXES["standard"], source)
    game = new_game(BOXES["standard"], TableSetup(COLOURS[:4]), luck)
    seen = False
    while game.result is None:
        seat = who_decides(game)
        if seat not in (NOBODY, game.turn):
            seen = True
            assert game.pending[0].by == seat
        move = move_of_the_table(game) if seat == NOBODY else wandering.choose(game, seat)
        game.play(move, luck)
    assert seen


def test_every_policy_has_a_name():
    assert set(QUICK) <= set(POLICIES)


def test_greedy_heals_where_a_threat_leaves_its_own_level():
    box, luck = BOXES["standard"], QuickLuck(random.Random(1))
    game = new_game(box, TableSetup(["blue", "red"]), luck)
    lying = {space: {"by": "red", "dwellers": ["injured"]} for space in ("1:R1a", "3:R1a")}
    change = {
        "levels": {"3": {"rooms": {"R1": "garden"}}},
        "threats": {"1:R1a": "raider", "3:R1a": "raider"},
        "placed": lying,
        "players": {"red": {"available": [], "items": ["stimpak"]}},
        "phase": "recall",
    }
    game.play(read({"do": "correct", "set": change}), luck)
    game.play(read({"do": "use", "by": "red", "item": "stimpak"}), luck)
    red = COLOURS.index("red")
    assert [move.option for move in moves_of(game, red)] == ["1:R1a", "3:R1a"]
    assert make("greedy", box, random.Random(1)).choose(game, red).option == "3:R1a"


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("players", [1, 2, 4])
def test_bots_play_together_to_the_end(players, difficulty):
    box, source = BOXES["homemade"], random.Random(f"{players}{difficulty}")
    policy, luck = make("easy", box, source), QuickLuck(source)
    table = TableSetup(COLOURS[:players])
    table.together = agreed_from_json(difficulty)
    game = new_game(box, table, luck)
    while game.result is None:
        seat = who_decides(game)
        move = move_of_the_table(game) if seat == NOBODY else policy.choose(game, seat)
        assert seat == NOBODY or move in moves_of(game, seat)
        game.play(move, luck)
    assert game.round <= game.together.rounds


def test_a_search_plays_together_and_all_have_the_same_chance():
    box, source = BOXES["standard"], random.Random(2)
    table = TableSetup(COLOURS[:2])
    table.together = agreed_from_json("normal")
    game = new_game(box, table, QuickLuck(source))
    found = Search(box, source, Budget(walks=12)).think(game, game.first)
    red, blue, *_ = found.chances
    assert 0 < red == blue < 1
    estimate = WinEstimator(box, source).estimate(game, 10)
    assert estimate.chance(0) == estimate.chance(1)
    assert 0 < estimate.chance(0) < 1
