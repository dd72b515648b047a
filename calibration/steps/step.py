"""The base class of calibration steps (pictures in, notes and a patch of the profile out), and the notes."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Final

from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Mapping

    from calibration.profiles import ProfileFile
    from companion.pieces.sheets.printed_profile import ProfileJson
    from companion.table.ports import Controls
    from companion.vision.arrays import Array


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


GREEN, AMBER, RED, WHITE = (110, 220, 90), (0, 190, 255), (70, 70, 250), (240, 240, 240)
SMALLEST: Final = 240


class StepPace(StrEnum):
    """When a step wants a picture of a live camera: always, whenever something new lies still, or on request."""

    ALWAYS = "always"
    NEW = "new"
    TOLD = "told"


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to draw on the picture: an outline (n, 2) in pixels, and what it is."""

    points: Array
    colour: tuple[int, int, int] = GREEN
    label: str = ""


@dataclass
class CalibrationStep:
    """A small state machine. Its pictures come one by one, with a name for the notes."""

    file: ProfileFile
    notes: list[Note] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    controls: Controls | None = None
    """Those of the camera that the pictures come from, where it has any."""
    name: ClassVar[str] = ""
    pace: ClassVar[StepPace] = StepPace.TOLD
    saves_itself: ClassVar[bool] = False
    """Whether what was found is kept at once, picture by picture."""

    def see(self, picture: Array, label: str = "") -> list[Note]:
        """Take in a picture; return notes on it."""
        self.marks = []
        if min(picture.shape[:2]) < SMALLEST:
            self.notes = [fault("too_small", width=picture.shape[1], height=picture.shape[0])]
        else:
            self.notes = self._see(picture, label)
        return self.notes

    def _see(self, picture: Array, label: str) -> list[Note]:
        raise NotImplementedError

    @property
    def progress(self) -> tuple[int, int]:
        """How many of how many are done."""
        return (0, 1)

    @property
    def ready(self) -> bool:
        """Whether there is something to keep."""
        try:
            return bool(self.patch())
        except StepError:
            return False

    @property
    def eager(self) -> bool:
        """Whether it wants pictures all the time just now, whatever its pace."""
        return self.pace is StepPace.ALWAYS

    @property
    def finished(self) -> bool:
        """Whether a step that nobody closes has all it wants."""
        done, of = self.progress
        clean = not any(note.level is NoteLevel.FAULT for note in self.notes)
        return done >= of and clean and self.pace is not StepPace.ALWAYS

    def leave(self) -> None:
        """Put back what was begun and not kept: the step is closed."""

    def patch(self) -> ProfileJson:
        """Return what the profile learns; raise StepError while it is not enough."""
        return {}

    def keep(self) -> list[Note]:
        patch = self.patch()
        if patch:
            self.file.change(patch)
        return []

    def act(self, action: str, fields: Mapping[str, str]) -> None:
        """Do what somebody asked; most steps offer nothing."""
        del fields
        raise StepError(fault("no_such_action", action=action[:40]))

    def details(self) -> Mapping[str, object]:
        """Return what a page shows beside notes and progress."""
        return {}


def worst(notes: list[Note]) -> NoteLevel:
    order = list(NoteLevel)
    return max((note.level for note in notes), key=order.index, default=NoteLevel.FINE)
