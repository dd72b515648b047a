"""Tiles and layouts: the lattice below them, and what is wrong with a map, told all at once."""

import shutil
import tomllib
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.cards.loader import PackText
from companion.cards.pack import PackFaults
from companion.cards.wasteland import lattice
from companion.cards.wasteland.loader import builtin, load, load_pack, pack_of, pack_text, playable, texts
from companion.cards.wasteland.words import EncounterIcon, EnemyType, Terrain, TileBack

HOMEMADE = Path(str(resources.files("companion.cards.wasteland") / "packs" / "homemade"))


def spoiled(tmp_path, *changes):
    """The faults of our own pack after these changes of its files."""
    folder = Path(shutil.copytree(HOMEMADE, tmp_path / "pack"))
    for file, old, new in changes:
        text = (folder / file).read_text(encoding="utf-8")
        assert old in text
        (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(PackFaults) as refused:
        load_pack(folder)
    return [str(fault).replace(f"{folder}/", "") for fault in refused.value.faults]


def line_of(file, text):
    found = (HOMEMADE / file).read_text(encoding="utf-8")
    return found.count("\n", 0, found.index(text)) + 1


def test_a_tile_has_54_triangles_in_six_rows():
    assert len(lattice.TRIANGLES) == sum(lattice.ROWS) == 54
    middles = [[lattice.on_paper(point) for point in one.points] for one in lattice.TRIANGLES]
    rows = [[max(y for _, y in one) for one in middles[start:end]] for start, end in ((0, 7), (7, 16), (16, 27))]
    assert [len({round(y, 6) for y in row}) for row in rows] == [1, 1, 1]
    across = [sum(x for x, _ in one) for one in middles[:7]]
    assert across == sorted(across)


@given(st.integers(0, 30), st.integers(0, 30))
def test_each_place_shares_six_edges_with_six_others(column, row):
    def rim(place):
        edges = [edge for one in lattice.TRIANGLES for edge in one.edges(lattice.middle(*place))]
        return {edge for edge in edges if edges.count(edge) == 1}

    here = rim((column, row))
    shared = [here & rim(place) for place in lattice.neighbours(column, row)]
    assert [len(edges) for edges in shared] == [3] * 6
    assert len(set().union(*shared)) == len(here)


def test_neighbours_are_drawn_with_the_same_line():
    pattern = "a" * 27 + "b" * 27
    one, two = (lattice.shapes(pattern)[letter].outlines[0] for letter in "ab")
    assert len(set(one) & set(two)) == 2
    assert abs(lattice.shapes("a" * 54)["a"].anchor[0]) < 0.01


def test_a_space_inside_another_leaves_a_hole_in_its_shape():
    inner = {
        number
        for number, one in enumerate(lattice.TRIANGLES)
        if all(max(abs(i), abs(j), abs(i + j)) <= 1 for i, j in one.points)
    }
    shapes = lattice.shapes("".join("b" if number in inner else "a" for number in range(54)))
    assert [len(shapes[letter].outlines) for letter in "ab"] == [2, 1]


def test_the_homemade_maps_are_complete():
    pack = builtin("homemade")
    maps = {one.id: one for one in pack.scenarios if one.layout}
    assert set(maps) == {"the-drowned-lights", "the-sunken-bell", "lamps-of-low-tide"}
    for scenario in maps.values():
        assert len(scenario.start_spaces) >= 4
        assert "camp-fire" in scenario.start_spaces
    tiles = {one.id: one for one in pack.tiles}
    market = tiles["market-tile"].spaces[0]
    assert (market.id, market.encounter, market.level) == ("market", EncounterIcon.SETTLEMENT, 2)
    assert market.names["ru"] == "Рынок"
    assert tiles["reef-tile"].back is TileBack.DEADLY
    assert {space.terrain for space in tiles["deep-cut-tile"].spaces} >= {frozenset({Terrain.IRRADIATED})}
    assert any(None in space.enemies for one in pack.tiles for space in one.spaces)
    assert {icon for one in pack.tiles for space in one.spaces for icon in space.enemies if icon} == set(EnemyType) - {
        EnemyType.STAR,
        EnemyType.SHIELD,
    }


def test_quests_of_a_map_lead_to_its_spaces():
    pack = builtin("homemade")
    every = {space.id for one in pack.tiles for space in one.spaces}
    wanted = {
        condition.word
        for quest in pack.quests
        for objective in quest.objectives
        for condition in objective.requires
        if condition.asks == "space"
    }
    assert wanted <= every


def test_a_pack_with_a_map_reads_back_equal_as_one_file():
    data = {}
    for _, content in pack_text("homemade").files:
        data |= tomllib.loads(content)
    single = "\n".join(texts(data).values())
    pack = load("mine.toml", single.encode())
    assert pack.tiles == builtin("homemade").tiles
    assert pack.scenarios == builtin("homemade").scenarios


BEGINS = 'start_tile = "camp"\nlayout = [\n  "deadly'
CORNER = '"deadly at 0 0"'
FAULTS = [
    ("tiles.toml", "  fffwwww", "  fffwww", 'camp: found 6 letters in row 1 in pattern = "', "expected rows of 7"),
    ("tiles.toml", "  fffwwww\n", "", "camp: found pattern", "expected 54 letters"),
    ("tiles.toml", "  fffwwww", "  f.fwwww", "camp: found a hole (.) in pattern", "a letter for every triangle"),
    ("tiles.toml", "  fffwwww", "  gffwwww", "camp: found space g in several pieces", "expected spaces of one piece"),
    ("tiles.toml", "  fffwwww", "  zffwwww", "camp: found no space for the letter z", "a [[tile.space]] for each"),
    ("tiles.toml", 'area = "w"', 'area = "f"', "camp: found 2 spaces for the letter f", "one [[tile.space]]"),
    ("tiles.toml", 'area = "w"', 'area = "x"', 'camp: found area = "x"', "expected a letter of the tile's pattern"),
    ("tiles.toml", 'id = "camp-well"', 'id = "market"', "market-tile: found a second space market", "an id of its own"),
    ("tiles.toml", '"settlement 2"', '"saloon 2"', 'found encounter = "saloon 2"', "an encounter icon and its level"),
    ("tiles.toml", '["difficult"]', '["wet"]', "found entry 1 ('wet') in terrain", "expected one of difficult, irrad"),
    ("tiles.toml", '["human"]', '["star"]', "found entry 1 ('star') in enemies", "super-mutant or random"),
    ("tiles.toml", 'pl = "Ognisko"', "pl = 7", "found names = a table", "expected a table of names by language"),
    ("scenarios.toml", CORNER, '"deadly at 2 1"', "found 2 tiles at 2 1", "expected one tile on a place"),
    ("scenarios.toml", CORNER, '"deadly at 9 9"', "found a tile at 9 9 that nothing reaches", "touch each"),
    ("scenarios.toml", CORNER, '"old-mill at 0 0"', "found the tile old-mill", "expected a tile of tiles"),
    ("scenarios.toml", CORNER, '"reef-tile at 0 0"', "found the tile reef-tile laid 2 times", "each tile once"),
    ("scenarios.toml", CORNER, '"dangerous at 0 0"', "found 6 places for dangerous tiles", "at most 5"),
    ("scenarios.toml", CORNER, '"deadly on 0 0"', "found entry 1 ('deadly on 0 0') in layout", "its column"),
    ("scenarios.toml", '"camp at 2 1"', '"camp at 5 0"', "found a hole in the map at 2 1", "every place between"),
    (
        "scenarios.toml",
        BEGINS,
        BEGINS.replace("camp", "reef"),
        "found start_tile reef",
        "expected a tile of the layout",
    ),
    (
        "scenarios.toml",
        BEGINS,
        f'spaces = ["x"]\n{BEGINS}',
        "found an unknown key spaces",
        "expected one of enemies, id",
    ),
    ("scenarios.toml", '"star at ferry-quay"', '"star at saloon"', "found star at saloon", "a tile that lies faceup"),
]


@pytest.mark.parametrize(("file", "old", "new", "found", "expected"), FAULTS)
def test_a_fault_of_a_map_has_its_file_and_line(tmp_path, file, old, new, found, expected):
    told = spoiled(tmp_path, (file, old, new))
    fitting = [fault for fault in told if found in fault]
    assert len(fitting) == 1, told
    assert fitting[0].startswith(f"{file}:")
    assert expected in fitting[0]


def test_every_fault_of_a_map_is_told_at_once(tmp_path):
    told = spoiled(
        tmp_path,
        ("tiles.toml", 'id = "market"', 'id = "camp-fire"'),
        ("tiles.toml", "  fffwwww", "  f.fwwww"),
        ("scenarios.toml", '"deadly at 0 0"', '"deadly at 2 1"'),
        ("scenarios.toml", '"dangerous at 0 1"', '"old-mill at 0 1"'),
        ("quests.toml", "test SA 2", "test SA"),
    )
    lines = [fault.split(": ")[0] for fault in told]
    layout = line_of("scenarios.toml", 'layout = [\n  "deadly at 0 0"')
    assert f"tiles.toml:{line_of('tiles.toml', 'pattern')}" in lines
    assert f"scenarios.toml:{layout}" in lines
    assert (
        f"scenarios.toml:{line_of('scenarios.toml', 'layout = [' + chr(10) + '  ' + chr(34) + 'dangerous at 0 1')}"
        in lines
    )
    assert any(line.startswith("quests.toml") for line in lines)
    assert any("market-tile: found a second space camp-fire" in fault for fault in told), told


def test_a_faulty_tile_hides_no_fault_of_others(tmp_path):
    told = spoiled(
        tmp_path,
        ("tiles.toml", "  fffwwww", "  f.fwwww"),
        ("scenarios.toml", '"star at ferry-quay"', '"star at saloon"'),
        ("scenarios.toml", '"shield at bell-tower"', '"shield at camp-fire"'),
    )
    assert {fault.split(":")[0] for fault in told} == {"tiles.toml", "scenarios.toml"}
    assert len(told) == 2, told
    assert any("found star at saloon" in fault for fault in told)


def test_a_start_tile_has_a_space_for_each_survivor(tmp_path):
    told = spoiled(tmp_path, ("scenarios.toml", 'start_tile = "camp"', 'start_tile = "vault-tile"'))
    assert "found 3 spaces on vault-tile, expected at least 4" in told[0]


ASKED_FOR = [
    ("quests.toml", '"space lighthouse"', '"space light-tower"', "2: found space light-tower", "the-drowned-lights"),
    ("quests.toml", '"stage 3"', '"stage 44"', "1: found stage 44", "the number of a quest"),
    ("quests.toml", '"add 14"', '"add 99"', "3: found add 99", "the number of an encounter"),
]


@pytest.mark.parametrize(("file", "old", "new", "found", "expected"), ASKED_FOR)
def test_what_a_card_asks_for_and_what_is_nowhere_is_told_at_its_line(tmp_path, file, old, new, found, expected):
    line = line_of(file, old)
    told = spoiled(tmp_path, (file, old, new))
    assert [one for one in told if one.startswith(f"{file}:{line}: {found}") and expected in one], told


def test_a_space_of_a_tile_that_the_scenario_does_not_lay_is_not_on_its_map(tmp_path):
    told = spoiled(tmp_path, ("scenarios.toml", '"shipyard-tile at 4 2"', '"church-tile at 4 2"'))
    line = line_of("quests.toml", '"space shipyard"')
    assert told == [f"quests.toml:{line}: 1: found space shipyard, expected a space of the map of the-drowned-lights"]


def without_rows(file, key, unless):
    """A file of ours, and the same without the records of a kind that say something."""
    text = (HOMEMADE / file).read_text(encoding="utf-8")
    head, *rows = text.split(f"[[{key}]]")
    return file, text, head + "".join(f"[[{key}]]{row}" for row in rows if unless not in row)


def test_enemies_without_tokens_and_decks_without_cards_are_told_at_the_tile(tmp_path):
    told = spoiled(
        tmp_path,
        without_rows("enemies.toml", "enemy", 'type = "robot"'),
        without_rows("encounters.toml", "encounter", 'back = "vault84"'),
        ("quests.toml", '"add 14"', '"add 15"'),
    )
    assert [one for one in told if one.startswith("tiles.toml") and "shipyard-tile: found enemy robot" in one], told
    assert [one for one in told if one.startswith("scenarios.toml") and "the-salt-road: found enemy robot" in one], told
    assert [one for one in told if one.startswith("tiles.toml") and "vault-tile: found encounter vault84" in one], told


def test_a_faulty_card_hides_nothing_that_others_ask_for(tmp_path):
    told = spoiled(
        tmp_path,
        ("quests.toml", "test SA 2", "test SA"),
        ("quests.toml", '"space lighthouse"', '"space light-tower"'),
        ("tiles.toml", "  fffwwww", "  f.fwwww"),
    )
    assert len(told) == 3, told


def single(old, new):
    """Our own pack as one file, with a change."""
    data = {}
    for _, content in pack_text("homemade").files:
        data |= tomllib.loads(content)
    return "\n".join(texts(data).values()).replace(old, new, 1)


def test_such_a_quest_is_left_out_and_everything_else_is_played():
    found = playable("mine.toml", single('"space market"', '"space bazaar"').encode())
    ours = builtin("homemade")
    assert {quest.number for quest in ours.quests} - {quest.number for quest in found.pack.quests} == {2}
    assert found.pack.tiles == ours.tiles
    assert any("opening quest 2" in str(fault) for fault in found.faults)


def test_a_pack_of_the_record_is_played_on_though_a_quest_leads_nowhere():
    old, new = '"space lighthouse"', '"space light-tower"'
    with pytest.raises(PackFaults):
        load("mine.toml", single(old, new).encode())
    files = {name: text.replace(old, new) for name, text in pack_text("homemade").files}
    assert len(pack_of(PackText(tuple(sorted(files.items())))).quests) == len(builtin("homemade").quests)
