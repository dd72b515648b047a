"""A whole record is replaced: whatever cuts it short, the old one or the new one is there."""

import pytest
from faulty import at, database_of, fails, journal_of, line_of

from companion.table.record import record
from companion.table.record.entries import (
    NotRecordedError,
    RecordDamagedError,
)
from companion.table.record.record import FINISHED, TAKEN_BACK, Record, finish
from companion.table.record.verify import DATABASE, JOURNAL, home_of, inspect


def test_a_restore_that_never_counted_is_taken_back(tmp_path):
    """The names in the folder are those of every version: the next start may be that of another one."""
    with Record(tmp_path, at) as made:
        made.begin("a", {})
    (tmp_path / "restoring").mkdir()
    (tmp_path / "restoring" / JOURNAL).write_bytes(b"half")
    with Record(tmp_path, at) as made:
        assert made.finished == TAKEN_BACK
        assert "one from before" in TAKEN_BACK
        assert list(made.games) == ["a"]
    assert not (tmp_path / "restoring").exists()
    with Record(tmp_path, at) as made:
        assert made.finished is None


def test_a_restore_that_counted_is_finished(tmp_path):
    with Record(tmp_path, at) as made:
        made.begin("old", {})
    entries = line_of("new", 2)
    restored = tmp_path / "restored"
    restored.mkdir()
    database_of(restored / DATABASE, entries)
    journal_of(restored / JOURNAL, *entries)
    (restored / "aside").write_text("before-restore-1", encoding="utf-8")
    assert home_of(tmp_path) == restored
    with Record(tmp_path, at) as made:
        assert made.finished == FINISHED
        assert "is the restored one" in FINISHED
        assert made.games == {"new": entries}
    assert home_of(tmp_path) == tmp_path
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_dir()) == ["before-restore-1"]
    assert list(inspect(tmp_path / "before-restore-1").games) == ["old"]


def test_the_rest_of_a_finished_restore_is_cleared_away(tmp_path):
    (tmp_path / "restored.done").mkdir()
    assert finish(tmp_path) == FINISHED
    assert finish(tmp_path) is None


def test_a_record_is_replaced_and_the_old_one_is_put_aside_by_number(tmp_path):
    with Record(tmp_path, at) as made:
        assert made.replace_all(line_of("a", 2), "before-restore") is None
        assert made.replace_all(line_of("b", 2), "before-restore") == tmp_path / "before-restore-1"
        assert made.replace_all(line_of("c", 2), "before-restore") == tmp_path / "before-restore-2"
        assert (made.games, made.current, made.broken) == ({"c": line_of("c", 2)}, "c", False)
        made.append("c", "move", {})
    assert [list(inspect(tmp_path / f"before-restore-{number}").games) for number in (1, 2)] == [["a"], ["b"]]
    assert len(inspect(tmp_path).order) == 3


def test_a_new_record_that_does_not_verify_leaves_the_old_one(tmp_path):
    with Record(tmp_path, at) as made:
        made.begin("a", {})
        with pytest.raises(NotRecordedError, match="does not verify; the old one stays"):
            made.replace_all(line_of("b", 3)[1:], "before-restore")
        assert list(made.games) == ["a"]
        made.append("a", "move", {})
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []


def test_a_new_record_that_cannot_be_written_leaves_the_old_one(tmp_path, monkeypatch):
    with Record(tmp_path, at) as made:
        made.begin("a", {})
        with monkeypatch.context() as patched:
            patched.setattr(record, "put", fails)
            with pytest.raises(NotRecordedError, match=r"cannot be replaced: .*No space"):
                made.replace_all(line_of("b", 3), "before-restore")
        assert list(made.games) == ["a"]


def test_the_last_good_state_keeps_its_current_game_last(tmp_path):
    with Record(tmp_path, at) as made:
        made.begin("a", {})
        made.begin("b", {})
        made.append("a", "move", {})
        made.append("a", "move", {"note": "spoilt"})
    (tmp_path / JOURNAL).unlink()
    content = (tmp_path / DATABASE).read_bytes()
    (tmp_path / DATABASE).write_bytes(content.replace(b"spoilt", b"spoilT"))
    with Record(tmp_path, at) as made:
        assert (made.broken, made.current) == (True, "a")
        with pytest.raises(RecordDamagedError, match="until somebody has decided"):
            made.begin("c", {})
        assert made.keep_last_good() == tmp_path / "damaged-1"
        assert (made.broken, made.current, [len(made.entries(game)) for game in "ab"]) == (False, "a", [2, 1])
