"""Finds a game: by its id in the record, or in a file that was exported or backed up."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.table.record.damage import RecordError
from companion.table.record.verify import DATABASE, JOURNAL, inspect, of_database, of_journal

if TYPE_CHECKING:
    from companion.table.record.damage import Damage
    from companion.table.record.entries import Entry
    from companion.table.record.verify import Inspection

_SQLITE: Final = b"SQLite format 3\0"


class NoSuchGameError(RecordError):
    """There is no such game, or no telling which one is meant."""


@dataclass(frozen=True, slots=True)
class Found:
    """A game's good entries, and what is wrong where they were found."""

    entries: list[Entry]
    damage: list[Damage]
    broken: bool


def find(name: str, folder: Path) -> Found:
    """The game of that name in the record, or the game in that file."""
    path = Path(name)
    if path.is_file():
        return _of(of_file(path), None, str(path))
    return _of(inspect(folder), name, str(folder))


def of_file(path: Path) -> Inspection:
    """A backup, a record's own file, or an exported journal."""
    if path.name == DATABASE and (path.parent / JOURNAL).exists():
        return inspect(path.parent)
    try:
        with path.open("rb") as file:
            head = file.read(len(_SQLITE))
        return of_database(path) if head == _SQLITE else of_journal(path)
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error


def _of(inspection: Inspection, name: str | None, where: str) -> Found:
    games = inspection.games
    if name is None:
        name = inspection.current or ""
    matching = [game for game in games if game == name] or [game for game in games if name and game.startswith(name)]
    if len(matching) > 1:
        raise NoSuchGameError(f"{name} may be any of {', '.join(matching)}.")
    if not matching and not inspection.damage:
        raise NoSuchGameError(f"There is no game {name!r} in {where}." if name else f"{where} holds no game.")
    entries = games[matching[0]] if matching else []
    return Found(entries, inspection.damage, inspection.broken or not entries)
