"""Kills updates at random instants: each next start has the old version or the new one, and all games."""

import os
import random
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from time import monotonic

from companion.table.record.record import Record
from companion.table.record.verify import inspect
from tests.years import write_years

from .machine import Machine

GAMES = 3


@dataclass
class Updates:
    """What became of updates that were killed."""

    kills: int = 0
    new: int = 0
    said: int = 0
    problems: list = field(default_factory=list)


def kill_updates(folder, times, seed=7):
    """Kill an update with all its programs at random instants; the next one finishes it, and says what was cut short.

    The companion is real, with a record of some games; the programs of the system are pretended.
    """
    report, choice, machine = Updates(), random.Random(seed), Machine(folder)
    machine.plays_for_real()
    old = machine.installed_once()
    (machine.games / "record.sqlite3").unlink()
    write_years(folder / "years", GAMES)
    shutil.copytree(folder / "years", machine.games, dirs_exist_ok=True)
    games = entries_of(machine)
    machine.changes_its_service()
    begun = monotonic()
    said = machine.manage("main update")
    takes = monotonic() - begun  # seconds: how long depends on machine and disk
    assert said.returncode == 0, said.stderr
    new = machine.current
    while report.kills < times and not report.problems:
        number = report.kills
        machine.goes_back_to(old)
        if not killed_within(machine.managing("main update"), choice.random() * takes):
            continue  # it had ended by itself
        report.kills += 1
        report.problems += [f"{number}: {problem}" for problem in problems(machine, (old, new), games)]
        cut_at, was_exchanged = machine.current, (machine.home / "updating").exists()
        report.new += cut_at == new
        said = machine.manage("main update")
        has_said = f"was cut short: {cut_at} is the version now" in said.stderr
        report.said += has_said
        if said.returncode or machine.current != new or has_said != was_exchanged or not machine.runs:
            report.problems.append(f"{number}: the next update ends with {said.returncode}: {said.stderr[-300:]}")
        report.problems += [f"{number}, updated: {problem}" for problem in problems(machine, (new,), games)]
    return report


def killed_within(process, seconds):
    """Kill a process with its group after so many seconds; return whether it still ran."""
    with process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
    return process.returncode == -signal.SIGKILL


def problems(machine, versions, games):
    """What is wrong with what would start now."""
    installed, brought = machine.services()
    if machine.current not in versions or machine.current not in brought:
        yield f"{machine.current} would start, and it is none, or is not whole"
    if installed not in brought.values():
        yield "the service is none of those that a version brings"
    if entries_of(machine) != games:
        yield "the record is another one"
    with Record(machine.games) as record:
        yield from map(str, record.damage)


def entries_of(machine):
    return [entry.hash for entry in inspect(machine.games).order]
