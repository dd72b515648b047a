"""A record that cannot be written is not damaged: what only reads reads it, and a table says what to do."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import flips
import pytest

from companion.table.record.backup import backup
from companion.table.record.store import open_to_read
from companion.table.record.verify import DATABASE, inspect

KEPT = {name: os.environ[name] for name in ("PATH",) if name in os.environ}
BOUND = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.getuid() == 0 else []
"""Nothing is read-only for an administrator, but for one without this right."""
pytestmark = pytest.mark.skipif(bool(BOUND) and not shutil.which("setpriv"), reason="an administrator without setpriv")


@pytest.fixture(params=["closed", "killed", "killed-and-copied"])
def barred(request, tmp_path_factory):
    """A whole record that may be read and not written to; the log of a killed companion may have lost its index."""
    where = tmp_path_factory.mktemp("barred")
    folder = (flips.closed if request.param == "closed" else flips.killed)(where / "data")
    if request.param == "killed-and-copied":
        (folder / f"{DATABASE}-shm").unlink()
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)


def as_a_reader(*command):
    root = str(Path(__file__).resolve().parents[2])
    return subprocess.run(
        [*BOUND, sys.executable, "-m", "companion.cli", *command],
        capture_output=True, text=True, check=False, timeout=60, cwd=root, env={**KEPT, "PYTHONPATH": root},
    )  # fmt: skip


def test_what_only_reads_reads_it(barred, tmp_path):
    listed = as_a_reader("games", "--data", str(barred))
    assert (listed.returncode, listed.stderr) == (0, "")
    assert listed.stdout.count("7 entries") == flips.GAMES
    assert "* game-1" in listed.stdout
    told = as_a_reader("export", "game-2", "--data", str(barred))
    assert (told.returncode, told.stderr, len(told.stdout.splitlines())) == (0, "", flips.ENTRIES)
    copied = as_a_reader("backup", str(tmp_path / "out"), "--data", str(barred))
    assert (copied.returncode, copied.stderr) == (0, "")
    assert flips.told(inspect(barred)).keys() == {f"game-{number}" for number in range(flips.GAMES)}


def test_the_table_says_that_it_cannot_write_and_what_to_do(barred):
    said = as_a_reader("run", "--port", "0", "--data", str(barred))
    assert said.returncode == 1
    assert "cannot be written" in said.stderr
    assert "companion games, replay, export and backup read it" in said.stderr
    assert "--data" in said.stderr
    assert "damage" not in said.stderr
    assert "Traceback" not in said.stderr


def test_a_database_that_is_read_only_in_a_folder_that_is_not(tmp_path):
    folder = flips.closed(tmp_path / "data")
    (folder / DATABASE).chmod(0o444)
    said = as_a_reader("run", "--port", "0", "--data", str(folder))
    assert said.returncode == 1
    assert "cannot be written" in said.stderr
    assert as_a_reader("games", "--data", str(folder)).returncode == 0


def test_reading_leaves_nothing_behind(tmp_path):
    flips.closed(tmp_path / "data")
    with open_to_read(tmp_path / "data" / DATABASE) as db:
        assert db.execute("SELECT count(*) FROM entries").fetchone() == (flips.GAMES * flips.ENTRIES,)
    assert backup(tmp_path / "data", tmp_path / "out") == flips.GAMES * flips.ENTRIES
