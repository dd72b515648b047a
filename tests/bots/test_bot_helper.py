"""The helper of the bots: a process of its own, whose proposals are held against the live game."""

import random

import pytest

from companion.bots.policy.budget import Budget
from companion.bots.policy.helper_process import BotHelper, BotSettings, PositionCodec, Proposal
from companion.bots.policy.policy import RandomPolicy, moves_of, step, who_decides
from companion.cards.loader import builtin
from companion.games.shelter.board.vault import Cubes, ExchangeRate
from companion.games.shelter.cards.box import Box
from companion.games.shelter.moves import CHOOSE
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.state import state_of
from companion.games.shelter.words import NOBODY
from companion.seeded_chance import QuickLuck, SeededLuck
from tests.games.shelter.play import random_walk

PACK = builtin("homemade")
BOX = Box(PACK)
PATIENCE = 20.0


def some_game(moves, seed=1, box=BOX):
    source = random.Random(seed)
    luck, wandering = QuickLuck(source), RandomPolicy(source)
    game = new_game(box, TableSetup(["red", "blue", "green"]), luck)
    for _ in range(moves):
        step(game, dict.fromkeys(game.seats, wandering), luck)
    while who_decides(game) == NOBODY:
        step(game, dict.fromkeys(game.seats, wandering), luck)
    return game


@pytest.fixture
def helper():
    helper = BotHelper(PACK, BOX, BotSettings("7", Budget(walks=5)))
    yield helper
    helper.dismiss()
    assert not helper.is_alive()


def test_it_proposes_a_legal_move_with_a_reason(helper):
    game = some_game(40)
    seat = who_decides(game)
    helper.consider(game, seat, 12, "hard")
    proposal = helper.proposal(PATIENCE)
    assert proposal.move in moves_of(game, seat)
    assert proposal.reason["why"]
    assert proposal.holds(game, 12)


def test_the_answer_to_an_older_question_is_ignored(helper):
    older, game = some_game(20), some_game(45)
    helper.consider(older, who_decides(older), 20, "fair")
    helper.consider(game, who_decides(game), 45, "easy")
    assert helper.proposal(PATIENCE).version == 45
    assert helper.proposal() is None


def test_a_proposal_that_is_no_longer_legal_does_not_hold():
    game = some_game(0)
    seat = who_decides(game)
    move = next(move for move in moves_of(game, seat) if move.space >= 0)
    proposal = Proposal(seat, 3, move, {})
    assert proposal.holds(game, 3)
    assert proposal.holds(game, 4)
    game.taken |= 1 << move.space
    assert not proposal.holds(game, 4)
    game.turn = game.after[seat]
    assert not proposal.holds(game, 3)


@pytest.mark.parametrize("moves", [0, 33, 60, 150])
def test_a_game_survives_the_journey(moves):
    game, parcels, theirs = some_game(moves), PositionCodec(BOX), PositionCodec(Box(PACK))
    here = parcels.unpack(parcels.pack(game))
    assert state_of(here) == state_of(game)
    assert here.box is BOX
    there = theirs.unpack(parcels.pack(game))
    assert [move.as_json() for move in there.legal_moves()] == [move.as_json() for move in game.legal_moves()]
    assert len(parcels.pack(game)) < 20_000


def test_a_placement_under_way_goes_on_where_it_arrives(tmp_path):
    """With the steps that are still to come, and what they gain or exchange."""
    overlay = tmp_path / "waits.toml"
    overlay.write_text('[cards.dew-catcher]\nleft = "free -> 1? 2W 1W<->1F"\n', encoding="utf-8")
    pack = builtin("homemade", overlay)
    box = Box(pack)
    parcels, theirs = PositionCodec(box), PositionCodec(Box(pack))
    carried = set()
    for seed in range(3):
        for game, listed in random_walk(some_game(0, box=box), seed):
            if game.placement is None:
                continue
            carried |= {type(argument) for _, argument in game.placement.program}
            answer = next(move for move in listed if move.do == CHOOSE and move.by == game.placement.by)
            here, there = game.copy(), theirs.unpack(parcels.pack(game))
            here.play(answer, SeededLuck(1))
            there.play(answer, SeededLuck(1))
            assert state_of(there) == state_of(here)
    assert carried >= {int, Cubes, ExchangeRate}
