"""What can be wrong with a record: found, named, never repaired behind anybody's back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Damage:
    """One thing that is wrong: in which file, what, and from which entry of which game on."""

    file: str
    what: str
    message: str
    game: str | None = None
    nth: int | None = None
    harmless: bool = False
    """Whether the record is whole without what is damaged."""

    def __str__(self) -> str:
        place = "" if self.game is None else f" (game {self.game}, entry {self.nth})"
        return f"{self.file}: {self.message}{place}"

    def as_json(self) -> dict[str, Any]:
        """For pages and scripts."""
        return {
            "file": self.file,
            "what": self.what,
            "message": self.message,
            "game": self.game,
            "nth": self.nth,
            "harmless": self.harmless,
        }


class RecordError(Exception):
    """Something about the record that a person can do something about."""


class RecordInUseError(RecordError):
    """Another companion writes to this record."""


class RecordDamagedError(RecordError):
    """The record does not verify; nothing is added to it until somebody has decided."""


class NotRecordedError(RecordError):
    """An entry did not get onto the disk, so what it tells has not happened."""
