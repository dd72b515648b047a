"""An update keeps the games: what the previous commit has written, this one reads and goes on with."""

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from companion.table.record.record import Record
from companion.table.session.session import Session

ROOT = Path(__file__).parents[2]
WRITE = """
import sys
from pathlib import Path
from companion.table.session.intents import StartGame, Tap
from companion.table.record.record import Record
from companion.table.session.session import Session
with Record(Path(sys.argv[1])) as record:
    session = Session(record)
    session.start()
    session.ask(StartGame({"players": ["red", "blue"], "first": "red"}, seed="1")).result(60)
    session.ask(Tap({"do": "place", "by": "red", "space": "1:R1a"})).result(60)
    session.stop()
"""


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, check=False)


@pytest.fixture
def the_commit_before(tmp_path):
    if git("rev-parse", "--verify", "--quiet", "HEAD~1").returncode:
        pytest.skip("there is no commit before this one here: no clone, or a shallow one")
    archive = tmp_path / "before.tar"
    archive.write_bytes(git("archive", "HEAD~1", "companion").stdout)
    with tarfile.open(archive) as file:
        file.extractall(tmp_path / "before", filter="data")
    return tmp_path / "before"


def test_games_of_the_commit_before_are_gone_on_with(the_commit_before, tmp_path):
    environment = os.environ | {"PYTHONPATH": str(the_commit_before), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run(
        [sys.executable, "-c", WRITE, str(tmp_path / "data")], check=True, env=environment, cwd=the_commit_before
    )
    with Record(tmp_path / "data") as record:
        assert record.damage == []
        session = Session(record)
        session.start()
        state = session.snapshots.latest.state
        session.stop()
    assert state["record"]["trouble"] is None
    assert state["placed"]["1:R1a"]["by"] == "red"
    assert state["version"] == 1
