"""Advice for beginners: two good legal moves and why, from what lies open alone."""

import random

from companion.bots.policy.advice import advise
from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import choice_of, move_of_the_table, moves_of, who_decides
from companion.bots.policy.reasons import WHYS
from companion.games.shelter.words import NOBODY
from companion.seeded_chance import QuickLuck
from tests.games.shelter.play import a_game, box


def positions(seed=1, **table):
    """Every position of a greedy game in which a seat has something to decide."""
    source = random.Random(seed)
    luck, game, greedy = QuickLuck(source), a_game(3, seed=seed, **table), Greedy(box("standard"), source)
    while game.result is None:
        seat = who_decides(game)
        if seat != NOBODY:
            yield game, seat
        game.play(move_of_the_table(game) if seat == NOBODY else greedy.choose(game, seat), luck)


def test_two_good_moves_are_legal_and_apart_and_have_a_reason():
    greedy, most = Greedy(box("standard"), random.Random(0)), 0
    for game, seat in positions():
        found = advise(game, seat, greedy)
        most = max(most, len(found))
        assert 1 <= len(found) <= 2
        for one in found:
            assert one.move in moves_of(game, seat)
            assert one.reason["why"] in WHYS
        if choice_of(game, seat) is None:
            assert len({(one.move.space, one.move.item) for one in found}) == len(found)
    assert most == 2


def test_it_knows_neither_the_decks_nor_the_dice_to_come_and_changes_nothing():
    greedy, source = Greedy(box("standard"), random.Random(0)), random.Random(5)
    for game, seat in positions(seed=2, real_decks=False):
        told = advise(game, seat, greedy)
        twin = game.copy()
        for deck in twin.decks:
            source.shuffle(deck)
        twin.rolls += 7
        assert advise(twin, seat, greedy) == told
        assert advise(game, seat, greedy) == told


def test_who_has_nothing_to_decide_is_told_nothing():
    greedy = Greedy(box("standard"), random.Random(0))
    game = a_game(3)
    others = [seat for seat in game.seats if seat != game.turn]
    assert all(advise(game, seat, greedy) == [] for seat in others)
    assert advise(game, game.turn, greedy)
