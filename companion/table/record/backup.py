"""A consistent copy of the record in a single file, and the way back. Nothing that was there before is thrown away."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from companion.table.record.entries import NotRecordedError, RecordDamagedError, RecordError
from companion.table.record.export import of_file
from companion.table.record.record import Record
from companion.table.record.store import copy_database, open_to_read
from companion.table.record.verify import DATABASE, Inspection, home_of, inspect, of_database

if TYPE_CHECKING:
    from pathlib import Path


def backup(folder: Path, out: Path) -> int:
    """Copy the record, also while it is written to, and return how many entries it holds. It is verified first."""
    found = inspect(folder)
    if found.broken:
        raise RecordDamagedError("; ".join(str(damage) for damage in found.damage))
    if not found.order:
        raise RecordError(f"There is no record in {folder}.")
    fresh = out.with_name(f"{out.name}.new")
    fresh.unlink(missing_ok=True)
    try:
        with open_to_read(home_of(folder) / DATABASE) as source:
            copy_database(source, fresh)
        copied = of_database(fresh)
        if copied.damage or len(copied.order) < len(found.order):
            raise NotRecordedError(f"The copy {fresh} does not verify; it was not taken for a backup.")
        fresh.replace(out)
    except (OSError, sqlite3.Error) as error:
        raise NotRecordedError(f"{out} cannot be written: {error}") from error
    return len(copied.order)


def restore(folder: Path, source: Path, *, last_good: bool) -> tuple[int, Path | None]:
    """Make a backup the record, or add a journal's game to it; return how many entries came, and the old record."""
    found = of_file(source)
    if found.damage and not last_good:
        raise RecordDamagedError("; ".join(str(damage) for damage in found.damage))
    if not found.order:
        raise RecordError(f"{source} holds no game.")
    if _is_journal(source):
        return _add(folder, found), None
    with Record(folder) as record:
        aside = record.replace_all(found.order, "before-restore")
    return len(found.order), aside


def _is_journal(source: Path) -> bool:
    with source.open("rb") as file:
        return file.read(1) == b"{"


def _add(folder: Path, found: Inspection) -> int:
    with Record(folder) as record:
        known = [game for game in found.games if game in record.games]
        if known:
            raise RecordError(f"The record holds game {', '.join(known)} already.")
        record.take_all(found.order)
    return len(found.order)


def keep_last_good(folder: Path) -> Path:
    """Go on from the last good state of a damaged record; return where the damaged files are."""
    with Record(folder) as record:
        if not record.broken:
            raise RecordError("The record is whole; there is nothing to put aside.")
        return record.keep_last_good()
