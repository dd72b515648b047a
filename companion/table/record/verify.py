"""Reads a whole record, verifies it, and names what is wrong; what both copies still prove is the last good state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from companion.canonical import NO_HASH
from companion.table.record import mirror, store
from companion.table.record.entries import Damage, Entry, Placed, follows, read_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

DATABASE: Final = "record.sqlite3"
JOURNAL: Final = "record.journal"
CHECKED: Final = "record.checked"
"""How far both copies are verified, and how the games end there."""
RESTORED: Final = "restored"
"""While this folder is there, it is the record: its copies are being laid into their place."""

LARGEST_JOURNAL: Final = 256 * 1024 * 1024
"""Bytes of an export; the longest evening is a hundredth of it."""

Games = Mapping[str, list[Entry]]


@dataclass(slots=True)
class Inspection:
    """What a record holds: the good entries of each game, in the order in which they were written, and the damage."""

    games: Games = field(default_factory=dict)
    order: list[Entry] = field(default_factory=list)
    damage: list[Damage] = field(default_factory=list)
    current: str | None = None
    """The game that was written to last, as far as either copy still proves it."""
    copied: int = 0
    """How many bytes of the copy are good."""
    behind: list[Entry] = field(default_factory=list)
    """Entries that the copy has not got yet."""

    @property
    def broken(self) -> bool:
        """Whether entries are missing or doubtful."""
        return any(not damage.harmless for damage in self.damage)


def home_of(folder: Path) -> Path:
    """Where the two copies of the record are now."""
    restored = folder / RESTORED
    return restored if restored.is_dir() else folder


def inspect(folder: Path) -> Inspection:
    """Look at both copies, and once more where a restore has changed their place meanwhile."""
    home = home_of(folder)
    found = _inspect(home)
    return found if home_of(folder) == home else inspect(folder)


def _inspect(folder: Path) -> Inspection:
    """Look at both copies. The journal is read first, because it is written last."""
    content = mirror.content_of(folder / JOURNAL)
    reading = store.read(folder / DATABASE)
    damage = [Damage(DATABASE, "unreadable", fault) for fault in reading.faults]
    rows = _of_rows(reading.rows, damage)
    kept = _chained((row.entry for row in rows), DATABASE, damage)
    lines = mirror.read(content, kept)
    if lines.entries[: len(kept)] == kept and len(lines.entries) > len(kept):
        first = lines.entries[len(kept)]
        damage.append(Damage(DATABASE, "lost", "entries that had been recorded are missing", first.game, first.nth))
    _compare(kept, lines, damage)
    order, written = kept, kept
    if any(not one.harmless for one in damage):
        order, written = _united(rows, lines.placed())
    is_copy = kept[: len(lines.entries)] == lines.entries
    return Inspection(
        games=_by_game(order),
        order=order,
        damage=damage,
        current=_current(order, written),
        copied=lines.size if is_copy else 0,
        behind=kept[len(lines.entries) :] if is_copy else kept,
    )


def of_database(path: Path) -> Inspection:
    """Look at a database that stands alone: a backup."""
    reading = store.read(path)
    damage = [Damage(path.name, "unreadable", fault) for fault in reading.faults]
    rows = _of_rows(reading.rows, damage)
    order = _chained((row.entry for row in rows), DATABASE, damage)
    return Inspection(_by_game(order), order, damage, _current(order, [row.entry for row in rows]))


def of_journal(path: Path) -> Inspection:
    """Look at a journal that stands alone: an export."""
    if path.stat().st_size > LARGEST_JOURNAL:
        return Inspection(damage=[Damage(path.name, "unreadable", f"it has more than {LARGEST_JOURNAL} bytes")])
    lines = mirror.read(mirror.content_of(path))
    damage = []
    if lines.bad is not None or lines.torn:
        damage.append(Damage(path.name, "altered", f"line {len(lines.entries) + 1} does not verify"))
    order = _chained(lines.entries, path.name, damage)
    return Inspection(_by_game(order), order, damage, _current(order, lines.entries))


def _of_rows(rows: Iterable[store.StoredRow], damage: list[Damage]) -> list[Placed]:
    """Return the entries whose hash is theirs, whatever has become of those before them."""
    found = []
    for at, row in enumerate(rows):
        text, hash_ = row.text, row.hash
        entry = read_text(text, hash_) if isinstance(text, str) and isinstance(hash_, str) else None
        if entry is None or (entry.game, entry.nth) != (row.game, row.nth):
            game, nth = str(row.game), row.nth if isinstance(row.nth, int) else None
            damage.append(Damage(DATABASE, "altered", "an entry is not what was written", game, nth))
        else:
            found.append(Placed(at, entry))
    return found


def _chained(entries: Iterable[Entry], file: str, damage: list[Damage]) -> list[Entry]:
    """The entries up to the first gap of each game."""
    last: dict[str, Entry] = {}
    stopped: set[str] = set()
    good = []
    for entry in entries:
        if entry.game in stopped:
            continue
        if follows(entry, last.get(entry.game)):
            last[entry.game] = entry
            good.append(entry)
        else:
            stopped.add(entry.game)
            before = last.get(entry.game)
            gap = 0 if before is None else before.nth + 1
            damage.append(Damage(file, "gap", "an entry is missing or does not follow", entry.game, gap))
    return good


def _compare(kept: list[Entry], lines: mirror.Lines, damage: list[Damage]) -> None:
    """The copy may be shorter, as a power cut leaves it; anything else is said."""
    if lines.bad is not None:
        where = f"line {lines.bad} does not verify"
        damage.append(Damage(JOURNAL, "altered", where, harmless=True))
    for entry, copy in zip(kept, lines.entries, strict=False):
        if entry != copy:
            damage.append(Damage(JOURNAL, "differs", "the two copies differ", copy.game, copy.nth, harmless=True))
            return
    if lines.bad is not None and len(lines.entries) <= len(kept) and _longer(lines, kept):
        damage.append(Damage(DATABASE, "lost", "entries that had been recorded are missing"))


def _longer(lines: mirror.Lines, kept: list[Entry]) -> bool:
    """Whether behind its bad line the copy knows entries that the database has not."""
    known = {entry.hash for entry in kept}
    return any(entry.hash not in known for entry in lines.after)


def _united(rows: Sequence[Placed], copied: Sequence[Placed]) -> tuple[list[Entry], list[Entry]]:
    """Return for each game the longest line that one copy or both together prove, and everything either has.

    Both are in the order in which it was written: an old game of which one copy has lost an entry stays an old game.
    """
    places = _places(rows, copied)
    behind: dict[tuple[str, str], Entry] = {}
    for placed in (*rows, *copied):
        if placed.entry.nth or placed.entry.kind == "game":
            behind.setdefault((placed.entry.game, placed.entry.before), placed.entry)
    good: list[tuple[int, Entry]] = []
    for game in dict.fromkeys(placed.entry.game for placed in (*rows, *copied)):
        line = _line(game, behind)
        good += zip(sorted(places[entry.hash] for entry in line), line, strict=True)
    good.sort(key=itemgetter(0))
    known = {placed.entry.hash: placed.entry for placed in (*copied, *rows)}
    return [entry for _, entry in good], [known[hash_] for hash_ in sorted(places, key=lambda hash_: places[hash_])]


def _line(game: str, behind: Mapping[tuple[str, str], Entry]) -> list[Entry]:
    line: list[Entry] = []
    entry = behind.get((game, NO_HASH))
    while entry is not None and follows(entry, line[-1] if line else None):
        line.append(entry)
        entry = behind.get((game, entry.hash))
    return line


def _places(rows: Sequence[Placed], copied: Sequence[Placed]) -> dict[str, int]:
    """Return where each entry stands, by its hash: the rows count, and a line is so far from the row before it.

    A line has the number of its row. What was lost of either is told by the next entry that both have.
    """
    places = {placed.entry.hash: 2 * placed.at for placed in rows}
    shift = 0
    for placed in copied:
        if placed.entry.hash in places:
            shift = places[placed.entry.hash] - 2 * placed.at
        places.setdefault(placed.entry.hash, 2 * placed.at + shift + 1)
    return places


def _current(order: Sequence[Entry], written: Sequence[Entry]) -> str | None:
    """Return the game of the last entry that either copy has, be it that a line before it is lost."""
    games = {entry.game for entry in order}
    return next((entry.game for entry in reversed(written) if entry.game in games), None)


def _by_game(order: Iterable[Entry]) -> Games:
    games: dict[str, list[Entry]] = {}
    for entry in order:
        games.setdefault(entry.game, []).append(entry)
    return games
