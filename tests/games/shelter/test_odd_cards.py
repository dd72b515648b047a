"""Clauses that no listed card shows: an owner's corrections give the cards that do, scenarios say what must hold."""

import pytest

from companion.cards.loader import builtin
from companion.games.shelter.cards.box import Box
from companion.seeded_chance import SeededLuck
from tests.games.scenarios import run

ROLL = {"do": "choose", "by": "red", "option": "roll"}
RECALL = {"do": "recall"}
SPAWN = {"do": "spawn"}
HANDS_FULL = {"water": 6, "food": 6, "energy": 6}


def place(by, space, *dwellers):
    return {"do": "place", "by": by, "space": space} | ({"dwellers": list(dwellers)} if dwellers else {})


def choose(by, option):
    return {"do": "choose", "by": by, "option": option}


def passes(*colours):
    return [{"do": "pass", "by": colour} for colour in colours]


def refused(move):
    return move | {"refused": True}


@pytest.fixture
def holds(tmp_path):
    """Plays a scenario with two players whose gardens and storage rooms say something else."""

    def check(overlay, *, start, moves, then, **more):
        file = tmp_path / "odd.toml"
        file.write_text(overlay, encoding="utf-8")
        raw = {
            "players": ["red", "blue"],
            "first": "red",
            "start": {"round": 1, "phase": "place"} | start,
            "moves": moves,
            "then": then,
        }
        assert run(raw | more, Box(builtin("standard", file)), SeededLuck(1)) == []

    return check


def on_level(number, **rooms):
    return {"levels": {str(number): {"rooms": rooms}}}


def red(**board):
    return {"players": {"red": board}}


FIGHT = '[cards.garden]\nleft = "fight:6 -> 1H train:S (letter S)"'


def test_G5_a_fight_won_on_a_room(holds):
    holds(
        FIGHT,
        start=on_level(3, L1="garden"),
        dice=[[3, 3]],
        moves=[place("red", "3:L1a"), ROLL, choose("blue", "food"), *passes("blue", "red"), RECALL],
        then={"levels": {"3": {"rooms": {"L1": "garden"}}}, "discards": {"rooms": 0, "threats": 0}}
        | red(happiness=1, available=["plain", "S"]),
    )


def test_G5_a_fight_lost_on_a_room_trains_nobody(holds):
    holds(
        FIGHT,
        start=on_level(2, L1="garden"),
        dice=[[1, 1]],
        moves=[place("red", "2:L1a"), ROLL, *passes("blue", "red"), RECALL],
        then={"levels": {"2": {"rooms": {"L1": "garden"}}}} | red(happiness=0, available=["plain", "injured"]),
    )


def test_A4_an_exchange_has_no_second_effect(holds):
    holds(
        '[cards.storage-room]\nleft = "free -> 1W<->2F 1H (letter S)"',
        start=on_level(2, L1="storage-room") | red(available=["S", "plain"], resources={"water": 3}),
        moves=[place("red", "2:L1a", "S"), choose("red", "1W->2F"), choose("red", "done")],
        then={"turn": "blue", "pending": []} | red(happiness=2, resources={"water": 2, "food": 2}),
    )


DOUBLED_BUILD = '[cards.theme-workshop]\nleft = "pay-room -> 1H build (letter I)"'
THREE_ROOMS = {"rooms": ["garden", "lounge", "armory", "medbay"]}


def test_A4_a_doubled_build_asks_for_the_second_price_too(holds):
    holds(
        DOUBLED_BUILD,
        start=on_level(2, L1="theme-workshop") | red(available=["I", "plain"], resources=HANDS_FULL),
        decks=THREE_ROOMS,
        moves=[place("red", "2:L1a", "I"), choose("red", "garden@left"), choose("red", "lounge@right")],
        then={"turn": "blue", "levels": {"2": {"rooms": {"L1": "theme-workshop", "L2": "garden", "R1": "lounge"}}}}
        | red(happiness=2, resources={"water": 6, "food": 2, "energy": 1}),
    )


def test_A4_the_second_of_a_doubled_build_may_be_declined(holds):
    holds(
        DOUBLED_BUILD,
        start=on_level(2, L1="theme-workshop") | red(available=["I", "plain"], resources=HANDS_FULL),
        decks=THREE_ROOMS,
        moves=[place("red", "2:L1a", "I"), choose("red", "garden@left"), choose("red", "decline")],
        then={"turn": "blue", "tracks": {"rooms": ["medbay", "lounge", "armory"]}}
        | red(happiness=2, resources={"water": 6, "food": 4, "energy": 3}),
    )


def test_A4_the_second_of_a_doubled_build_that_cannot_be_paid_is_lost(holds):
    holds(
        DOUBLED_BUILD,
        start=on_level(2, L1="theme-workshop") | red(available=["I", "plain"], resources={"food": 2, "energy": 3}),
        decks=THREE_ROOMS,
        moves=[place("red", "2:L1a", "I"), choose("red", "garden@left")],
        then={"turn": "blue", "pending": []} | red(happiness=2, resources={"food": 0, "energy": 0}),
    )


def test_P3_an_earlier_reward_pays_for_a_later_one(holds):
    holds(
        '[cards.garden]\nleft = "free -> 1W 1W<->2F"',
        start=on_level(2, L1="garden"),
        moves=[place("red", "2:L1a"), choose("red", "1W->2F"), choose("red", "done")],
        then={"turn": "blue"} | red(resources={"water": 0, "food": 2}),
    )


FREE_BUILD = '[cards.garden]\nleft = "free -> build"'


def test_B2_a_build_without_the_pay_icon_costs_nothing(holds):
    holds(
        FREE_BUILD,
        start=on_level(2, L1="garden"),
        decks=THREE_ROOMS,
        moves=[place("red", "2:L1a"), choose("red", "armory@right")],
        then={"turn": "blue", "levels": {"2": {"rooms": {"R1": "armory"}}}}
        | red(resources={"water": 0, "food": 0, "energy": 0}),
    )


def test_B2_house_rule_build_always_paid(holds):
    holds(
        FREE_BUILD,
        start=on_level(2, L1="garden") | red(resources={"water": 2, "energy": 2}),
        house_rules={"build_always_paid": True},
        decks=THREE_ROOMS,
        moves=[place("red", "2:L1a"), refused(choose("red", "garden@right")), choose("red", "armory@right")],
        then={"turn": "blue", "levels": {"2": {"rooms": {"R1": "armory"}}}} | red(resources={"water": 0, "energy": 0}),
    )


def test_P8_no_room_to_be_paid_for_is_a_lost_reward(holds):
    holds(
        FREE_BUILD,
        start=on_level(2, L1="garden"),
        house_rules={"build_always_paid": True},
        decks=THREE_ROOMS,
        moves=[place("red", "2:L1a")],
        then={"turn": "blue", "pending": [], "levels": {"2": {"rooms": {"R1": None}}}},
    )


def test_R6_of_several_the_last_one_to_gain_the_token_has_it(holds):
    holds(
        '[cards.garden]\nleft = "free -> first"',
        start=on_level(2, L1="garden"),
        dice=[[3, 4]] * 3,
        moves=[
            place("red", "1:L2a"),
            place("blue", "2:L1a"),
            choose("red", "decline"),
            *passes("red", "blue"),
            RECALL,
            SPAWN,
        ],
        then={"first": "blue", "turn": "blue", "round": 2},
    )


SHARED = 'columns = [2, 2, 3, 4, 5, 6, 8, 9, 10, 11, "-", "-"]'


def spawned_on_top(then, dice, threats):
    return {
        "start": {"round": 2, "phase": "spawn", "threats": threats},
        "dice": [dice, [3, 4], [3, 4]],
        "decks": {"threats": ["fire"]},
        "moves": [SPAWN],
        "then": {"spawned": [then, {"why_not": "seven"}, {"why_not": "seven"}]},
    }


def test_V2_of_two_spaces_with_one_number_the_left(holds):
    holds(SHARED, **spawned_on_top({"space": "1:L3a", "threat": "fire"}, [1, 1], {}))


def test_V2_of_two_spaces_with_one_number_the_one_that_is_free(holds):
    holds(SHARED, **spawned_on_top({"space": "1:L3b", "threat": "fire"}, [1, 1], {"1:L3a": "raider"}))


def test_V2_two_spaces_with_one_number_both_with_a_threat(holds):
    holds(
        SHARED, **spawned_on_top({"space": None, "why_not": "occupied"}, [1, 1], {"1:L3a": "raider", "1:L3b": "raider"})
    )


def test_V2_an_occupied_space_is_why_even_if_the_other_has_no_room(holds):
    holds(
        'columns = [2, 3, 4, 5, 6, 8, 8, 9, 10, 11, 12, "-"]',
        start={"round": 2, "phase": "spawn", "threats": {"2:L1b": "raider"}} | on_level(2, L1="garden"),
        dice=[[3, 4], [4, 4], [3, 4]],
        moves=[SPAWN],
        then={"spawned": [{"why_not": "seven"}, {"why_not": "occupied"}, {"why_not": "seven"}]},
    )


def test_V2_a_number_that_no_space_has(holds):
    holds(SHARED, **spawned_on_top({"space": None, "why_not": "no_number"}, [6, 6], {}))


def test_A8_injured_and_trained_by_one_space(holds):
    holds(
        '[cards.garden]\nleft = "injure -> train:S"',
        start=on_level(2, L1="garden"),
        moves=[place("red", "2:L1a"), *passes("blue", "red"), RECALL],
        then=red(available=["plain", "injured+S"]),
    )


def test_A2_of_two_dwellers_on_a_linked_space_one_is_trained(holds):
    holds(
        '[cards.garden]\nleft = "free -> train:S (linked)"',
        start=on_level(2, L1="garden"),
        moves=[place("red", "2:L1a"), *passes("blue"), RECALL],
        then=red(available=["plain", "S"]),
    )


def test_J3_both_dwellers_of_a_linked_space_are_healed(holds):
    holds(
        '[cards.garden]\nleft = "free -> heal (linked, injured only)"',
        start=on_level(2, L1="garden") | red(available=["injured", "injured"]),
        moves=[place("red", "2:L1a"), *passes("blue"), RECALL],
        then=red(available=["plain", "plain"]),
    )


def test_P2_every_kind_of_cost_at_once(holds):
    holds(
        '[cards.garden]\nleft = "1? item injure 1W -> 3H"',
        start=on_level(2, L1="garden")
        | red(resources={"water": 1, "energy": 1}, items=[{"id": "husky"}, {"id": "globe"}]),
        moves=[place("red", "2:L1a"), choose("red", "husky")],
        then={"turn": "blue", "placed": {"2:L1a": {"by": "red", "dwellers": ["injured"]}}}
        | red(happiness=3, resources={"water": 0, "food": 0, "energy": 0}, items=[{"id": "globe", "exhausted": False}]),
    )


def test_P2_one_item_cannot_pay_twice(holds):
    holds(
        '[cards.garden]\nleft = "item item -> 1H"',
        start=on_level(2, L1="garden") | red(items=[{"id": "husky"}]),
        moves=[refused(place("red", "2:L1a"))],
        then=red(happiness=0, items=[{"id": "husky"}]),
    )


def test_C4_a_lost_card_is_a_warning_and_the_game_goes_on(tmp_path):
    file = tmp_path / "odd.toml"
    file.write_text("[cards.deathclaw]\ncopies = 0", encoding="utf-8")
    pack = builtin("standard", file)
    assert any("threat" in warning for warning in pack.warnings)
    raw = {"players": ["red", "blue"], "then": {"decks": {"threats": 17}}}
    assert run(raw, Box(pack), SeededLuck(1)) == []


# --- items used while a placement still owes something ----------------------------------------------------------------

DOG = '\n[cards.husky]\npay = "{}"\ngain = "{}"\n'
USE_HUSKY = {"do": "use", "by": "red", "item": "husky"}


@pytest.mark.parametrize(("water", "enough"), [(2, False), (3, True)])
def test_P2_an_exchange_leaves_enough_for_the_free_icons(holds, water, enough):
    holds(
        '[cards.garden]\nleft = "4? -> 1H"' + DOG.format("2W", "1F"),
        start=on_level(2, L1="garden")
        | red(resources={"water": water, "food": 2, "energy": 0}, items=[{"id": "husky"}]),
        moves=[place("red", "2:L1a"), USE_HUSKY if enough else refused(USE_HUSKY)],
        then={"turn": "red"} | red(resources={"water": water - 2, "food": 3} if enough else {"water": 2, "food": 2}),
    )


def test_P2_an_exchange_leaves_the_chosen_room_payable_whatever_others_owe(holds):
    """Blue, too, has an item to pay, and another room could still be paid: neither is what red has chosen."""
    holds(
        DOG.format("2F", "1E"),
        start={
            "players": {
                "red": {
                    "items": [{"id": "parrot"}, {"id": "husky"}],
                    "resources": {"water": 2, "food": 2, "energy": 3},
                },
                "blue": {"items": [{"id": "maine-coon"}, {"id": "globe"}]},
            }
        },
        decks={"rooms": ["garden", "lounge", "armory"]},
        moves=[
            {"do": "use", "by": "blue", "item": "maine-coon"},
            place("red", "2:E"),
            choose("red", "garden@left"),
            refused(USE_HUSKY),
            choose("red", "food"),
        ],
        then=red(resources={"water": 2, "food": 1, "energy": 0}),
    )


@pytest.mark.parametrize(("water", "enough"), [(1, False), (2, True)])
def test_P2_an_exchange_leaves_some_room_and_the_free_icon_payable_while_an_item_is_chosen(holds, water, enough):
    """After the exchange two of water and two of energy pay for the armory, and nothing is left for the free icon."""
    holds(
        '[cards.garden]\nleft = "1? item pay-room -> 1H build"' + DOG.format("3F", "1W"),
        start=on_level(2, L1="garden")
        | red(resources={"water": water, "food": 3, "energy": 2}, items=[{"id": "husky"}, {"id": "globe"}]),
        decks={"rooms": ["lounge", "armory", "medbay"]},
        moves=[place("red", "2:L1a"), USE_HUSKY if enough else refused(USE_HUSKY)],
        then=red(resources={"water": water + 1, "food": 0} if enough else {"water": water, "food": 3}),
    )


def test_I4_an_outfit_that_is_discarded_does_not_pay_as_an_item(holds):
    lab_coat = '[cards.lab-coat]\nuse = "discard"\n[cards.garden]\nleft = "item -> 1H (letter I)"'
    wearing = place("red", "2:L1a") | {"use": ["lab-coat"]}
    holds(
        lab_coat,
        start=on_level(2, L1="garden") | red(items=[{"id": "lab-coat"}]),
        moves=[refused(wearing)],
        then=red(happiness=0, items=[{"id": "lab-coat"}]),
    )
    holds(
        lab_coat,
        start=on_level(2, L1="garden") | red(items=[{"id": "lab-coat"}, {"id": "globe"}]),
        moves=[wearing],
        then={"turn": "blue", "discards": {"items": 2}} | red(happiness=2, items=[]),
    )


ITEM_GARDEN = '[cards.garden]\nleft = "item -> 1H"\n'
FIRST_AID = ITEM_GARDEN + '[cards.maine-coon]\nuse = "discard"\naction = "heal"\n'
ALL_HURT = on_level(2, L1="garden") | red(
    available=["plain", "injured", "injured"], items=[{"id": "stimpak"}, {"id": "maine-coon"}]
)
PAYS_ONE_AND_USES_ONE = [place("red", "2:L1a"), {"do": "use", "by": "red", "item": "maine-coon"}]
USE_STIMPAK = {"do": "use", "by": "red", "item": "stimpak"}


def test_I4_the_last_item_is_owed_and_heals_nobody(holds):
    holds(
        FIRST_AID,
        start=ALL_HURT,
        moves=[*PAYS_ONE_AND_USES_ONE, refused(USE_STIMPAK), choose("red", "stimpak")],
        then={"turn": "blue", "discards": {"items": 2}} | red(happiness=1, available=["plain", "injured"], items=[]),
    )


def test_I4_the_last_item_is_owed_and_makes_no_exchange(holds):
    holds(
        FIRST_AID + '[cards.husky]\nuse = "discard"\n',
        start=on_level(2, L1="garden")
        | red(available=["plain", "injured"], resources={"water": 1}, items=[{"id": "husky"}, {"id": "maine-coon"}]),
        moves=[*PAYS_ONE_AND_USES_ONE, refused(USE_HUSKY), choose("red", "husky")],
        then={"turn": "blue", "discards": {"items": 2}} | red(happiness=1, resources={"water": 1, "food": 0}, items=[]),
    )


def test_I4_the_last_item_heals_first_if_it_stays_to_be_paid(holds):
    holds(
        FIRST_AID + '[cards.stimpak]\nuse = "exhaust"\n',
        start=ALL_HURT,
        moves=[*PAYS_ONE_AND_USES_ONE, USE_STIMPAK, choose("red", "stimpak")],
        then={"turn": "blue", "discards": {"items": 2}} | red(happiness=1, available=["plain", "plain"], items=[]),
    )
