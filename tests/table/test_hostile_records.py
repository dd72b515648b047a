"""A record from elsewhere may be anything that SQLite opens: reading it takes no more than one of ours."""

import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
from at_the_table import Table

from companion.table.record import store
from companion.table.record.backup import backup
from companion.table.record.verify import of_database

VIEW = "CREATE VIEW entries AS"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)"
ROWS = "CREATE TABLE entries (seq INTEGER PRIMARY KEY, game TEXT, nth INTEGER, text TEXT, hash TEXT"
ONE = "INSERT INTO entries (game) VALUES ('g');"
HOSTILE = {
    "a view without end": (VIEW, ENDLESS, "SELECT i seq, 'g' game, i nth, 'x' text, 'y' hash FROM n;"),
    "a view of long texts": (
        VIEW, ENDLESS, "SELECT i seq, 'g' game, 0 nth, hex(zeroblob(400000000)) text, '' hash FROM n;"
    ),
    "a column that works": (ROWS, ", work TEXT AS (hex(zeroblob(300000000))));", ONE),
    "a check that works": (ROWS, ", CHECK (length(hex(zeroblob(300000000))) > 0));"),
    "a table of another module": ("CREATE VIRTUAL TABLE entries USING fts5(seq, game, nth, text, hash);",),
    "a trigger besides": (store._SCHEMA, "CREATE TRIGGER more AFTER INSERT ON entries BEGIN DELETE FROM other; END;"),
    "an index that works": (ROWS, "); CREATE INDEX worked ON entries (length(hex(zeroblob(100000000))));", ONE),
    "a long text": (store._SCHEMA, "INSERT INTO entries VALUES (1, 'g', 0, hex(zeroblob(40000000)), 'h');"),
    "a view beside": (store._SCHEMA, "CREATE VIEW more AS", ENDLESS, "SELECT * FROM n;"),
    "no table": ("CREATE TABLE other (a);",),
}  # fmt: skip
SOON = 20


@pytest.fixture
def hostile(tmp_path):
    def made(script):
        path = tmp_path / "hostile.backup"
        with closing(sqlite3.connect(path)) as db:
            db.executescript(" ".join(("PRAGMA page_size=4096;", *script, "PRAGMA user_version=1;")))
        return path

    return made


@pytest.mark.parametrize("kind", HOSTILE)
def test_a_hostile_database_is_damage_soon(hostile, kind):
    began = time.monotonic()
    found = of_database(hostile(HOSTILE[kind]))
    assert time.monotonic() - began < SOON
    assert found.order == []
    if kind not in ("a trigger besides", "a view beside"):
        assert found.damage


@pytest.mark.parametrize("kind", ["a view without end", "a view of long texts", "a long text"])
def test_the_commands_say_so_in_one_line_and_need_little_memory(hostile, kind, tmp_path):
    path = hostile(HOSTILE[kind])
    for command in (["replay", path], ["restore", path, "--data", tmp_path / "data"], ["export", path]):
        code = (
            "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (900_000_000,) * 2);"
            "from companion.cli import main; main()"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, command)],
            capture_output=True,
            timeout=3 * SOON,
            check=False,
            text=True,
        )
        assert done.returncode == 1, done
        assert "Traceback" not in done.stderr
        assert "MemoryError" not in done.stderr
    assert not (tmp_path / "data" / "record.sqlite3").exists()


def test_reading_has_an_end_though_the_table_is_ours(tmp_path, monkeypatch):
    table = Table(tmp_path / "data")
    table.start()
    table.close()
    backup(tmp_path / "data", tmp_path / "one.backup")
    assert not of_database(tmp_path / "one.backup").damage
    monkeypatch.setattr(store, "STEPS", 0)
    monkeypatch.setattr(store, "STEPS_A_BYTE", 0)
    monkeypatch.setattr(store, "_EVERY", 1)
    assert "takes longer than any record" in str(of_database(tmp_path / "one.backup").damage[0])


def test_a_file_that_is_too_large_or_no_file_is_not_read(tmp_path):
    large = tmp_path / "large.backup"
    with large.open("wb") as file:
        file.write(b"SQLite format 3\0")
        file.truncate(store.LARGEST + 4096)
    assert "has more than" in str(of_database(large).damage[0])
    for path in ("/dev/zero", tmp_path):
        done = subprocess.run(
            [sys.executable, "-m", "companion.cli", "replay", str(path)],
            capture_output=True, timeout=SOON, check=False, text=True,
        )  # fmt: skip
        assert done.returncode in (1, 2)
        assert "Traceback" not in done.stderr
