"""An update that the host asks for on a page: the request is an empty file, what came of it is read from root's own."""

from __future__ import annotations

import fcntl
from pathlib import Path
from typing import Final, NamedTuple

from companion.refusal import Refusal
from companion.table.ports import Hint
from companion.table.record.data_folder import put

HOME: Final = Path("/opt/table-companion")
TRUSTED: Final = Path("/etc/table-companion")
"""What an administrator has written: where updates are (`updates`), and whose signatures count (`signers`)."""
WANTED: Final = "update-wanted"
"""The file in the data folder that systemd waits for."""
STATE, LOCK = "update-state", "update-state.lock"
LONGEST: Final = 4096
"""Characters of the state that are read."""
TEXTS: Final = {
    "update_done": "Updated: {to} runs in place of {before}. The games are there.",
    "update_nothing": "Nothing is new: this table has the newest version that is signed.",
    "update_unsigned": "What is there bears no signature that this table trusts, so nothing was changed.",
    "update_older": "What is there is older than what runs, so nothing was changed.",
    "update_unreachable": (
        "The new version could not be fetched ({why}): is the table in the internet? Nothing was changed."
    ),
    "update_failed": "The update was not made, and {to} runs as before: {why}",
    "update_cut": "The update was cut short: {to} runs now. It can be asked for again.",
}


class Updates(NamedTuple):
    """The door to an update, of a table that is installed; any other has none."""

    folder: Path
    home: Path = HOME
    trusted: Path = TRUSTED

    @property
    def possible(self) -> bool:
        """Whether this table is installed and knows where new versions are and who signs them."""
        return (self.home / "current").is_symlink() and all(
            (self.trusted / name).is_file() for name in ("updates", "signers")
        )

    @property
    def running(self) -> bool:
        """Whether an update is asked for or made: who makes it holds a lock, which a power cut cannot leave behind."""
        if (self.folder / WANTED).exists():
            return True
        try:
            with (self.home / LOCK).open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False

    def view(self) -> dict[str, object]:
        """Return what the page shows: the release that runs, and whether it can be updated or is about to be."""
        link = self.home / "current"
        return {
            "release": link.readlink().name if link.is_symlink() else "",
            "possible": self.possible,
            "running": self.running,
        }

    def outcome(self) -> Hint | None:
        """Return what came of the last update, once there was one and none runs."""
        if self.running:
            return None
        try:
            with (self.home / STATE).open(encoding="utf-8", errors="replace") as file:
                told = dict(line.partition(" ")[::2] for line in file.read(LONGEST).splitlines())
        except OSError:
            return None
        code = "update_cut" if told.get("state") == "running" else told.get("code", "")
        text = TEXTS.get(code)
        if text is None:
            return None
        return Hint(code, text, before=told.get("from", ""), to=told.get("to", ""), why=told.get("why", ""))

    def ask(self) -> None:
        """Lay the request down. Nothing is in it: where an update comes from is no choice of a page."""
        if not self.possible:
            why = "This table does not know where new versions are, or whose signature counts: docs/appliance.md."
            raise Refusal("no_updates", None, why)
        if self.running:
            raise Refusal("update_busy", None, "An update is being made already: wait for it.")
        try:
            put(self.folder / WANTED, b"")
        except OSError as error:
            raise Refusal("choice_not_written", None, f"The choice cannot be written: {error}") from error
