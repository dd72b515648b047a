"""`./benchmark` itself: what fails in one part is told, and the others are measured."""

import argparse
import os
import subprocess
import sys

import pytest

from benchmarks import __main__ as benchmark
from benchmarks import card, compiling, soaking
from benchmarks.tabling import ENTRIES, write_long_record
from companion.table.record.verify import inspect


@pytest.fixture
def parts(monkeypatch, tmp_path):
    """Three parts, of which the second fails, and a page of their own."""

    def fails():
        raise ChildProcessError("the guest said nothing")

    found = {
        "engine": ("One", lambda: [("one", "", "1")]),
        "table": ("Two", fails),
        "running": ("Three", lambda: [("three", "", "3")]),
    }
    (tmp_path / "docs").mkdir()
    monkeypatch.setattr(benchmark, "PARTS", found)
    monkeypatch.setattr(benchmark, "HERE", tmp_path)
    monkeypatch.setattr("sys.argv", ["benchmark"])
    return tmp_path / "docs" / "measured.md"


def test_a_part_that_fails_is_told_and_the_others_are_measured(parts, capsys):
    with pytest.raises(SystemExit) as ended:
        benchmark.main()
    assert str(ended.value) == "not measured: table; each alone: ./benchmark --only table"
    assert "the guest said nothing" in capsys.readouterr().err
    assert "| one |  | 1 |" in parts.read_text(encoding="utf-8")
    assert "| three |  | 3 |" in parts.read_text(encoding="utf-8")


def test_parts_are_asked_for_together_by_one_name(monkeypatch):
    measured = []
    monkeypatch.setattr(benchmark, "ASKED", argparse.Namespace(**vars(benchmark.ASKED)))
    monkeypatch.setattr(benchmark, "is_measured", lambda name: not measured.append(name))
    monkeypatch.setattr("sys.argv", ["benchmark", "--only", "rules"])
    benchmark.main()
    assert measured == ["engine", "compiled"]


def test_what_is_measured_after_a_build_does_not_step_back_behind_everything_else(monkeypatch):
    """A build lowers the priority of its process for good."""
    commands = []
    monkeypatch.setattr(compiling.building, "build", lambda _: os.nice(1))
    monkeypatch.setattr(compiling.subprocess, "run", lambda command, **_: commands.append(command))
    before = os.nice(0)
    compiling.build()
    assert os.nice(0) == before
    assert commands == [[sys.executable, "-m", "benchmarks.compiling"]]


def test_a_record_as_long_as_the_benchmarks_can_be_written(tmp_path):
    write_long_record(tmp_path, ENTRIES)
    assert len(inspect(tmp_path).order) == ENTRIES + 1


def test_a_soak_goes_on_behind_the_chunks_that_were_played(tmp_path):
    kept = tmp_path / "soak.jsonl"
    assert soaking.played(kept) == {}
    kept.write_text('[0, {"games": 225, "wasteland": 25}]\n[250, {"games": 2', encoding="utf-8")
    assert soaking.played(kept) == {0: {"games": 225, "wasteland": 25}}
    assert kept.read_text(encoding="utf-8") == '[0, {"games": 225, "wasteland": 25}]\n', (
        "what comes next has a line of its own"
    )


@pytest.mark.parametrize("seed", [2, 7, 1000001])
def test_a_game_of_the_soak_keeps_every_law(seed):
    counted = soaking.one_game(seed)
    assert counted["games"] == 1
    with pytest.raises(AssertionError, match="seed 3: broken"):
        soaking.check(held=False, seed=3, what="broken")


@pytest.mark.parametrize("ends", [0, 1])
def test_a_first_start_counts_what_was_seen_and_fails_as_its_command_does(tmp_path, monkeypatch, ends):
    script = tmp_path / "boot_radios"
    script.write_text(f'#!/bin/sh\nprintf "ok    $1\\nok    two\\nProved: radios\\n"\nexit {ends}\n')
    script.chmod(0o755)
    monkeypatch.setattr(card, "SCRIPTS", tmp_path)
    if ends:
        with pytest.raises(subprocess.CalledProcessError):
            card.of_radios(tmp_path)
    else:
        ((_, goal, figure),) = card.of_radios(tmp_path)
        assert (goal, figure) == ("11", "2")


def test_without_a_card_it_says_which_command_makes_one():
    with pytest.raises(RuntimeError, match="scripts/appliance/image"):
        card.of_radios(None)
