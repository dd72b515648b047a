"""The packs that come with the companion: laws over all cards, and the listing typed again."""

import dataclasses
import re
import tomllib
from collections import Counter
from importlib import resources

import pytest

from companion.cards import effects as fx
from companion.cards import item_effects
from companion.cards.fields import UnfitError, head_starts
from companion.cards.loader import builtin, builtin_names
from companion.cards.notation import parse_cost, parse_space, print_cost, print_space
from companion.languages.catalogues import codes

PACKS = resources.files("companion.cards") / "packs"


@pytest.fixture(params=builtin_names())
def pack(request):
    return builtin(request.param)


def spaces_of(pack):
    rooms = [space for room in [*pack.top_level, *pack.rooms] for space in room.spaces]
    return [*rooms, *(threat.space for threat in pack.threats), pack.top_elevator, pack.elevator]


def test_every_space_and_price_prints_and_parses(pack):
    for space in spaces_of(pack):
        assert parse_space(print_space(space)) == space
    for room in pack.rooms:
        assert parse_cost(print_cost(room.build_cost)) == room.build_cost


def test_every_line_is_written_in_its_canonical_form(pack):
    for file, keys in (("pack", ("elevator", "top_elevator")), ("rooms", ("left", "right")), ("threats", ("space",))):
        text = (PACKS / pack.id / f"{file}.toml").read_text(encoding="utf-8")
        tables = [tomllib.loads(text)]
        tables += [
            table for entry in tables[0].values() if isinstance(entry, list) for table in entry if entry[0] != "-"
        ]
        for line in (table[key] for table in tables for key in keys if key in table):
            assert print_space(parse_space(line)) == line


def test_every_card_has_a_name_of_its_own_in_every_language(pack):
    ids = {card.id for card in pack.cards} | {"elevator"}
    assert pack.names.keys() == set(codes())
    for names in pack.names.values():
        assert names.keys() == ids
        assert len(set(names.values())) == len(ids)
    assert all(re.search("[\u0430-\u044f]", name) for name in pack.names["ru"].values())


def test_c2_the_counts_are_those_of_the_box(pack):
    assert len(pack.top_level) == 6
    assert sum(room.copies for room in pack.rooms) == 24
    assert sum(item.copies for item in pack.items) == 31
    assert sum(threat.copies for threat in pack.threats) == 18
    assert not pack.warnings


def test_all_six_kinds_of_items_are_there(pack):
    six = {
        item_effects.RollBonus,
        item_effects.Reroll,
        item_effects.CountsAsTrained,
        item_effects.ExchangeOnce,
        item_effects.Act,
        item_effects.ScorePer,
    }
    assert {type(item.effect) for item in pack.items} == six
    assert {item.kind for item in pack.items} == set(item_effects.ItemFamily)


def test_every_space_rewards(pack):
    assert all(space.reward for space in spaces_of(pack))


def test_v2_the_columns_are_the_sums_of_two_dice_without_the_elevators(pack):
    assert pack.columns == (None, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, None)


def test_both_packs_are_there():
    assert builtin_names() == ("homemade", "standard")
    assert (builtin("standard").verified, builtin("homemade").verified) == (False, True)


def test_an_unknown_pack_is_refused_with_the_known_ones():
    with pytest.raises(LookupError, match="homemade, standard"):
        builtin("../standard")


# --- the listing, typed again -----------------------------------------------------------------------------------------

TOP = """
the-wasteland | 2W -> refresh:items item | 1W -> item
vault-door | free -> first train:L | 1W 1F injure -> dweller
vault-entrance | 3F -> dweller | free -> train
water-treatment | free -> 1W (letter P) | free -> 1W (letter P)
diner | free -> 2F (letter A) | free -> 1F (letter L)
power-generator | free -> 2E (letter S) | free -> 1E (letter L)
"""
ROOMS = """
1 | storage-room | 1W 1F 2E | free -> 1W<->2F | free -> 1E<->1F
2 | water-purification-room | 2W 3E | free -> 2W (letter P) | free -> 1W (letter L)
2 | nuka-cola-bottler | 1W 1F 3E | free -> 1F 1W (letter L) | free -> 2F 1W (letter E)
2 | nuclear-reactor | 5E | free -> 2E (letter L) | free -> 3E (letter S)
2 | garden | 2F 3E | free -> 2F (letter L) | free -> 3F (letter A)
1 | classroom | 1F 3E | free -> 1? train:I | 4? -> 1H
1 | athletics-room | 3F 1E | free -> 1? train:A | 3F -> 1H
1 | armory | 2W 2E | free -> 1? train:P | 2W -> 1H
1 | game-room | 4? 1E | free -> 1? train:L | injure -> 1H
1 | weight-room | 4E | free -> 1? train:S | 3E -> 1H
1 | fitness-room | 1W 3E | free -> 1? train:E | item -> 1H
1 | lounge | 2F 2E | free -> 1? train:C | 1F -> 1H heal (injured only)
1 | medbay | 1? 3E | free -> heal train:E (injured only) | 1F -> train heal (injured only)
1 | science-lab | 1? 3E | free -> heal train:I (injured only) | 1F -> train heal (injured only)
1 | radio-studio | 1W 3E | 2F -> dweller | 3F -> dweller (letter C)
2 | living-room | 2W 2E | free -> dweller (linked, letter C) | 1F -> dweller (linked, letter C)
1 | theme-workshop | 5E | pay-room -> 1H build | free -> refresh:rooms train
1 | outfit-workshop | 2W 3E | 1W 1? -> item (letter I) | item -> 3? (letter I)
1 | weapon-workshop | 2W 3E | 1W 1? -> item (letter I) | free -> ready (letter I)
"""
THREATS = """
1 | glowing-radroach | fight:6 -> 1? (letter E)
1 | deathclaw | fight:9 -> 2H (linked, letter E)
2 | glowing-radscorpion | fight:9 -> 1H 1? (letter E)
2 | feral-ghoul | fight:7 -> 1H (letter I)
2 | glowing-one | fight:8 -> 1H (letter E)
2 | radscorpion | fight:8 -> 1H 1? (letter P)
2 | radroach | fight:5 -> 1? (letter A)
2 | mole-rat | fight:6 -> 1H (letter S)
2 | raider | fight:9 -> item (letter C)
1 | fire | 1W -> 1H (letter E)
1 | energy-failure | 2E -> 1H (letter I)
"""
EXHAUST = item_effects.Use.EXHAUST
W, F, E = fx.Resource
ITEMS = {
    "weapon": {
        "10mm-pistol": item_effects.RollBonus(item_effects.Use.PASSIVE, 1),
        "shotgun": item_effects.RollBonus(EXHAUST, 2),
        "laser-rifle": item_effects.RollBonus(EXHAUST, 2),
        "plasma-pistol": item_effects.RollBonus(EXHAUST, 2),
        "minigun": item_effects.RollBonus(EXHAUST, 3),
        "missile-launcher": item_effects.Reroll(EXHAUST),
        "fat-man": item_effects.Reroll(EXHAUST),
    },
    "outfit": {
        "military-fatigues": item_effects.CountsAsTrained(EXHAUST, fx.Letter.S),
        "armored-vault-suit": item_effects.CountsAsTrained(EXHAUST, fx.Letter.P),
        "wasteland-gear": item_effects.CountsAsTrained(EXHAUST, fx.Letter.E),
        "nightwear": item_effects.CountsAsTrained(EXHAUST, fx.Letter.C),
        "lab-coat": item_effects.CountsAsTrained(EXHAUST, fx.Letter.I),
        "handyman-jumpsuit": item_effects.CountsAsTrained(EXHAUST, fx.Letter.A),
        "formal-wear": item_effects.CountsAsTrained(EXHAUST, fx.Letter.L),
        "t-45-power-armor": item_effects.CountsAsTrained(EXHAUST, None, fx.Pay(E)),
    },
    "pet": {
        "golden-retriever": item_effects.Act(EXHAUST, item_effects.Action.READY),
        "scottish-fold": item_effects.Reroll(EXHAUST),
        "german-shepherd": item_effects.ExchangeOnce(EXHAUST, fx.Pay(F), fx.Gain(E)),
        "collie": item_effects.ExchangeOnce(EXHAUST, fx.Pay(W), fx.Gain(E, 2)),
        "husky": item_effects.ExchangeOnce(EXHAUST, fx.Pay(W), fx.Gain(F, 2)),
        "parrot": item_effects.Act(EXHAUST, item_effects.Action.DISCOUNT, 1),
        "maine-coon": item_effects.Act(EXHAUST, item_effects.Action.SWAP),
    },
    "other": {
        "stimpak": item_effects.Act(item_effects.Use.DISCARD, item_effects.Action.HEAL),
        "giddyup-buttercup": item_effects.ScorePer(item_effects.Counted.PETS, 1),
        "yao-guai-hide": item_effects.ScorePer(item_effects.Counted.OUTFITS, 1),
        "military-duct-tape": item_effects.ScorePer(item_effects.Counted.WEAPONS, 1),
        "chemistry-flask": item_effects.ScorePer(item_effects.Counted.WATER, 3),
        "military-circuit-board": item_effects.ScorePer(item_effects.Counted.ENERGY, 3),
        "gold-watch": item_effects.ScorePer(item_effects.Counted.FOOD, 3),
        "globe": item_effects.ScorePer(item_effects.Counted.ROOMS, 3),
        "camera": item_effects.ScorePer(item_effects.Counted.DWELLERS, 3),
    },
}


def rows(table):
    return [[cell.strip() for cell in row.split("|")] for row in table.strip().splitlines()]


def test_the_standard_pack_is_the_listing():
    pack = builtin("standard")
    assert [[room.id, *map(print_space, room.spaces)] for room in pack.top_level] == rows(TOP)
    assert [
        [str(room.copies), room.id, print_cost(room.build_cost), *map(print_space, room.spaces)] for room in pack.rooms
    ] == rows(ROOMS)
    assert [[str(card.copies), card.id, print_space(card.space)] for card in pack.threats] == rows(THREATS)
    assert print_space(pack.top_elevator) == "free -> heal (injured only)"
    assert print_space(pack.elevator) == "pay-room -> 2H build"


def test_the_standard_items_are_the_listing():
    listed = {(kind, card, effect) for kind, cards in ITEMS.items() for card, effect in cards.items()}
    assert {(item.kind.value, item.id, item.effect) for item in builtin("standard").items} == listed
    assert all(item.copies == 1 for item in builtin("standard").items)


# --- the pack of our own ----------------------------------------------------------------------------------------------


def shape(cards):
    return Counter(card.copies for card in cards)


def test_the_homemade_pack_has_the_shape_of_the_standard_one():
    ours, theirs = builtin("homemade"), builtin("standard")
    assert shape(ours.rooms) == shape(theirs.rooms)
    assert shape(ours.threats) == shape(theirs.threats)
    assert Counter(item.kind for item in ours.items) == Counter(item.kind for item in theirs.items)


def test_the_homemade_pack_borrows_no_name():
    ours, theirs = builtin("homemade"), builtin("standard")
    assert not {card.id for card in ours.cards} & {card.id for card in theirs.cards}
    for language, names in ours.names.items():
        own = {name.casefold() for card, name in names.items() if card != "elevator"}
        assert not own & {name.casefold() for name in theirs.names[language].values()}
    english = " ".join(ours.names["en"].values()).casefold()
    assert not re.search(
        r"fallout|vault|pip-?boy|nuka|\brad|ghoul|wasteland|power armor|stimpak|deathclaw|raider", english
    )


def test_the_homemade_values_are_our_own():
    ours, theirs = (
        [dataclasses.replace(room, id="") for room in builtin(name).rooms] for name in ("homemade", "standard")
    )
    assert not set(ours) & set(theirs)


def test_the_homemade_pack_uses_every_icon():
    """Whoever plays with paper alone meets the whole game."""
    spaces = spaces_of(builtin("homemade"))
    assert {type(icon) for space in spaces for icon in space.cost} == set(fx.CostIcon.__args__)
    assert {type(icon) for space in spaces for icon in space.reward} == set(fx.RewardIcon.__args__)
    assert {space.letter for space in spaces} == {None, *fx.Letter}


def idea_of(space):
    """What a space does, whatever its amounts, resources and letters are."""
    cost = frozenset("cubes" if isinstance(icon, fx.Pay | fx.PayAny) else type(icon).__name__ for icon in space.cost)
    reward = frozenset(
        "cubes" if isinstance(icon, fx.Gain | fx.GainAny) else type(icon).__name__ for icon in space.reward
    )
    return (cost, reward, space.fight is not None, space.linked, space.injured_only)


def ideas(spaces):
    return {idea_of(space) for space in spaces if space is not None}


def test_rooms_items_and_threats_of_our_own_do_what_no_standard_card_does():
    ours, theirs = builtin("homemade"), builtin("standard")
    known = ideas(space for room in (*theirs.top_level, *theirs.rooms) for space in room.spaces)
    assert sum(not ideas(room.spaces) <= known for room in ours.rooms) >= 8
    known = ideas(card.space for card in theirs.threats)
    assert sum(idea_of(card.space) not in known for card in ours.threats) >= 5
    known = {effect_idea(item.effect) for item in theirs.items}
    assert sum(effect_idea(item.effect) not in known for item in ours.items) >= 6


def effect_idea(effect):
    """What an item does and what becomes of it, whatever its figures are."""
    return (
        type(effect).__name__,
        effect.use,
        getattr(effect, "action", None),
        getattr(effect, "counted", None),
        getattr(effect, "pay", None) is None,
        isinstance(effect, item_effects.CountsAsTrained) and effect.letter is None,
    )


# --- head starts ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("starts", [
    {"2": ["nothing"]},
    {"3": ["nothing", "1H"]},
    {"2": ["nothing", "1H", "1H"]},
    {"5": ["nothing"] * 5},
    {"2": ["nothing", "1?"]},
    {"2": ["nothing", "dweller"]},
    {"2": ["nothing", 3]},
    {"2": []},
    {"2": [["nothing", "1H"], "1H"]},
    {"2": [["nothing", "1H"], ["nothing"]]},
    {"2": [["nothing", "1H"]] * 13},
    {"2": "1H"},
    "1H",
])  # fmt: skip
def test_head_starts_that_do_not_fit_the_players_or_are_no_cubes_are_unfit(starts):
    with pytest.raises(UnfitError):
        head_starts(starts)


def test_head_starts_are_read_in_the_order_of_the_first_turn():
    assert head_starts({"2": ["nothing", "1W 2H"]}) == {2: (((), (fx.Gain(fx.Resource.WATER), fx.Happiness(2))),)}


def test_of_several_head_starts_one_is_drawn():
    assert head_starts({"2": [["nothing", "2H"], ["1H", "nothing"]]}) == {
        2: (((), (fx.Happiness(2),)), ((fx.Happiness(1),), ()))
    }
