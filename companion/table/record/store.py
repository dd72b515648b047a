"""The record's database: one table of entries to which rows are only ever added (SQLite, WAL, synchronous=FULL)."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import threading
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.table.record.entries import NotRecordedError, cannot_be_written

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import BinaryIO

    from companion.table.record.entries import Entry

FORMAT: Final = 1
_PAGE: Final = 4096
_WAYS_AT: Final = 18
"""Where a database says how it is written and read: to a way that it does not know, SQLite writes nothing."""
_WAL_WAYS: Final = bytes([2, 2])
_ALONE_WAYS: Final = bytes([1, 1])
_TABLE: Final = """CREATE TABLE entries (
  seq INTEGER PRIMARY KEY,
  game TEXT NOT NULL,
  nth INTEGER NOT NULL,
  text TEXT NOT NULL,
  hash TEXT NOT NULL,
  UNIQUE (game, nth)
) STRICT"""
NO_TABLE: Final = "it does not list its table of entries"
_SCHEMA: Final = f"""
{_TABLE};
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER entries_last BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never removed'); END;
"""


@dataclass(frozen=True, slots=True)
class StoredRow:
    """One row as it lies there, believed or not."""

    game: object
    nth: object
    text: object
    hash: object


class StoredRows:
    """The rows of a database that could be read, and what stopped the reading."""

    def __init__(self) -> None:
        self.rows: list[StoredRow] = []
        self.faults: list[str] = []


def read(path: Path) -> StoredRows:
    """Everything that the database still says; nothing is changed by looking."""
    reading = StoredRows()
    if not path.exists():
        return reading
    if path.stat().st_size % _PAGE:
        reading.faults.append("the file has been cut off in the middle of a page")
    if path.stat().st_size > LARGEST:
        reading.faults.append(f"it has more than {LARGEST} bytes")
        return reading
    try:
        with open_to_read(path) as db:
            if _is_blank(db, path):
                return reading
            reading.faults += _format_faults(db, path)
            if NO_TABLE in reading.faults:
                return reading
            for row in _rows(db):
                reading.rows.append(row)
            reading.faults += _checked(db)
    except (sqlite3.Error, OSError, UnicodeDecodeError, OverflowError) as error:
        reading.faults.append(_said(error))
    return reading


@contextmanager
def open_to_read(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a database that nothing is written to, also where nothing can be: in a read-only folder.

    SQLite reads a log by way of a file beside it, which it cannot make there.
    """
    where = path.resolve().as_uri()
    with ExitStack() as stack:
        written = _OPEN.get(path.resolve())
        if written is not None:
            stack.enter_context(written.turn)
        db = stack.enter_context(closing(sqlite3.connect(f"{where}?mode=ro", uri=True)))
        try:
            _is_open(db)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
                raise
            log, readable = path.with_name(f"{path.name}-wal"), f"{where}?immutable=1"
            if log.exists() and log.stat().st_size:
                copy = Path(stack.enter_context(tempfile.TemporaryDirectory())) / path.name
                shutil.copyfile(path, copy)
                shutil.copyfile(log, copy.with_name(log.name))
                readable = copy.as_uri()
            db = stack.enter_context(closing(sqlite3.connect(readable, uri=True)))
        _bound(db, path)
        yield db


LONGEST_TEXT: Final = 16 * 1024 * 1024
"""Bytes of a row; the longest of ours holds a whole pack of cards, and is a hundredth of it."""
LARGEST: Final = 4 * 1024 * 1024 * 1024
STEPS: Final = 50_000_000
STEPS_A_BYTE: Final = 20
"""Steps of SQLite's machine that reading may take: a thousand times what a sound record needs."""
_EVERY: Final = 100_000


def _bound(db: sqlite3.Connection, path: Path) -> None:
    """Let a database from elsewhere take no more time and room than one of ours, whatever it says of itself."""
    db.execute("PRAGMA trusted_schema=OFF")
    db.execute("PRAGMA mmap_size=0")
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_TEXT)
    left = (STEPS + STEPS_A_BYTE * path.stat().st_size) // _EVERY

    def step() -> bool:
        nonlocal left
        left -= 1
        return left < 0

    db.set_progress_handler(step, _EVERY)


def faults_of(db: sqlite3.Connection, path: Path, *, every_page: bool) -> list[str]:
    """Return what is wrong with a database before one reads its rows; a look at every page takes long."""
    cut = ["the file has been cut off in the middle of a page"] if path.stat().st_size % _PAGE else []
    return [*cut, *_format_faults(db, path), *(_checked(db) if every_page else ())]


def rows_since(db: sqlite3.Connection, row: int) -> Iterator[tuple[int, StoredRow]]:
    """Yield the rows from one on, in the order in which they were written, each with its number."""
    asked = "SELECT seq, game, nth, text, hash FROM entries WHERE seq >= ? ORDER BY seq"
    for seq, game, nth, text, hash_ in db.execute(asked, (row,)):
        yield seq, StoredRow(game, nth, text, hash_)


def rows_of(db: sqlite3.Connection, game: str) -> Iterator[StoredRow]:
    """Yield the rows of one game."""
    for nth, text, hash_ in db.execute("SELECT nth, text, hash FROM entries WHERE game = ? ORDER BY nth", (game,)):
        yield StoredRow(game, nth, text, hash_)


def _said(error: Exception) -> str:
    if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_INTERRUPT:
        return "reading it takes longer than any record"
    return str(error) if isinstance(error, sqlite3.Error | OSError) else "a text in it is no text any more"


def _is_open(db: sqlite3.Connection) -> bool:
    """Whether there is any table; SQLite opens its files at the first question."""
    return db.execute("SELECT 1 FROM sqlite_schema").fetchone() is not None


def _is_blank(db: sqlite3.Connection, path: Path) -> bool:
    """Whether a first start was cut short before there was a table."""
    return not _is_open(db) and path.stat().st_size <= _PAGE


def _format_faults(db: sqlite3.Connection, path: Path) -> Iterator[str]:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version != FORMAT:
        yield f"its format is {version}, and this companion reads format {FORMAT}"
    if not _has_our_table(db):
        yield NO_TABLE
    if _ways(path) not in (_WAL_WAYS, _ALONE_WAYS):
        yield "its header names no way of writing, so nothing could be added"


def _ways(path: Path) -> bytes:
    with _opening:
        written = _OPEN.get(path.resolve())
        if written is not None:
            return os.pread(written.file.fileno(), len(_WAL_WAYS), _WAYS_AT)
        with path.open("rb") as file:
            return os.pread(file.fileno(), len(_WAL_WAYS), _WAYS_AT)


def _has_our_table(db: sqlite3.Connection) -> bool:
    """Whether `entries` is the table that we make, and no view or table of another kind that works while it is read."""
    found = db.execute(
        "SELECT sql FROM sqlite_schema WHERE type='table' AND name='entries' AND rootpage > 0"
    ).fetchone()
    return found is not None and str(found[0]).split() == _TABLE.split()


def _rows(db: sqlite3.Connection) -> Iterator[StoredRow]:
    for game, nth, text, hash_ in db.execute("SELECT game, nth, text, hash FROM entries ORDER BY seq"):
        yield StoredRow(game, nth, text, hash_)


def _checked(db: sqlite3.Connection) -> Iterator[str]:
    for (said,) in db.execute("PRAGMA integrity_check(3)"):
        if said != "ok":
            yield str(said).replace("\n", "; ")


@dataclass(frozen=True, slots=True)
class _OpenFile:
    """The file of a database that this process writes to, for those who read it meanwhile on other threads.

    A lock of Linux is the process's: closing any descriptor of the file gives up those that SQLite has on it. Another
    program that opens the database to write, be it a person's `sqlite3`, would then take the log away under us when it
    ends, and the moves in it. So the file is looked at by one descriptor, which is closed after the database is.

    For the same reason SQLite keeps the descriptors of its own readers, as many as ever read at once: they take turns.
    """

    file: BinaryIO
    turn: threading.RLock


_OPEN: Final[dict[Path, _OpenFile]] = {}
"""The databases that this process writes to."""
_opening: Final = threading.RLock()


class Store:
    """The database, open for adding rows."""

    def __init__(self, path: Path) -> None:
        if path.exists() and not os.access(path, os.W_OK):  # SQLite opens it without a word, and refuses every move
            raise NotRecordedError(cannot_be_written(path.parent, f"{path.name} may only be read"))
        self._path = path.resolve()
        with _opening:
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            try:
                self._prepare()
                self._file = _OPEN[self._path] = _OpenFile(path.open("rb"), threading.RLock())
            except (sqlite3.Error, OSError) as error:
                self._db.close()
                raise NotRecordedError(cannot_be_written(path.parent, error)) from error

    def _prepare(self) -> None:
        execute = self._db.execute
        execute(f"PRAGMA page_size={_PAGE}")
        execute("PRAGMA journal_mode=WAL")
        execute("PRAGMA synchronous=FULL")
        if not execute("SELECT 1 FROM sqlite_schema WHERE name='entries'").fetchone():
            self._db.executescript(f"BEGIN;{_SCHEMA}PRAGMA user_version={FORMAT};COMMIT;")

    def append(self, entries: Iterable[Entry]) -> None:
        """Add entries in one transaction; when this returns they are on the disk."""
        execute = self._db.execute
        try:
            execute("BEGIN IMMEDIATE")
            for entry in entries:
                execute(
                    "INSERT INTO entries (game, nth, text, hash) VALUES (?, ?, ?, ?)",
                    (entry.game, entry.nth, entry.text, entry.hash),
                )
            execute("COMMIT")
        except BaseException as error:
            self._back_out()
            if not isinstance(error, sqlite3.Error):
                raise
            raise NotRecordedError(f"The entry could not be written: {error}.") from error

    def _back_out(self) -> None:
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise NotRecordedError(f"The entry could not be written, nor taken back: {error}.") from error

    def close(self) -> None:
        """Fold the log into the file and let go of it."""
        with _opening:
            self._db.close()
            self._file.file.close()
            if _OPEN.get(self._path) is self._file:
                del _OPEN[self._path]


def copy_database(source: sqlite3.Connection, path: Path) -> None:
    """A copy that needs no log beside it."""
    target = sqlite3.connect(path)
    try:
        source.backup(target)
    finally:
        target.close()
    alone(path)


def alone(path: Path) -> None:
    """Make a closed database one that needs no log beside it."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode=DELETE")
        db.execute("PRAGMA synchronous=FULL")
