"""Rules put right in later versions; games that an earlier one began go on as they were."""

from dataclasses import replace

import pytest

from companion.cards.wasteland.loader import builtin, pack_text
from companion.cards.wasteland.notation import ability
from companion.games.wasteland import moves
from companion.games.wasteland.adapter import GAME
from companion.games.wasteland.box import COLOURS, ENEMIES, WastelandBox
from companion.games.wasteland.flow.conditions import armor_of
from companion.games.wasteland.game import WastelandTable, new_game
from companion.games.wasteland.state import state_of
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck

SETUP = {"players": ["red", "blue"], "first": "red", "survivors": {"red": "the-netmaker", "blue": "the-pilgrim"}}


def begun(version, **start):
    setup = {**SETUP, "start": start} if start else SETUP
    return GAME.renew(version, pack_text("homemade"), setup, SeededLuck(1))


def say(game, **move):
    return game.play(moves.read(move), SeededLuck(5))


def with_card(name, **change):
    """A game whose first survivor has equipped a card that is printed like this."""
    pack = builtin("homemade")
    cards = tuple(replace(card, **change) if card.id == name else card for card in pack.cards)
    table = WastelandTable((0, 1), first=0)
    table.survivors = {0: "the-netmaker", 1: "the-pilgrim"}
    return new_game(WastelandBox(replace(pack, cards=cards)), table, SeededLuck(1))


def test_new_games_are_of_the_newest_version():
    new = GAME.new(pack_text("homemade"), SETUP, SeededLuck(1))
    every = (1, 2, 3, 4, 5)
    assert GAME.version == new.version == every[-1]
    assert [begun(version).by_the_book for version in every] == [False, True, True, True, True]
    assert [begun(version).by_itself for version in every] == [False, False, True, True, True]
    assert [begun(version).at_once for version in every] == [False, False, False, True, True]
    assert [begun(version).trades_in_reach for version in every] == [False, False, False, False, True]


@pytest.mark.parametrize(("version", "offered"), [(4, True), (5, False)])
def test_a_camp_offers_no_trade_where_nothing_can_be_traded(version, offered):
    poor = {"caps": 0, "hand": [], "weapon": None, "apparel": None, "companion": None, "inventory": []}
    game = begun(version, players={"red": poor, "blue": poor})
    say(game, do="camp", by="red")
    assert ("trade" in state_of(game)["pending"][0]["options"]) is offered


def camps_twice(version, **start):
    """The second survivor, who has no card to use, camps twice."""
    game = begun(version, turn="blue", **start)
    for _ in range(2):
        say(game, do="camp", by="blue", all=True)
    return game


def test_a_turn_ends_where_nothing_is_left_to_do():
    assert camps_twice(3).phase == ENEMIES
    assert camps_twice(2).turn == 1


def test_a_turn_goes_on_while_a_card_may_be_used():
    game = camps_twice(3, players={"blue": {"inventory": ["dried-fish"]}})
    assert game.turn == 1
    say(game, do="use", by="blue", card="dried-fish")
    assert game.phase == ENEMIES


def test_dice_fall_where_nothing_comes_before_them():
    crab = {"players": {"red": {"space": "reef"}}, "enemies": {"9": {"id": "dune-crab", "space": "reef"}}}
    asked = {}
    for version in (2, 3):
        game = begun(version, **crab)
        say(game, do="fight", by="red", enemy=9, dice=[["a0", "0", "0"]])
        asked[version] = [choice.kind for choice in game.pending]
    assert asked[2] == ["fight"]
    assert "fight" not in asked[3]


def test_a_throw_that_cannot_be_bettered_is_kept():
    board = {"players": {"red": {"space": "reef", "weapon": "flare-pistol", "letters": "SP"}},
             "enemies": {"9": {"id": "dune-crab", "space": "reef"}}}  # fmt: skip
    for dice, keeps in ((["a0", "l0", "0"], True), (["a1", "l0", "0"], False)):
        game = begun(3, **board)
        say(game, do="fight", by="red", enemy=9, dice=[dice])
        assert ("reroll" not in [choice.kind for choice in game.pending]) is keeps


@pytest.mark.parametrize(("version", "tokens"), [(1, 24), (2, 26)])
def test_the_own_letter_is_no_token_of_the_supply(version, tokens):
    assert sum(begun(version).supply) == tokens


@pytest.mark.parametrize("version", [1, 2])
def test_a_letter_that_a_correction_takes_goes_back_where_it_came_from(version):
    game = begun(version, players={"red": {"letters": "SL", "xp": "start"}})
    own = game.box.characters[game.survivors[0].character].letter
    before = state_of(game)["letters"]
    say(game, do="correct", set={"players": {"red": {"letters": "S" if own != "S" else "L"}}})
    assert state_of(game)["letters"][own] == before[own] + (version == 1)


def test_the_own_letter_leaves_with_its_survivor():
    game = begun(2)
    supply = sum(game.supply)
    say(game, do="result", by="red", results=["rads 99"])
    assert game.survivors[0].eliminated
    assert sum(game.supply) == supply + 1


def test_an_ability_without_a_price_works_once_a_turn():
    game = with_card("boat-hook", abilities=(ability("own-turn: caps 1"),))
    say(game, do="correct", set={"players": {"red": {"weapon": "boat-hook"}}})
    say(game, do="use", by="red", card="boat-hook")
    assert "boat-hook" not in [move.args.get("card") for move in game.legal_moves()]
    with pytest.raises(Refusal) as refused:
        say(game, do="use", by="red", card="boat-hook")
    assert refused.value.code == "not_usable"
    for _ in range(2):
        say(game, do="end", by=COLOURS[game.turn])
    say(game, do="reveal")
    while game.pending:
        say(game, do="choose", by=COLOURS[game.pending[0].by], option=state_of(game)["pending"][0]["options"][0])
    assert ("use", "boat-hook") in [(move.do, move.args.get("card")) for move in game.legal_moves()]


def test_a_free_ability_works_as_often_as_one_likes():
    game = with_card("boat-hook", abilities=(ability("own-turn, free: caps 1"),))
    say(game, do="correct", set={"players": {"red": {"weapon": "boat-hook"}}})
    for _ in range(3):
        say(game, do="use", by="red", card="boat-hook")
    assert game.survivors[0].caps == 6


@pytest.mark.parametrize(("card", "slot"), [("boat-hook", "weapon"), ("oilskin", "apparel"), ("gull", "companion")])
def test_any_equipped_card_may_have_armor(card, slot):
    game = with_card(card, armor=2)
    say(game, do="correct", set={"players": {"red": {slot: card}}})
    assert armor_of(game, 0) == 2
    say(game, do="correct", set={"players": {"red": {slot: None, "inventory": [card]}}})
    assert armor_of(game, 0) == 0


def test_a_perk_for_fights_was_wasted_by_version_1():
    game = begun(1, players={"red": {"perks": ["iron-grip"]}})
    assert [event.event for event in say(game, do="perk", by="red", card="iron-grip")][-1] == "no_fight"
    assert begun(2, players={"red": {"perks": ["iron-grip"]}}).legal_moves(0)
    assert "perk" not in [move.do for move in begun(2, players={"red": {"perks": ["iron-grip"]}}).legal_moves()]


def test_a_typed_space_needed_no_id_in_version_1():
    game = begun(1, enemies={"1": {"id": "dune-crab", "space": "causeway"}}, players={"red": {"space": "causeway"}})
    say(game, do="result", by="red", results=["kill"])
    while game.pending and game.pending[0].kind == "kill":
        say(game, do="choose", by="red", option="1")
    assert game.pending[0].kind == "replacement"
    say(game, do="choose", by="red", option="somewhere-new")
    assert "somewhere-new" in [token.at for token in game.enemies.values()]


def attacked(version):
    """An enemy phase in which a crab attacks the first survivor."""
    setup = {**SETUP, "decks": {"agendas": ["map-of-wrecks"]}, "start": {
        "phase": "enemies", "players": {"red": {"space": "reef"}},
        "enemies": {"1": {"id": "dune-crab", "space": "reef"}},
    }}  # fmt: skip
    game = GAME.renew(version, pack_text("homemade"), setup, SeededLuck(1))
    say(game, do="reveal")
    return game


def test_dice_of_an_attacked_survivor_fall_where_nothing_comes_before_them():
    assert [choice.kind for choice in attacked(3).pending] == ["fight"]
    assert "fight" not in [choice.kind for choice in attacked(4).pending]


def with_real_tokens(version):
    """A survivor on the rightmost letter, with one XP to gain."""
    game = begun(version, players={"red": {"letters": "L", "xp": "L"}})
    say(game, do="correct", set={"options": {"cards": "table"}})
    return game


def levels_up(game, **told):
    say(game, do="result", by="red", results=["xp 1"], **told)
    return state_of(game)["pending"][0]


@pytest.mark.parametrize(("version", "asked"), [(3, "drawn"), (4, "letter")])
def test_of_two_real_tokens_only_the_kept_one_is_told(version, asked):
    game = with_real_tokens(version)
    choice = levels_up(game)
    assert choice["kind"] == asked
    assert set(choice["options"]) == {letter for letter, left in state_of(game)["letters"].items() if left}


def test_the_kept_token_leaves_the_supply_and_the_other_one_never_did():
    game = with_real_tokens(4)
    before = state_of(game)["letters"]
    levels_up(game)
    say(game, do="choose", by="red", option="P")
    assert state_of(game)["letters"] == {**before, "P": before["P"] - 1}


def test_tokens_that_are_told_with_a_move_are_chosen_from():
    assert levels_up(with_real_tokens(4), drawn=["S", "P"])["options"] == ["S", "P"]


@pytest.mark.parametrize(("version", "asked"), [(3, ["reroll"]), (4, [])])
def test_a_test_that_is_passed_is_kept(version, asked):
    game = begun(version, players={"red": {"letters": "SL", "xp": "start"}})
    say(game, do="test", by="red", letters="S", difficulty=1, dice=[["a1", "0", "0"]])
    assert [choice.kind for choice in game.pending if choice.kind == "reroll"] == asked


@pytest.mark.parametrize(("version", "hp", "over"), [(3, 16, False), (4, 16, True), (4, 12, False)])
def test_a_card_that_would_change_nothing_keeps_no_turn_open(version, hp, over):
    game = begun(version, turn="blue", players={"blue": {"inventory": ["dried-fish"], "hp": hp}})
    for _ in range(2):
        say(game, do="move", by="blue")
    while game.points:
        say(game, do="step", by="blue", to="market" if game.survivors[1].at != "market" else "causeway")
    assert (game.phase == ENEMIES) is over
