"""Leave to use the devices: asked for the user as whom the table runs, whoever asks the doctor."""

from __future__ import annotations

import os
import pwd
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.table.health import fail, ok

if TYPE_CHECKING:
    from companion.table.health import Check

DEVICES: Final = (Path("/dev/gpiochip0"), Path("/dev/video0"))
READ_AND_WRITE: Final = 0o6


class User(NamedTuple):
    """Somebody of this machine."""

    number: int
    name: str
    groups: tuple[int, ...]


def rights(folder: Path) -> Check | None:
    """Leave to use the devices that are there; `folder` is the table's and tells by its owner who runs it."""
    there = [device for device in DEVICES if device.exists()]
    user = who_runs(folder)
    denied = [device for device in there if not may_use(device.stat(), user)]
    if denied:
        return fail("rights", "missing", needed=True, devices=", ".join(map(str, denied)), user=user.name)
    return ok("rights", devices=", ".join(map(str, there)), user=user.name) if there else None


def who_runs(folder: Path) -> User:
    """An administrator asks for the owner of the table's folder; everybody else for themselves."""
    number = os.geteuid()
    if number == 0 and folder.exists():
        number = folder.stat().st_uid
    try:
        known = pwd.getpwuid(number)
    except KeyError:  # a container may run as a number alone
        return User(number, str(number), (os.getegid(),))
    return User(number, known.pw_name, tuple(os.getgrouplist(known.pw_name, known.pw_gid)))


def may_use(device: os.stat_result, user: User) -> bool:
    """The owner's, the group's or everybody's part of the mode, whichever counts for this user."""
    mode = stat.S_IMODE(device.st_mode)
    if user.number == device.st_uid:
        mode >>= 6
    elif device.st_gid in user.groups:
        mode >>= 3
    return user.number == 0 or mode & READ_AND_WRITE == READ_AND_WRITE
