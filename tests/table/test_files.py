"""Small files: either the old one is there or the new one, whenever the plug is pulled."""

import os
import stat
from pathlib import Path

import pytest

from companion.table.record.data_folder import put


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
