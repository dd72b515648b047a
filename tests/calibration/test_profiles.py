import json

import pytest

from calibration.measuring.papers import cards_of
from calibration.profiles import ProfileFile, merged, serialize
from calibration.steps.step import StepError
from companion.cards.loader import builtin
from companion.vision.profile import load_profile


def test_what_is_not_known_in_a_profile_stays(file):
    raw = json.loads(file.path.read_text())
    raw["owner"] = {"says": ["do not", {"touch": 1.5}]}
    raw["camera"]["locked"] = {"focus": 4.5}
    file.path.write_text(json.dumps(raw))
    file.change({"camera": {"distortion": [0.1, 0, 0, 0, 0]}})
    after = json.loads(file.path.read_text())
    assert after == merged(raw, {"camera": {"distortion": [0.1, 0, 0, 0, 0]}})
    assert after["owner"] == raw["owner"]
    assert after["camera"]["locked"] == {"focus": 4.5}


def test_a_change_that_makes_a_fault_is_refused_and_nothing_is_written(file):
    before = file.path.read_bytes()
    with pytest.raises(StepError, match=r"figures\.colours\.red"):
        file.change({"figures": {"colours": {"red": [300, 0, 0]}}})
    assert file.path.read_bytes() == before
    assert {path.name for path in file.folder.iterdir()} == {"art", "profile.json"}


def test_the_file_is_exchanged_at_once(file, monkeypatch):
    before = file.path.read_bytes()

    def pulled(*_):
        raise OSError(5, "the plug is pulled")

    monkeypatch.setattr("pathlib.Path.replace", pulled)
    with pytest.raises(StepError, match="cannot be written: the plug is pulled"):
        file.change({"figures": {"height": 28}})
    assert file.path.read_bytes() == before


def test_a_table_that_nobody_has_measured_is_our_mat(fresh):
    fresh.know(cards_of(builtin("standard")))
    profile = load_profile(fresh.path)
    assert (profile.mat, profile.levels, len(profile.mat_tags)) == ((740, 430), 5, 6)
    assert profile.cards["the-wasteland"].tags == (10,)
    assert len(profile.cards["garden"].tags) == 2
    assert {card.kind for card in profile.cards.values()} == {"room", "threat", "item", "elevator"}
    fresh.know(cards_of(builtin("homemade")))
    assert load_profile(fresh.path) == profile


BROKEN = [
    "{",
    "[1]",
    "",
    "[" * 100_000 + "]" * 100_000,
    '{"camera": 5}',
    '{"cards": null}',
    '{"cards": {"garden": 1}}',
    '{"camera": {"lens": 5}}',
    '{"camera": {"locked": [1]}}',
]


@pytest.mark.parametrize("text", BROKEN, ids=lambda text: text[:30])
def test_a_broken_profile_is_one_line_and_stays_as_it_is(tmp_path, text):
    path = tmp_path / "p.json"
    path.write_text(text)
    with pytest.raises(StepError, match=r"p\.json cannot be read"):
        ProfileFile(path).change({"figures": {"height": 28}})
    assert path.read_text() == text


def test_a_profile_is_written_for_people(file):
    raw = file.raw()
    text = serialize(raw)
    assert json.loads(text) == raw
    assert '  "spaces": {"a": [-20.24, -8.82], "b": [20.24, -8.82], "E": [0, -6]}' in text.splitlines()
    assert max(map(len, text.splitlines())) < 110
    assert serialize({"empty": {}, "list": []}) == '{\n "empty": {},\n "list": []\n}\n'


def test_a_patch_merges_replaces_and_deletes():
    assert merged({"a": {"b": 1, "c": 2}, "d": [1]}, {"a": {"b": 3, "c": None}, "d": [2], "e": {"f": 1}}) == {
        "a": {"b": 3},
        "d": [2],
        "e": {"f": 1},
    }
