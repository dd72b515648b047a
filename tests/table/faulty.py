"""A record of a few entries, and a disk that is full, for the tests of what goes wrong with one."""

from companion.canonical import NO_HASH
from companion.table.record.entries import (
    written,
)
from companion.table.record.store import Store

FULL = OSError(28, "No space left on device")


def at():
    return "2024-01-01T20:00:00+00:00"


def line_of(game, length):
    """The entries of a game, each behind the one before."""
    entries = [written(game, 0, NO_HASH, "game", {"at": at()})]
    for nth in range(1, length):
        entries.append(written(game, nth, entries[-1].hash, "move", {"nr": nth}))
    return entries


def journal_of(path, *entries):
    path.write_bytes(b"".join(f"{entry.line}\n".encode() for entry in entries))
    return path


def database_of(path, entries):
    database = Store(path)
    database.append(entries)
    database.close()


def fails(*_):
    raise FULL


def said(found):
    return [(one.file, one.what, one.game, one.nth, one.harmless) for one in found.damage]
