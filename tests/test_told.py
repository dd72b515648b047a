"""What a run of the tests tells: what failed comes last, and the lines that are missed only where they are too many."""

import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent


@pytest.fixture
def told(tmp_path):
    """A project of two functions with one test that fails: the lines of its run, as `./test` asks for them."""
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_terminal_summary\n", encoding="utf-8")
    (tmp_path / "half.py").write_text("def one():\n    return 1\n\n\ndef two():\n    return 2\n", encoding="utf-8")
    test = "from half import one\n\n\ndef test_one():\n    assert one() == 2, 'too little'\n"
    (tmp_path / "test_half.py").write_text(test, encoding="utf-8")

    def run(goal):
        asked = ["--cov=half", "--cov-report=", f"--cov-fail-under={goal}", "-ra", "--color=no"]
        environment = {"PYTHONPATH": f"{HOUSE}:{tmp_path}", "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *asked],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        return done.stdout.splitlines()

    return run


def test_the_names_of_what_failed_come_last_behind_one_line_of_coverage(told):
    *before, last, _time = told(50)
    assert last == "FAILED test_half.py::test_one - AssertionError: too little"
    assert "Required test coverage of 50% reached. Total coverage: 75.00%" in before
    assert not any(line.startswith("half.py") for line in before)


def test_what_is_missed_is_told_where_it_is_too_much_and_before_the_names(told):
    *before, last, _time = told(95)
    assert last.startswith("FAILED test_half.py::test_one")
    assert any(line.startswith("half.py ") for line in before)
    assert any("Required test coverage of 95% not reached" in line for line in before)
