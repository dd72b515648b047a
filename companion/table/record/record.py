"""The record of all games: entries in a database with a readable copy beside it. What it has taken is on the disk."""

from __future__ import annotations

import fcntl
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, Self

from companion.canonical import NO_HASH
from companion.table.record import replace
from companion.table.record.entries import (
    Damage,
    Entry,
    NotRecordedError,
    RecordDamagedError,
    RecordInUseError,
    written,
)
from companion.table.record.mirror import Mirror
from companion.table.record.store import Store
from companion.table.record.verify import DATABASE, JOURNAL, Inspection, inspect

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

LOCK: Final = "record.lock"


def now() -> str:
    """The date and time for people; nothing depends on it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


class Record:
    """A record open for adding to. One companion at a time; readers need no leave."""

    def __init__(self, folder: Path, clock: Callable[[], str] = now) -> None:
        self.folder = folder
        self._clock = clock
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(folder / LOCK)
        self._store: Store | None = None
        self._mirror: Mirror | None = None
        try:
            self.finished = replace.finish(folder)
            """What became of a restore that was cut short, if there was one."""
            self._open(inspect(folder))
        except BaseException:
            os.close(self._lock)
            raise

    def _open(self, found: Inspection) -> None:
        self.games = found.games
        self.current = found.current
        self.damage: list[Damage] = found.damage
        self.broken = found.broken
        self.copy_is_behind = False
        if self.broken:
            return
        if any(damage.file == JOURNAL for damage in self.damage):
            aside = replace.free_name(self.folder, "damaged")
            aside.mkdir()
            (self.folder / JOURNAL).rename(aside / JOURNAL)
        self._store = Store(self.folder / DATABASE)
        self._mirror = Mirror(self.folder / JOURNAL, found.copied)
        self.copy_is_behind = not self._mirror.append(found.behind)

    def entries(self, game: str) -> list[Entry]:
        """The good entries of a game, oldest first."""
        return self.games.get(game, [])

    def begin(self, game: str, body: Mapping[str, object]) -> Entry:
        """The first entry of a new game, which is the current one from then on."""
        return self._take(written(game, 0, NO_HASH, "game", {**body, "at": self._clock()}))

    def append(self, game: str, kind: str, body: Mapping[str, object]) -> Entry:
        """Write an entry behind the last one of a game. When this returns it is on the disk."""
        last = self.games[game][-1]
        return self._take(written(game, last.nth + 1, last.hash, kind, {**body, "at": self._clock()}))

    def take_all(self, entries: Sequence[Entry]) -> None:
        """Write entries that come from elsewhere, as they are."""
        store, mirror = self._writable()
        store.append(entries)
        self.copy_is_behind = not mirror.append(entries)
        for entry in entries:
            self.games.setdefault(entry.game, []).append(entry)
            self.current = entry.game

    def _take(self, entry: Entry) -> Entry:
        self.take_all((entry,))
        return entry

    def _writable(self) -> tuple[Store, Mirror]:
        if self._store is None or self._mirror is None:
            raise RecordDamagedError("The record is damaged; nothing is added to it until somebody has decided.")
        return self._store, self._mirror

    def keep_last_good(self) -> Path:
        """On somebody's word: the damaged files go aside, and a new record goes on from the last good state."""
        good = [entry for entries in self.games.values() for entry in entries]
        if self.current is not None:
            good.sort(key=lambda entry: entry.game == self.current)
        aside = replace.free_name(self.folder, "damaged")
        self._replace(good, aside)
        return aside

    def replace_all(self, entries: Sequence[Entry], name: str) -> Path | None:
        """Make these entries the whole record; where the old one is now, if it held anything."""
        aside = replace.free_name(self.folder, name) if self.games or self.broken else None
        self._replace(entries, aside)
        return aside

    def _replace(self, entries: Sequence[Entry], aside: Path | None) -> None:
        self._close_files()
        try:
            replace.replace_record(self.folder, entries, aside)
        finally:
            replace.finish(self.folder)
            self._open(inspect(self.folder))

    def close(self) -> None:
        """Let go of the files."""
        self._close_files()
        os.close(self._lock)

    def _close_files(self) -> None:
        if self._store is not None and self._mirror is not None:
            self._mirror.close()
            self._store.close()
        self._store = self._mirror = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _locked(path: Path) -> int:
    """A lock that goes with the process, however it ends."""
    try:
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise NotRecordedError(f"{path} cannot be written: {error.strerror}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(lock)
        raise RecordInUseError(f"Another companion has the record in {path.parent} open.") from error
    return lock
