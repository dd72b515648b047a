"""A record that was cut or altered: the damage is found and named, the last good state offered, nothing changed."""

import os
import random
import shutil
import sqlite3

import pytest

from companion.refusal import Refusal
from companion.table.record.entries import RecordDamagedError
from companion.table.record.record import Record
from companion.table.record.verify import DATABASE, JOURNAL, inspect
from companion.table.session.intents import Decide

WAL = f"{DATABASE}-wal"
PAGE = 4096
ENTRIES = 16


def at():
    return "2024-01-01T20:00:00+00:00"


def filled(folder, entries=ENTRIES):
    record = Record(folder, at)
    record.begin("a", {"pack": "x" * 300})
    for number in range(1, entries):
        record.append("a", "move", {"move": {"do": "place", "space": f"1:L{number}", "note": "n" * 100}})
    return record


@pytest.fixture
def closed(tmp_path):
    record = filled(tmp_path / "closed")
    record.close()
    return tmp_path / "closed"


@pytest.fixture
def killed(tmp_path):
    """The files as they lie on the disk when the plug is pulled: most of it is still in the log."""
    record = filled(tmp_path / "open")
    shutil.copytree(tmp_path / "open", tmp_path / "killed")
    record.close()
    return tmp_path / "killed"


def cut(path, size):
    with path.open("r+b") as file:
        file.truncate(size)


def flip(path, at):
    with path.open("r+b") as file:
        file.seek(at)
        byte = file.read(1)
        file.seek(at)
        file.write(bytes([byte[0] ^ 0x10]))


def contents(folder):
    there = {name: (folder / name).read_bytes() for name in (DATABASE, WAL, JOURNAL) if (folder / name).exists()}
    return {name: content for name, content in there.items() if content}


def nths(found):
    return [entry.nth for entry in found.games.get("a", [])]


def again(source, target):
    if target.exists():
        shutil.rmtree(target)
    shutil.copytree(source, target)
    return target


def test_a_killed_record_is_whole(killed):
    assert (killed / WAL).stat().st_size > 0
    found = inspect(killed)
    assert nths(found) == list(range(ENTRIES))
    assert not found.damage


def cuts(path, step):
    """The sizes of a file that lacks some of its last page, falling."""
    size = path.stat().st_size
    for missing in range(1, PAGE + 1, step):
        os.truncate(path, size - missing)
        yield missing


@pytest.mark.long
def test_cut_at_every_byte_of_the_last_page(closed):
    for missing in cuts(closed / DATABASE, 1):
        found = inspect(closed)
        assert found.broken, missing
        assert found.damage[0].file == DATABASE
        assert nths(found) == list(range(ENTRIES)), "the copy proves them"


def test_cut_with_no_copy_offers_the_entries_that_still_verify(closed):
    (closed / JOURNAL).unlink()
    for missing in cuts(closed / DATABASE, 29):
        found = inspect(closed)
        assert found.broken, missing
        assert nths(found) == list(range(len(nths(found))))


def check_a_cut_log(killed, step):
    for missing in cuts(killed / WAL, step):
        (killed / f"{DATABASE}-shm").unlink(missing_ok=True)
        found = inspect(killed)
        assert found.broken, missing
        assert (found.damage[0].what, found.damage[0].nth) == ("lost", ENTRIES - 1)
        assert nths(found) == list(range(ENTRIES))


@pytest.mark.long
def test_the_log_cut_in_its_last_page(killed):
    check_a_cut_log(killed, 1)


def test_no_log_at_all(killed):
    (killed / WAL).unlink()
    found = inspect(killed)
    assert found.broken
    assert nths(found) == list(range(ENTRIES))


@pytest.mark.long
def test_the_copy_cut_anywhere_is_what_a_power_cut_leaves(closed, tmp_path):
    size = (closed / JOURNAL).stat().st_size
    folder = again(closed, tmp_path / "cut")
    for missing in range(1, 600):
        cut(folder / JOURNAL, size - missing)
        found = inspect(folder)
        assert not found.damage
        assert nths(found) == list(range(ENTRIES))
        assert found.behind
    Record(folder, at).close()
    assert (folder / JOURNAL).read_bytes() == (closed / JOURNAL).read_bytes()


@pytest.mark.parametrize("seed", range(60))
def test_a_flipped_byte_is_found_or_changes_no_word(seed, request, tmp_path):
    source = request.getfixturevalue(("closed", "killed")[seed % 2])
    choice = random.Random(seed)
    folder = again(source, tmp_path / "flipped")
    name = choice.choice([name for name in (DATABASE, WAL, JOURNAL) if (folder / name).exists()])
    flip(folder / name, choice.randrange((folder / name).stat().st_size))
    found = inspect(folder)
    assert nths(found) == list(range(ENTRIES)), found.damage
    if name == JOURNAL:
        assert found.damage
        assert not found.broken


def test_a_flipped_byte_in_an_entry_is_found_and_named(closed):
    content = (closed / DATABASE).read_bytes()
    flip(closed / DATABASE, content.index(b"1:L13"))
    (closed / JOURNAL).unlink()
    found = inspect(closed)
    assert ("altered", "a", 13) in [(one.what, one.game, one.nth) for one in found.damage]
    assert nths(found) == list(range(13))


def test_nothing_is_added_and_nothing_changed_until_somebody_decides(closed):
    flip(closed / DATABASE, (closed / DATABASE).read_bytes().index(b"1:L13"))
    before = contents(closed)
    with Record(closed, at) as record:
        assert record.broken
        with pytest.raises(RecordDamagedError):
            record.append("a", "move", {})
    assert contents(closed) == before


def test_on_somebody_s_word_the_last_good_state_goes_on(closed):
    flip(closed / DATABASE, (closed / DATABASE).read_bytes().index(b"1:L13"))
    (closed / JOURNAL).unlink()
    before = contents(closed)
    with Record(closed, at) as record:
        aside = record.keep_last_good()
        assert not record.broken
        record.append("a", "move", {"move": "new"})
    assert contents(aside) == before
    found = inspect(closed)
    assert nths(found) == list(range(14))
    assert not found.damage


def test_a_damaged_copy_is_kept_aside_and_said(closed):
    flip(closed / JOURNAL, 40)
    with Record(closed, at) as record:
        assert record.damage
        assert not record.broken
        record.append("a", "move", {})
    assert (closed / "damaged-1" / JOURNAL).exists()
    assert not inspect(closed).damage


def test_a_database_that_is_none_any_more(closed):
    (closed / DATABASE).write_bytes(os.urandom(9000))
    found = inspect(closed)
    assert found.broken
    assert nths(found) == list(range(ENTRIES))


def test_two_copies_that_differ_and_both_verify_are_told(closed, tmp_path):
    other = filled(tmp_path / "other", 3)
    other.close()
    again(closed, tmp_path / "mixed")
    with Record(tmp_path / "third", at) as third:
        third.begin("a", {"pack": "y"})
    shutil.copy(tmp_path / "third" / JOURNAL, tmp_path / "mixed" / JOURNAL)
    found = inspect(tmp_path / "mixed")
    assert [(one.file, one.what, one.harmless) for one in found.damage] == [(JOURNAL, "differs", True)]
    assert nths(found) == list(range(ENTRIES))


def test_a_copy_with_a_bad_line_that_knows_more_than_the_database(killed):
    lines = (killed / JOURNAL).read_bytes().splitlines(keepends=True)
    lines[3] = lines[3].replace(b"1:L3", b"1:R3")
    (killed / JOURNAL).write_bytes(b"".join(lines))
    cut(killed / WAL, (killed / WAL).stat().st_size - 9000)
    found = inspect(killed)
    assert found.broken
    assert {one.what for one in found.damage} == {"altered", "lost"}
    assert nths(found) == list(range(ENTRIES)), "each copy knows what the other has lost"


def test_what_the_copy_could_not_take_is_owed(tmp_path, monkeypatch):
    record = filled(tmp_path, 3)
    full = OSError(28, "No space left on device")

    def refuse(*_):
        raise full

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", refuse)
        record.append("a", "move", {"note": "the copy misses this"})
        assert record.copy_is_behind
    assert len(inspect(tmp_path).behind) == 1
    record.append("a", "move", {"note": "and catches up"})
    assert not record.copy_is_behind
    record.close()
    found = inspect(tmp_path)
    assert not found.behind
    assert not found.damage
    assert len(found.order) == 5


def test_a_folder_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError, match="file"):
        Record(tmp_path / "file")
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / DATABASE).mkdir()
    with Record(tmp_path / "odd") as record:
        assert record.broken


def test_another_format_is_not_guessed_at(closed):
    db = sqlite3.connect(closed / DATABASE)
    db.execute("PRAGMA user_version=9")
    db.close()
    found = inspect(closed)
    assert found.broken
    assert "format is 9" in found.damage[0].message


def test_rows_are_only_ever_added(closed):
    db = sqlite3.connect(closed / DATABASE)
    for change in ("UPDATE entries SET text='x'", "DELETE FROM entries"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            db.execute(change)
    db.close()


def test_the_host_keeps_the_last_good_state(make_table):
    table = make_table()
    table.start()
    table.tap("pass", by="red")
    table.close()
    flip(table.folder / DATABASE, (table.folder / DATABASE).read_bytes().index(b'"do":"pass"') + 6)
    table.open()
    assert table.state["record"]["state"] == "damaged"
    assert table.state["version"] == 1, "the copy knows it"
    with pytest.raises(Refusal) as refused:
        table.tap("pass", by="blue")
    assert refused.value.code == "record_damaged"
    table.ask(Decide("keep-last-good"))
    assert table.state["record"]["state"] == "ok"
    table.tap("pass", by="blue")
    assert table.state["version"] == 2
