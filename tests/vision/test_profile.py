import json

import pytest

from companion.vision.profile import ProfileError, load_profile, parse_profile

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


def test_a_folder_of_pictures_is_art(profile_file):
    data = json.loads(profile_file.read_text())
    data["cards"]["room-00"]["art"] = ["art"]
    profile = parse_profile(data, profile_file.parent)
    assert sorted(profile.cards["room-00"].art) == sorted((profile_file.parent / "art").iterdir())
