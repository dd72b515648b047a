"""A disk whose writes are logged, and what a power cut leaves: all that was flushed, any part of what was not.

The log is written by QEMU's `blklogwrites`, in the form of the kernel's dm-log-writes.
"""

import os
import random
import struct
from dataclasses import dataclass
from typing import NamedTuple

SECTOR = 512
HEAD = struct.Struct("<QQQI")
ENTRY = struct.Struct("<QQQQ")
MAGIC = 0x6A736677736872
FLUSH, FUA, DISCARD = 1, 2, 4
PIECE = 4096
"""Bytes that a disk writes as one."""


class Write(NamedTuple):
    """One entry: where it is on the disk, what, and where its bytes are in the log."""

    at: int
    length: int
    flags: int
    place: int
    ends: int
    """Where it ends in the log: a log of this size has it."""


def read_log(path):
    """Return the entries of a log in their order."""
    found = []
    with path.open("rb") as log:
        magic, _, _, sector = HEAD.unpack(log.read(HEAD.size))
        assert (magic, sector) == (MAGIC, SECTOR), "no log of writes"
        place, size = sector, path.stat().st_size
        while place + sector <= size:
            log.seek(place)
            at, count, flags, _ = ENTRY.unpack(log.read(ENTRY.size))
            data = place + sector
            place = data + (0 if flags & DISCARD else count * sector)
            found.append(Write(at * sector, count * sector, flags, data, place))
    return found


@dataclass
class Disk:
    """The disk at a moment of the log: `base` has what was surely written, `pending` may have been or not."""

    log: object
    entries: list
    base: object
    reached: int = 0
    pending: list = None

    def goes_to(self, cut):
        """Bring the base to a cut that is no earlier than the last one: so many entries have happened."""
        flushed = self.reached
        for number in range(self.reached, cut):
            if self.entries[number].flags & FLUSH:
                flushed = number
        with self.base.open("r+b") as disk, self.log.open("rb") as log:
            for one in self.entries[self.reached : flushed]:
                for at, content in pieces(one, log):
                    os.pwrite(disk.fileno(), content, at)
        self.reached = flushed
        self.pending = self.entries[flushed:cut]

    def lay_pending(self, target, choice):
        """Write some of what was not flushed to another disk that is this one: none, all, or a part of it by chance."""
        kept = choice.choice((0, 1, choice.random()))
        with target.open("r+b") as disk, self.log.open("rb") as log:
            for one in self.pending:
                for at, content in pieces(one, log):
                    if one.flags & FUA or choice.random() < kept:
                        os.pwrite(disk.fileno(), content, at)
            os.fsync(disk.fileno())


def pieces(one, log):
    """Yield the parts of a write that a disk does as one."""
    if one.flags & DISCARD:
        return  # a disk may keep what was given up
    log.seek(one.place)
    content = log.read(one.length)
    for begins in range(0, one.length, PIECE):
        yield one.at + begins, content[begins : begins + PIECE]


def chosen(entries, times, begins, seed):
    """Choose instants: one half anywhere, the other from `begins` (an entry) on, where the versions are exchanged."""
    choice = random.Random(seed)
    anywhere = [choice.randint(1, len(entries)) for _ in range(times // 2)]
    late = [choice.randint(begins, len(entries)) for _ in range(times - len(anywhere))]
    return sorted(anywhere + late)
