"""Replace a whole record at once: wherever this is cut short, the next start finds the old record or the new one.

The new record is built and verified in `restoring`. It counts from the rename that calls this folder `restored`, and
until that folder has gone again, it is the record: the old files are put aside with their log, then its two copies are
laid into their place. Each of these steps may be done twice, so the next start takes up where this one ended.
"""

from __future__ import annotations

import shutil
import sqlite3
from typing import TYPE_CHECKING, Final

from companion.table.record.data_folder import put, sync
from companion.table.record.entries import NotRecordedError
from companion.table.record.store import Store
from companion.table.record.verify import DATABASE, JOURNAL, RESTORED, inspect

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from companion.table.record.entries import Entry

RECORD_FILES: Final = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", JOURNAL)
BUILDING: Final = "restoring"
DONE: Final = "restored.done"
ASIDE: Final = "aside"
"""In `restored`: the name of the folder for the old files, as long as they may still be in their place."""
TAKEN_BACK: Final = "A restore was cut short before its record was complete; the record is the one from before."
FINISHED: Final = "A restore that was cut short is finished; the record is the restored one."


def replace_record(folder: Path, entries: Sequence[Entry], aside: Path | None) -> None:
    """Make these entries the record; the old files go to `aside`, those of an empty record nowhere.

    Whoever calls holds the record's lock and has closed its files.
    """
    try:
        _build(folder / BUILDING, entries, f"{RESTORED}/before" if aside is None else aside.name)
        (folder / BUILDING).rename(folder / RESTORED)
        sync(folder)
    except (OSError, sqlite3.Error) as error:
        raise NotRecordedError(f"The record in {folder} cannot be replaced: {error}") from error
    finish(folder)


def finish(folder: Path) -> str | None:
    """Go on with what was cut short; what it was, if there was anything."""
    try:
        if (folder / RESTORED).is_dir():
            _take_the_place(folder)
        if (folder / DONE).is_dir():
            shutil.rmtree(folder / DONE)
            return FINISHED
        if (folder / BUILDING).is_dir():
            shutil.rmtree(folder / BUILDING)
            return TAKEN_BACK
    except OSError as error:
        raise NotRecordedError(f"A restore was cut short and cannot be finished: {error}") from error
    return None


def free_name(folder: Path, name: str) -> Path:
    """A folder that is not there yet, for files that are put aside."""
    number = 1
    while (folder / f"{name}-{number}").exists():
        number += 1
    return folder / f"{name}-{number}"


def _build(building: Path, entries: Sequence[Entry], aside: str) -> None:
    """Closed, the database needs no log and is still in WAL mode: changing that at its place could be cut short."""
    building.mkdir()
    store = Store(building / DATABASE)
    try:
        store.append(entries)
    finally:
        store.close()
    put(building / JOURNAL, "".join(f"{entry.line}\n" for entry in entries).encode("utf-8", "surrogatepass"))
    put(building / ASIDE, aside.encode())
    found = inspect(building)
    if found.damage or found.behind or found.order != list(entries):
        raise NotRecordedError(f"The new record in {building} does not verify; the old one stays.")


def _take_the_place(folder: Path) -> None:
    restored = folder / RESTORED
    note = restored / ASIDE
    if note.exists():
        _put_old_files(folder, folder / note.read_text(encoding="utf-8"))
        note.unlink()
        sync(restored)
    for name in (DATABASE, JOURNAL):
        put(folder / name, (restored / name).read_bytes())
    restored.rename(folder / DONE)
    sync(folder)


def _put_old_files(folder: Path, aside: Path) -> None:
    """A log beside another database than its own would be read into it: both go, and go to one place."""
    aside.mkdir(exist_ok=True)
    for name in RECORD_FILES:
        if (folder / name).exists():
            (folder / name).rename(aside / name)
    sync(aside)
    sync(folder)
