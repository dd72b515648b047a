"""A finished game looked at afterwards: moments, average loss, and the dice apart from the choices."""

import random

import pytest

from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import RandomPolicy, move_of_the_table, who_decides
from companion.bots.review.luck import Luck, note
from companion.bots.review.review import Effort, PlayedStep, bare, review
from companion.bots.review.values import MoveValues, mean, shortfall
from companion.games.shelter.events import FightRolled
from companion.games.shelter.moves import PLACE, read
from companion.games.shelter.words import COLOURS, NOBODY
from companion.seeded_chance import QuickLuck
from tests.games.shelter.play import a_game, box

QUICK = Effort(rough=4, fine=12, wide=2, again=4)


def played(policies, seed=1, rounds=60, **table):
    """The steps of a game, and its end; it is cut short in a round by the last one."""
    source = random.Random(seed)
    luck, game = QuickLuck(source), a_game(seed=seed, **table)
    kinds = {"greedy": Greedy(box("standard"), source), "random": RandomPolicy(source)}
    seats = dict(zip(game.seats, (kinds[name] for name in policies), strict=True))
    steps = []
    while game.result is None:
        game.last_round = game.last_round or game.round >= rounds
        seat, before = who_decides(game), game.copy()
        move = move_of_the_table(game) if seat == NOBODY else seats[seat].choose(game, seat)
        steps.append(PlayedStep(len(steps) + 1, before, move, tuple(game.play(move, luck))))
    return steps, game


def test_three_moments_in_order_and_everybody_is_told_the_same_again():
    steps, end = played(["random", "greedy", "greedy"], players=3, rounds=4)
    found = review(steps, end, "one", QUICK)
    assert found == review(steps, end, "one", QUICK)
    assert len(found["moments"]) == 3
    assert [one["nth"] for one in found["moments"]] == sorted({one["nth"] for one in found["moments"]})
    for one in found["moments"]:
        step = steps[one["nth"] - 1]
        assert (read(one["move"]), COLOURS[step.move.by], step.before.round) == (step.move, one["by"], one["round"])
        assert all(0 <= one[key] <= 1 for key in ("before", "after", "came", "of_best"))
        assert (one["best"] is None) == (one["reason"] is None)
        assert one["of_best"] > one["after"] if one["best"] else one["of_best"] == one["after"]
        assert one["best"] != one["move"]
        if one["best"] is not None:
            assert read(one["best"]) in step.before.legal_moves()
    assert list(found["players"]) == ["red", "blue", "green"]


def test_who_plays_at_random_gives_more_away():
    steps, end = played(["random", "greedy"], seed=3, rounds=6)
    found = review(steps, end, "two", Effort(rough=8, fine=8, wide=3, again=1))["players"]
    assert found["red"]["loss"] > 2 * found["blue"]["loss"]
    assert found["red"]["loss"] > 0.01


def test_together_nobodys_decisions_are_counted_against_them():
    steps, end = played(["greedy", "greedy"], together="normal")
    found = review(steps, end, "three", Effort(rough=2, fine=4, wide=1, again=3))
    assert all(one["loss"] is None for one in found["players"].values())
    assert len(found["moments"]) == 3


def test_a_game_with_a_deck_of_the_table_is_looked_at_too():
    steps, end = played(["greedy", "greedy"], rounds=2)
    for one in steps:
        one.before.real_decks = True
    assert review(steps, end, "four", Effort(rough=2, fine=4, wide=1, again=3))["moments"]


def test_a_game_without_a_decision_has_no_moments():
    _, end = played(["greedy", "greedy"], rounds=1)
    found = review([], end, "five", QUICK)
    assert found["moments"] == []
    assert found["players"]["red"]["decisions"] == 0
    assert found["players"]["red"]["luck"] == {
        "fights": {"rolls": 0, "came": 0, "expected": 0.0},
        "threats": {"rolls": 0, "came": 0, "expected": 0.0},
        "deviations": 0.0,
    }


def test_the_best_of_many_alike_is_not_told_as_better():
    """Noise alone: the best of eight equal moves looks better by the walks that chose it, not by others."""
    source, gaps, naive = random.Random(1), [], []
    for _ in range(300):
        played_, *others = ([[source.random()] for _ in range(8)] for _ in range(9))
        gaps.append(shortfall(played_, others, 0))
        naive.append(max(mean(walks, 0) for walks in [played_, *others]) - mean(played_, 0))
    assert sum(naive) / len(naive) > 0.1
    assert abs(sum(gaps) / len(gaps)) < 0.03


def test_the_value_of_a_move_does_not_know_the_decks_or_the_dice_to_come():
    """The same walks whatever dice the game brought: they are thrown anew, and the decks are shuffled first."""
    game = a_game()
    move = next(move for move in game.legal_moves() if move.do == PLACE)
    thrown = read({**move.as_json(), "dice": [[6, 6]]})
    assert bare(thrown) == move
    values = MoveValues(box("standard"), "six")
    for deck in game.decks:
        deck.sort()
    ordered = values.walks(game, move, "a", 3)
    assert ordered == values.walks(game, bare(thrown), "a", 3)
    assert ordered != values.walks(game, move, "b", 3)


# --- luck -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "bonus", "dice", "expected", "came"),
    [
        (7, 0, (3, 4), 0.58, 1),
        (7, 0, (1, 2), 0.58, 0),
        (9, 2, (6, 2), 0.58, 1),
        (2, 3, (1, 1), 1.0, 1),
        (13, 0, (6, 6), 0.0, 0),
    ],
)
def test_a_fight_counts_by_the_chance_that_it_had(number, bonus, dice, expected, came):
    luck = {0: Luck(), 1: Luck()}
    note(luck, a_game(), [FightRolled(0, 0, dice, bonus, number)])
    assert luck[0].as_json()["fights"] == {"rolls": 1, "came": came, "expected": expected}
    assert luck[1].as_json()["fights"]["rolls"] == 0


def test_luck_is_nothing_on_average_whoever_chooses_what():
    """Over many games the dice bring what they bring on average: a brave player is no luckier than a careful one."""
    for policies in (["greedy", "greedy"], ["random", "random"]):
        whole = {kind: [0.0, 0.0] for kind in ("fights", "threats")}
        rolls = 0
        for seed in range(12):
            steps, end = played(policies, seed=seed)
            luck = {seat: Luck() for seat in end.seats}
            for one in steps:
                note(luck, one.before, one.events)
            for one in luck.values():
                for kind, sums in whole.items():
                    tally = getattr(one, kind)
                    sums[0] += tally.came - tally.expected
                    sums[1] += tally.variance
                    rolls += tally.rolls
        assert rolls > 100
        for kind, (more, variance) in whole.items():
            assert abs(more) < 3 * variance**0.5, (policies, kind)
