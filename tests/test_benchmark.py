"""`./benchmark` itself: what fails in one part is told, and the others are measured."""

import os
import sys

import pytest

from benchmarks import __main__ as benchmark
from benchmarks import compiling
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
