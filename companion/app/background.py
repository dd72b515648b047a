"""What goes on behind a table that plays, in a process at the lowest priority: verify the record, compile the rules."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from companion.compiled.modules import builds, in_use
from companion.table.record.audit import DAMAGED, start_aside
from companion.table.session.intents import RecordDoubted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from companion.table.session.session import Session


class RecordAudit:
    """Runs `companion verify` once, and tells the session where what the start did not read does not verify."""

    def __init__(self, session: Session, folder: Path) -> None:
        self._session = session
        self._folder = folder
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._wait, name="record-audit", daemon=True)

    def start(self) -> None:
        self._process = start_aside("verify", "--data", str(self._folder))
        self._thread.start()

    def close(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._thread.join(LAST_PATIENCE)

    def _wait(self) -> None:
        if self._process is not None:
            self._process.communicate()
            if self._process.returncode == DAMAGED:
                self._session.put(RecordDoubted())


WANTED: Final = "COMPANION_COMPILE"
"""`./run` sets it: a package that somebody has installed is left as it is."""
COMMAND: Final = (sys.executable, "-m", "companion.cli", "compile", "--in-background")
LAST_PATIENCE: Final = 5.0


def is_wanted(environment: Mapping[str, str]) -> bool:
    """Return whether there is something to compile, and a place for it that this process may write."""
    folder = builds()
    if folder is None or not environment.get(WANTED) or in_use():
        return False
    return os.access(folder if folder.exists() else folder.parent, os.W_OK)


class RulesBuild:
    """Runs `companion compile` once. The bots' next helper process takes what comes of it, the table its next start."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._wait, name="rules-build", daemon=True)

    def start(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own command, and no word of it comes from outside
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # with the compiler that it starts, so that all of it ends together
        )
        self._thread.start()

    def close(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGTERM)
            self._thread.join(LAST_PATIENCE)

    def _wait(self) -> None:
        if self._process is not None:
            said = self._process.communicate()[1].strip()
            if self._process.returncode > 0 and said:
                logging.getLogger(__name__).warning("%s The rules run from their sources.", said.splitlines()[-1])
