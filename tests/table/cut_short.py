"""Ends a restore at every step that it makes on the disk, and looks at what the next start finds: one JSON line each.

usage: cut_short.py WHERE RECORD WAY [SOURCE]    (WAY: restore, add or last-good; RECORD is copied for every instant)
"""

import json
import os
import shutil
import sys
from pathlib import Path

from companion.table.record import backup
from companion.table.record import record as replacing
from companion.table.record.record import Record
from companion.table.record.verify import RESTORED, inspect

CUT = 9
STEPS = frozenset({
    "open", "os.rename", "os.mkdir", "os.remove", "os.rmdir", "os.truncate", "os.chmod", "shutil.rmtree",
    "sqlite3.connect", "os.listdir", "os.scandir", "os.link", "shutil.copyfile",
})  # fmt: skip


def end_at(step):
    """End this process before its nth step on the disk; what the kernel calls by itself counts, too."""
    left = [step]

    def pass_by(event="", _=None):
        if event in STEPS:
            left[0] -= 1
            if left[0] == 0:
                os._exit(CUT)

    def counted(call):
        def called(*arguments):
            pass_by("open")
            return call(*arguments)

        return called

    for name in ("fsync", "ftruncate", "pwrite"):
        setattr(os, name, counted(getattr(os, name)))
    sys.addaudithook(pass_by)


def cut(step, what):
    """Do it in a child that ends at that step; whether it was cut short."""
    child = os.fork()
    if child == 0:
        end_at(step)
        what()
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if code not in (0, CUT):
        raise AssertionError(f"step {step} ended with {code}")
    return code == CUT


def hashes(found):
    return [entry.hash for entry in found.order]


def looked_at(folder):
    """What a reader sees, what the next start opens and says, and what the one behind it opens."""
    read = inspect(folder)
    told = {"read": hashes(read), "harm": list(map(str, read.damage))}
    with Record(folder) as record:
        told |= {"said": record.finished, "broken": record.broken}
        told["harm"] += map(str, record.damage)
        found = inspect(folder)
        told |= {"opened": hashes(found), "behind": len(found.behind)}
        if record.current and not record.broken:
            record.append(record.current, "redo", {})
    with Record(folder) as record:
        told |= {"again": record.finished, "grown": sum(map(len, record.games.values()))}
        told["harm"] += map(str, record.damage)
    told["aside"] = {path.name: hashes(inspect(path)) for path in folder.iterdir() if path.name[-2:-1] == "-"}
    told["left"] = sorted(path.name for path in folder.iterdir() if path.name.startswith("restor"))
    return told


def way_of(way, source):
    return {
        "restore": lambda folder: backup.restore(folder, Path(source), last_good=False),
        "add": lambda folder: backup.restore(folder, Path(source), last_good=False),
        "last-good": backup.keep_last_good,
    }[way]


def fresh(where, record):
    if where.exists():
        shutil.rmtree(where)
    shutil.copytree(record, where)
    return where


def start(folder):
    with Record(folder):
        pass


def tell(what):
    sys.stdout.write(f"{json.dumps(what)}\n")


def main(where, record, way, source=""):
    do, where, record = way_of(way, source), Path(where), Path(record)
    step, goes_on, middle = 0, True, None
    while goes_on:
        step += 1
        folder = fresh(where, record)
        goes_on = cut(step, lambda folder=folder: do(folder))
        if middle is None and (folder / RESTORED / replacing.ASIDE).exists():
            middle = shutil.copytree(folder, where.with_name("middle"))
        tell({"step": step, "cut": goes_on, **looked_at(folder)})
    step, goes_on = 0, middle is not None
    while goes_on:
        step += 1
        folder = fresh(where, middle)
        goes_on = cut(step, lambda folder=folder: start(folder))
        tell({"step": step, "cut": goes_on, "start": True, **looked_at(folder)})


if __name__ == "__main__":
    main(*sys.argv[1:])
