"""A restore that is cut short at any instant leaves the old record or the new one, never an empty one or a mix."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from kills import kill_restores

from companion.canonical import NO_HASH
from companion.table.record import record as replacing
from companion.table.record.backup import backup, restore
from companion.table.record.entries import NotRecordedError, written
from companion.table.record.export import as_journal
from companion.table.record.record import Record
from companion.table.record.store import Store
from companion.table.record.verify import DATABASE, JOURNAL, inspect, of_database

HERE = Path(__file__).parent
ENV = {"PYTHONPATH": str(HERE.parent.parent), "PATH": ""}


def fill(folder, *games, entries=6):
    with Record(folder, clock=lambda: "then") as record:
        for game in games:
            record.begin(game, {"plays": "shelter"})
            for number in range(entries):
                record.append(game, "ignored", {"difference": f"{number}"})


def hashes(folder):
    return [entry.hash for entry in inspect(folder).order]


@pytest.fixture
def old(tmp_path):
    fill(tmp_path / "old", "old-1", "old-2")
    return tmp_path / "old"


@pytest.fixture
def source(tmp_path):
    fill(tmp_path / "source", "new-1", entries=9)
    backup(tmp_path / "source", tmp_path / "the.backup")
    return tmp_path / "the.backup"


def with_a_log(folder):
    """A companion that was killed: what it wrote last is in the log only."""
    fill(folder, "old-1", "old-2")
    child = (
        "import os, sys; from pathlib import Path; from companion.table.record.record import Record\n"
        "record = Record(Path(sys.argv[1])); record.append('old-2', 'redo', {}); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", child, folder], check=True, env=ENV)
    assert (folder / f"{DATABASE}-wal").stat().st_size > 0


def without_its_copy(folder):
    fill(folder, "old-1", "old-2")
    (folder / JOURNAL).unlink()


def damaged(folder):
    fill(folder, "old-1", "old-2")
    content = (folder / DATABASE).read_bytes()
    (folder / DATABASE).write_bytes(content.replace(b'"difference":"3"', b'"difference":"4"', 1))
    (folder / JOURNAL).unlink()
    assert inspect(folder).broken


def nothing(folder):
    folder.mkdir()


def every_instant(tmp_path, record, *way):
    command = [sys.executable, HERE / "cut_short.py", tmp_path / "cut", record, *way]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=ENV, timeout=300)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("made", [with_a_log, without_its_copy, damaged, nothing], ids=lambda made: made.__name__)
def test_a_restore_is_cut_short_at_every_step(tmp_path, source, made):
    made(tmp_path / "old")
    before, after = hashes(tmp_path / "old"), hashes_of(source)
    broken = made is damaged
    harm = list(map(str, inspect(tmp_path / "old").damage))
    told = every_instant(tmp_path, tmp_path / "old", "restore", source)
    finished = [one["opened"] == after for one in told if "start" not in one]
    assert finished == sorted(finished), "from one instant on it is the new one"
    assert {True, False} == set(finished)
    for one in told:
        is_new = one["opened"] == after
        assert one["read"] == one["opened"] == (after if is_new else before), one
        assert one["again"] is None
        assert one["left"] == []
        assert one["behind"] == 0 or one["broken"]
        if is_new:
            assert (one["harm"], one["broken"], one["grown"]) == ([], False, len(after) + 1), one
            assert one["said"] in (None, replacing.FINISHED)
            assert one["aside"] == ({"before-restore-1": before} if before else {}), one
        else:
            assert one["said"] in (None, replacing.TAKEN_BACK)
            assert one["broken"] == broken
            assert set(one["harm"]) == set(harm)
    assert any(one["said"] == replacing.FINISHED for one in told)
    assert any(one["said"] == replacing.TAKEN_BACK for one in told)
    assert any("start" in one and one["cut"] for one in told)
    assert len(told) > 50


def hashes_of(source):
    return [entry.hash for entry in of_database(source).order]


def test_going_on_from_the_last_good_state_is_cut_short_at_every_step(tmp_path):
    damaged(tmp_path / "old")
    before = sorted(hashes(tmp_path / "old"))
    told = every_instant(tmp_path, tmp_path / "old", "last-good")
    assert {one["broken"] for one in told} == {True, False}
    for one in told:
        assert sorted(one["read"]) == sorted(one["opened"]) == before, one
        assert one["left"] == []
        if not one["broken"]:
            assert list(one["aside"]) == ["damaged-1"], one


def test_a_journal_that_is_added_is_there_whole_or_not_at_all(tmp_path, old, source):
    journal = tmp_path / "new.jsonl"
    journal.write_text(as_journal(of_database(source).order), encoding="utf-8")
    before, after = hashes(old), hashes(old) + hashes_of(source)
    told = every_instant(tmp_path, old, "add", journal)
    assert {tuple(one["opened"]) for one in told} == {tuple(before), tuple(after)}
    assert all(one["harm"] == [] and one["read"] == one["opened"] for one in told)


def test_killed_at_random_instants(tmp_path, old, source):
    report = kill_restores(old, source, tmp_path / "tries", times=20)
    assert report.problems == []
    assert report.kills > 5


def test_a_backup_that_cannot_be_built_leaves_the_record_open(old, monkeypatch):
    entries = [written("new", 0, NO_HASH, "game", {"at": ""})]
    before = hashes(old)

    def full(*_):
        raise NotRecordedError("The entry could not be written: database or disk is full.")

    with Record(old) as record:
        with monkeypatch.context() as patched:
            patched.setattr(Store, "append", full)
            with pytest.raises(NotRecordedError, match="full"):
                record.replace_all(entries, "before-restore")
        assert hashes(old) == before
        record.append("old-1", "redo", {})
    assert not [path for path in old.iterdir() if path.is_dir()]


def test_the_next_start_says_it_once(old, source, monkeypatch):
    def pull(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(replacing, "put", pull)
        with pytest.raises(NotRecordedError, match="cannot be replaced"):
            restore(old, source, last_good=False)
    with monkeypatch.context() as patched:
        patched.setattr(replacing, "_put_old_files", pull)
        with pytest.raises(NotRecordedError, match="cut short and cannot be finished"):
            restore(old, source, last_good=False)
    assert hashes(old) == hashes_of(source)
    backup(old, old / "copy")
    assert hashes_of(old / "copy") == hashes_of(source)
    with Record(old) as record:
        assert record.finished == replacing.FINISHED
    with Record(old) as record:
        assert record.finished is None
    assert {DATABASE, JOURNAL} <= {path.name for path in (old / "before-restore-1").iterdir()}
