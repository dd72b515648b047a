"""The record's database: one table of entries to which rows are only ever added (SQLite, WAL, synchronous=FULL)."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.table.record.entries import NotRecordedError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from companion.table.record.entries import Entry

FORMAT: Final = 1
_PAGE: Final = 4096
_SCHEMA: Final = """
CREATE TABLE entries (
  seq INTEGER PRIMARY KEY,
  game TEXT NOT NULL,
  nth INTEGER NOT NULL,
  text TEXT NOT NULL,
  hash TEXT NOT NULL,
  UNIQUE (game, nth)
) STRICT;
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
    try:
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as error:
        reading.faults.append(str(error))
        return reading
    try:
        if _is_blank(db):
            return reading
        reading.faults += _format_faults(db)
        for row in _rows(db):
            reading.rows.append(row)
        reading.faults += _checked(db)
    except (sqlite3.Error, UnicodeDecodeError, OverflowError) as error:
        reading.faults.append(_said(error))
    finally:
        db.close()
    return reading


def _said(error: Exception) -> str:
    return str(error) if isinstance(error, sqlite3.Error) else "a text in it is no text any more"


def _is_blank(db: sqlite3.Connection) -> bool:
    """Whether a first start was cut short before there was a table."""
    return not db.execute("SELECT 1 FROM sqlite_schema").fetchone()


def _format_faults(db: sqlite3.Connection) -> Iterator[str]:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version != FORMAT:
        yield f"its format is {version}, and this companion reads format {FORMAT}"


def _rows(db: sqlite3.Connection) -> Iterator[StoredRow]:
    for game, nth, text, hash_ in db.execute("SELECT game, nth, text, hash FROM entries ORDER BY seq"):
        yield StoredRow(game, nth, text, hash_)


def _checked(db: sqlite3.Connection) -> Iterator[str]:
    for (said,) in db.execute("PRAGMA integrity_check(3)"):
        if said != "ok":
            yield str(said).replace("\n", "; ")


class Store:
    """The database, open for adding rows."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._db.close()
            raise NotRecordedError(f"{path} cannot be written: {error}") from error

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
        except sqlite3.Error as error:
            self._back_out()
            raise NotRecordedError(f"The entry could not be written: {error}.") from error

    def _back_out(self) -> None:
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise NotRecordedError(f"The entry could not be written, nor taken back: {error}.") from error

    def close(self) -> None:
        """Fold the log into the file and let go of it."""
        self._db.close()


def copy_database(source: sqlite3.Connection, path: Path) -> None:
    """A copy that needs no log beside it."""
    target = sqlite3.connect(path)
    try:
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")
        target.execute("PRAGMA synchronous=FULL")
    finally:
        target.close()
