import pytest

from calibration.steps.columns import ColumnStep, corrected_pack, parse_columns
from calibration.steps.step import StepError
from tests.vision import tables

NUMBERS = ["-", "2", "4", "3", "5", "6", "8", "9", "10", "11", "12", "-"]
OWN = """# my box
verified = true
columns = ["-", 2, 3, 4, 5, 6,
  8, 9, 10, 11, 12, "-"] # as told

[cards.garden]
confirmed = true
"""
READ = [None, 2, 4, 3, 5, 6, 8, 9, 10, 11, 12, None]


def test_the_numbers_go_into_the_overlay_of_the_pack(fresh):
    step = ColumnStep(fresh)
    assert step.progress == (0, 1)
    assert step.numbers()[1:3] == [2, 3]
    step.act("numbers", dict(zip(map(str, range(12)), NUMBERS, strict=True)))
    assert step.progress == (1, 1)
    assert list(corrected_pack("standard", step.target).columns) == READ
    assert step.details() == {"pack": "standard", "numbers": READ, "read": ["?"] * 12}


def test_what_an_owner_has_written_beside_them_stays(fresh):
    step = ColumnStep(fresh)
    step.target.parent.mkdir(parents=True, exist_ok=True)
    step.target.write_text(OWN)
    step.put(NUMBERS)
    text = step.target.read_text()
    assert text.startswith('# my box\nverified = true\ncolumns = ["-", 2, 4, 3,')
    assert text.endswith("\n[cards.garden]\nconfirmed = true\n")
    pack = corrected_pack("standard", step.target)
    assert (list(pack.columns), pack.confirmed, pack.verified) == (READ, {"garden"}, True)


def test_numbers_before_the_first_table_of_an_overlay(fresh):
    step = ColumnStep(fresh)
    step.target.parent.mkdir(parents=True, exist_ok=True)
    step.target.write_text("[cards.garden]\nconfirmed = true\n")
    step.put(NUMBERS)
    assert list(corrected_pack("standard", step.target).columns) == READ


def test_what_the_pack_would_refuse_is_not_written(fresh):
    step = ColumnStep(fresh)
    step.target.parent.mkdir(parents=True, exist_ok=True)
    step.target.write_text("[cards.no-such-card]\nconfirmed = true\n")
    with pytest.raises(StepError, match="no-such-card"):
        step.put(NUMBERS)
    assert step.target.read_text() == "[cards.no-such-card]\nconfirmed = true\n"
    assert [path.name for path in step.target.parent.iterdir()] == [step.target.name]


@pytest.mark.parametrize("values", [NUMBERS[:-1], *([*NUMBERS[:-1], odd] for odd in ("13", "x", "\u0661"))])
def test_odd_numbers_are_told(values):
    with pytest.raises(StepError):
        parse_columns(values)


def test_the_red_backed_rooms_are_shown_enlarged(file, codes):
    step = ColumnStep(file)
    assert codes(step.see(tables.draw_table({"1:L1": 2}))) == ["read_columns"]
    assert set(step.crops) == {f"1:{slot}" for slot in ("L3", "L2", "L1", "R1", "R2", "R3")}
    assert len(step.marks) == 6
    assert codes(step.see(tables.draw_table({}, mat_tags=()))) == ["no_table"]


def test_a_pack_that_is_not_there(fresh):
    with pytest.raises(StepError):
        ColumnStep(fresh, pack="no-such-pack").numbers()
