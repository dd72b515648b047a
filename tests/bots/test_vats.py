"""Odds with the V.A.T.S. dice: those of the rules themselves, for each choice of dice to keep and each card."""

import random
from itertools import product

import pytest

from companion.bots.worth.vats import MOST_REROLLS, SUBSETS, contest_odds
from companion.games.wasteland.fight import fights
from companion.games.wasteland.state import state_of
from companion.seeded_chance import SeededLuck
from tests.games.wasteland.play import a_game, any_legal

KINDS = ("fight", "reroll", "test", "during-fight")


def contests(seeds=range(60), steps=500):
    """Games with a question about the dice, as random play comes across them."""
    for seed in seeds:
        source, luck, game = random.Random(seed), SeededLuck(seed), a_game(seed=seed, players=2)
        for _ in range(steps):
            move = any_legal(game, source)
            if move is None or game.result is not None:
                break
            game.play(move, luck)
            for choice in game.pending:
                if choice.kind in KINDS:
                    yield game, choice


def options_of(game, choice):
    return next(one["options"] for one in state_of(game)["pending"] if one["id"] == choice.id)


def brute(game, which, rerolls):
    """The chance to win by the rules' own sums, over every outcome of every throw."""
    contest = game.contest
    enemy = game.box.enemies[contest.kind] if contest.is_fight else None

    def won(faces):
        contest.dice = faces
        if enemy is None:
            return sum(face.hits for face in faces) + contest.hits >= contest.difficulty
        return fights.survivor_hits(game, contest, enemy) >= fights.hits_needed(game, enemy)

    def best(faces, left):
        if won(faces):
            return 1.0
        return max((after(faces, dice, left - 1) for dice in SUBSETS), default=0.0) if left else 0.0

    def after(faces, dice, left):
        total = 0.0
        for thrown in product(*(game.box.dice[die] for die in dice)):
            lying = list(faces)
            for die, face in zip(dice, thrown, strict=True):
                lying[die] = face
            total += best(tuple(lying), left)
        return total / len(game.box.dice[0]) ** len(dice)

    lying, faces = contest.dice, contest.dice
    try:
        return after(tuple(face or game.box.dice[die][0] for die, face in enumerate(faces)), which, rerolls)
    finally:
        contest.dice = lying


def test_the_odds_are_those_of_every_outcome():
    seen = {}
    for game, choice in contests():
        odds, contest = contest_odds(game), game.contest
        if contest is None or contest.rerolls > 1 or len(seen.setdefault(choice.kind, [])) >= 3:
            continue
        if choice.kind in ("fight", "test"):
            found, expected = odds.of(choice.kind, "roll"), brute(game, (0, 1, 2), contest.rerolls)
        elif choice.kind == "reroll" and contest.rerolls == 1:
            found, expected = odds.of("reroll", "1+3"), brute(game, (0, 2), 0)
        else:
            found, expected = odds.of(choice.kind, "keep"), brute(game, (), 0)
        assert found.win == pytest.approx(expected)
        assert (found.damage is None) is not contest.is_fight
        seen[choice.kind].append(found)
        if all(len(seen.get(kind, ())) >= 3 for kind in ("fight", "test", "reroll")):
            break
    assert {"fight", "test", "reroll"} <= set(seen)
    assert any(0 < one.win < 1 for one in seen["fight"])


def test_more_rerolls_never_hurt_and_a_fight_that_is_won_is_kept():
    for game, choice in contests(range(3)):
        if choice.kind != "reroll" or game.contest is None:
            continue
        before = 0.0
        for rerolls in range(MOST_REROLLS + 2):
            game.contest.rerolls = rerolls
            now = contest_odds(game).of("reroll", "well-rested").win
            assert now >= before - 1e-9
            before = now
        kept = contest_odds(game).of("reroll", "keep").win
        assert kept in (0.0, 1.0)
        if kept:
            game.contest.rerolls = 0
            assert contest_odds(game).of("reroll", "well-rested").win == 1.0


def test_damage_is_what_the_bullets_cost_on_average():
    for game, choice in contests():
        contest = game.contest
        if contest is None or choice.kind != "fight":
            continue
        enemy = game.box.enemies[contest.kind]
        throws = list(product(*game.box.dice))
        costs = [fights.damage(game, contest, enemy, sum(face.hits for face in faces)) for faces in throws]
        assert contest_odds(game).of("fight", "roll").damage == pytest.approx(sum(costs) / len(costs))
        return
    raise AssertionError("no fight was found")


def test_every_answer_that_is_about_the_dice_has_odds_and_nothing_is_changed():
    told = set()
    for game, choice in contests(range(6)):
        rolls, dice = game.rolls, None if game.contest is None else game.contest.dice
        odds = contest_odds(game)
        if odds is None:
            continue
        for option in options_of(game, choice):
            found = odds.of(choice.kind, option)
            if found is not None:
                assert 0 <= found.win <= 1.0 + 1e-9
                told.add(option.partition(":")[0] if not option[0].isdecimal() else "dice")
            else:
                assert ":" in option
        assert (game.rolls, game.contest.dice) == (rolls, dice)
    assert {"roll", "keep", "dice", "use"} <= told


def test_dice_whose_faces_nobody_knows_have_no_odds(monkeypatch):
    game, _ = next(one for one in contests() if one[0].contest is not None)
    assert contest_odds(game) is not None
    monkeypatch.setattr(game.box, "dice", ())
    assert contest_odds(game) is None
    game.contest = None
    assert contest_odds(game) is None
