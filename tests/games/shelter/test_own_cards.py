"""Cards that the standard pack does not have: what an owner may print must follow the same rules."""

from dataclasses import replace

import pytest

from companion.cards.loader import builtin
from companion.cards.notation import parse_space
from companion.games.shelter import moves as m
from companion.games.shelter.cards.box import Box
from companion.games.shelter.setup import with_box
from companion.games.shelter.state import state_of
from companion.games.shelter.words import SPACE_NUMBER
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck
from tests.games.scenarios import run

from .play import a_game

BASE = {"players": ["red", "blue"], "levels": ["red", "blue"], "first": "red", "seed": 7}
PLACE = {"do": "place", "by": "red", "space": "1:R1a"}


def choose(option):
    return {"do": "choose", "by": "red", "option": option}


def box_with(left, right="free -> 1W"):
    """The standard pack, with another room in the place of the Water Treatment."""
    pack = builtin("standard")
    top = list(pack.top_level)
    top[3] = replace(top[3], spaces=(parse_space(left), parse_space(right)))
    return Box(replace(pack, top_level=tuple(top)))


def play(left, *moves, start=None, then=None, **more):
    raw = {
        **BASE,
        **more,
        "start": {"round": 1, "phase": "place", **(start or {})},
        "moves": list(moves),
        "then": then or {},
    }
    return run(raw, box_with(left), SeededLuck(7))


def red(**board):
    return {"players": {"red": board}}


def test_g5_a_fight_on_a_room_injures_or_rewards_and_discards_nothing():
    then = {**red(happiness=2), "discards": {"threats": 0}}
    assert play("fight:7 -> 2H", PLACE, choose("roll"), dice=[[3, 4]], then=then) == []
    then = {**red(happiness=0), "placed": {"1:R1a": {"dwellers": ["injured"]}}}
    assert play("fight:7 -> 2H", PLACE, choose("roll"), dice=[[3, 3]], then=then) == []


def test_a4_a_doubled_build_asks_for_the_second_price_and_may_be_declined():
    start = red(resources={"water": 6, "food": 6, "energy": 6}, available=["S", "plain"])
    decks = {"rooms": ["garden", "lounge", "armory", "medbay", "living-room"]}
    trained = {**PLACE, "dwellers": ["S"]}
    moves = [trained, choose("garden@left"), choose("lounge@right")]
    then = red(resources={"water": 6, "food": 2, "energy": 1}, happiness=2)
    assert play("pay-room -> 1H build (letter S)", *moves, start=start, decks=decks, then=then) == []
    moves = [trained, choose("garden@left"), choose("decline")]
    then = {**red(resources={"water": 6, "food": 4, "energy": 3}, happiness=2), "turn": "blue"}
    assert play("pay-room -> 1H build (letter S)", *moves, start=start, decks=decks, then=then) == []


def test_a5_a_linked_space_doubles_once_for_two_that_match():
    start = red(available=["S", "plain"], resources={"water": 0})
    moves = [{**PLACE, "dwellers": ["plain", "S"]}]
    assert play("free -> 1W (linked, letter S)", *moves, start=start, then=red(resources={"water": 2})) == []


def test_p3_coloured_icons_are_paid_before_any():
    start = red(resources={"water": 1, "food": 1, "energy": 0})
    then = {**red(resources={"water": 0, "food": 0}, happiness=1), "pending": [], "turn": "blue"}
    assert play("1? 1W -> 1H", PLACE, start=start, then=then) == []


def test_p3_an_earlier_reward_may_pay_for_a_later_one():
    then = red(resources={"water": 0, "food": 2, "energy": 0})
    assert play("free -> 1W 1W<->2F", PLACE, choose("1W->2F"), then=then) == []


def test_p2_an_item_and_a_room_in_one_cost():
    start = red(resources={"water": 6, "food": 6, "energy": 6}, items=[{"id": "globe"}, {"id": "parrot"}])
    decks = {"rooms": ["garden", "lounge", "armory"]}
    moves = [PLACE, choose("parrot"), choose("garden@left")]
    then = {
        **red(resources={"food": 4, "energy": 3}, items=[{"id": "globe", "exhausted": False}]),
        "discards": {"items": 1},
    }
    assert play("item pay-room -> build", *moves, start=start, decks=decks, then=then) == []


def test_b1_a_free_build_costs_nothing_unless_the_house_says_so():
    decks = {"rooms": ["garden", "lounge", "armory"]}
    then = {"levels": {"2": {"rooms": {"L1": "garden"}}}, **red(resources={"food": 0})}
    assert play("free -> build", PLACE, choose("garden@left"), decks=decks, then=then) == []
    house = {"build_always_paid": True}
    assert (
        play(
            "free -> build",
            PLACE,
            decks=decks,
            house_rules=house,
            then={"levels": {"2": {"rooms": {}}}, "turn": "blue"},
        )
        == []
    )
    start = red(resources={"food": 6, "energy": 6})
    then = {"levels": {"2": {"rooms": {"R1": "garden"}}}, **red(resources={"food": 4, "energy": 3})}
    moves = [PLACE, choose("garden@right")]
    assert play("free -> build", *moves, decks=decks, house_rules=house, start=start, then=then) == []


def test_j1_an_injury_in_the_cost_of_a_linked_space_lays_both_down():
    then = {**red(happiness=2), "placed": {"1:R1a": {"dwellers": ["injured", "injured"]}}}
    assert play("injure -> 2H (linked)", PLACE, then=then) == []


def test_q1_more_than_a_track_holds_in_one_icon():
    assert play("free -> 9W", PLACE, then=red(resources={"water": 6})) == []


def test_i3_ready_asks_which_of_two():
    items = [{"id": "shotgun", "exhausted": True}, {"id": "husky", "exhausted": True}]
    then = red(items=[{"id": "shotgun", "exhausted": True}, {"id": "husky", "exhausted": False}])
    assert play("free -> ready", PLACE, choose("husky"), start=red(items=items), then=then) == []
    assert play("free -> ready", PLACE, then={"turn": "blue"}) == []


def test_t3_two_spaces_that_share_a_number_give_the_left_one_that_is_free():
    pack = builtin("standard")
    box = Box(replace(pack, columns=(2, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 12)))
    start = {"round": 2, "phase": "spawn", "threats": {"1:L3a": "fire"}}
    raw = {
        **BASE,
        "start": start,
        "dice": [[1, 1], [3, 4], [3, 4]],
        "decks": {"threats": ["raider"]},
        "moves": [{"do": "spawn"}],
    }
    assert run({**raw, "then": {"threats": {"1:L3a": "fire", "1:L3b": "raider"}}}, box, SeededLuck(1)) == []


@pytest.mark.parametrize("left", ["fight:7 1W -> 1H (letter E)", "2? injure -> train heal", "item item -> 3? first"])
def test_what_cannot_be_paid_is_refused(left):
    assert play(left, {**PLACE, "refused": "P2"}) == []


# --- corrected cards in a game under way (C2, V2) ---------------------------------------------------------------------


def corrected(**parts):
    return Box(replace(builtin("standard"), **parts))


def threat_on(space):
    game = a_game(2)
    game.play(m.read({"do": "correct", "set": {"threats": {space: "raider"}}}), SeededLuck(1))
    return game


def refusal_of(game, box):
    with pytest.raises(Refusal) as caught:
        with_box(game, box)
    return caught.value.code, caught.value.clause


def test_c2_the_same_cards_go_on_with_what_is_printed_on_them_corrected():
    game = a_game(2)
    pistol = next(kind for kind in game.box.items if kind.passive_bonus)
    change = {"players": {"blue": {"items": [{"id": pistol.name}]}}, "threats": {"1:R1a": "raider"}}
    game.play(m.read({"do": "correct", "set": change}), SeededLuck(1))
    items = [
        replace(card, effect=replace(card.effect, bonus=5)) if card.id == pistol.name else card
        for card in builtin("standard").items
    ]
    other = with_box(game, corrected(items=tuple(items)))
    assert (game.hands[1].bonus, other.hands[1].bonus) == (pistol.passive_bonus, 5)
    assert state_of(other) == state_of(game)
    assert other.box is not game.box
    assert [move.as_json() for move in other.legal_moves()] == [move.as_json() for move in game.legal_moves()]
    assert (other.vault.box, other.vault.owners) == (other.box, game.vault.owners)
    free = with_box(game, box_with("1W -> 1H", "1W -> 1H"))
    spaces = {move.space for move in free.legal_moves()}
    assert {move.space for move in game.legal_moves()} - spaces == {SPACE_NUMBER["1:R1b"]}


def test_c2_a_pack_with_other_cards_is_refused():
    pack, game = builtin("standard"), a_game(2)
    more = replace(pack.items[0], copies=pack.items[0].copies + 1)
    assert refusal_of(game, corrected(items=(more, *pack.items[1:]))) == ("other_cards", "C2")
    named = replace(pack.threats[0], id="somebody-else")
    assert refusal_of(game, corrected(threats=(named, *pack.threats[1:]))) == ("other_cards", "C2")
    *top, last = pack.top_level
    moved = corrected(top_level=tuple(top), rooms=(replace(last, copies=0), *pack.rooms))
    assert (moved.names, moved.decks) == (game.box.names, game.box.decks)
    assert refusal_of(game, moved) == ("other_cards", "C2")


def test_v2_no_pack_takes_a_space_away_on_which_something_lies():
    pack = builtin("standard")
    top = list(pack.top_level)
    top[3] = replace(top[3], spaces=(None, top[3].spaces[1]))
    narrower = corrected(top_level=tuple(top))
    assert refusal_of(threat_on("1:R1a"), narrower) == ("other_cards", "V2")
    standing = a_game(2)
    standing.play(m.read({"do": "place", "by": "red", "space": "1:R1a"}), SeededLuck(1))
    assert refusal_of(standing, narrower) == ("other_cards", "V2")
    kept = with_box(threat_on("1:R1b"), narrower)
    assert state_of(kept)["threats"] == {"1:R1b": "raider"}
