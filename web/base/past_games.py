"""The games of the record as the pages retell them; a game that has not grown is not replayed again."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.refusal import Refusal
from companion.table.record.checkpoint import Checkpoint, entries_of, extended, last_of, look
from companion.table.record.data_folder import put
from companion.table.record.entries import RecordDamagedError
from companion.table.record.history import story_of
from companion.table.record.open_game import replay
from companion.table.record.summaries import GameSummary, Summaries, result_of
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
READ_AT_ONCE: Final = 4
"""So many games are held as they were read; there may be hundreds of them."""
MISSED_AT_ONCE: Final = 20
"""So many games that nobody has summed up are read for one page."""
A_PAGE: Final = 10


@dataclass(frozen=True, slots=True)
class GamesPage:
    """Some of the past games in short, the newest first; `newer` and `older` are the pages beside it."""

    stories: list[Story]
    current: str | None
    newer: int | None
    older: int | None


class Stories:
    """The games of the record, each read when somebody asks for it. One reader at a time reads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.RLock()
        self._marks: Marks = ()
        self._base: Checkpoint | None = None
        """What is verified in both copies."""
        self._games: Checkpoint | None = None
        """As it was read last; of the newest entries the second copy may not have its lines yet."""
        self._doubtful: Inspection | None = None
        self._told: OrderedDict[str, tuple[str, Story]] = OrderedDict()
        self._summaries = Summaries(folder)

    def _look(self) -> Checkpoint:
        """Return the games as they are now; only what was written since the last look is read."""
        marks = self._stamps()
        if self._games is None or self._marks != marks:
            found = (extended(self._folder, self._base) if self._base is not None else None) or look(self._folder)
            self._doubtful = inspect(self._folder) if found is None else None
            if self._doubtful is not None:
                last = {game: last_of(entries[-1]) for game, entries in self._doubtful.games.items()}
                found = Checkpoint(games=last, current=self._doubtful.current)
            self._base = found if found is not None and self._doubtful is None and not found.behind else self._base
            self._games, self._marks = found, marks
        if self._games is None:
            raise AssertionError("a record that is damaged has been inspected")
        return self._games

    @property
    def current(self) -> str | None:
        """The game that was written to last."""
        with self._lock:
            return self._look().current

    def entries(self, game: str) -> list[Entry]:
        """Return the entries of a game; none for one that is not there."""
        with self._lock:
            last = self._look().games.get(game)
            if last is None:
                return []
            try:
                if self._doubtful is None:
                    return entries_of(self._folder, last)
            except RecordDamagedError:
                self._doubtful = inspect(self._folder)
            return self._doubtful.games.get(game, [])

    def story(self, game: str) -> Story | None:
        """Return a game from its first entry to its last good one."""
        with self._lock:
            last = self._look().games.get(game)
            if last is None:
                return None
            known = self._told.pop(game, None)
            if known is None or known[0] != last.hash:
                entries = self.entries(game)
                if not entries:
                    return None
                known = entries[-1].hash, story_of(entries)
            self._told[game] = known
            while len(self._told) > READ_AT_ONCE:
                self._told.popitem(last=False)
            return known[1]

    def page(self, number: int) -> GamesPage:
        """Return a page of the games of the record; the first is nought."""
        with self._lock:
            games = list(self._look().games)[::-1]
            number = max(0, min(number, (len(games) - 1) // A_PAGE))
            shown = games[number * A_PAGE : (number + 1) * A_PAGE]
            found = [story for story in map(self._short, shown) if story is not None]
            is_last = (number + 1) * A_PAGE >= len(games)
            return GamesPage(found, self.current, number - 1 if number else None, None if is_last else number + 1)

    def results(self) -> tuple[list[GameSummary], int]:
        """Return how the games ended, the oldest first, and how many nobody has read yet: that is done beside play."""
        with self._lock:
            games = self._look().games
            found = self._summaries.results(games)
            missing = [game for game in list(games)[::-1] if game not in found]
            for game in missing[:MISSED_AT_ONCE]:
                story = self._short(game)
                found[game] = GameSummary(game, over=False) if story is None else result_of(story)
            return [found[game] for game in games if game in found], len(missing[MISSED_AT_ONCE:])

    def _short(self, game: str) -> Story | None:
        """Return a game in short. What is played now grows with every move, so that is not kept."""
        last = self._look().games[game]
        known = self._told.get(game)
        if known is not None and known[0] == last.hash:
            return known[1]
        if game == self.current:
            return self.story(game)
        short = self._summaries.story(last)
        if short is None and (entries := self.entries(game)):
            short = story_of(entries)
            self._summaries.keep(last_of(entries[-1]), short)
        return short

    def game_at(self, game: str, nth: int) -> OpenGame | None:
        """Return the game after one of its entries."""
        return replay(self.entries(game), nth).open_game

    def _stamps(self) -> Marks:
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
