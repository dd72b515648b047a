"""Building: aside, alone, proved, and taken whole or not at all; what fails is said once and not tried in vain."""

import fcntl
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.app.background import RulesBuild, is_wanted
from companion.cli import main
from companion.compiled import build as building
from companion.compiled.build import BuildFailed, Unavailable, build, is_hopeless
from companion.compiled.modules import FAILED, MANIFEST, key

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(building, "_step_back", lambda: None)  # the other tests of this process go on as before
    monkeypatch.setattr(building, "compiler", lambda: "cc")
    monkeypatch.setattr(building, "_compile", compiles)
    monkeypatch.setattr(building, "_played", lambda where: played(compiled=where != "python"))
    monkeypatch.setenv("COMPANION_RULES", str(tmp_path / "builds"))
    return tmp_path / "builds"


def compiles(aside, _environment):
    """What a compiler leaves behind."""
    rules = aside / "source" / "companion" / "games"
    rules.mkdir(parents=True)
    (aside / "source" / "abc__mypyc.here.so").write_text("library")
    (rules / "rule.here.so").write_text("module")


def played(*, compiled, digest="1"):
    return {"digest": digest, "games": 240, "compiled": compiled}


def left_in(folder):
    return {path.name for path in folder.iterdir()} - {"lock"}


def test_what_is_proved_is_taken_with_a_list_of_it_and_nothing_else_stays(folder):
    (folder / "another").mkdir(parents=True)
    assert build(folder) == "The rules are compiled; 240 games from identical seeds are identical."
    assert left_in(folder) == {key()}
    manifest = json.loads((folder / key() / MANIFEST).read_text())
    assert manifest["library"] == "abc__mypyc"
    assert manifest["files"]["companion.games.rule"] == ["companion.games.rule.so", len("module")]
    assert build(folder) == "The rules are compiled already."


@pytest.mark.parametrize("wrong", [{"digest": "2"}, {"compiled": False}])
def test_what_plays_otherwise_is_not_taken(folder, monkeypatch, wrong):
    monkeypatch.setattr(
        building, "_played", lambda where: played(compiled=where != "python") | (wrong if where != "python" else {})
    )
    with pytest.raises(BuildFailed, match="differ"):
        build(folder)
    assert left_in(folder) == {FAILED}


def test_a_compiler_that_fails_half_way_leaves_nothing_but_one_line(folder, monkeypatch):
    def fails(aside, environment):
        compiles(aside, environment)
        building._run(
            ["sh", "-c", "echo 'cc1: error: out of memory' >&2; echo hint >&2; exit 1"], aside, {}, "It failed"
        )

    monkeypatch.setattr(building, "_compile", fails)
    said = CliRunner().invoke(main, ["compile", "--in-background"])
    assert (said.exit_code, said.output) == (1, "Error: It failed: cc1: error: out of memory\n")
    assert left_in(folder) == {FAILED}
    assert is_hopeless(folder)
    assert CliRunner().invoke(main, ["compile", "--in-background"]).output == "", "it is not tried again in vain"
    monkeypatch.setattr(building, "_compile", compiles)
    assert CliRunner().invoke(main, ["compile"]).exit_code == 0, "a person may try"
    assert left_in(folder) == {key()}


def test_a_missing_network_is_tried_again(folder, monkeypatch):
    monkeypatch.setattr(building, "find_spec", lambda _: None)
    monkeypatch.setattr(building, "_run", offline)
    with pytest.raises(BuildFailed, match="mypy could not be brought"):
        build(folder)
    assert not is_hopeless(folder)


def offline(_command, _folder, _environment, what, *, final=True):
    raise BuildFailed(f"{what}: no network", final=final)


def test_without_a_list_of_what_is_needed_nothing_is_brought(folder, monkeypatch, tmp_path):
    monkeypatch.setattr(building, "find_spec", lambda _: None)
    with pytest.raises(BuildFailed, match="mypy is not installed"):
        build(folder, tmp_path / "none.txt")


def test_two_do_not_build_at_once(folder):
    folder.mkdir()
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(Unavailable):
            build(folder)
        assert CliRunner().invoke(main, ["compile", "--in-background"]).exit_code == 0
    build(folder)


def test_what_an_earlier_build_left_half_done_is_cleared_away(folder):
    (folder / "new" / "source").mkdir(parents=True)
    build(folder)
    assert left_in(folder) == {key()}


def test_a_machine_without_a_compiler_is_no_failure(monkeypatch, tmp_path):
    monkeypatch.setenv("COMPANION_RULES", str(tmp_path / "builds"))
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert CliRunner().invoke(main, ["compile", "--in-background"]).exit_code == 0
    said = CliRunner().invoke(main, ["compile"])
    assert (said.exit_code, "apt install gcc python3-dev" in said.output) == (1, True)
    assert not (tmp_path / "builds").exists()


def test_a_python_without_headers_is_none_either(monkeypatch, tmp_path):
    monkeypatch.setattr(building.sysconfig, "get_path", lambda _: str(tmp_path))
    with pytest.raises(Unavailable, match="headers"):
        building.compiler()


def test_the_sources_stay_where_that_is_wanted(monkeypatch):
    monkeypatch.setenv("COMPANION_RULES", "python")
    assert CliRunner().invoke(main, ["compile"]).exit_code == 1


def test_a_table_compiles_where_run_says_so_and_the_place_may_be_written(monkeypatch, tmp_path):
    monkeypatch.setenv("COMPANION_RULES", str(tmp_path / "builds"))
    assert is_wanted({"COMPANION_COMPILE": "1"})
    assert not is_wanted({})
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert not is_wanted({"COMPANION_COMPILE": "1"})
    monkeypatch.setenv("COMPANION_RULES", "python")
    assert not is_wanted({"COMPANION_COMPILE": "1"})


def test_what_failed_is_one_line_in_the_log(monkeypatch, tmp_path, caplog):
    monkeypatch.setenv("COMPANION_RULES", str(tmp_path / "file" / "builds"))
    (tmp_path / "file").write_text("no folder")
    service = RulesBuild()
    service.start()
    service._thread.join(60)
    (line,) = caplog.messages
    assert "Not a directory" in line
    assert "The rules run from their sources." in line


def test_the_compiler_ends_with_the_table(tmp_path):
    line = tmp_path / "line"
    os.mkfifo(line)
    compiles = "import subprocess, sys; out = open(sys.argv[1], 'w'); print('up', file=out, flush=True)"
    compiles += "; subprocess.run(['sleep', '600'], pass_fds=[out.fileno()])"
    service = RulesBuild([sys.executable, "-c", compiles, str(line)])
    service.start()
    with line.open() as heard:
        assert heard.readline() == "up\n"
        service.close()
        assert heard.read() == "", "the line ends when nobody holds it any more"


MYPYC = "import json\ndef mypycify(options, **more): print(json.dumps([options, more])); return []"
"""A compiler that says what it was given; the last test here builds with the real one."""


@pytest.mark.parametrize(
    ("switch", "command", "compiles_with"),
    [
        ("1", ["--version"], {"opt_level": "0", "debug_level": "0"}),
        ("", ["--version"], None),
        ("1", ["editable_wheel", "--help"], None),
    ],
)
def test_one_switch_compiles_a_wheel_of_what_a_table_compiles(tmp_path, switch, command, compiles_with):
    """Not where the sources stay in place: compiled modules would be loaded instead of what has changed since."""
    (tmp_path / "mypyc").mkdir()
    (tmp_path / "mypyc/__init__.py").touch()
    (tmp_path / "mypyc/build.py").write_text(MYPYC)
    told = {"COMPANION_COMPILED_WHEEL": switch, building.OPTIMIZATION: "0", "PYTHONPATH": str(tmp_path)}
    run = [sys.executable, "setup.py", "--quiet", *command]
    done = subprocess.run(run, cwd=ROOT, env=os.environ | told, capture_output=True, text=True, check=True)
    said = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[[")]
    files = building.compiler_options(building.modules("companion"))
    assert said == ([] if compiles_with is None else [[files, compiles_with]])


@pytest.mark.compiled
def test_the_rules_compile_and_play_the_same_games(tmp_path, monkeypatch):
    """The real thing, with as little optimization as the compiler knows: what is played does not depend on it."""
    monkeypatch.setattr(building, "_step_back", lambda: None)
    monkeypatch.setenv(building.OPTIMIZATION, "0")
    assert build(tmp_path).endswith("identical.")
    command = [sys.executable, "-m", "companion.cli", "--version"]
    said = subprocess.run(
        command, capture_output=True, text=True, check=True, env=os.environ | {"COMPANION_RULES": str(tmp_path)}
    )
    assert said.stdout.endswith("rules compiled\n")


@pytest.mark.compiled
def test_a_wheel_with_compiled_rules_plays_the_same_games():
    """Built, unpacked and played by the Python that runs this; other Pythons and arm64 are proved by hand."""
    prove = [ROOT / "tests/appliance/prove_wheel", sys.executable, "0"]
    done = subprocess.run(prove, env=os.environ | {"GAMES": "24"}, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1].startswith("Proved: Python 3."), done.stdout + done.stderr
