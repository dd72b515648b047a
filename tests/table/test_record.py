import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from companion.canonical import NO_HASH, hash_of
from companion.table.record import store
from companion.table.record.checkpoint import Checkpoint, extended
from companion.table.record.entries import Damage, RecordInUseError, follows, written
from companion.table.record.record import Record
from companion.table.record.store import Store
from companion.table.record.verify import DATABASE, inspect, of_journal


def at():
    return "2024-01-01T20:00:00+00:00"


def test_what_was_written_is_read_back(tmp_path):
    with Record(tmp_path, at) as record:
        first = record.begin("a", {"players": ["red"]})
        second = record.append("a", "move", {"move": {"do": "pass"}})
        other = record.begin("b", {})
    assert second.before == first.hash
    with Record(tmp_path, at) as record:
        assert record.entries("a") == [first, second]
        assert record.entries("b") == [other]
        assert record.current == "b"
        assert not record.damage


def test_one_companion_at_a_time(tmp_path):
    with Record(tmp_path, at), pytest.raises(RecordInUseError):
        Record(tmp_path, at)
    Record(tmp_path, at).close()


def test_looking_while_it_is_open_changes_nothing(tmp_path):
    with Record(tmp_path, at) as record:
        record.begin("a", {})
        found = inspect(tmp_path)
        assert [entry.nth for entry in found.games["a"]] == [0]
        assert not found.damage
        record.append("a", "move", {})
        assert len(inspect(tmp_path).games["a"]) == 2


STRANGER = """
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("SELECT count(*) FROM entries").fetchone()
db.close()
"""


def descriptors(folder):
    """Where this process's open files of a folder lead to."""
    found = [one.readlink() for one in Path("/proc/self/fd").iterdir() if one.is_symlink()]
    return sorted(str(one) for one in found if folder in one.parents)


def test_a_stranger_who_has_the_database_open_takes_nothing_away_while_it_is_read_too(tmp_path):
    """Whoever closes a database last folds its log into it and removes that, unless the companion still holds it."""
    with Record(tmp_path) as record:
        record.begin("game-1", {"plays": "nothing"})
        assert len(inspect(tmp_path).order) == 1
        assert extended(tmp_path, Checkpoint()).entries == 1
        subprocess.run([sys.executable, "-c", STRANGER, tmp_path / DATABASE], check=True)
        assert not any("deleted" in name for name in descriptors(tmp_path))
        record.append("game-1", "frozen", {"frozen": None})
        assert len(store.read(tmp_path / DATABASE).rows) == 2


def test_readers_at_once_leave_no_more_files_open_than_one(tmp_path):
    """SQLite closes no reader's file as long as it has locks on it."""
    with Record(tmp_path) as record:
        record.begin("game-1", {"plays": "nothing"})
        record.entries("game-1")
        before = descriptors(tmp_path)
        together = Barrier(8)

        def read(_):
            together.wait()
            for _ in range(20):
                record.entries("game-1")

        with ThreadPoolExecutor(8) as readers:
            list(readers.map(read, range(8)))
        assert descriptors(tmp_path) == before


def test_what_is_acknowledged_is_synced(tmp_path):
    """In the journal mode WAL a NORMAL commit may be lost with the power; only FULL waits for the disk."""
    store = Store(tmp_path / "record.sqlite3")
    (mode,) = store._db.execute("PRAGMA journal_mode").fetchone()
    (synchronous,) = store._db.execute("PRAGMA synchronous").fetchone()
    store.close()
    assert (mode, synchronous) == ("wal", 2)  # 2 is FULL


@pytest.mark.parametrize(("nth", "follows_it"), [(1, True), (2, False)])
def test_an_entry_holds_on_to_the_one_before(nth, follows_it):
    """Each entry verifies by itself; a line of which one was exchanged or left out does not."""
    first = written("a", 0, NO_HASH, "game", {})
    assert follows(written("a", nth, first.hash, "move", {}), first) is follows_it
    assert not follows(written("a", 1, hash_of("another first entry"), "move", {}), first)


def test_an_entry_exchanged_for_another_good_one_is_found(tmp_path):
    first = written("a", 0, NO_HASH, "game", {})
    second, other = (written("a", 1, first.hash, "move", {"move": {"do": do}}) for do in ("pass", "recall"))
    third = written("a", 2, second.hash, "move", {})
    journal = tmp_path / "game.journal"
    journal.write_text("".join(f"{entry.line}\n" for entry in (first, other, third)))
    found = of_journal(journal)
    assert found.games["a"] == [first, other]
    assert [(damage.what, damage.nth) for damage in found.damage] == [("gap", 2)]


@pytest.mark.parametrize(
    ("nth", "before", "kind", "begins"),
    [
        (0, NO_HASH, "game", True),
        (1, NO_HASH, "game", False),
        (0, "1" * 64, "game", False),
        (0, NO_HASH, "move", False),
    ],
)
def test_a_game_begins_with_its_first_entry(nth, before, kind, begins):
    assert follows(written("a", nth, before, kind, {}), None) is begins


def test_a_record_that_cannot_be_opened_is_told_and_is_nobodys(tmp_path, monkeypatch):
    def broken(*_):
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patched:
        patched.setattr("companion.table.record.record.look", broken)
        with pytest.raises(OSError, match="Input/output"):
            Record(tmp_path, at)
    Record(tmp_path, at).close()


def test_damage_is_told_whole():
    damage = Damage("record.sqlite3", "gap", "an entry is missing", "a", 3)
    assert damage.as_json() == {
        "file": "record.sqlite3",
        "what": "gap",
        "message": "an entry is missing",
        "game": "a",
        "nth": 3,
        "harmless": False,
    }
