"""Small files: either the old one is there or the new one, whenever the plug is pulled."""

import os
import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.table.record.data_folder import data_folder, mark, put


def test_a_file_and_then_its_name_in_the_folder_are_synced(tmp_path, monkeypatch):
    """Without the second sync a rename may be lost with the power, although `put` has returned."""
    file = tmp_path / "settings.json"
    put(file, b"old")
    synced = []

    def fsync(descriptor):
        synced.append((Path(f"/proc/self/fd/{descriptor}").readlink().name, file.read_bytes()))

    monkeypatch.setattr(os, "fsync", fsync)
    put(file, b"new")
    assert synced == [("settings.json.new", b"old"), (tmp_path.name, b"new")]


def test_what_cannot_be_synced_leaves_the_old_file(tmp_path, monkeypatch):
    file = tmp_path / "settings.json"
    put(file, b"old")
    full = OSError(28, "No space left on device")

    def fsync(_):
        raise full

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError, match="No space"):
        put(file, b"new")
    assert file.read_bytes() == b"old"


@pytest.mark.parametrize(("private", "mode"), [(True, 0o600), (False, 0o644)])
def test_a_private_file_is_its_owners_alone(tmp_path, private, mode):
    put(tmp_path / "key", b"x", private=private)
    assert stat.S_IMODE((tmp_path / "key").stat().st_mode) == mode


@pytest.mark.parametrize(
    ("told", "environment", "expected"),
    [
        ("there", {"COMPANION_DATA": "/elsewhere"}, "there"),
        (None, {"COMPANION_DATA": "/elsewhere", "XDG_DATA_HOME": "/xdg"}, "/elsewhere"),
        (None, {"XDG_DATA_HOME": "/xdg", "HOME": "/home/ann"}, "/xdg/table-companion"),
        (None, {"XDG_DATA_HOME": "relative", "HOME": "/home/ann"}, "/home/ann/.local/share/table-companion"),
        (None, {"COMPANION_DATA": "", "HOME": "/home/ann"}, "/home/ann/.local/share/table-companion"),
    ],
)
def test_where_the_data_is(told, environment, expected):
    assert data_folder(told, environment) == Path(expected)


def test_a_mark_tells_folders_apart_and_not_where_they_are(tmp_path):
    one, other = mark(tmp_path / "one"), mark(tmp_path / "other")
    assert one != other
    assert one == mark(tmp_path / "other" / ".." / "one")
    assert len(one) == 12
    assert "one" not in one


def test_two_who_put_the_same_file_at_once_both_get_it_written(tmp_path):
    """One took the other's new file away under its feet, and the phone read of a mistake."""
    file = tmp_path / "cards.toml"
    together = threading.Barrier(8)

    def often(number):
        together.wait()
        for _ in range(20):
            put(file, bytes([number]) * 5000)

    with ThreadPoolExecutor(8) as phones:
        list(phones.map(often, range(8)))
    assert len(set(file.read_bytes())) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["cards.toml"]
