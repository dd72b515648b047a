"""How far both copies of the record have been verified, so that a start reads only what was written since.

A start that verified every evening ever played would take longer with every evening. What stands before the
checkpoint is verified behind its back (`audit`), and any game when it is read.
"""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, Final

from companion.canonical import hash_of, opened, sealed, text_of
from companion.table.record.data_folder import put
from companion.table.record.entries import Entry, LastEntry, RecordDamagedError, follows, read_text
from companion.table.record.store import faults_of, open_to_read, rows_of, rows_since
from companion.table.record.verify import CHECKED, DATABASE, JOURNAL, Inspection, home_of, inspect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from companion.table.record.store import StoredRow

_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """So many rows and bytes of the two copies verify, and so the games in them end, in the order they began."""

    row: int = 0
    """The number of the last verified row."""
    size: int = 0
    """How many bytes of the journal are the lines of these rows."""
    games: Mapping[str, LastEntry] = field(default_factory=dict)
    current: str | None = None
    behind: int = 0
    """How many of the rows have no line yet."""

    @property
    def entries(self) -> int:
        return sum(last.nth + 1 for last in self.games.values())


def load(folder: Path) -> Checkpoint:
    """Return the checkpoint of a record; the very beginning where there is none, or none that can be believed."""
    try:
        text, hash_ = opened((folder / CHECKED).read_text(encoding="utf-8").strip()) or ("", "")
        if hash_of(text) != hash_:
            return Checkpoint()
        raw = json.loads(text)
        if raw["format"] != _FORMAT:
            return Checkpoint()
        games = {game: LastEntry(game, nth, last) for game, nth, last in raw["games"]}
        return Checkpoint(raw["row"], raw["size"], games, raw["current"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Checkpoint()


def save(folder: Path, checkpoint: Checkpoint) -> None:
    """Write the checkpoint; both copies must be on the disk up to it."""
    raw = {
        "format": _FORMAT,
        "row": checkpoint.row,
        "size": checkpoint.size,
        "games": [list(last) for last in checkpoint.games.values()],
        "current": checkpoint.current,
    }
    text = text_of(raw)
    put(folder / CHECKED, f"{sealed(text, hash_of(text))}\n".encode())


def distrust(folder: Path) -> None:
    """Remove the checkpoint, so that the next start verifies everything."""
    with suppress(OSError):
        (folder / CHECKED).unlink()


def extended(folder: Path, known: Checkpoint, *, wholly: bool = False) -> Checkpoint | None:
    """Verify what both copies hold behind a checkpoint; None where anything is not as it should be.

    `inspect` then says what. `wholly` has SQLite look at every page, too. Readers do this while a companion writes:
    the journal's size is read first, because it is written last.
    """
    home = home_of(folder)
    database, journal = home / DATABASE, home / JOURNAL
    size = journal.stat().st_size if journal.exists() else 0
    if not database.exists():
        return known if not known.row and not size else None
    try:
        with ExitStack() as stack:
            db = stack.enter_context(open_to_read(database))
            lines: BinaryIO = stack.enter_context(journal.open("rb")) if size else io.BytesIO()
            if faults_of(db, database, every_page=wholly or not known.row):
                return None
            found = _verified(known, rows_since(db, known.row), lines, size)
    except (sqlite3.Error, OSError, ValueError, OverflowError):
        return None
    return found if home_of(folder) == home else extended(folder, known, wholly=wholly)


def look(folder: Path) -> Checkpoint | None:
    """Verify what is new in a record, or all of it without a checkpoint to be believed; None where it is damaged."""
    known = load(folder)
    return (extended(folder, known) if known.row else None) or extended(folder, Checkpoint())


def games_of(folder: Path) -> Mapping[str, list[Entry]]:
    """Return the good games of a record by their names, whole or damaged."""
    found = look(folder)
    return inspect(folder).games if found is None else _stored(folder, found)


def inspect_and_read_later(folder: Path) -> Inspection:
    """Verify all of a record; of a whole one each game is read when it is asked for, and nothing is held."""
    found = extended(folder, Checkpoint())
    return inspect(folder) if found is None else Inspection(games=_stored(folder, found), current=found.current)


def _stored(folder: Path, found: Checkpoint) -> Mapping[str, list[Entry]]:
    return StoredGames(found.games, lambda game: entries_of(folder, found.games[game]))


def verified_alone(path: Path) -> Checkpoint | None:
    """Verify a database that stands alone, a backup; None where anything is not as it should be."""
    try:
        with open_to_read(path) as db:
            if not faults_of(db, path, every_page=True):
                return _verified(Checkpoint(), rows_since(db, 0), io.BytesIO(), 0)
    except (sqlite3.Error, OSError, ValueError, OverflowError):
        pass
    return None


def _verified(
    known: Checkpoint, rows: Iterable[tuple[int, StoredRow]], lines: BinaryIO, size: int
) -> Checkpoint | None:
    """Go through rows and lines side by side. The first row is the checkpoint's own, where there is one."""
    games, current = dict(known.games), known.current
    row, at, behind, is_known = known.row, known.size, 0, known.row == 0
    for number, stored in rows:
        entry = entry_of(stored)
        if entry is None:
            return None
        line = f"{entry.line}\n".encode("utf-8", "surrogatepass")
        if number == known.row:
            lines.seek(max(0, at - len(line)))
            is_known = lines.read(len(line)) == line and games.get(entry.game) == last_of(entry)
            continue
        if not is_known or number != row + 1 or not follows(entry, games.get(entry.game)):
            return None
        games[entry.game] = last_of(entry)
        row, current = number, entry.game
        if behind or at + len(line) > size:
            behind += 1
        elif lines.read(len(line)) == line:
            at += len(line)
        else:
            return None
    lines.seek(at)
    if not is_known or b"\n" in lines.read(size - at):  # a whole line that the database has not
        return None
    return Checkpoint(row, at, games, current, behind)


def entry_of(stored: StoredRow) -> Entry | None:
    """Return the entry of a row, if it is what was written."""
    text, hash_ = stored.text, stored.hash
    entry = read_text(text, hash_) if isinstance(text, str) and isinstance(hash_, str) else None
    return entry if entry is not None and (entry.game, entry.nth) == (stored.game, stored.nth) else None


def last_of(entry: Entry) -> LastEntry:
    return LastEntry(entry.game, entry.nth, entry.hash)


def entries_of(folder: Path, last: LastEntry) -> list[Entry]:
    """Read a game and verify it from its first entry, past `last`, to its newest."""
    found: list[Entry] = []
    try:
        with open_to_read(home_of(folder) / DATABASE) as db:
            for stored in rows_of(db, last.game):
                entry = entry_of(stored)
                if entry is None or not follows(entry, found[-1] if found else None):
                    break
                found.append(entry)
    except (sqlite3.Error, OSError, ValueError, OverflowError) as error:
        raise RecordDamagedError(f"Game {last.game} cannot be read: {error}") from error
    if len(found) <= last.nth or found[last.nth].hash != last.hash:
        raise RecordDamagedError(f"Game {last.game} is not what was written.")
    return found


class StoredGames(Mapping[str, list[Entry]]):
    """The games of a record by their names; each is read when it is asked for."""

    def __init__(self, last: Mapping[str, LastEntry], read: Callable[[str], list[Entry]]) -> None:
        self._last = last
        self._read = read

    def __getitem__(self, game: str) -> list[Entry]:
        if game not in self._last:
            raise KeyError(game)
        return self._read(game)

    def __contains__(self, game: object) -> bool:
        return game in self._last

    def __iter__(self) -> Iterator[str]:
        return iter(self._last)

    def __len__(self) -> int:
        return len(self._last)
