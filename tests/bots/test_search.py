"""The tree search: legal, within its budget, blind to the order of the decks, and the same again from the same seed."""

import random

import pytest

from companion.bots.policy.budget import Budget
from companion.bots.policy.characters import CHARACTERS, make
from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import RandomPolicy, guessed, may_decide, moves_of, step, who_decides
from companion.bots.policy.search import Search
from companion.cards.loader import builtin, builtin_names
from companion.games.shelter.cards.box import Box
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.state import state_of
from companion.games.shelter.together.wasteland import agreed_from_json
from companion.games.shelter.words import COLOURS, NOBODY, UNKNOWN
from companion.seeded_chance import QuickLuck

BOXES = {name: Box(builtin(name)) for name in builtin_names()}


def decisions(box, players, seed, every):
    """Positions of a random game in which a seat has to decide."""
    source = random.Random(seed)
    luck, wandering = QuickLuck(source), RandomPolicy(source)
    game = new_game(box, TableSetup(COLOURS[:players]), luck)
    number = 0
    while game.result is None:
        seat = who_decides(game)
        if seat != NOBODY:
            number += 1
            if number % every == 0:
                yield game, seat
        step(game, dict.fromkeys(game.seats, wandering), luck)


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("pack", BOXES)
def test_it_answers_within_its_walks_and_legally(pack, players):
    search = Search(BOXES[pack], random.Random(1), Budget(walks=4))
    for game, seat in decisions(BOXES[pack], players, 3, 11):
        before = state_of(game)
        assert search.choose(game, seat) in moves_of(game, seat)
        assert state_of(game) == before
        assert search.think(game, seat).walks == 4


def test_the_same_seed_thinks_the_same():
    game, seat = next(decisions(BOXES["standard"], 3, 5, 30))
    first, second = (
        [
            (branch.move.as_json(), branch.visits)
            for branch in Search(BOXES["standard"], random.Random(9), Budget(walks=30)).think(game, seat).branches
        ]
        for _ in range(2)
    )
    assert first == second


def test_it_does_not_know_the_order_of_the_decks():
    game, seat = next(decisions(BOXES["standard"], 2, 5, 20))
    other = game.copy()
    for deck in other.decks:
        deck.sort()
    game.decks = [sorted(deck) for deck in game.decks]
    other.decks = [deck[::-1] for deck in other.decks]
    # Sorted or reversed, what lies in the decks is the same, and so is the mean of what is expected of them.
    here, there = (
        Search(BOXES["standard"], random.Random(1), Budget(walks=150)).think(one, seat).chances[seat]
        for one in (game, other)
    )
    assert here == pytest.approx(there, abs=0.2)


def test_the_visits_are_those_of_the_walks():
    game, seat = next(decisions(BOXES["homemade"], 2, 8, 12))
    thought = Search(BOXES["homemade"], random.Random(2), Budget(walks=40)).think(game, seat)
    assert sum(branch.visits for branch in thought.branches) == 40
    assert thought.branches[0].visits == max(branch.visits for branch in thought.branches)
    assert sum(thought.chances) == pytest.approx(1)


def test_a_budget_needs_a_bound():
    with pytest.raises(ValueError, match="walks"):
        Budget()
    assert Budget(walks=2).lasts(1, 0.0)
    assert not Budget(walks=2).lasts(2, 0.0)
    assert not Budget(milliseconds=1).lasts(0, -10.0)


@pytest.mark.parametrize("name", CHARACTERS)
def test_every_character_plays_a_legal_move(name):
    policy = make(name, BOXES["standard"], random.Random(4), Budget(walks=3))
    for game, seat in decisions(BOXES["standard"], 2, 6, 25):
        assert policy.choose(game, seat) in moves_of(game, seat)


def visits(name, game, seat):
    found = make(name, BOXES["standard"], random.Random(9), Budget(walks=40)).think(game, seat)
    return [(branch.move.as_json(), branch.visits) for branch in found.branches]


def test_the_learned_value_is_asked_between_rivals_and_not_together():
    table = TableSetup(COLOURS[:2])
    game = new_game(BOXES["standard"], table, QuickLuck(random.Random(1)))
    assert visits("valued", game, game.turn) != visits("mcts", game, game.turn)
    table.together = agreed_from_json("normal")
    game = new_game(BOXES["standard"], table, QuickLuck(random.Random(1)))
    assert visits("valued", game, game.turn) == visits("mcts", game, game.turn)


def test_there_is_no_other_character():
    with pytest.raises(LookupError, match="easy, fair, hard"):
        make("devious", BOXES["standard"], random.Random(1))


def test_cards_of_real_decks_that_nobody_has_told_are_guessed():
    source = random.Random(3)
    table = TableSetup(["red", "blue"])
    table.real_decks = True
    game = new_game(BOXES["standard"], table, QuickLuck(source))
    assert any(choice.by == NOBODY for choice in game.pending)
    before = state_of(game)
    move = Search(BOXES["standard"], source, Budget(walks=3)).choose(game, game.turn)
    assert move in moves_of(game, game.turn)
    assert state_of(game) == before
    twin = guessed(game, source, QuickLuck(source))
    assert not twin.pending
    assert UNKNOWN not in [*twin.tracks[0], *twin.tracks[1]]


def test_what_another_seat_still_has_open_holds_nobody_up():
    for game, seat in decisions(BOXES["standard"], 2, 3, 1):
        if seat not in (NOBODY, game.turn) and may_decide(game, game.turn):
            move = Search(BOXES["standard"], random.Random(1), Budget(walks=3)).choose(game, game.turn)
            assert move in moves_of(game, game.turn)
            assert move.by == game.turn
            assert Greedy(BOXES["standard"], random.Random(1)).choose(game, game.turn).by == game.turn
            return
    raise AssertionError("nobody had an income open in another's turn")
