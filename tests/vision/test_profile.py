import json

import cv2
import pytest

from companion.vision.profile import ProfileError, load_profile, parse_profile
from companion.vision.table_reader import TableReader

from . import tables


def faults_of(data, folder) -> list[str]:
    with pytest.raises(ProfileError) as caught:
        parse_profile(data, folder)
    return caught.value.faults


def test_a_written_profile_reads(profile_file):
    profile = load_profile(profile_file)
    assert len(profile.slots) == 35
    assert len(profile.spaces) == 5 * (6 * 2 + 1)
    middle = next(slot for slot in profile.slots if slot.name == "3:E")
    assert (middle.x, middle.y) == (0, 0)
    far_left = next(slot for slot in profile.slots if slot.name == "1:L3")
    assert (far_left.x, far_left.y) == (-276, 134)


def test_every_fault_is_listed(tmp_path):
    data = tables.profile_json([])
    data["table"]["levels"] = "five"
    data["table"]["dictionary"] = "NOPE"
    data["camera"]["matrix"] = [[0, 0, 0]]
    data["cards"] = {"garden": {"kind": "animal", "tags": [3], "art": ["gone.png"]}}
    found = "\n".join(faults_of(data, tmp_path))
    for part in ("table.levels", "table.dictionary", "camera.matrix", "cards.garden.kind", "gone.png", "tag 3"):
        assert part in found


@pytest.mark.parametrize("data", [None, [], "text", 3, {}, {"table": []}, {"cards": {"a": 1}}])
def test_nonsense_is_faults_not_a_traceback(data, tmp_path):
    assert faults_of(data, tmp_path)


def test_a_missing_or_broken_file_is_one_fault(tmp_path):
    with pytest.raises(ProfileError, match="No such file"):
        load_profile(tmp_path / "none.json")
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    with pytest.raises(ProfileError, match="not JSON"):
        load_profile(broken)


DEEP = "[" * 100_000 + "]" * 100_000


def test_what_nests_too_deeply_is_one_fault(tmp_path):
    deep = tmp_path / "deep.json"
    deep.write_text(DEEP)
    with pytest.raises(ProfileError, match="too deeply"):
        load_profile(deep)


NUMBERS = [
    ("table", "gap"),
    ("table", "card_tag"),
    ("table", "card", 0),
    ("table", "mat", 1),
    ("table", "threat", 0),
    ("table", "spaces", "a", 0),
    ("table", "mat_tags", 0, "size"),
    ("table", "mat_tags", 0, "centre", 1),
    ("camera", "size", 0),
    ("camera", "matrix", 0, 0),
    ("camera", "matrix", 1, 2),
    ("camera", "distortion", 0),
    ("figures", "height"),
    ("figures", "base"),
]


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity", "1e300", "1" + "0" * 400, "true"])
@pytest.mark.parametrize("where", NUMBERS, ids=lambda where: ".".join(map(str, where)))
def test_a_number_that_is_none_is_a_fault_where_it_stands(where, value, tmp_path):
    data = tables.profile_json([])
    part = data
    for key in where[:-1]:
        part = part[key]
    part[where[-1]] = json.loads(value)
    (fault,) = faults_of(data, tmp_path)
    assert fault.startswith(".".join(key for key in where[:2] if isinstance(key, str)))


@pytest.mark.parametrize("count", range(17))
def test_a_lens_is_bent_by_as_many_numbers_as_opencv_takes(count, tmp_path):
    data = tables.profile_json([])
    data["camera"]["distortion"] = [0.01] * count
    if count in {0, 4, 5, 8, 12, 14}:
        assert parse_profile(data, tmp_path).camera.distortion == (0.01,) * count
    else:
        assert faults_of(data, tmp_path) == [
            "camera.distortion: expected 4, 5, 8, 12 or 14 numbers, as OpenCV orders them"
        ]


@pytest.mark.parametrize(("part", "key", "value"), [("figures", "height", 300), ("figures", "base", 101)])
def test_a_figure_as_large_as_a_card_is_a_slip_of_the_pen(part, key, value, tmp_path):
    data = tables.profile_json([])
    data[part][key] = value
    assert faults_of(data, tmp_path) == [f"{part}.{key}: expected a number from 1 to 100"]


@pytest.mark.parametrize(("side", "at"), [("a", [-400, 0]), ("b", [45, 0]), ("E", [0, -32])])
def test_a_space_beside_its_card_is_a_fault(side, at, tmp_path):
    data = tables.profile_json([])
    data["table"]["spaces"][side] = at
    assert faults_of(data, tmp_path) == [
        f"table.spaces.{side}: expected a place on the card, up to 44 and 31.5 from its middle"
    ]


def test_what_a_profile_allows_can_be_looked_with(profile_file, tmp_path):
    raw = json.loads(profile_file.read_text())
    raw["cards"] = {
        name: card | {"art": [str(profile_file.parent / card["art"][0])]} for name, card in raw["cards"].items()
    }
    picture = tables.draw_table({"1:L3": 0, "2:R1": 3, "5:R3": 2})
    cv2.circle(picture, (600, 300), 60, (34, 28, 196), -1)
    for figures, table in (
        ({"height": 100, "base": 100}, {}),
        ({"height": 100, "base": 1}, {"card": [70, 50]}),
        ({"height": 1, "base": 100}, {"card": [60, 20], "threat": [10, 10], "spaces": {"a": [-30, -10]}}),
        ({"height": 1, "base": 1}, {"threat": [300, 300], "spaces": {"a": [44, 31.5], "b": [-44, -31.5]}}),
    ):
        changed = raw | {"figures": raw["figures"] | figures, "table": raw["table"] | table}
        changed["table"]["spaces"] = {"a": [-20, 0], "b": [20, 0], "E": [0, 0]} | table.get("spaces", {})
        reading = TableReader(parse_profile(changed, tmp_path)).look(picture).reading
        assert reading.table == "found"


def test_a_folder_of_pictures_is_art(profile_file):
    data = json.loads(profile_file.read_text())
    data["cards"]["room-00"]["art"] = ["art"]
    profile = parse_profile(data, profile_file.parent)
    assert sorted(profile.cards["room-00"].art) == sorted((profile_file.parent / "art").iterdir())
