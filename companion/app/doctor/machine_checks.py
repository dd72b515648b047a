"""Checks of the machine: the companion's version, Python, disk, clock, network, port and permissions."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import stat
import subprocess
import sys
import time
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final, NamedTuple

from companion.app.machine import NOBODY_HAS_SET_IT
from companion.compiled.modules import fault as why_not_compiled
from companion.refusal import Refusal
from companion.table.outside import read_json
from companion.table.ports import Check, Health, Running, fail, note, ok
from companion.table.record.data_folder import mark
from companion.version import UNKNOWN, runs_compiled
from companion.version import version as companion_version

OLDEST, NEWEST = (3, 11), (3, 13)
LITTLE, TOO_LITTLE = 200, 20
"""Megabytes. An evening takes one or two; a card that is nearly full wears out."""
PATIENCE: Final = 5.0
LARGEST_ANSWER: Final = 4_000_000
"""Bytes that are read of whatever else is at the port."""


def version() -> Check:
    """Check the companion's own version, and report whether its rules run compiled."""
    found, compiled = companion_version(), runs_compiled()
    if found == UNKNOWN:
        return note("version", "unknown", compiled=compiled)
    if not compiled and (why := why_not_compiled()):
        return note("version", "not_compiled", version=found, compiled=compiled, why=why)
    return Check(
        "version", Health.OK, "version_compiled" if compiled else "version_ok", {"version": found, "compiled": compiled}
    )


def python(version: tuple[int, int] | None = None) -> Check:
    """Check that the companion is tested with this Python."""
    found = version or sys.version_info[:2]
    running = ".".join(map(str, found))
    return ok("python", version=running) if OLDEST <= found <= NEWEST else note("python", "other", version=running)


def bots() -> Check | None:
    """Report a learned value that the bots do not use, such as one of another version of the rules."""
    from companion.bots.worth.learned import UnusableValueError, read  # noqa: PLC0415 - with numpy, when it is asked for

    try:
        read()
    except UnusableValueError as unused:
        return note("bots", "value_unused", why=str(unused))
    return None


def disk(folder: Path) -> Check:
    """Check for room for the record, and permission to write it."""
    there = folder
    while not there.exists():
        there = there.parent
    if not os.access(there, os.W_OK | os.X_OK):
        return fail("disk", "denied", needed=True, folder=str(folder))
    free = shutil.disk_usage(there).free // 1_000_000
    if free < TOO_LITTLE:
        return fail("disk", "full", needed=True, free=free, folder=str(folder))
    return ok("disk", free=free, folder=str(folder)) if free >= LITTLE else note("disk", "low", free=free)


def clock(now: float | None = None) -> Check:
    """Check the date, which only the history shows: a Pi has no battery for its clock."""
    return ok("clock") if (time.time() if now is None else now) > NOBODY_HAS_SET_IT else note("clock", "unset")


def network(address: str) -> Check:
    """Check for an address by which phones reach this machine."""
    return note("network", "none") if address.startswith("127.") else ok("network", address=address)


def hotspot(address: str) -> Check | None:
    """Check for NetworkManager, with which a table without Wi-Fi can open its own."""
    listed = output("nmcli", "--terse", "--fields", "TYPE,STATE,DEVICE", "device")
    if listed is None:
        return note("hotspot", "no_manager") if address.startswith("127.") else None
    radios = [line.split(":") for line in listed.splitlines() if line.startswith("wifi:")]
    if not radios:
        return note("hotspot", "no_radio") if address.startswith("127.") else None
    return ok("hotspot", device=radios[0][-1])


def port(number: int, folder: Path) -> tuple[Check, Running | None]:
    """Check the port of the pages, and the companion of this folder if it runs there."""
    found = answering(number)
    if found is not None:
        whose, running = found
        if whose not in ("", mark(folder)):
            return note("port", "another", port=number), None
        return ok("port", port=number), running
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", number))
        except PermissionError:
            return fail("port", "denied", needed=True, port=number), None
        except OSError:
            return fail("port", "taken", needed=True, port=number), None
    return note("port", "free", port=number), None


def answering(number: int) -> tuple[str, Running] | None:
    """Return the companion that runs at a port, with the mark of its folder; None where there is none."""
    try:
        health, state = _asked(number, "healthz"), _asked(number, "api/state")
        parts = {str(name): str(how) for name, how in health["parts"].items()}
        return str(health.get("table", "")), Running(parts, dict(state["devices"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, Refusal, HTTPException):
        return None


def _asked(number: int, path: str) -> Any:
    import urllib.request  # noqa: PLC0415 - with the whole of TLS; the first page does not wait for it

    with urllib.request.urlopen(f"http://127.0.0.1:{number}/{path}", timeout=PATIENCE) as answer:
        return read_json(answer.read(LARGEST_ANSWER), path)


def output(*command: str) -> str | None:
    """Return what a program prints; None where it is not installed or fails."""
    program = shutil.which(command[0])
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - programs of the system, by fixed names
            [program, *command[1:]], capture_output=True, text=True, timeout=PATIENCE, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


DEVICES: Final = (Path("/dev/gpiochip0"), Path("/dev/video0"))
READ_AND_WRITE: Final = 0o6


class User(NamedTuple):
    number: int
    name: str
    groups: tuple[int, ...]


def rights(folder: Path) -> Check | None:
    """Check the permission to use the devices that are there; the owner of `folder` is the user that runs the table."""
    there = [device for device in DEVICES if device.exists()]
    user = who_runs(folder)
    denied = [device for device in there if not may_use(device.stat(), user)]
    if denied:
        return fail("rights", "missing", needed=True, devices=", ".join(map(str, denied)), user=user.name)
    return ok("rights", devices=", ".join(map(str, there)), user=user.name) if there else None


def who_runs(folder: Path) -> User:
    """Return who runs the table: for an administrator the folder's owner, for everybody else themselves."""
    number = os.geteuid()
    if number == 0 and folder.exists():
        number = folder.stat().st_uid
    try:
        known = pwd.getpwuid(number)
    except KeyError:  # a container may run as a number alone
        return User(number, str(number), (os.getegid(),))
    return User(number, known.pw_name, tuple(os.getgrouplist(known.pw_name, known.pw_gid)))


def may_use(device: os.stat_result, user: User) -> bool:
    """Return whether the owner's, the group's or everybody's part of the mode lets this user in."""
    mode = stat.S_IMODE(device.st_mode)
    if user.number == device.st_uid:
        mode >>= 6
    elif device.st_gid in user.groups:
        mode >>= 3
    return user.number == 0 or mode & READ_AND_WRITE == READ_AND_WRITE
