"""Co-operative play: what is drawn for an evening, what a setup may say, and that whole evenings keep the laws."""

import random

import pytest

from companion.cards.together import AIMS, CRISES, DIFFICULTIES, KINDS, TABLE
from companion.games.shelter import announcing
from companion.games.shelter.adapter import GAME
from companion.games.shelter.moves import THE_RECALL, THE_SPAWN
from companion.games.shelter.setup import new_game, table_from_json
from companion.games.shelter.state import state_of
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

from .laws import problems, untold
from .play import a_game, box, problem, random_walk


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_u2_an_aim_of_each_kind_and_u3_weak_crises_first(players, difficulty):
    seen = set()
    for seed in range(30):
        together = a_game(players, seed=seed, together=difficulty).together
        assert [AIMS[number].kind for number in together.aims] == list(KINDS)
        stages = [CRISES[number].stage for number in together.crises]
        assert stages == sorted(stages)
        assert len(stages) == together.rounds - 1 == TABLE[together.difficulty].rounds[players - 1] - 1
        assert len(set(together.crises)) == len(together.crises)
        seen |= set(together.aims)
    assert seen == set(range(len(AIMS))), "every aim is drawn on some evening"


def test_the_same_seed_draws_the_same_evening():
    assert a_game(3, seed=5, together="hard").together == a_game(3, seed=5, together="hard").together


@pytest.mark.parametrize("number", range(len(AIMS)), ids=[aim.key for aim in AIMS])
def test_no_difficulty_asks_less_than_the_one_before(number):
    aim = AIMS[number]
    for easier, harder in zip(aim.goals, aim.goals[1:], strict=False):
        for less, more in zip(easier, harder, strict=True):
            assert less >= more if aim.most else less <= more
    if aim.key in ("rooms", "content"):
        assert all(goal % (players + 1) == 0 for row in aim.goals for players, goal in enumerate(row))


@pytest.mark.parametrize(
    "wrong",
    ["", "brutal", 3, True, [], {"difficulty": "none"}, {"aims": ["gold"]}, {"crises": "calm"}, {"gold": 1}],
)
def test_a_setup_that_says_it_wrong_is_refused(wrong):
    assert problem(table_from_json, {"players": ["red"], "together": wrong})[0] == "malformed"


def test_c1_nobody_plays_alone_for_themselves():
    table = table_from_json({"players": ["red"]})
    assert problem(new_game, box(), table, SeededLuck(1))[:2] == ("bad_players", "C1")


def test_a_correction_of_together_is_refused_where_everybody_plays_for_themselves():
    game = a_game(2)
    with pytest.raises(Refusal):
        game.play(GAME.read({"do": "correct", "set": {"together": {"breaches": 1}}}), SeededLuck(1))
    assert "together" not in state_of(game)


def test_a_state_sent_back_changes_nothing():
    game = a_game(2, together="normal")
    before = state_of(game)
    game.play(GAME.read({"do": "correct", "set": before}), SeededLuck(1))
    assert state_of(game) == before


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_whole_evenings_keep_the_laws_and_events_tell_what_changes(players):
    for seed in range(4):
        game = a_game(players, seed=seed, together=DIFFICULTIES[seed % 3], pack=("standard", "homemade")[seed % 2])
        for before, _ in ((one.copy(), listed) for one, listed in random_walk(game, seed)):
            assert not problems(before)
        assert game.result is not None
        assert game.result.winners in ((), game.seats)
        assert game.round <= game.together.rounds


def test_what_the_wasteland_does_is_told():
    source, luck = random.Random(3), SeededLuck(3)
    game = a_game(2, together="normal")
    while game.result is None:
        before, move = game.copy(), source.choice(game.legal_moves())
        events = game.play(move, luck)
        assert untold(before, game, events) == [], move
        if move in (THE_SPAWN, THE_RECALL):
            assert not problems(game)


def test_u3_the_rolls_that_a_crisis_brings_are_asked_of_real_dice_and_told_one_by_one():
    game, luck = a_game(2, together={"crises": ["gang"]}), SeededLuck(1)
    change = {"round": 2, "phase": "spawn", "turn": "red"}
    game.play(GAME.read({"do": "correct", "set": change}), luck)
    assert GAME.roll(state_of(game)).levels == (1, 2, 3, 1, 1)
    thrown = [[4, 5], [3, 4], [3, 4], [4, 6], [5, 6]]
    events = game.play(GAME.read({"do": "spawn", "dice": thrown, "drawn": ["raider", "fire", "mole-rat"]}), luck)
    said = [announcing.spoken(event, state_of(game)) for event in events]
    assert [(one.key, one.fields["level"], one.fields.get("threat")) for one in said] == [
        ("spawned", 1, "raider"), ("nothing", 2, None), ("nothing", 3, None), ("spawned", 1, "fire"),
        ("spawned", 1, "mole-rat"),
    ]  # fmt: skip
