"""The record of all games: entries in a database with a readable copy beside it. What it has taken is on the disk.

A whole record is replaced at once: wherever that is cut short, the next start finds the old record or the new one. The
new record is built and verified in `restoring`. It counts from the rename that calls this folder `restored`, and until
that folder has gone again, it is the record: the old files are put aside with their log, then its two copies are laid
into their place. Each of these steps may be done twice, so the next start takes up where this one ended.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import sqlite3
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Self

from companion.canonical import NO_HASH
from companion.table.record.checkpoint import (
    Checkpoint,
    StoredGames,
    distrust,
    entries_of,
    entry_of,
    extended,
    last_of,
    load,
    look,
    save,
)
from companion.table.record.data_folder import put, sync
from companion.table.record.entries import (
    Damage,
    Entry,
    NotRecordedError,
    RecordDamagedError,
    RecordInUseError,
    cannot_be_written,
    written,
)
from companion.table.record.mirror import Mirror
from companion.table.record.store import Store, open_to_read, rows_since
from companion.table.record.verify import CHECKED, DATABASE, JOURNAL, RESTORED, Inspection, inspect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path


RECORD_FILES: Final = (CHECKED, DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", JOURNAL)
FAR: Final = 2000
"""A record of so many entries is verified at every start; of a longer one what is new, and the current game."""
BUILDING: Final = "restoring"
DONE: Final = "restored.done"
ASIDE: Final = "aside"
"""In `restored`: the name of the folder for the old files, as long as they may still be in their place."""
TAKEN_BACK: Final = "A restore was cut short before its record was complete; the record is the one from before."
FINISHED: Final = "A restore that was cut short is finished; the record is the restored one."
OUTCOMES: Final = {FINISHED: "finished", TAKEN_BACK: "taken_back"}
"""The same in a word, for a state."""


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
    """Go on with what was cut short, and return what became of it; None if nothing was."""
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
    """Return a folder that is not there yet, for files that are put aside."""
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
    found = extended(building, Checkpoint())
    last = {entry.game: last_of(entry) for entry in entries}
    if found is None or found.behind or (found.row, found.games) != (len(entries), last):
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


LOCK: Final = "record.lock"


def now() -> str:
    """Return the date and time for people; nothing depends on it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Record:
    """A record open for adding to, by one companion at a time; readers need no lock."""

    def __init__(self, folder: Path, clock: Callable[[], str] = now) -> None:
        self.folder = folder
        self._clock = clock
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise
        except OSError as error:
            raise NotRecordedError(cannot_be_written(folder, error.strerror)) from error
        self._lock = _locked(folder / LOCK)
        self._files: tuple[Store, Mirror] | None = None
        try:
            self.finished = finish(folder)
            """What became of a restore that was cut short, if there was one."""
            self._look()
        except BaseException:
            os.close(self._lock)
            raise

    def _look(self) -> None:
        """Open the record where both copies verify, or say what is wrong."""
        known, found = load(self.folder), look(self.folder)
        if found is None:
            self._open_doubtful(inspect(self.folder))
            return
        self._open(found)
        if self.current is not None:
            self.entries(self.current)  # whatever became of older games, this one is played on
        if found.row - known.row > FAR:
            self.save_checkpoint()

    def _open(self, found: Checkpoint) -> None:
        self._last, self._row, self.current = dict(found.games), found.row, found.current
        self._good: Inspection | None = None
        self.damage: list[Damage] = []
        self._files = self._open_files(found.size)
        self.copy_is_behind = found.behind > 0 and not self._files[1].append(self._since(found.row - found.behind + 1))

    def _since(self, row: int) -> Iterator[Entry]:
        with open_to_read(self.folder / DATABASE) as db:
            for _, stored in rows_since(db, row):
                entry = entry_of(stored)
                if entry is None:
                    raise RecordDamagedError(f"Row {row} of the record is not what was written.")
                yield entry

    def _open_doubtful(self, found: Inspection) -> None:
        """Open a record that is damaged. Where only its copy is, that is put aside and written anew."""
        self._good, self.damage, self.current = found, found.damage, found.current
        self._last = {game: last_of(entries[-1]) for game, entries in found.games.items()}
        self.copy_is_behind = False
        if found.broken:
            return
        self._good = None
        if any(damage.file == JOURNAL for damage in self.damage):
            aside = free_name(self.folder, "damaged")
            aside.mkdir()
            (self.folder / JOURNAL).rename(aside / JOURNAL)
        self._row = len(found.order)
        self._files = self._open_files(found.copied)
        self.copy_is_behind = not self._files[1].append(found.behind)

    @property
    def broken(self) -> bool:
        """Whether entries are missing or doubtful; nothing is added then until somebody has decided."""
        return self._good is not None

    @property
    def is_long(self) -> bool:
        """Whether a start verifies only the end of it."""
        return self._good is None and self._row > FAR

    @property
    def games(self) -> Mapping[str, list[Entry]]:
        """The games by their names, in the order they began; each is read and verified when it is asked for."""
        return self._good.games if self._good is not None else StoredGames(self._last, self.entries)

    def _open_files(self, size: int) -> tuple[Store, Mirror]:
        store = Store(self.folder / DATABASE)
        try:
            return store, Mirror(self.folder / JOURNAL, size)
        except OSError as error:
            store.close()
            raise NotRecordedError(cannot_be_written(self.folder, error.strerror)) from error

    def entries(self, game: str) -> list[Entry]:
        """Return the good entries of a game, oldest first; none for one that is not there."""
        if self._good is None and game in self._last:
            try:
                return entries_of(self.folder, self._last[game])
            except RecordDamagedError:
                self.doubt()
        return self._good.games.get(game, []) if self._good is not None else []

    def doubt(self) -> None:
        """Look at all of it, and add nothing more where it is damaged; the next start looks at all of it, too."""
        self._row = 0  # no checkpoint is written of what is doubted
        self._close_files()
        distrust(self.folder)
        self._open_doubtful(inspect(self.folder))

    def save_checkpoint(self) -> None:
        """Remember how far both copies are verified: what was written since the start was verified as it was made."""
        if self._files is not None and not self.copy_is_behind and self._row > FAR:
            self._files[1].flush()
            with suppress(OSError):  # the next start verifies more, that is all
                save(self.folder, Checkpoint(self._row, self._files[1].size, self._last, self.current))

    def begin(self, game: str, body: Mapping[str, object]) -> Entry:
        """Write the first entry of a new game, which is the current one from then on."""
        return self._take(written(game, 0, NO_HASH, "game", {**body, "at": self._clock()}))

    def append(self, game: str, kind: str, body: Mapping[str, object]) -> Entry:
        """Write an entry behind the last one of a game. When this returns it is on the disk."""
        last = self._last[game]
        return self._take(written(game, last.nth + 1, last.hash, kind, {**body, "at": self._clock()}))

    def take_all(self, entries: Sequence[Entry]) -> None:
        """Write entries that come from elsewhere, as they are."""
        store, mirror = self._writable()
        store.append(entries)
        for entry in entries:  # they are on the disk, whatever becomes of the copy
            self._last[entry.game] = last_of(entry)
            self.current = entry.game
        self._row += len(entries)
        self.copy_is_behind = not mirror.append(entries)

    def _take(self, entry: Entry) -> Entry:
        self.take_all((entry,))
        return entry

    def _writable(self) -> tuple[Store, Mirror]:
        if self._files is None:
            raise RecordDamagedError("The record is damaged; nothing is added to it until somebody has decided.")
        return self._files

    def keep_last_good(self) -> Path:
        """Put the damaged files aside and go on with a new record from the last good state."""
        good = [*(inspect(self.folder) if self._good is None else self._good).order]
        good.sort(key=lambda entry: entry.game == self.current)
        aside = free_name(self.folder, "damaged")
        self._replace(good, aside)
        return aside

    def replace_all(self, entries: Sequence[Entry], name: str) -> Path | None:
        """Make these entries the whole record; return where the old one is now, if it held anything."""
        aside = free_name(self.folder, name) if self.games or self.broken else None
        self._replace(entries, aside)
        return aside

    def _replace(self, entries: Sequence[Entry], aside: Path | None) -> None:
        self._close_files()
        try:
            replace_record(self.folder, entries, aside)
        finally:
            finish(self.folder)
            self._look()

    def close(self) -> None:
        self._close_files()
        os.close(self._lock)

    def _close_files(self) -> None:
        if self._files is not None:
            self.save_checkpoint()
            store, mirror = self._files
            mirror.close()
            store.close()
        self._files = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _locked(path: Path) -> int:
    """Return a lock that goes with the process, however it ends."""
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise NotRecordedError(cannot_be_written(path.parent, error.strerror)) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise RecordInUseError(f"Another companion has the record in {path.parent} open.") from error
    return lock
