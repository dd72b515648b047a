"""What a step has to say: a code with its fields, put into words by whoever shows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Mapping


class NoteLevel(StrEnum):
    """How much a note matters: all is well, it could be better, it stands in the way."""

    FINE = "fine"
    HINT = "hint"
    FAULT = "fault"


@dataclass(frozen=True, slots=True)
class Note:
    code: str
    level: NoteLevel = NoteLevel.FINE
    fields: dict[str, object] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The line in English, for a terminal."""
        return texts()[self.code].format(**self.fields)

    def as_json(self) -> dict[str, object]:
        """Return the note for the pages, which have words of their own."""
        return {"code": self.code, "level": self.level.value, "fields": self.fields}


def fine(code: str, **fields: object) -> Note:
    """Make a note that all is well."""
    return Note(code, NoteLevel.FINE, fields)


def hint(code: str, **fields: object) -> Note:
    """Make a note that something could be better."""
    return Note(code, NoteLevel.HINT, fields)


def fault(code: str, **fields: object) -> Note:
    """Make a note that something stands in the way."""
    return Note(code, NoteLevel.FAULT, fields)


class StepError(Exception):
    """A step cannot do what was asked; the notes say what to do."""

    def __init__(self, *notes: Note) -> None:
        super().__init__("; ".join(note.text for note in notes))
        self.notes = notes


def texts() -> Mapping[str, str]:
    """Return the words for a terminal."""
    return catalogues.texts(catalogues.DEFAULT, "terminal/calibration")
