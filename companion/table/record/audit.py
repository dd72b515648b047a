"""Verify what a start did not, all of a long record, in a process of its own that steps back behind play."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Final

from companion.table.record.checkpoint import Checkpoint, distrust, entries_of, extended
from companion.table.record.data_folder import put
from companion.table.record.history import story_of
from companion.table.record.summaries import Summaries

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILE: Final = "record.audited"
"""When all of the record was verified last."""
DAMAGED: Final = 3
"""How `companion verify` ends where the record does not verify."""


def audit(folder: Path, at: str) -> Checkpoint | None:
    """Verify every entry in both copies, and every page; return what is there, None where anything is wrong."""
    found = extended(folder, Checkpoint())
    if found is None:
        distrust(folder)
    else:
        put(folder / FILE, (json.dumps({"at": at, "row": found.row}) + "\n").encode())
    return found


def audited(folder: Path) -> str:
    """Return when all of a record was verified last; empty where it never was."""
    try:
        return str(json.loads((folder / FILE).read_text(encoding="utf-8"))["at"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""


def sum_up(folder: Path, found: Checkpoint) -> Iterator[str]:
    """Read the past games that the lists of them do not know yet, one by one, and yield their names."""
    summaries = Summaries(folder)
    known = summaries.results(found.games)
    for game, last in found.games.items():
        if game not in known and game != found.current:
            summaries.keep(last, story_of(entries_of(folder, last)[: last.nth + 1]))
            yield game


def start_aside(*arguments: str) -> subprocess.Popen[str]:
    """Start a command of the companion that steps back behind everything else on this machine."""
    gently = ["nice", "-n", "19"] if shutil.which("nice") else []
    command = [*gently, sys.executable, "-m", "companion.cli", *arguments]
    return subprocess.Popen(  # noqa: S603 - our own command, and no word of it comes from outside
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
