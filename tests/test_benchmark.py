"""`./benchmark` itself: what fails in one part is told, and the others are measured."""

import pytest

from benchmarks import __main__ as benchmark
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


def test_a_record_as_long_as_the_benchmarks_can_be_written(tmp_path):
    write_long_record(tmp_path, ENTRIES)
    assert len(inspect(tmp_path).order) == ENTRIES + 1
