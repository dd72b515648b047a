"""What a power cut leaves of a disk: all that was flushed before it, and of the rest any part."""

import random

import pytest

from .power_cuts import DISCARD, ENTRY, FLUSH, FUA, HEAD, MAGIC, PIECE, SECTOR, Disk, chosen, read_log

BLOCKS = 8


def entry(at=0, content=b"", flags=0):
    head = ENTRY.pack(at // SECTOR, len(content) // SECTOR, flags, 0)
    return head.ljust(SECTOR, b"\0") + content


def block(sign, count=1):
    return sign * PIECE * count


@pytest.fixture
def disk(tmp_path):
    log, base = tmp_path / "log", tmp_path / "base"
    log.write_bytes(
        HEAD.pack(MAGIC, 1, 7, SECTOR).ljust(SECTOR, b"\0")
        + entry(0, block(b"a"))
        + entry(PIECE, block(b"b", 2))
        + entry(flags=FLUSH)
        + entry(0, block(b"c"))
        + ENTRY.pack(0, 80, DISCARD, 0).ljust(SECTOR, b"\0")
        + entry(3 * PIECE, block(b"d"), FUA)
        + entry(flags=FLUSH)
        + b"half an entry"
    )
    base.write_bytes(block(b".", BLOCKS))
    return Disk(log, read_log(log), base)


def signs(path):
    content = path.read_bytes()
    return "".join(chr(content[place]) for place in range(0, len(content), PIECE))


def test_an_entry_that_was_cut_off_is_none(disk):
    assert [one.flags for one in disk.entries] == [0, 0, FLUSH, 0, DISCARD, FUA, FLUSH]
    assert disk.entries[1].length == 2 * PIECE


@pytest.mark.parametrize(
    ("cut", "sure"), [(1, "........"), (2, "........"), (3, "abb....."), (6, "abb....."), (7, "cbbd....")]
)
def test_what_was_flushed_before_the_cut_is_there(disk, cut, sure):
    disk.goes_to(cut)
    assert signs(disk.base) == sure


def test_what_was_not_flushed_is_lost_kept_or_kept_in_part(disk, tmp_path):
    seen = set()
    for seed in range(60):
        disk.goes_to(2)
        target = tmp_path / f"{seed}"
        target.write_bytes(disk.base.read_bytes())
        disk.lay_pending(target, random.Random(seed))
        seen.add(signs(target)[:4])
    assert {"....", "abb."} < seen
    assert any(one.count(".") in (2, 3) for one in seen), "a write of two pieces may be torn"


def test_what_the_disk_was_told_to_write_at_once_is_there(disk, tmp_path):
    target = tmp_path / "target"
    disk.goes_to(6)
    for seed in range(20):
        target.write_bytes(disk.base.read_bytes())
        disk.lay_pending(target, random.Random(seed))
        assert signs(target)[3] == "d"


def test_half_of_the_cuts_lie_where_the_versions_are_exchanged(disk):
    cuts = chosen(disk.entries, 100, 6, 1)
    assert cuts == sorted(cuts)
    assert sum(cut >= 6 for cut in cuts) >= 50
    assert min(cuts) == 1
