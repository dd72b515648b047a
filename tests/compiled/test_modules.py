"""Which build of the rules is loaded: one of exactly these sources, for this Python, whole; else the sources are."""

import json
import subprocess
import sys
from importlib.machinery import EXTENSION_SUFFIXES
from shutil import copytree

import pytest

from companion.app.doctor import machine_checks
from companion.compiled import modules
from companion.compiled.modules import ABI, FAILED, MANIFEST, PACKAGE, CompiledRules, builds, failure, key
from companion.languages.catalogues import codes
from companion.table.ports import Health
from web.base.words import words_in
from web.pages.doctor.view import told

WORDS = "companion.games.shelter.words"


@pytest.fixture
def build(tmp_path):
    """A build that fits, of one module and its library, which are Python here and now."""

    def write(name, **changed):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "library_of_rules.py").write_text("LOADED = True\n")
        (folder / f"{WORDS}.py").write_text("COMPILED = True\n")
        files = {one: (f"{one}.py", (folder / f"{one}.py").stat().st_size) for one in ("library_of_rules", WORDS)}
        (folder / MANIFEST).write_text(json.dumps({"library": "library_of_rules", "files": files} | changed))
        return folder

    return write


@pytest.fixture
def finder(tmp_path, monkeypatch):
    found = CompiledRules(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [found, *sys.meta_path])
    monkeypatch.delitem(sys.modules, "library_of_rules", raising=False)
    return found


def test_a_build_that_fits_is_taken(build, finder):
    folder = build(key())
    assert finder.find_spec(WORDS).origin == str(folder / f"{WORDS}.py")
    assert modules.in_use()
    assert finder.find_spec("companion.games.shelter.legal") is None, "what was not compiled comes from its source"


def test_nothing_is_looked_for_before_a_rule_is_asked_for(build, finder):
    build(key())
    assert finder.find_spec("companion.table") is None
    assert "library_of_rules" not in sys.modules


def test_a_build_of_other_sources_is_not(build, finder):
    build(f"{'0' * 16}-{ABI}")
    assert finder.find_spec(WORDS) is None
    assert (modules.in_use(), modules.fault()) == (False, "")


def test_one_that_is_cut_short_is_not_and_the_doctor_says_so(build, finder):
    folder = build(key())
    with (folder / f"{WORDS}.py").open("a") as file:
        file.write("#")
    assert finder.find_spec(WORDS) is None
    assert "cut short" in modules.fault()
    assert (machine_checks.version().state, machine_checks.version().code) == (Health.NOTE, "version_not_compiled")


@pytest.mark.parametrize("library", ["no_such_library", None])
def test_one_whose_library_does_not_load_is_not(build, finder, library):
    build(key(), library=library)
    assert finder.find_spec(WORDS) is None
    assert modules.fault()


def test_what_is_no_manifest_is_not(build, finder):
    (build(key()) / MANIFEST).write_text("[")
    assert finder.find_spec(WORDS) is None
    assert modules.fault()


@pytest.mark.parametrize("changed", ["games/shelter/words.py", "games/api.py", "cards/pack.py", "refusal.py"])
def test_every_change_of_what_was_compiled_asks_for_another_build(tmp_path, changed):
    copytree(PACKAGE, tmp_path / "companion", ignore=lambda _, names: [one for one in names if one == "__pycache__"])
    before = key(tmp_path / "companion")
    with (tmp_path / "companion" / changed).open("a") as file:
        file.write("\n")
    assert key(tmp_path / "companion") != before


def test_so_does_another_version_and_no_other_line_of_the_project(tmp_path):
    (tmp_path / "companion").mkdir()
    found = []
    for text in ('version = "1"\n', 'version = "2"\n', 'name = "x"\nversion = "2"\n'):
        (tmp_path / "pyproject.toml").write_text(text)
        found.append(key(tmp_path / "companion"))
    assert found[0] != found[1] == found[2]


def test_a_build_is_named_for_this_python_and_machine():
    assert EXTENSION_SUFFIXES[0] == f".{ABI}.so"
    assert key().endswith(ABI)


def test_the_sources_run_where_that_is_wanted():
    assert builds({"COMPANION_RULES": "python"}) is None
    assert builds({"COMPANION_RULES": "/some/where"}).name == "where"
    assert builds({}) == modules.BUILDS


@pytest.mark.usefixtures("finder")
@pytest.mark.parametrize("language", codes())
def test_why_a_build_failed_is_told_while_the_sources_are_the_same(tmp_path, language):
    (tmp_path / FAILED).write_text(json.dumps({"key": key(), "why": "gcc is out of memory", "final": True}))
    check = machine_checks.version()
    assert check.code == "version_not_compiled"
    assert "gcc is out of memory" in told(words_in(language), check)
    (tmp_path / FAILED).write_text(json.dumps({"key": "another", "why": "gcc is out of memory", "final": True}))
    assert failure(tmp_path) is None
    assert machine_checks.version().code == "version_ok"


def test_the_command_loads_no_rule_before_it_has_looked_for_a_build():
    loaded = "import sys, companion.cli; print([one for one in sys.modules if one.startswith('companion.games')])"
    said = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert said.stdout == "[]\n"
