"""Wasteland packs: what is wrong with them, told all at once, and the lines of their notation."""

import shutil
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards.fields import UnfitError
from companion.cards.pack import PackFaults
from companion.cards.wasteland import notation
from companion.cards.wasteland.loader import builtin, builtin_names, load_pack
from companion.cards.wasteland.types import Amount, Asks, Bonus, Condition, DieFace, Does, Effect, Instruction, StepKind
from companion.cards.wasteland.words import Area, Price, Timing

HOMEMADE = Path(str(resources.files("companion.cards.wasteland") / "packs" / "homemade"))


@pytest.fixture
def pack_folder(tmp_path):
    """A sound pack to be spoiled."""
    return Path(shutil.copytree(HOMEMADE, tmp_path / "pack"))


def faults_of(folder):
    with pytest.raises(PackFaults) as refused:
        load_pack(folder)
    return [str(fault).replace(f"{folder}/", "") for fault in refused.value.faults]


def spoil(folder, file, old, new):
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return text.count("\n", 0, text.index(old)) + 1


def test_what_comes_with_the_companion_loads():
    assert builtin_names() == ("homemade",)
    pack = builtin("homemade")
    assert (pack.id, pack.verified, len(pack.dice)) == ("homemade", True, 3)
    with pytest.raises(LookupError):
        builtin("another")


def test_a_pack_is_sound_without_its_optional_files(pack_folder):
    (pack_folder / "perks.toml").unlink()
    (pack_folder / "encounters.toml").unlink()
    pack = load_pack(pack_folder)
    assert (pack.perks, pack.encounters) == ((), ())


def test_missing_files_are_faults(pack_folder, tmp_path):
    (pack_folder / "agendas.toml").unlink()
    assert faults_of(pack_folder) == ["agendas.toml:0: -: found no such file or directory, expected a readable file"]
    assert "expected a folder with a card pack" in faults_of(tmp_path / "nowhere")[0]


FAULTS = [
    ("agendas.toml", '"1: lead"', '"1 lead"', "beacon-keeper: found entry 1 ('1 lead') in bonuses"),
    ("agendas.toml", 'faction = "shield"', 'faction = "moon"', 'found faction = "moon", expected one of star, shield'),
    (
        "agendas.toml",
        "toll-collector",
        "beacon-keeper",
        "found an id taken at agendas.toml:3, expected an id of its own",
    ),
    ("enemies.toml", "level = 1", 'level = "Z"', 'dune-crab: found level = "Z", expected a whole number from 0 to 9'),
    ("enemies.toml", "level = 1", 'level = "X"', "found level X, expected a number for an ordinary enemy"),
    ("enemies.toml", '"aggressive"', '"aggressive", "loot", "armor"', "expected two abilities at most"),
    ("cards.toml", 'letters = "SA"', 'letters = "SS"', 'found letters = "SS", expected letters of SPECIAL, each once'),
    ("cards.toml", "armor = 1", "armour = 1", "oilskin: found an unknown key armour, expected one of abilities, armor"),
    ("cards.toml", "own-turn, discard: heal 2", "own-turn, burn: heal 2", "expected timing, price and effects"),
    ("cards.toml", "caps 3", "caps three", "expected a number, LEVEL or LEVEL+1 behind caps"),
    ("cards.toml", 'loot"\nkind = "event"', 'asset"\nkind = "event"', "found an event outside the loot"),
    ("survivors.toml", '"brass-diver"', '"boat-hook"', "found start card boat-hook, expected a card of the deck"),
    ("scenarios.toml", "[1, 2]", "[1, 99]", "the-salt-road: found opening quest 99, expected the number of a quest"),
    ("scenarios.toml", "{ X = 1, Y = 1 }, {", "{ X = 1, Y = 10 }, {", "expected a table with X and Y as numbers"),
    ("quests.toml", "test SA 2", "test SA", "1: found entry 1 ('test SA') in steps"),
    (
        "encounters.toml",
        "unique lighthouse-lens",
        "unique moon",
        "found unique moon, expected the id of a unique asset",
    ),
    ("pack.toml", '"bal0"],', '"bal0", "0"],', "expected three dice with equally many faces"),
    (
        "pack.toml",
        "[settings]",
        "[settings]\nactions = 0",
        "settings: found actions = 0, expected a whole number from 1",
    ),
    ("pack.toml", "[settings]", "[settings]\ninfluence = [1, 2]", "expected 4 whole numbers from 1 to 99"),
    ("pack.toml", "[settings]", "[settings]\ninfluence = [1, 2, 3, 0]", "expected 4 whole numbers from 1 to 99"),
    ("perks.toml", "[[perk]]", "[[park]]", "found an unknown key park, expected one of perk"),
]


@pytest.mark.parametrize(("file", "old", "new", "expected"), FAULTS)
def test_a_fault_has_its_file_line_and_card(pack_folder, file, old, new, expected):
    spoil(pack_folder, file, old, new)
    faults = faults_of(pack_folder)
    assert len(faults) == 1
    assert faults[0].startswith(f"{file}:")
    assert expected in faults[0]


def test_a_file_without_its_tables_is_a_fault(pack_folder):
    (pack_folder / "perks.toml").write_text("perk = 3\n", encoding="utf-8")
    assert faults_of(pack_folder) == ["perks.toml:1: -: found no tables perk, expected [[perk]] tables"]


def test_every_fault_is_told_at_its_line(pack_folder):
    lines = [
        spoil(pack_folder, "agendas.toml", 'activates = ["critter", "shield"]', 'activates = ["dragon"]'),
        spoil(pack_folder, "cards.toml", "ranged = true", "ranged = 1"),
        spoil(pack_folder, "perks.toml", 'letters = "S"', 'letters = "X"'),
    ]
    places = [fault.split(": ")[0] for fault in faults_of(pack_folder)]
    assert places == [f"agendas.toml:{lines[0]}", f"cards.toml:{lines[1]}", f"perks.toml:{lines[2]}"]


def test_a_pack_without_dice_is_thrown_by_hand(pack_folder):
    path = pack_folder / "pack.toml"
    path.write_text('id = "mine"\nverified = false\n', encoding="utf-8")
    assert load_pack(pack_folder).dice == ()


@given(st.frozensets(st.sampled_from(Area)), st.integers(0, 3))
def test_a_face_reads_back_equal(areas, hits):
    face = DieFace(areas, hits)
    assert notation.face(notation.face_name(face)) == face


def test_lines_mean_what_they_say():
    assert notation.effect("caps LEVEL-1") == Effect(Does.CAPS, Amount(-1, of_level=True))
    assert notation.effect("draw agenda") == Effect(Does.DRAW, Amount(1), "agenda")
    assert notation.condition("caps 5") == Condition(Asks.CAPS, "", 5, 999)
    assert notation.bonus("2: armor 1-2 /coat") == Bonus(2, Condition(Asks.ARMOR, "", 1, 2), "coat")
    assert notation.step("test IC LEVEL") == Instruction(StepKind.TEST, "CI", Amount(0, of_level=True))
    ability = notation.ability("own-turn, exhaust, caps 2: heal 1; xp 1")
    assert (ability.timing, ability.price, ability.caps, len(ability.effects)) == (Timing.OWN_TURN, Price.EXHAUST, 2, 2)


@pytest.mark.parametrize(
    "line",
    ["", "xp", "xp 2 3", "become tall", "draw fish", "power moon 1", "trash all", "unique A B", "damage -1", "fly"],
)
def test_a_line_that_says_nothing_is_unfit(line):
    with pytest.raises(UnfitError):
        notation.effect(line)


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("Old Mill", "old-mill"),
        ("  Deep Cut!  ", "deep-cut"),
        ("Рынок", "рынок"),
        ("Łąka pod lasem", "łąka-pod-lasem"),
        ("L\u0328a\u0328ka", "l\u0328ąka"),
        ("Straße 7", "straße-7"),
        ("बाज़ार", "बाज\u093cार"),
        ("...", ""),
    ],
)
def test_a_space_keeps_its_name_in_any_script(typed, kept):
    assert notation.space_id(typed) == kept


@given(st.text(max_size=60))
def test_a_space_is_named_once(typed):
    assert notation.space_id(notation.space_id(typed)) == notation.space_id(typed)


def test_enemies_are_placed_at_spaces_in_any_script():
    assert notation.placed("critter at łąka").at == "łąka"
    for odd in ("critter at Łąka", "critter at a--b", "critter at", "critter at a_b"):
        with pytest.raises(UnfitError):
            notation.placed(odd)


def test_a_scenario_names_its_spaces_in_any_script(pack_folder):
    spoil(pack_folder, "scenarios.toml", '"causeway", "lighthouse", "market", "reef"', '"рынок", "łąka"')
    assert load_pack(pack_folder).scenarios[0].spaces[:2] == ("рынок", "łąka")
