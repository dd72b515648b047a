"""Have all of a long record verified behind a table that plays, by a process at the lowest priority."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from companion.table.record.audit import DAMAGED, start_aside
from companion.table.session.intents import RecordDoubted

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from companion.table.session.session import Session

LAST_PATIENCE: Final = 5.0


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
