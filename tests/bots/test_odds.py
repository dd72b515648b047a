"""Odds are exact: held against every throw of the dice counted one by one."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from companion.bots.worth import odds
from companion.cards.evenings.house_calls import CallEffect, HouseCall
from companion.cards.loader import builtin
from companion.games.shelter.cards.box import Box
from companion.games.shelter.cards.hand import set_hand
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.turn.rounds import spawn
from companion.games.shelter.words import ITEMS, RED, SPACE_NUMBER, SPAWN, THREATS
from companion.seeded_chance import QuickLuck, SeededLuck

BOX = Box(builtin("standard"))
THROWS = list(product(range(1, 7), repeat=2))
SPACE = SPACE_NUMBER["1:R1b"]


def counted(number, bonus, rerolls):
    """Wins among all throws, the lost ones thrown again."""
    won = Fraction(0)
    for throws in product(THROWS, repeat=rerolls + 1):
        won += any(sum(throw) + bonus >= number for throw in throws)
    return won / 36 ** (rerolls + 1)


@pytest.mark.parametrize("rerolls", [0, 1])
@pytest.mark.parametrize("bonus", [0, 1, 3, 6])
@pytest.mark.parametrize("number", [2, 5, 6, 7, 8, 9, 10, 12, 14])
def test_a_fight_is_counted_exactly(number, bonus, rerolls):
    assert odds.of_fight(number, bonus, rerolls) == counted(number, bonus, rerolls)


def fight_with(*items, threat="raider"):
    source = random.Random(1)
    game = new_game(BOX, TableSetup(["red", "blue"]), QuickLuck(source))
    game.vault = game.vault.with_threats({SPACE: BOX.numbers[THREATS][threat]})
    set_hand(game, RED, tuple(2 * BOX.numbers[ITEMS][item] for item in items))
    return game


def test_each_item_is_told_apart_and_together():
    game = fight_with("10mm-pistol", "shotgun", "minigun", "fat-man")
    told = odds.fight_now(game, RED, SPACE)
    assert told["number"] == 9
    assert told["bonus"] == 1
    assert told["bare"] == float(counted(9, 1, 0))
    assert told["with"] == {
        "use:shotgun": float(counted(9, 3, 0)),
        "use:minigun": float(counted(9, 4, 0)),
        "use:fat-man": float(counted(9, 1, 1)),
    }
    assert told["with_everything"] == float(counted(9, 6, 1))


def test_an_exhausted_item_helps_nobody():
    game = fight_with()
    set_hand(game, RED, (2 * BOX.numbers[ITEMS]["minigun"] + 1,))
    assert odds.fight_now(game, RED, SPACE)["with"] == {}


def test_where_nothing_is_fought_there_are_no_odds():
    assert odds.fight_now(fight_with(threat="fire"), RED, SPACE) is None
    assert odds.fight_now(fight_with(), RED, SPACE_NUMBER["2:R1a"]) is None


def test_the_columns_add_up_and_name_the_spaces_that_spawn():
    game = fight_with()
    columns = odds.columns_tonight(game)
    for level in (1, 2, 3):
        assert sum(one["chance"] for one in columns if one["level"] == level) == pytest.approx(1)
    game.phase = SPAWN
    for one in columns:
        twin = game.copy()
        spawn(twin, FixedDice(one["column"]))
        found = twin.spawned[one["level"] - 1]
        named = None if one["space"] is None else SPACE_NUMBER[one["space"]]
        assert (found.space if found.space >= 0 else None) == named


def test_v2_no_column_names_a_space_that_a_room_does_not_have():
    pack = builtin("standard")
    halved = tuple(replace(card, spaces=(card.spaces[0], None)) for card in pack.top_level)
    game = new_game(Box(replace(pack, top_level=halved)), TableSetup(["red", "blue"]), SeededLuck(1))
    named = {one["space"] for one in odds.columns_tonight(game)} - {None}
    assert named == {"1:L2a", "1:L1a", "1:R1a", "1:R2a", "1:R3a"}
    assert odds.threatened(game, 0) == Fraction(2 + 4 + 5 + 3 + 1, 36)


def test_the_chance_that_a_level_is_threatened():
    game = fight_with()
    assert odds.threatened(game, 1) == 0
    by_columns = sum(one["chance"] for one in odds.columns_tonight(game) if one["level"] == 1 and one["space"])
    assert float(odds.threatened(game, 0)) == pytest.approx(by_columns)


class FixedDice:
    def __init__(self, total):
        self._dice = (total // 2, total - total // 2)

    def roll(self, _nth):
        return self._dice

    def shuffle(self, _nth, cards):
        return list(cards)

    def told_card(self):
        return None


def test_w6_how_often_the_next_step_rolls_for_a_level():
    table = TableSetup(["red", "blue"])
    table.house_calls = (HouseCall("a", (CallEffect("stir", where="top"), CallEffect("calm", where="own", last=2))),)
    game = new_game(BOX, table, SeededLuck(1))
    assert [odds.rolls_to_come(game, level) for level in range(3)] == [2, 0, 0], "of the second round"
    game.round = 2
    assert [odds.rolls_to_come(game, level) for level in range(3)] == [2, 1, 1]
