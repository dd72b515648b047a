"""What is written beside the record is the old file or the new one, wherever it is cut short."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("writer", ["settings", "seats", "locks", "profile", "columns", "pack", "checkpoint", "freeze"])
def test_it_is_cut_short_at_every_step(tmp_path, writer):
    command = [sys.executable, "-m", "tests.table.cut_files", tmp_path, writer]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    told = [json.loads(line) for line in done.stdout.splitlines()]
    found = [one["found"] for one in told]
    assert set(found) == {0, 1}, "the old one or the new one"
    assert found == sorted(found), "from one step on it is the new one"
    assert [one["cut"] for one in told] == [True] * (len(told) - 1) + [False]
    assert len(told) > 7
