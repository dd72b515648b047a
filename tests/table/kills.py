"""Pulls the plug: kills a playing companion at random instants and looks at what it left, as often as one likes."""

import random
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from companion.table.record.open_game import replay
from companion.table.record.verify import inspect

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
    acknowledged = {}
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
    report.acknowledged = len(acknowledged)
    return report


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
