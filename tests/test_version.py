"""The version stands in pyproject.toml alone, and is shown wherever people look for it."""

import json
import re
import tomllib
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import version as installed
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion import version as versions
from companion.app.doctor import machine_checks
from companion.cli import main
from companion.languages.catalogues import codes
from companion.table.ports import Health, ok
from companion.version import UNKNOWN, runs_compiled, version
from web.base.words import words_in
from web.pages.doctor.view import told

ROOT = Path(__file__).parents[1]
OURS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


@pytest.fixture
def tree(tmp_path):
    def write(text):
        (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
        return tmp_path

    return write


def test_a_source_tree_knows_its_version():
    assert version() == OURS


def test_a_tree_is_believed_before_what_was_once_installed(tree):
    assert version(tree('[project]\nname = "click"\nversion = "0.0.1"\n'), "click") == "0.0.1"


@pytest.mark.parametrize("text", ["[broken", "[tool]\n", '[project]\nname = "other"\nversion = "7"\n'])
def test_without_a_tree_of_ours_the_installed_package_is_asked(tree, text):
    assert version(tree(text), "click") == installed("click")
    assert version(tree(text), "no-such-package-here") == UNKNOWN


def test_it_is_written_once():
    written = [path for path in (ROOT / "companion").rglob("*.py") if OURS in path.read_text(encoding="utf-8")]
    assert written == []


@pytest.fixture
def compiled(tmp_path, monkeypatch):
    """Rules of which one module is compiled, in a package of theirs."""
    (tmp_path / "turn").mkdir()
    (tmp_path / "turn" / "place.py").touch()
    assert not runs_compiled(tmp_path)
    (tmp_path / "turn" / f"place{EXTENSION_SUFFIXES[0]}").touch()
    monkeypatch.setattr(versions.runs_compiled, "__defaults__", (tmp_path,))


def test_the_command_says_it_and_how_the_rules_run():
    result = CliRunner().invoke(main, ["--version"])
    assert (result.exit_code, result.output) == (0, f"companion {OURS}, rules interpreted\n")


@pytest.mark.usefixtures("compiled")
def test_the_command_says_that_the_rules_are_compiled():
    assert CliRunner().invoke(main, ["--version"]).output == f"companion {OURS}, rules compiled\n"


def test_the_doctor_says_it_in_a_line_and_to_scripts(tmp_path):
    (tmp_path / "companion.toml").write_text("[table]\nport = 0\n", encoding="utf-8")
    lines = CliRunner().invoke(main, ["doctor", "--data", str(tmp_path)]).output.splitlines()
    assert [line for line in lines if OURS in line] == [f"ok    version       {OURS}; the rules run interpreted."]
    found = json.loads(CliRunner().invoke(main, ["doctor", "--json", "--data", str(tmp_path)]).output)
    (check,) = [one for one in found["checks"] if one["name"] == "version"]
    assert (check["state"], check["fields"]) == ("ok", {"version": OURS, "compiled": False})


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("language", codes())
def test_the_doctor_says_that_the_rules_are_compiled(language):
    assert machine_checks.version().fields == {"version": OURS, "compiled": True}
    assert told(words_in(language), machine_checks.version()) != told(words_in(language), ok("version", version=OURS))


def test_the_doctor_does_without_a_version(monkeypatch):
    monkeypatch.setattr(machine_checks, "companion_version", lambda: UNKNOWN)
    assert (machine_checks.version().state, machine_checks.version().code) == (Health.NOTE, "version_unknown")


def test_the_newest_release_of_the_changelog_is_this_version():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", text, re.MULTILINE)
    assert headings[0] == ("Unreleased", "")
    assert headings[1][0] == OURS
    assert headings[1][1], "a release has its date"
    dates = [date for _, date in headings[1:]]
    assert dates == sorted(dates, reverse=True)
