"""Every scenario is green, and every clause of the rules has one (or a named test)."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.games.shelter.position import HOUSE_RULES
from companion.games.shelter.words import COLUMNS

TESTS = Path(__file__).parent
CLAUSES = tomllib.loads((TESTS.parent / "companion/games/shelter/clauses.toml").read_text(encoding="utf-8"))
FILES = sorted((TESTS / "scenarios").glob("*.json"))


@pytest.fixture(scope="module")
def all_at_once():
    return CliRunner().invoke(main, ["scenario", *map(str, FILES)])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_scenario(file, all_at_once):
    ended = isinstance(all_at_once.exception, SystemExit | None)  # where one has broken the command, each runs alone
    result = all_at_once if ended else CliRunner().invoke(main, ["scenario", str(file)])
    assert [line for line in result.stderr.splitlines() if line.startswith(f"{file}: ")] == []
    assert isinstance(result.exception, SystemExit | None), result.output


def test_all_scenarios_pass(all_at_once):
    assert all_at_once.output == f"{len(FILES)} passed, 0 failed\n"


def shown():
    """Every clause that a scenario names or that stands in a test's name."""
    found = set()
    for file in FILES:
        found |= set(json.loads(file.read_text(encoding="utf-8"))["clauses"])
    for file in TESTS.rglob("test_*.py"):
        found |= {name.upper() for name in re.findall(r"def test_([a-z]\d)_", file.read_text(encoding="utf-8"))}
    return found


def test_every_clause_is_shown():
    assert sorted(set(CLAUSES) - shown()) == []


def test_scenarios_name_only_clauses_that_exist():
    for file in FILES:
        assert set(json.loads(file.read_text(encoding="utf-8"))["clauses"]) <= set(CLAUSES), file.name


def test_every_house_rule_is_shown():
    used = set()
    for file in FILES:
        raw = json.loads(file.read_text(encoding="utf-8"))
        used |= {name for name, on in raw.get("house_rules", {}).items() if on}
    assert sorted(set(HOUSE_RULES) - used) == []


def test_refusals_name_only_clauses_that_exist():
    source = "".join(
        file.read_text(encoding="utf-8") for file in (TESTS.parent / "companion/games/shelter").rglob("*.py")
    )
    assert set(re.findall(r'"([A-Z]\d)"', source)) - set(COLUMNS) <= set(CLAUSES)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "is not an object"),
        ("\xff", "is not JSON"),
        ('{"pack": "none"}', "there is no pack"),
        ('{"pack": {}}', "there is no pack"),
        ('{"overlay": 3}', "overlay is not a text"),
        ('{"overlay": "gone.toml"}', "gone.toml"),
        ('{"game": "wasteland", "overlay": "gone.toml"}', "malformed"),
        ('{"moves": 3}', "malformed"),
        ("[" * 100_000, "is not JSON"),
        ('{"seed": NaN}', "is not JSON"),
        ('{"players": ["red", "blue"], "seed": "one"}', "seed is not a whole number"),
        ('{"players": ["red", "blue"], "seed": true}', "seed is not a whole number"),
        ('{"players": ["red", "blue"], "then": []}', "then is not an object"),
        ('{"players": ["red", "blue"], "name": 3}', "name is not a text"),
        ('{"players": ["red", "blue"], "clauses": "Q1"}', "clauses is not a list"),
        ('{"seed": ' + "9" * 5_000 + "}", "is not JSON"),
    ],
)
def test_a_file_that_is_no_scenario_is_one_line(tmp_path, text, said):
    file = tmp_path / "odd.json"
    file.write_bytes(text.encode("latin-1"))
    result = CliRunner().invoke(main, ["scenario", str(file)])
    assert result.exit_code == 1
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1
    assert said in lines[0]
    assert result.exception is None or isinstance(result.exception, SystemExit)


def test_a_file_that_is_not_there_is_one_line(tmp_path):
    result = CliRunner().invoke(main, ["scenario", str(tmp_path / "gone.json"), str(tmp_path)])
    assert result.exit_code == 1
    assert len(result.stderr.strip().splitlines()) == 2


def test_wrong_use_is_exit_2():
    assert CliRunner().invoke(main, ["scenario"]).exit_code == 2


@pytest.mark.parametrize("game", ["shelter", "wasteland"])
def test_a_scenario_may_ask_for_nothing_but_that_its_moves_are_made(tmp_path, game):
    file = tmp_path / "short.json"
    for rest in ({}, {"then": {}}, {"then": None}):
        file.write_text(json.dumps({"game": game, "players": ["red", "blue"], **rest}))
        assert CliRunner().invoke(main, ["scenario", str(file)]).output == "1 passed, 0 failed\n"
