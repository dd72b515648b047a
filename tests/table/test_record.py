import pytest

from companion.table.damage import RecordInUseError
from companion.table.inspecting import inspect
from companion.table.record import Record


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
