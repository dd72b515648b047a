"""An owner's house calls: files that are read, and faults that are refused with file, line and reason."""

import pytest
from click.testing import CliRunner

from companion.cards.evenings.house_calls import FOLDER, from_json, house_calls, our_calls
from companion.cards.pack import PackFaults
from companion.cli import main

GOOD = """
[[call]]
id = "long-night"
names = { en = "The long night", de = "Die lange Nacht" }
effects = [
  { do = "stir", where = "top", from = 3, until = 5 },
  { do = "praise", of = "fight" },
]
"""


def written(tmp_path, text, name="ours.toml"):
    folder = tmp_path / FOLDER
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_without_a_folder_there_are_ours(tmp_path):
    assert house_calls(tmp_path) == house_calls() == our_calls()


def test_an_owners_house_call_is_drawn_with_ours(tmp_path):
    written(tmp_path, GOOD)
    found = house_calls(tmp_path)
    assert [call.id for call in found[len(our_calls()) :]] == ["long-night"]
    assert dict(found[-1].names) == {"en": "The long night", "de": "Die lange Nacht"}
    assert found[-1].effects[0][2:] == ("top", 1, 3, 5)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (GOOD.replace('"fight"', '"juggling"'), 5, "one of defeat, build, train, dweller, fight"),
        (GOOD.replace("from = 3", "from = 0"), 5, "a whole number from 1 to 99"),
        (GOOD.replace("until = 5", "until = 2"), 5, "a round from 3 on"),
        (GOOD.replace('"stir"', '"dance"'), 5, "one of dry, rich, gift"),
        (GOOD.replace('where = "top"', 'wher = "top"'), 5, "an unknown key wher"),
        (GOOD.replace('names = { en = "The long night", de = "Die lange Nacht" }\n', ""), 2, "no names"),
        (GOOD.replace('do = "praise", of = "fight"', 'do = "toll", of = "food"'), 5, "until, 12 rounds at most"),
        (
            GOOD.replace('do = "praise", of = "fight"', 'do = "toll", of = "food", until = 13'),
            5,
            "a toll until round 13",
        ),
        (GOOD.replace("long-night", "dry-pipes"), 0, "an id of its own"),
        (GOOD.replace('id = "long-night"\n', ""), 2, "no id"),
        (GOOD + "[[cal]]\nid = 3\n", 9, "an unknown key cal"),
        ("[[call]\n", 1, "broken TOML"),
        ("call = 3\n", 1, "[[call]]"),
    ],
)
def test_a_fault_is_told_with_file_line_and_reason(tmp_path, text, line, said):
    file = written(tmp_path, text)
    with pytest.raises(PackFaults) as caught:
        house_calls(tmp_path)
    told = str(caught.value)
    assert f"{file}:{line}: " in told
    assert said in told
    result = CliRunner().invoke(main, ["cards", "check", str(file)])
    assert result.exit_code == 1
    assert said in result.output


def test_a_file_that_is_right_is_reported(tmp_path):
    result = CliRunner().invoke(main, ["cards", "check", str(written(tmp_path, GOOD))])
    assert (result.exit_code, "1 house calls: long-night" in result.output) == (0, True)


def test_a_file_that_is_not_there_is_refused(tmp_path):
    result = CliRunner().invoke(main, ["cards", "check", str(tmp_path / FOLDER / "gone.toml")])
    assert result.exit_code == 1
    assert "a readable file" in result.output


def test_a_toll_may_last_twelve_rounds_and_that_of_an_old_record_for_ever(tmp_path):
    toll = GOOD.replace('do = "praise", of = "fight"', 'do = "toll", of = "food", from = 2, until = 13')
    written(tmp_path, toll)
    assert house_calls(tmp_path)[-1].effects[1][4:] == (2, 13)
    kept = {"id": "old", "effects": [{"do": "toll", "of": "food", "amount": 1}]}
    assert from_json(kept, "house_calls").effects[0].last == 0
