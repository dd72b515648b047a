"""Packs from folders: what is wrong with them, what is only odd, and what an owner corrects."""

import contextlib
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards import item_effects as fx
from companion.cards.assemble import CARD_FILES
from companion.cards.loader import builtin, load_pack
from companion.cards.notation import parse_space, print_space
from companion.cards.pack import Fault, PackFaults
from companion.cards.source import parse_source
from companion.commands.checks import check_paths
from web.games.shelter.cards import PackCards

HERE = Path(__file__).parent
SMALL = HERE / "small"
BROKEN = sorted((HERE / "broken").iterdir())
BROKEN_OVERLAYS = sorted((HERE / "broken-overlays").iterdir())


@pytest.fixture
def pack_folder(tmp_path):
    """A sound little pack to be spoiled."""
    return Path(shutil.copytree(SMALL, tmp_path / "pack"))


def faults_of(folder, overlay=None):
    with pytest.raises(PackFaults) as refused:
        load_pack(folder, overlay)
    return [str(fault).replace(f"{folder}/", "") for fault in refused.value.faults]


def corrected(folder, text):
    overlay = folder / "overlay.toml"
    overlay.write_text(text, encoding="utf-8")
    return load_pack(folder, overlay)


@pytest.mark.parametrize("folder", BROKEN, ids=lambda folder: folder.name)
def test_a_broken_pack_tells_every_fault(folder):
    """A folder in broken/ is a pack with a fault or a few, and the list of them."""
    expected = (folder / "expected.txt").read_text(encoding="utf-8")
    assert faults_of(folder) == expected.replace("{effects}", ", ".join(fx.EFFECTS)).splitlines()


@pytest.mark.parametrize("folder", BROKEN_OVERLAYS, ids=lambda folder: folder.name)
def test_a_broken_overlay_tells_every_fault(folder):
    expected = (folder / "expected.txt").read_text(encoding="utf-8").splitlines()
    faults = [
        fault.replace(f"{HERE}/broken-overlays/{folder.name}/", "")
        for fault in faults_of(SMALL, folder / "overlay.toml")
    ]
    assert faults == expected


def test_the_check_of_a_folder_of_packs_checks_each():
    lines, ok = check_paths([HERE / "broken"])
    assert not ok
    for folder in BROKEN:
        assert [line for line in lines if line.startswith(f"{folder}/")] == check_paths([folder])[0]


def test_c4_lost_cards_are_only_warnings():
    assert load_pack(SMALL).warnings == (
        "red-backed rooms: 2 cards, 6 in the box (C2, C4)",
        "rooms to build: 2 cards, 24 in the box (C2, C4)",
        "items: 3 cards, 31 in the box (C2, C4)",
        "threats: 4 cards, 18 in the box (C2, C4)",
    )


def test_c4_a_lost_card_may_leave_its_name_behind(tmp_path):
    pack = shutil.copytree(SMALL, tmp_path / "pack")
    names = pack / "names.pl.toml"
    names.write_text(names.read_text(encoding="utf-8") + 'ghost = "Duch"\n', encoding="utf-8")
    (stray,) = set(load_pack(pack).warnings) - set(load_pack(SMALL).warnings)
    assert stray.endswith(": ghost: a name for no card (C4)")
    assert stray.startswith(f"{names}:")
    assert check_paths([pack])[1]


def test_a_missing_name_is_a_warning_and_english_is_said(tmp_path):
    pack = shutil.copytree(SMALL, tmp_path / "pack")
    (pack / "names.ru.toml").unlink()
    (pack / "names.de.toml").write_text('mouse = "Maus"\n', encoding="utf-8")
    read = load_pack(pack)
    assert f"{pack / 'names.de.toml'}: elevator: no name in de; English is used" in read.warnings
    assert not any("mouse: no name" in warning for warning in read.warnings)
    cards = PackCards(read)
    assert (cards.name("mouse", "de"), cards.name("mouse", "ru")) == ("Maus", read.names["en"]["mouse"])
    lines, sound = check_paths([pack])
    assert sound
    assert f"{pack}: warning: no names in ru; English is used" in lines


def test_a_folder_that_is_not_there_is_one_fault(tmp_path):
    assert faults_of(tmp_path / "nowhere") == [
        f"{tmp_path}/nowhere:0: -: found no such file or directory, expected a folder with a card pack"
    ]


def test_a_file_in_place_of_a_folder_is_one_fault():
    assert "not a directory" in faults_of(SMALL / "pack.toml")[0]


def test_a_folder_in_place_of_a_file_is_a_fault(pack_folder):
    (pack_folder / "pack.toml").unlink()
    (pack_folder / "pack.toml").mkdir()
    assert faults_of(pack_folder) == ["pack.toml:0: -: found is a directory, expected a readable file"]


@pytest.mark.parametrize(
    "content",
    [
        b"a = " + b"[" * 5000,
        b"a = " + b"9" * 5000,
        b"\x00",
        b"a = 2020-13-01",
        b"a = 0x" + b"f" * 5000,
        b"threat = [[{}]]",
        b'"a\\nb" = 1',
        b"a.b = 1\na = 2",
    ],
)
def test_hostile_files_are_faults_and_no_tracebacks(content, pack_folder):
    (pack_folder / "threats.toml").write_bytes(content)
    assert all(fault.startswith("threats.toml:") for fault in faults_of(pack_folder))


@pytest.mark.parametrize("file", sorted(SMALL.iterdir()), ids=lambda file: file.name)
def test_every_field_knows_its_line(file):
    content = file.read_bytes()
    source, lines = parse_source(file.name, content), content.decode().split("\n")
    in_arrays = file.name in CARD_FILES
    places = [(key, number) for key in source.data for number in range(len(source.data[key]))] if in_arrays else [()]
    tables = [source.table(*place) for place in places]
    found = [(key, field) for table in tables for key, field in table.fields.items()]
    assert len(found) == sum(" = " in line for line in lines)
    assert all(lines[field.line - 1].startswith(f"{key} = ") for key, field in found)


@given(st.data())
def test_a_spoiled_byte_is_a_fault_or_another_pack(data):
    """Nothing that is typed wrong into a file ends in a traceback."""
    file = data.draw(st.sampled_from([file for file in sorted(SMALL.iterdir()) if not file.name.startswith("names.")]))
    content = bytearray(file.read_bytes())
    place = data.draw(st.integers(0, len(content) - 1))
    content[place : place + data.draw(st.integers(0, 3))] = data.draw(
        st.sampled_from([b"", b'"', b"[", b"\n", b"7", b"x"])
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(shutil.copytree(SMALL, name, dirs_exist_ok=True))
        (folder / file.name).write_bytes(content)
        with contextlib.suppress(PackFaults):
            assert load_pack(folder).id


def test_windows_line_ends_and_byte_order_marks_are_welcome(pack_folder):
    for file in pack_folder.iterdir():
        file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes().replace(b"\n", b"\r\n"))
    assert load_pack(pack_folder) == load_pack(SMALL)


def test_lines_are_found_in_inline_tables_and_behind_long_values(pack_folder):
    (pack_folder / "threats.toml").write_text(
        '# one line a threat\nthreat = [\n  {id = "mouse", copies = 1, space = "oops"},\n]\n'
    )
    place, _ = faults_of(pack_folder)[-1].split(", expected")
    assert place == "threats.toml:2: mouse: found 'oops' at column 1 in space = \"oops\""


@pytest.mark.parametrize("right", ["", 'right = "none"\n'])
def test_v2_a_room_may_have_one_space(pack_folder, right):
    rooms = pack_folder / "rooms.toml"
    text = rooms.read_text(encoding="utf-8")
    rooms.write_text(text.replace('right = "free -> 1W"\n', right), encoding="utf-8")
    assert load_pack(pack_folder).top_level[0].spaces == (parse_space("free -> first train:L"), None)


def test_v2_the_one_space_may_be_the_right_one(pack_folder):
    pack = corrected(pack_folder, '[cards.garden-shed]\nleft = "none"\n')
    assert [space is None for space in pack.rooms[0].spaces] == [True, False]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('[cards.hall]\nleft = "none"\nright = "none"\n', "hall: found no space, expected a space on the left or"),
        ('[cards.hall]\nright = "nine"\n', "hall: found 'nine' at column 1"),
        ('[cards.hall]\nright = ""\n', "hall: found the end at column 1"),
        ('[cards.mouse]\nspace = "none"\n', "mouse: found 'none' at column 1"),
        ('elevator = "none"\n', "-: found 'none' at column 1"),
    ],
)
def test_v2_what_is_no_room_with_one_space(pack_folder, text, fault):
    (pack_folder / "overlay.toml").write_text(text, encoding="utf-8")
    (found,) = faults_of(pack_folder, pack_folder / "overlay.toml")
    assert fault in found


# --- an owner's corrections -------------------------------------------------------------------------------------------


def test_an_overlay_corrects_fields_names_and_columns(pack_folder):
    text = """
    columns = [2, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, "-"]
    elevator = "pay-room -> 2H build"
    [cards.mouse]
    space = "fight:6 -> 2?"
    [cards.leak]
    copies = 0
    [names.pl]
    mouse = "Myszka"
    """
    pack = corrected(pack_folder, text)
    assert pack.columns[:2] == (2, 2)
    assert print_space(pack.elevator) == "pay-room -> 2H build"
    assert pack.threats[0].space == parse_space("fight:6 -> 2?")
    assert pack.threats[1].copies == 0
    assert (pack.names["pl"]["mouse"], pack.names["en"]["mouse"]) == ("Myszka", "Mouse")


def test_another_effect_replaces_all_fields_of_the_old_one(pack_folder):
    pack = corrected(pack_folder, '[cards.apron]\neffect = "reroll"\nuse = "discard"\nwhen = "after-roll"\n')
    assert pack.items[1].effect == fx.Reroll(fx.Use.DISCARD)
    assert pack.items[1].kind is fx.ItemFamily.OUTFIT


def test_confirmed_cards_are_told_and_all_of_them_verify_the_pack(pack_folder):
    cards = ["hall", "kitchen", "garden-shed", "mouse", "leak", "ladle", "apron", "parrot"]
    some = corrected(pack_folder, "[cards.mouse]\nconfirmed = true\n[cards.leak]\nconfirmed = false\n")
    assert (some.confirmed, some.verified) == ({"mouse"}, False)
    every = corrected(pack_folder, "".join(f"[cards.{card}]\nconfirmed = true\n" for card in cards))
    assert (every.confirmed, every.verified) == (set(cards), True)


def test_an_overlay_corrects_a_built_in_pack(tmp_path):
    overlay = tmp_path / "mine.toml"
    overlay.write_text("[cards.parrot]\namount = 2\nconfirmed = true\n")
    parrot = next(item for item in builtin("standard", overlay).items if item.id == "parrot")
    assert parrot.effect == fx.Act(fx.Use.EXHAUST, fx.Action.DISCOUNT, 2)


def test_a_missing_overlay_is_a_fault(tmp_path):
    assert "no such file" in faults_of(SMALL, tmp_path / "mine.toml")[0]


# --- the check --------------------------------------------------------------------------------------------------------


def test_the_check_says_what_a_pack_is():
    lines, sound = check_paths([SMALL])
    assert sound
    assert lines[0] == (
        f"{SMALL}: small: 2 rooms of the top level, 2 rooms to build, 3 items, 4 threats; "
        "unverified, 0 of 8 cards confirmed"
    )
    assert lines[1] == f"{SMALL}: warning: red-backed rooms: 2 cards, 6 in the box (C2, C4)"


def test_the_check_goes_on_behind_a_broken_pack(tmp_path):
    lines, sound = check_paths([tmp_path / "nowhere", "homemade"])
    assert not sound
    assert lines[0].startswith(f"{tmp_path}/nowhere:0: -: found ")
    assert lines[1].startswith("homemade: homemade: 6 rooms of the top level, 24 rooms to build")


def test_a_fault_is_fields_as_well_as_a_sentence():
    fault = Fault("rooms.toml", 3, "garden", "copies = 0", "a number")
    assert str(fault) == "rooms.toml:3: garden: found copies = 0, expected a number"
    assert str(PackFaults([fault, fault])) == str(fault)
