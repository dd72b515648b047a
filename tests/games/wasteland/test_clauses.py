"""Every scenario is green, and every clause has one, a named test, a reminder, or a reason."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.games.wasteland.position import REMINDERS

TESTS = Path(__file__).parent.parent.parent
CLAUSES = tomllib.loads((TESTS.parent / "companion/games/wasteland/clauses.toml").read_text(encoding="utf-8"))
FILES = sorted((TESTS / "scenarios" / "wasteland").glob("*.json"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_scenario(file):
    result = CliRunner().invoke(main, ["scenario", str(file)])
    assert result.exit_code == 0, result.output


def named():
    """Clauses that a scenario names or that stand in a test's name."""
    found = {clause for file in FILES for clause in json.loads(file.read_text(encoding="utf-8"))["clauses"]}
    for file in Path(__file__).parent.glob("test_*.py"):
        tests = re.findall(r"def test_w_([a-z]+)_(\d+)_", file.read_text(encoding="utf-8"))
        found |= {f"W-{part.upper()}-{number}" for part, number in tests}
    return found


def test_scenarios_name_clauses_that_exist():
    assert named() <= set(CLAUSES)


def test_every_clause_of_the_companion_is_shown():
    missing = [key for key, clause in CLAUSES.items() if set(clause["marks"]) & set("trc") and key not in named()]
    assert missing == []


def test_every_clause_of_the_table_has_its_reminder():
    reminded = {clause for clauses in REMINDERS.values() for clause in clauses}
    assert [key for key, clause in CLAUSES.items() if "p" in clause["marks"] and key not in reminded] == []
    assert reminded <= set(CLAUSES)


def test_an_unknown_game_is_a_malformed_scenario(tmp_path):
    file = tmp_path / "odd.json"
    file.write_text('{"game": "chess"}', encoding="utf-8")
    result = CliRunner().invoke(main, ["scenario", str(file)])
    assert result.exit_code == 1
    assert "there is no game 'chess'" in result.output
