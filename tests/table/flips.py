"""Flips bytes of a record of several games and looks at what opens, as often as one likes."""

import os
import random
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from companion.table.record.entries import RecordError
from companion.table.record.record import Record
from companion.table.record.verify import CHECKED, DATABASE, JOURNAL, inspect

GAMES, ENTRIES = 4, 7
FILES = (DATABASE, f"{DATABASE}-wal", JOURNAL, CHECKED)
KILLED = """
import os, sys; from pathlib import Path; sys.path[:0] = [sys.argv[1], sys.argv[2]]
import flips; flips.write(Path(sys.argv[3])); os._exit(0)
"""


@dataclass
class Flips:
    """What came of it."""

    flipped: int = 0
    said: int = 0
    problems: list = field(default_factory=list)


def write(folder):
    """Games that were played in turns, the last one written to being neither the first nor the last begun."""
    record = Record(folder, lambda: "2024-01-01T20:00:00+00:00")
    for game in range(GAMES):
        record.begin(f"game-{game}", {"plays": "shelter", "pack": {"text": f"{game}" * 900}})
    for nth in range(1, ENTRIES):
        for game in (3, 0, 2, 1):
            record.append(f"game-{game}", "ignored", {"difference": f"{game}:{nth}", "note": "n" * 120})
    return record


def closed(folder):
    write(folder).close()
    return folder


def killed(folder):
    """A companion that was killed: all that it wrote is in the log."""
    here = Path(__file__).parent
    subprocess.run([sys.executable, "-c", KILLED, here, here.parent.parent, folder], check=True)
    return folder


def flip(folder, name, at, bits):
    path = folder / name
    content = bytearray(path.read_bytes())
    content[at] ^= bits
    path.write_bytes(content)


def flip_bytes(source, where, times, seed=0):
    """Flip one byte at a time in a copy of a record; every answer is the truth, or says that it is not."""
    found, choice = Flips(), random.Random(seed)
    truth = told(inspect(source))
    current = inspect(source).current
    sizes = [(name, (source / name).stat().st_size) for name in FILES if (source / name).exists()]
    for _ in range(times):
        name, size = choice.choice([one for one in sizes if one[1]])
        at, bits = choice.randrange(size), 1 << choice.randrange(8)
        if where.exists():
            shutil.rmtree(where)
        shutil.copytree(source, where)
        if choice.random() < 0.5:
            (where / f"{DATABASE}-shm").unlink(missing_ok=True)
        flip(where, name, at, bits)
        found.flipped += 1
        found.problems += [f"{name} at {at} by {bits}: {one}" for one in problems(where, truth, current, found)]
    return found


def told(seen):
    return {game: [entry.hash for entry in entries] for game, entries in seen.games.items()}


def problems(folder, truth, current, found):
    seen = inspect(folder)
    wrong = []
    if told(seen) != truth:
        wrong.append(f"the copies prove other games: {seen.damage}")
    if seen.current != current:
        wrong.append(f"the current game is {seen.current}: {seen.damage}")
    found.said += bool(seen.damage)
    try:
        with Record(folder) as record:
            wrong += opened(record, truth, current)
    except RecordError as error:
        return [*wrong, f"it does not open: {error}"]
    if not seen.broken and told(inspect(folder)) == truth:
        wrong.append("what was added is not there")
    return wrong


def opened(record, truth, current):
    if record.current != current:
        return [f"opened, the current game is {record.current}"]
    if record.is_long and {game: hashes(record, game) for game in record.games} != truth and not record.broken:
        return ["an old game is not the truth, and nobody says so"]
    if record.broken:
        record.keep_last_good()
    if record.current != current:
        return [f"going on from the last good state, the current game is {record.current}"]
    if {game: hashes(record, game) for game in record.games} != truth:
        return ["what is gone on with is not the truth"]
    record.append(current, "redo", {})
    return []


def hashes(record, game):
    return [entry.hash for entry in record.entries(game)]


if __name__ == "__main__":
    made, where, times = sys.argv[1:]
    report = flip_bytes(
        {"closed": closed, "killed": killed}[made](Path(where) / "record"), Path(where) / "flipped", int(times)
    )
    sys.stdout.write("\n".join(map(str, [report.flipped, report.said, *report.problems])) + "\n")
    os._exit(0)
