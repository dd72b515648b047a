"""What goes wrong with a record, one fault at a time: what is said of it, and what is still there afterwards."""

import os
import sqlite3
from pathlib import Path

import pytest
from faulty import FULL, at, database_of, journal_of, line_of, said

from companion.canonical import NO_HASH, hash_of, opened, refuse_unless_writable, text_of
from companion.refusal import Refusal
from companion.table.record import mirror, store
from companion.table.record.data_folder import put
from companion.table.record.entries import (
    Damage,
    NotRecordedError,
    RecordInUseError,
    follows,
    read_text,
    written,
)
from companion.table.record.mirror import Mirror
from companion.table.record.record import Record
from companion.table.record.store import Store, copy_database
from companion.table.record.verify import DATABASE, JOURNAL, inspect, of_database, of_journal

# --- entries and lines ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [float("nan"), {"a": float("inf")}, "\ud800", {"a": object()}])
def test_what_cannot_be_written_down_is_refused(value):
    with pytest.raises(Refusal) as refused:
        refuse_unless_writable(value, "setup")
    assert (refused.value.code, refused.value.clause, refused.value.fields) == ("malformed", None, {"field": "setup"})
    assert refused.value.message.startswith("setup cannot be written down: ")
    refuse_unless_writable({"ż": [1, None, "x"]}, "setup")


def test_the_text_form_is_the_one_that_older_records_hash():
    assert text_of({"b": [1, {"ż": None}], "a": True}) == '{"a":true,"b":[1,{"ż":null}]}'
    assert written("a", 0, NO_HASH, "game", {}).line == (
        '{"before":"' + "0" * 64 + '","game":"a","kind":"game","nth":0,"hash":"'
        + written("a", 0, NO_HASH, "game", {}).hash + '"}'
    )  # fmt: skip


@pytest.mark.parametrize("line", ['{"a":1,"hash":"' + "0" * 63 + '"}', '{"a":1,"hash":"' + "0" * 66, '{"a":1}'])
def test_a_line_without_a_whole_hash_is_no_line(line):
    assert opened(line) is None


@pytest.mark.parametrize("change", [{"game": 1}, {"nth": "0"}, {"nth": True}, {"before": None}, {"kind": 3}])
def test_an_entry_whose_fields_are_of_another_kind_is_no_entry(change):
    entry = written("a", 0, NO_HASH, "game", {"at": at()})
    assert read_text(entry.text, entry.hash) == entry
    text = text_of({"game": "a", "nth": 0, "before": NO_HASH, "kind": "game", **change})
    assert read_text(text, hash_of(text)) is None


def test_damage_is_said_with_its_place():
    assert (
        str(Damage("record.journal", "altered", "line 3 does not verify")) == "record.journal: line 3 does not verify"
    )
    assert str(Damage("x", "gap", "gone", "a", 3)) == "x: gone (game a, entry 3)"


# --- one copy alone ---------------------------------------------------------------------------------------------------


def test_the_first_bad_line_of_a_journal_is_named(tmp_path):
    first, second, third = line_of("a", 3)
    path = journal_of(tmp_path / "game.journal", first, second, third)
    path.write_bytes(path.read_bytes().replace(b'"nr":1', b'"nr":7'))
    found = of_journal(path)
    assert said(found) == [("game.journal", "altered", None, None, False)]
    assert found.damage[0].message == "line 2 does not verify"
    assert found.order == [first]
    assert mirror.read(path.read_bytes()).after == [third]


def test_a_torn_last_line_of_a_journal_is_named(tmp_path):
    entries = line_of("a", 3)
    path = journal_of(tmp_path / "game.journal", *entries)
    path.write_bytes(path.read_bytes()[:-9])
    found = of_journal(path)
    assert [one.message for one in found.damage] == ["line 3 does not verify"]
    assert found.order == entries[:2]


def test_a_gap_is_named_by_the_entry_that_is_missing_and_nothing_behind_it_counts(tmp_path):
    first, second, third, fourth = line_of("a", 4)
    other = line_of("b", 2)
    found = of_journal(journal_of(tmp_path / "gap.journal", first, third, *other, fourth))
    assert said(found) == [("gap.journal", "gap", "a", 1, False)]
    assert found.damage[0].message == "an entry is missing or does not follow"
    assert found.games == {"a": [first], "b": other}
    found = of_journal(journal_of(tmp_path / "gap.journal", second, third))
    assert said(found) == [("gap.journal", "gap", "a", 0, False)]
    assert (found.games, found.order, found.current) == ({}, [], None)


def test_a_row_that_is_not_what_was_written_is_named(tmp_path):
    entries = line_of("a", 2)
    database_of(tmp_path / "copy.sqlite3", entries)
    db = sqlite3.connect(tmp_path / "copy.sqlite3")
    db.execute("DROP TRIGGER entries_stay")
    db.execute("UPDATE entries SET nth=7 WHERE nth=1")
    db.commit()
    db.close()
    found = of_database(tmp_path / "copy.sqlite3")
    assert said(found) == [(DATABASE, "altered", "a", 7, False)]
    assert found.damage[0].message == "an entry is not what was written"
    assert (found.order, found.current, found.copied) == (entries[:1], "a", 0)


def test_a_text_that_is_none_is_said_in_words(tmp_path, monkeypatch):
    database_of(tmp_path / "copy.sqlite3", line_of("a", 1))

    def garbled(_):
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")

    monkeypatch.setattr(store, "_rows", garbled)
    found = of_database(tmp_path / "copy.sqlite3")
    assert said(found) == [("copy.sqlite3", "unreadable", None, None, False)]
    assert found.damage[0].message == "a text in it is no text any more"

    def locked(_):
        raise sqlite3.OperationalError("database is locked")

    monkeypatch.setattr(store, "_rows", locked)
    assert of_database(tmp_path / "copy.sqlite3").damage[0].message == "database is locked"


def test_a_first_start_that_was_cut_short_is_an_empty_record(tmp_path):
    sqlite3.connect(tmp_path / DATABASE).close()
    assert inspect(tmp_path).damage == []
    db = sqlite3.connect(tmp_path / DATABASE)
    db.execute("PRAGMA user_version=0")
    db.execute("VACUUM")
    db.close()
    with Record(tmp_path, at) as made:
        made.begin("a", {})
    assert [entry.game for entry in inspect(tmp_path).order] == ["a"]


def test_a_record_of_every_version_lies_in_files_of_these_names(tmp_path):
    with Record(tmp_path, at) as made:
        made.begin("a", {})
    files = {path.name for path in tmp_path.iterdir()}
    assert files == {"record.sqlite3", "record.journal", "record.lock"}


# --- both copies ------------------------------------------------------------------------------------------------------


def test_entries_behind_a_bad_line_that_the_database_has_lost_are_lost(tmp_path):
    """The two agree up to the bad line, which is the first that the database has not."""
    entries = line_of("a", 3)
    other = line_of("b", 1)
    database_of(tmp_path / DATABASE, entries[:2])
    path = journal_of(tmp_path / JOURNAL, *entries, *other)
    path.write_bytes(path.read_bytes().replace(b'"nr":2', b'"nr":7'))
    found = inspect(tmp_path)
    assert said(found) == [(JOURNAL, "altered", None, None, True), (DATABASE, "lost", None, None, False)]
    assert found.damage[0].message == "line 3 does not verify"
    assert found.damage[1].message == "entries that had been recorded are missing"
    assert found.games == {"a": entries[:2], "b": other}


def test_what_the_database_has_lost_is_said_once(tmp_path):
    entries = line_of("a", 4)
    database_of(tmp_path / DATABASE, entries[:1])
    path = journal_of(tmp_path / JOURNAL, *entries)
    assert said(inspect(tmp_path)) == [(DATABASE, "lost", "a", 1, False)]
    assert inspect(tmp_path).damage[0].message == "entries that had been recorded are missing"
    path.write_bytes(path.read_bytes().replace(b'"nr":2', b'"nr":7'))
    assert said(inspect(tmp_path)) == [(DATABASE, "lost", "a", 1, False), (JOURNAL, "altered", None, None, True)]


def test_a_bad_line_behind_which_nothing_is_new_loses_nothing(tmp_path):
    entries = line_of("a", 4)
    database_of(tmp_path / DATABASE, entries)
    path = journal_of(tmp_path / JOURNAL, *entries)
    path.write_bytes(path.read_bytes().replace(b'"nr":2', b'"nr":7'))
    found = inspect(tmp_path)
    assert (said(found), found.broken) == ([(JOURNAL, "altered", None, None, True)], False)
    assert (found.order, found.behind) == (entries, entries[2:])
    assert found.copied == sum(len(entry.line) + 1 for entry in entries[:2])


def test_two_copies_that_differ_are_named_at_the_first_entry_and_the_whole_copy_is_owed(tmp_path):
    entries, other = line_of("a", 3), written("a", 0, NO_HASH, "game", {"at": "later"})
    database_of(tmp_path / DATABASE, entries)
    journal_of(tmp_path / JOURNAL, other, written("a", 1, other.hash, "move", {}))
    found = inspect(tmp_path)
    assert said(found) == [(JOURNAL, "differs", "a", 0, True)]
    assert found.damage[0].message == "the two copies differ"
    assert (found.order, found.copied, found.behind) == (entries, 0, entries)


def test_the_copy_is_behind_by_what_it_lacks(tmp_path):
    entries = line_of("a", 3)
    database_of(tmp_path / DATABASE, entries)
    journal_of(tmp_path / JOURNAL, entries[0])
    found = inspect(tmp_path)
    assert (found.damage, found.behind, found.copied) == ([], entries[1:], len(entries[0].line) + 1)
    with Record(tmp_path, at) as made:
        assert (made.copy_is_behind, made.broken, made.current) == (False, False, "a")
    assert mirror.read((tmp_path / JOURNAL).read_bytes()).entries == entries


# --- writing ----------------------------------------------------------------------------------------------------------


def test_a_file_is_put_into_folders_that_are_not_there_yet(tmp_path):
    put(tmp_path / "new" / "folder" / "file", b"x")
    assert (tmp_path / "new" / "folder" / "file").read_bytes() == b"x"


def test_a_file_is_replaced_whole_even_where_an_attempt_was_cut_short(tmp_path):
    (tmp_path / "file.new").write_bytes(b"a much longer rest of an attempt")
    put(tmp_path / "file", b"x")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", b"x")]


def test_a_copy_that_takes_a_few_bytes_at_a_time_is_whole(tmp_path, monkeypatch):
    entries = line_of("a", 3)
    copy = Mirror(tmp_path / JOURNAL, 0)
    real = os.pwrite
    monkeypatch.setattr(os, "pwrite", lambda file, data, offset: real(file, data[:7], offset))
    assert copy.append(entries[:2])
    assert copy.append(entries[2:])
    copy.close()
    assert mirror.read((tmp_path / JOURNAL).read_bytes()).entries == entries


def test_a_copy_that_is_full_keeps_no_half_of_a_line_and_takes_it_next_time(tmp_path, monkeypatch):
    entries = line_of("a", 3)
    copy = Mirror(tmp_path / JOURNAL, 0)
    assert copy.append(entries[:1])
    before = (tmp_path / JOURNAL).read_bytes()
    real, taken = os.pwrite, []

    def fills(file, data, offset):
        if taken:
            raise FULL
        taken.append(real(file, data[:7], offset))
        return taken[0]

    with monkeypatch.context() as patched:
        patched.setattr(os, "pwrite", fills)
        assert not copy.append(entries[1:2])
    assert (tmp_path / JOURNAL).read_bytes() == before
    assert copy.append(entries[2:])
    copy.close()
    assert mirror.read((tmp_path / JOURNAL).read_bytes()).entries == entries


def test_a_copy_goes_on_behind_its_good_lines_and_is_synced_when_it_closes(tmp_path, monkeypatch):
    entries = line_of("a", 2)
    path = journal_of(tmp_path / JOURNAL, entries[0])
    size = path.stat().st_size
    path.write_bytes(path.read_bytes() + b"half a li")
    copy = Mirror(path, size)
    copy.append(entries[1:])
    synced = []
    monkeypatch.setattr(os, "fsync", synced.append)
    copy.close()
    assert len(synced) == 1
    assert mirror.read(path.read_bytes()).entries == entries


def test_entries_are_written_all_or_none(tmp_path):
    entries = line_of("a", 3)
    database = Store(tmp_path / DATABASE)
    database.append(entries[:2])
    with pytest.raises(NotRecordedError, match="could not be written"):
        database.append([entries[2], entries[1]])
    assert not database._db.in_transaction
    database.append([entries[2]])
    database.close()
    assert of_database(tmp_path / DATABASE).order == entries


def test_a_database_that_cannot_be_opened_for_writing_is_said(tmp_path):
    (tmp_path / DATABASE).write_bytes(b"no database at all" * 300)
    with pytest.raises(NotRecordedError, match="cannot be written"):
        Store(tmp_path / DATABASE)


def test_a_backup_needs_no_log_beside_it(tmp_path):
    database_of(tmp_path / DATABASE, line_of("a", 2))
    source = sqlite3.connect(tmp_path / DATABASE)
    copy_database(source, tmp_path / "copy.sqlite3")
    source.close()
    db = sqlite3.connect(tmp_path / "copy.sqlite3")
    assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
    db.close()
    assert of_database(tmp_path / "copy.sqlite3").order == line_of("a", 2)


def test_what_comes_from_elsewhere_is_taken_as_it_is(tmp_path):
    with Record(tmp_path, at) as made:
        made.begin("a", {})
        made.take_all(line_of("b", 3))
        assert (made.current, made.entries("b"), made.entries("c")) == ("b", line_of("b", 3), [])
        assert made.append("a", "move", {"nr": 1}).body == {"nr": 1, "at": at()}
        assert (made.current, [entry.nth for entry in made.entries("a")]) == ("a", [0, 1])


def test_a_record_in_use_says_where_and_leaves_no_file_open(tmp_path):
    with Record(tmp_path, at):
        before = len(list(Path("/proc/self/fd").iterdir()))
        with pytest.raises(RecordInUseError, match=f"in {tmp_path} open"):
            Record(tmp_path, at)
        assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_an_entry_that_cannot_be_taken_back_either_is_said(tmp_path):
    class Broken:
        in_transaction = True

        def execute(self, *_):
            raise sqlite3.OperationalError("disk I/O error")

    database = Store(tmp_path / DATABASE)
    database.close()
    database._db = Broken()
    with pytest.raises(NotRecordedError, match="nor taken back: disk I/O error"):
        database.append(line_of("a", 1))


def test_an_entry_of_another_game_follows_no_entry():
    first = written("a", 0, NO_HASH, "game", {})
    assert follows(written("a", 1, first.hash, "move", {}), first)
    assert not follows(written("b", 1, first.hash, "move", {}), first)
