"""Measure the table: from a pressed button to the published snapshot, disk included; and a replay at the start."""

from __future__ import annotations

import importlib.util
import json
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from companion.cards.loader import pack_text
from companion.games.api import Button
from companion.refusal import Refusal
from companion.seeded_chance import SeededLuck
from companion.table.record.commit import Opening, RecordedGame, begin
from companion.table.record.record import Record
from companion.table.session.intents import ButtonPressed, StartGame, Tap
from companion.table.session.session import Session

if TYPE_CHECKING:
    from companion.table.record.entries import Entry
    from companion.table.session.snapshots import Snapshots

PRESSES = 400
READERS = 4
ENTRIES = 2000
STARTS = 7
FOUR = ["red", "blue", "green", "yellow"]
BARE = "import flask, waitress"
START = """
import sys
from contextlib import suppress
from pathlib import Path
from companion.table.record.record import Record
from companion.table.record.open_game import replay
record = Record(Path(sys.argv[1]))
replayed = replay(record.entries(record.current))
assert not record.damage and replayed.trouble is None and replayed.open_game.version == int(sys.argv[2])
replayed.open_game.state()
"""


class Reader(threading.Thread):
    """A phone: waits for a newer version, again and again, and notes when it had it."""

    def __init__(self, snapshots: Snapshots) -> None:
        super().__init__(daemon=True)
        self._snapshots = snapshots
        self.had: dict[int, float] = {}

    def run(self) -> None:
        """Read until there is nothing newer to come."""
        seq = 0
        while (snapshot := self._snapshots.newer_than(seq)) is not None:
            seq = snapshot.seq
            self.had[seq] = perf_counter()


def pressed(folder: Path) -> dict[str, float]:
    """Press THREATS over and over, with four phones waiting."""
    record = Record(folder)
    session = Session(record)
    session.start()
    session.ask(StartGame({"players": FOUR, "start": {"round": 2, "phase": "spawn"}}, seed="1")).result()
    readers = [Reader(session.snapshots) for _ in range(READERS)]
    for reader in readers:
        reader.start()
    seqs, began, published, commits = [], [], [], []
    bare = bare_database(folder / "bare.sqlite3")
    for _ in range(PRESSES):
        latest = session.snapshots.latest
        seq = latest.seq if latest else 0
        began.append(perf_counter())
        session.put(ButtonPressed(Button.THREATS))
        session.snapshots.newer_than(seq)
        published.append(perf_counter())
        seqs.append(seq + 1)
        session.ask(Tap({"do": "undo"})).result()
        commits.append(commit(bare))
    session.stop()
    for reader in readers:
        reader.join()
    record.close()
    bare.close()
    snapshot = [1000 * (end - start) for start, end in zip(began, published, strict=True)]
    every = [
        1000 * (max(reader.had.get(seq, start) for reader in readers) - start)
        for seq, start in zip(seqs, began, strict=True)
    ]
    return {
        **quantiles("press_to_snapshot_ms", snapshot),
        **quantiles("press_to_last_reader_ms", every),
        **quantiles("bare_commit_ms", commits),
    }


def bare_database(path: Path) -> sqlite3.Connection:
    """Return what the disk alone takes, beside it: a row of the same size."""
    bare = sqlite3.connect(path, isolation_level=None)
    bare.execute("PRAGMA journal_mode=WAL")
    bare.execute("PRAGMA synchronous=FULL")
    bare.execute("CREATE TABLE rows (text TEXT)")
    return bare


def commit(bare: sqlite3.Connection) -> float:
    """Return the milliseconds that one row takes to be on disk."""
    began = perf_counter()
    bare.execute("INSERT INTO rows VALUES (?)", ("x" * 400,))
    return 1000 * (perf_counter() - began)


def quantiles(name: str, times: list[float]) -> dict[str, float]:
    """Return the median and the 99th percentile."""
    cuts = statistics.quantiles(times, n=100)
    return {f"{name}_p50": round(cuts[49], 3), f"{name}_p99": round(cuts[98], 3)}


class Memory:
    """A journal that only remembers, to write a long record quickly."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self.games: dict[str, list[Entry]] = {}
        self.current, self.damage, self.broken, self.copy_is_behind = None, record.damage, False, False
        self.finished: str | None = None
        self.keep_last_good, self.doubt = record.keep_last_good, record.doubt

    def begin(self, game: str, body: dict[str, Any]) -> Entry:
        """Return the first entry."""
        from companion.canonical import NO_HASH  # noqa: PLC0415
        from companion.table.record.entries import written  # noqa: PLC0415

        entry = written(game, 0, NO_HASH, "game", body)
        self.games[game] = [entry]
        return entry

    def append(self, game: str, kind: str, body: dict[str, Any]) -> Entry:
        """Return the next entry."""
        from companion.table.record.entries import written  # noqa: PLC0415

        last = self.games[game][-1]
        entry = written(game, last.nth + 1, last.hash, kind, body)
        self.games[game].append(entry)
        return entry

    def entries(self, game: str) -> list[Entry]:
        """Return all entries."""
        return self.games[game]


def write_long_record(folder: Path, entries: int) -> None:
    """Write one game of random moves, undos and redos, as long as wanted."""
    choice, luck = random.Random(1), SeededLuck("1")
    with Record(folder) as record:
        memory = Memory(record)
        opening = Opening("long", "shelter", pack_text("standard"), {"players": FOUR}, "1")
        recorded = begin(memory, opening, luck)
        while recorded.open_game.version < entries:
            _step(recorded, luck, choice)
        record.take_all(memory.entries("long"))


def _step(recorded: RecordedGame, luck: SeededLuck, choice: random.Random) -> None:
    legal = recorded.open_game.game.legal_moves()
    if not legal:
        recorded.undo(0)
    elif choice.random() < 0.05:  # noqa: PLR2004 - now and then somebody takes a move back
        with suppress(Refusal):  # right after everything was taken back there is none
            recorded.undo()
    else:
        try:
            recorded.play(choice.choice(legal), luck, "host")
        except Refusal:
            recorded.undo(0)


def started(folder: Path) -> dict[str, float]:
    """A record of 2,000 entries verified and replayed by a fresh process, beside a bare import where there is one."""
    write_long_record(folder, ENTRIES)
    bare = all(importlib.util.find_spec(name) for name in ("flask", "waitress"))
    ours, theirs = [], []
    for _ in range(STARTS):
        ours.append(seconds(START, str(folder), str(ENTRIES)))
        if bare:
            theirs.append(seconds(BARE))
    figures = {"start_and_replay_ms": round(1000 * statistics.median(ours), 1)}
    if bare:
        figures["bare_import_ms"] = round(1000 * statistics.median(theirs), 1)
        figures["start_by_bare_import"] = round(statistics.median(ours) / statistics.median(theirs), 2)
    figures.update(_inside(folder))
    return figures


def seconds(program: str, *arguments: str) -> float:
    """Return how long a program takes in a process of its own."""
    began = perf_counter()
    subprocess.run([sys.executable, "-c", program, *arguments], check=True, cwd=Path(__file__).parent.parent)
    return perf_counter() - began


def _inside(folder: Path) -> dict[str, float]:
    """Return what of it is verifying and what is replaying."""
    from companion.table.record.open_game import replay  # noqa: PLC0415
    from companion.table.record.verify import inspect  # noqa: PLC0415

    began = perf_counter()
    found = inspect(folder)
    verified = perf_counter()
    replay(found.games["long"])
    return {
        "verify_2000_ms": round(1000 * (verified - began), 1),
        "replay_2000_ms": round(1000 * (perf_counter() - verified), 1),
    }


def measure() -> dict[str, float]:
    """Return all figures of the table."""
    with tempfile.TemporaryDirectory() as folder:
        return {**pressed(Path(folder) / "pressed"), **started(Path(folder) / "started")}


if __name__ == "__main__":
    print(json.dumps(measure(), indent=1))
