"""Pulls the plug: kills a playing companion at random instants and looks at what it left, as often as one likes."""

import random
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from companion.table.record.open_game import replay
from companion.table.record.record import BUILDING, DONE, FINISHED, TAKEN_BACK, Record
from companion.table.record.verify import RESTORED, inspect, of_database

HERE = Path(__file__).parent


@dataclass
class Report:
    """What came of it."""

    kills: int = 0
    acknowledged: int = 0
    in_flight: int = 0
    problems: list = field(default_factory=list)


def start(folder, seed, *more, plays="shelter"):
    root = HERE.parent.parent
    return subprocess.Popen(
        [sys.executable, HERE / "playing.py", folder, str(seed), plays, *map(str, more)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=root,
        env={"PYTHONPATH": str(root), "PATH": ""},
    )


def pull_the_plug(folder, times, seed=0, most_moves=30, plays="shelter"):
    """Kill a companion `times` times, each at a random instant, each time on the record that the last one left."""
    report = Report()
    choice = random.Random(seed)
    acknowledged = {(entry.game, entry.nth): entry.hash for entry in inspect(folder).order}
    before = len(acknowledged)
    for number in range(times):
        process = start(folder, choice.random(), plays=plays)
        with process:
            lines = [process.stdout.readline() for _ in range(choice.randint(1, most_moves))]
            try:
                process.wait(choice.random() * 0.01)
            except subprocess.TimeoutExpired:
                process.kill()
            lines += process.stdout.readlines()
            if process.wait() != -9:
                report.problems.append(f"kill {number}: it had ended by itself: {process.stderr.read()}")
                return report
        report.kills += 1
        for line in lines:
            if line.endswith("\n"):
                _, game, nth, hash_ = line.split()
                acknowledged[game, int(nth)] = hash_
        report.problems += [f"kill {number}: {problem}" for problem in problems(folder, acknowledged, report)]
    report.acknowledged = len(acknowledged) - before
    return report


RESTORE = (
    "import sys; from pathlib import Path; from companion.table.record.backup import restore\n"
    "print(flush=True); restore(Path(sys.argv[1]), Path(sys.argv[2]), last_good=False)"
)


@dataclass
class Restores:
    """What became of restores that were killed."""

    kills: int = 0
    new: int = 0
    said: int = 0
    problems: list = field(default_factory=list)


def kill_restores(old, source, where, times, seed=5):
    """Kill so many restores at random instants, each of a copy of the old record: the next start has that or the new.

    Where it was cut short, the next start says which. One that was done before it could be killed counts as none.
    """
    report, choice, root = Restores(), random.Random(seed), HERE.parent.parent
    takes = 0.0  # seconds, as the first one does that nobody kills: how long depends on machine and disk
    before, after = hashes(inspect(old)), hashes(of_database(source))
    for number in range(2 * times + 1):
        if report.kills == times:
            break
        folder = where / f"{number}"
        shutil.copytree(old, folder)
        with subprocess.Popen(
            [sys.executable, "-c", RESTORE, folder, source],
            stdout=subprocess.PIPE,
            env={"PYTHONPATH": str(root), "PATH": ""},
        ) as process:
            process.stdout.readline()
            begun = monotonic()
            try:
                process.wait(choice.random() * takes if number else None)
            except subprocess.TimeoutExpired:
                process.kill()
            takes = takes or monotonic() - begun
        report.kills += process.returncode == -9
        was_under_way = any((folder / name).exists() for name in (BUILDING, RESTORED, DONE))
        read = hashes(inspect(folder))
        with Record(folder) as record:
            opened = hashes(inspect(folder))
            report.problems += [f"{number}: {damage}" for damage in record.damage]
            expected = {FINISHED: after, TAKEN_BACK: before, None: opened}[record.finished]
        report.said += record.finished is not None
        report.new += opened == after
        if opened not in (before, after) or opened != read or opened != expected:
            report.problems.append(f"{number}: {len(opened)} entries, {record.finished}")
        if was_under_way != (record.finished is not None):
            report.problems.append(f"{number}: it was under way, and nobody says what became of it")
        shutil.rmtree(folder)
    return report


def hashes(found):
    return [entry.hash for entry in found.order]


def problems(folder, acknowledged, report=None):
    """What is wrong with a record, given what was acknowledged: nothing may be missing, nothing half there."""
    found = inspect(folder)
    there = {(entry.game, entry.nth): entry.hash for entry in found.order}
    wrong = [str(damage) for damage in found.damage]
    wrong += [f"{key} was acknowledged and is not there" for key in acknowledged if there.get(key) != acknowledged[key]]
    beyond = [key for key in there if key not in acknowledged]
    for entries in found.games.values():
        replayed = replay(entries)
        if replayed.trouble is not None:
            wrong.append(str(replayed.trouble))
    if report is not None:
        report.in_flight += len(beyond)
        if len(beyond) > 1:
            wrong.append(f"more than the one move that was under way is there: {beyond}")
        acknowledged.update({key: there[key] for key in beyond})
    return wrong
