"""The games of the record as the pages retell them; a game that has not grown is not replayed again."""

from __future__ import annotations

import re
import threading
from typing import TYPE_CHECKING, Final

from companion.refusal import Refusal
from companion.table.record.data_folder import put
from companion.table.record.history import story_of
from companion.table.record.open_game import replay
from companion.table.record.verify import DATABASE, JOURNAL, inspect
from web.base.streams import newest

if TYPE_CHECKING:
    from pathlib import Path

    from companion.table.ports import Sight
    from companion.table.record.entries import Entry
    from companion.table.record.history import Story
    from companion.table.record.open_game import OpenGame
    from companion.table.record.verify import Inspection


FILES: Final = (JOURNAL, DATABASE, f"{DATABASE}-wal")
Marks = tuple[tuple[int, int], ...]


class Stories:
    """What was read of the record, until it changes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._read: tuple[Marks, Inspection] | None = None
        self._told: dict[str, tuple[str, Story]] = {}

    def record(self) -> Inspection:
        with self._lock:
            marks = self._marks()
            if self._read is None or self._read[0] != marks:
                self._read = marks, inspect(self._folder)
            return self._read[1]

    def entries(self, game: str) -> list[Entry]:
        """Return the entries of a game; none for one that is not there."""
        return self.record().games.get(game, [])

    def story(self, game: str) -> Story | None:
        """Return a game from its first entry to its last good one."""
        entries = self.entries(game)
        if not entries:
            return None
        known = self._told.get(game)
        if known is None or known[0] != entries[-1].hash:
            known = entries[-1].hash, story_of(entries)
            self._told[game] = known
        return known[1]

    def all(self) -> list[Story]:
        """Return every game of the record, the oldest first."""
        found = (self.story(game) for game in self.record().games)
        return [story for story in found if story is not None]

    def game_at(self, game: str, nth: int) -> OpenGame | None:
        """Return the game after one of its entries."""
        return replay(self.entries(game), nth).open_game

    def _marks(self) -> Marks:
        found = [self._folder / name for name in FILES]
        return tuple((file.stat().st_mtime_ns, file.stat().st_size) if file.exists() else (0, 0) for file in found)


FOLDER: Final = "photos"
_NAME: Final = re.compile(r"[\w-]{1,200}\.jpg", re.ASCII)
"""No longer than a file may be called."""


def take(folder: Path, sight: Sight, game: str, version: int) -> str | None:
    """Take a picture of the table as it lies now; return its name, or None where no camera gives one."""
    try:
        picture = newest(sight)
    except Refusal:
        return None
    name = f"{game}-{version}.jpg"
    try:
        put(folder / FOLDER / name, picture.jpeg)
    except OSError:
        return None  # a game can be put away without its picture
    return name


def find(folder: Path, name: str) -> Path:
    """Return the file of a picture, or refuse."""
    path = folder / FOLDER / name
    if not _NAME.fullmatch(name) or not path.is_file():
        raise Refusal("no_such_photo", None, "There is no such picture.")
    return path
