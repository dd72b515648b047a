"""A consistent copy of the record in a single file, and the way back. Nothing that was there before is thrown away."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

from companion.table.record.audit import start_aside
from companion.table.record.checkpoint import Checkpoint, entries_of, entry_of, extended, last_of, verified_alone
from companion.table.record.data_folder import flush, put, sync
from companion.table.record.entries import NotRecordedError, RecordDamagedError, RecordError
from companion.table.record.export import of_file
from companion.table.record.history import story_of
from companion.table.record.record import Record
from companion.table.record.store import Store, alone, copy_database, open_to_read, rows_since
from companion.table.record.summaries import Summaries, result_of
from companion.table.record.verify import DATABASE, Inspection, home_of, inspect

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.table.record.entries import LastEntry


def backup(folder: Path, out: Path, *, finished: bool = False) -> int:
    """Copy the record, also while it is written to, and return how many entries it holds. It is verified first.

    Of a record that may be seen by who plays, `finished` leaves out every game that may still be played.
    """
    found = extended(folder, Checkpoint())
    if found is None:
        broken = inspect(folder)
        if broken.broken:
            raise RecordDamagedError("; ".join(str(damage) for damage in broken.damage))
        found = Checkpoint(games={game: last_of(entries[-1]) for game, entries in broken.games.items()})
    over = _finished(folder, found.games) if finished else found.games
    if not over:
        raise RecordError(f"There is no {'finished game' if finished else 'record'} in {folder}.")
    fresh = out.with_name(f"{out.name}.new")
    fresh.unlink(missing_ok=True)
    try:
        with open_to_read(home_of(folder) / DATABASE) as source:
            if finished:
                _copy_games(source, fresh, over)
            else:
                copy_database(source, fresh)
        copied = verified_alone(fresh)
        if copied is None or any(not _is_there(copied, last) for last in over.values()):
            raise NotRecordedError(f"The copy {fresh} does not verify; it was not taken for a backup.")
        flush(fresh)
        fresh.replace(out)
        sync(out.parent)
    except (OSError, sqlite3.Error) as error:
        raise NotRecordedError(f"{out} cannot be written: {error}") from error
    finally:
        fresh.unlink(missing_ok=True)
    return copied.entries


def _is_there(copied: Checkpoint, last: LastEntry) -> bool:
    found = copied.games.get(last.game)
    return found is not None and found.nth >= last.nth


def _finished(folder: Path, games: Mapping[str, LastEntry]) -> dict[str, LastEntry]:
    """Return the games that are over; what is not known of them is read, game by game."""
    summaries = Summaries(folder)
    known = summaries.results(games)
    over = {}
    for game, last in games.items():
        result = known.get(game)
        if result is None:
            story = story_of(entries_of(folder, last)[: last.nth + 1])
            summaries.keep(last, story)
            result = result_of(story)
        if result.over:
            over[game] = last
    return over


def _copy_games(source: sqlite3.Connection, path: Path, games: Mapping[str, LastEntry]) -> None:
    """Copy the rows of some games, in their order and none behind their ends: a game that is over may go on."""
    target = Store(path)
    try:
        found = (entry_of(stored) for _, stored in rows_since(source, 0) if stored.game in games)
        target.append(entry for entry in found if entry is not None and entry.nth <= games[entry.game].nth)
    finally:
        target.close()
    alone(path)


_COPYING: Final = threading.Lock()
COPYING: Final = ".backup-"
"""How a folder is called in which a backup is being made; one that was left by a pulled plug is cleared away."""
LONGEST: Final = 300.0


def finished_backup(folder: Path) -> BinaryIO:
    """Return an open file with the finished games. A process of its own makes it, and nobody waits for it at play."""
    if not _COPYING.acquire(blocking=False):
        raise RecordError("A backup is being made already; take it in a moment.")
    try:
        for left in folder.glob(f"{COPYING}*"):
            shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(prefix=COPYING, dir=folder) as where:
            out = Path(where) / "record"
            made = start_aside("backup", str(out), "--finished", "--data", str(folder))
            try:
                _, said = made.communicate(timeout=LONGEST)
            except subprocess.TimeoutExpired as error:
                made.kill()
                made.communicate()
                raise RecordError("The backup took too long and was given up.") from error
            if made.returncode:
                raise RecordError(said.strip() or "No backup could be made.")
            return out.open("rb")
    finally:
        _COPYING.release()


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


ASKED: Final = "restore-asked"
"""In the folder of the record: a backup that takes its place at the next start."""
REFUSED: Final = "restore-refused"
CHECKING: Final = "restore-checking"


def ask_restore(folder: Path, content: bytes) -> int:
    """Keep a backup for the next start, if it is a whole one; return how many entries it has."""
    coming = folder / CHECKING
    try:
        put(coming, content, private=True)
        found = of_file(coming)
        if found.damage:
            raise RecordDamagedError("; ".join(damage.message for damage in found.damage[:3]))
        if not found.order:
            raise RecordError("That file holds no game.")
        coming.replace(folder / ASKED)
        sync(folder)
    except OSError as error:
        raise NotRecordedError(f"The backup cannot be kept: {error.strerror}") from error
    finally:
        with suppress(OSError):
            coming.unlink(missing_ok=True)
    return len(found.order)


def restore_asked(folder: Path) -> str | None:
    """Restore what a page has asked for, before anybody plays; return what became of it, None if nothing was."""
    asked = folder / ASKED
    if not asked.exists():
        return None
    try:
        entries, aside = restore(folder, asked, last_good=False)
    except RecordError as error:
        asked.replace(folder / REFUSED)
        return f"The backup was not restored and is kept as {REFUSED}: {error}"
    asked.unlink()
    return f"{entries} entries restored" + (f"; what was there before is in {aside}." if aside is not None else ".")


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
