"""The record's second copy: a journal that a person can read, one entry a line, written behind the database.

The database alone cannot tell a log whose end was lost from one whose end was never written; the copy can.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.table.record.entries import Entry, Placed, read_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path


@dataclass(slots=True)
class Lines:
    """What the copy says: its good entries up to the first bad line, and where that is."""

    entries: list[Entry] = field(default_factory=list)
    size: int = 0
    """How many bytes the good lines take."""
    torn: bool = False
    """Whether the rest is an unfinished line, as a power cut leaves it."""
    bad: int | None = None
    """The number of the first line that does not verify, counted from one."""
    after: list[Entry] = field(default_factory=list)
    """Good entries behind a bad line."""
    after_at: list[int] = field(default_factory=list)
    """The numbers of their lines, counted from nought."""

    def placed(self) -> list[Placed]:
        """Return all good entries, with the number of the line of each."""
        numbers = [*range(len(self.entries)), *self.after_at]
        return [Placed(at, entry) for at, entry in zip(numbers, [*self.entries, *self.after], strict=True)]


def content_of(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def read(content: bytes, known: Sequence[Entry] = ()) -> Lines:
    """Verify each line on its own. Lines that are those of known entries, in their order, are verified already."""
    lines = Lines()
    *whole, rest = content.split(b"\n")
    for number, raw in enumerate(whole):
        expected = known[number] if number < len(known) else None
        if expected is not None and raw == expected.line.encode("utf-8", "surrogatepass"):
            entry: Entry | None = expected
        else:
            entry = read_line(raw.decode("utf-8", "replace"))
        _note(lines, number, entry, len(raw) + 1)
    lines.torn = bool(rest)
    return lines


def _note(lines: Lines, number: int, entry: Entry | None, size: int) -> None:
    if lines.bad is not None:
        if entry is not None:
            lines.after.append(entry)
            lines.after_at.append(number)
    elif entry is None:
        lines.bad = number + 1
    else:
        lines.entries.append(entry)
        lines.size += size


class Mirror:
    """The copy, open for adding lines."""

    def __init__(self, path: Path, size: int) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        self.size = size
        """How many bytes are whole lines."""
        self._owed = b""
        os.ftruncate(self._file, size)

    def append(self, entries: Iterable[Entry]) -> bool:
        """Add lines behind the last good one; what does not fit is owed until the next time.

        They need not be on the disk: the database is.
        """
        self._owed += "".join(f"{entry.line}\n" for entry in entries).encode("utf-8", "surrogatepass")
        try:
            self._write()
        except OSError:
            with suppress(OSError):  # what stays of a torn line is written over by what is owed
                os.ftruncate(self._file, self.size)
            return False
        return True

    def _write(self) -> None:
        written = 0
        while written < len(self._owed):
            written += os.pwrite(self._file, self._owed[written:], self.size + written)
        self.size += written
        self._owed = b""

    def flush(self) -> None:
        """Return when all of it is on the disk."""
        os.fsync(self._file)

    def close(self) -> None:
        self.flush()
        os.close(self._file)
