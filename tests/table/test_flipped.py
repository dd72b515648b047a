"""One byte of a record of several games is another one: what opens is the truth, and the current game stays current."""

import shutil

import flips
import pytest

from companion.table.record.record import Record
from companion.table.record.verify import DATABASE, JOURNAL, inspect

CURRENT = f"game-{1}"
HEADER = 100


@pytest.fixture(scope="module", params=["closed", "killed"])
def source(request, tmp_path_factory):
    return getattr(flips, request.param)(tmp_path_factory.mktemp("flipped") / "record")


def test_any_byte(source, tmp_path):
    found = flips.flip_bytes(source, tmp_path / "flipped", times=250)
    assert found.problems == []
    assert found.said > 100


def test_every_byte_of_the_header(source, tmp_path):
    truth, current, found = flips.told(inspect(source)), inspect(source).current, flips.Flips()
    for at in range(HEADER):
        shutil.copytree(source, tmp_path / "flipped")
        flips.flip(tmp_path / "flipped", DATABASE, at, 1 << at % 8)
        assert flips.problems(tmp_path / "flipped", truth, current, found) == [], at
        shutil.rmtree(tmp_path / "flipped")
    assert found.said > 20 or (source / f"{DATABASE}-wal").exists(), "the log has the newer header"


@pytest.mark.parametrize("old", ["game-0", "game-2", "game-3"])
@pytest.mark.parametrize("nth", range(flips.ENTRIES))
def test_an_altered_old_game_stays_old(source, tmp_path, old, nth):
    folder = shutil.copytree(source, tmp_path / "flipped")
    words = old[-1].encode() * 900 if nth == 0 else f"{old[-1]}:{nth}".encode()
    for name in (DATABASE, f"{DATABASE}-wal"):
        if (folder / name).exists():
            path = folder / name
            path.write_bytes(path.read_bytes().replace(words, words.replace(b":", b";")[:-1] + b"z"))
    found = inspect(folder)
    assert found.broken
    assert found.current == CURRENT
    assert found.order[-1].game == CURRENT
    assert flips.told(found) == flips.told(inspect(source))
    with Record(folder) as record:
        assert record.current == CURRENT


def test_each_copy_has_lost_the_end_of_another_game(tmp_path):
    folder = flips.closed(tmp_path / "flipped")
    truth = flips.told(inspect(folder))
    altered(folder, (DATABASE, f"{DATABASE}-wal"), b"2:6")
    altered(folder, (JOURNAL,), b"1:6")
    found = inspect(folder)
    assert flips.told(found) == truth, "each copy proves what the other has lost"
    assert found.current == CURRENT


def test_the_current_game_stays_it_where_neither_copy_proves_all_of_it(source, tmp_path):
    folder = shutil.copytree(source, tmp_path / "flipped")
    altered(folder, (DATABASE, f"{DATABASE}-wal", JOURNAL), b"1:4")
    found = inspect(folder)
    assert found.broken
    assert len(found.games[CURRENT]) == 4
    assert found.current == CURRENT
    with Record(folder) as record:
        record.keep_last_good()
        assert record.current == CURRENT
    assert inspect(folder).current == CURRENT


def altered(folder, names, words):
    for name in names:
        if (folder / name).exists():
            path = folder / name
            path.write_bytes(path.read_bytes().replace(b'"' + words + b'"', b'"' + words[:-1] + b'z"'))


def test_a_database_whose_list_of_tables_is_gone_is_not_taken_for_a_new_one(source, tmp_path):
    folder = shutil.copytree(source, tmp_path / "flipped")
    (folder / JOURNAL).unlink()
    (folder / f"{DATABASE}-wal").unlink(missing_ok=True)
    content = bytearray((folder / DATABASE).read_bytes())
    content[HEADER + 3 : HEADER + 5] = b"\0\0"
    (folder / DATABASE).write_bytes(content)
    assert inspect(folder).broken or len(content) <= 4096
