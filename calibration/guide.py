"""The calibration as a page leads it: the steps in their order, and one step run before a live camera."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from calibration.measuring.papers import cards_of, jpeg
from calibration.measuring.papers import draw_marks as drawing
from calibration.profiles import ProfileFile
from calibration.steps.aim import Aim
from calibration.steps.check import CheckStep
from calibration.steps.colours import ColourStep
from calibration.steps.columns import ColumnStep, corrected_pack, is_written, overlay_beside
from calibration.steps.deck import DeckStep
from calibration.steps.enrolment import CardStep
from calibration.steps.lens import LensStep
from calibration.steps.mat_position import TableStep
from calibration.steps.step import Note, StepError, StepPace, fine
from companion.refusal import Refusal
from companion.table.ports import Controls, Hint
from companion.table.sight.reading import Reading
from companion.vision.time.watcher import Rest, difference, luma

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from calibration.steps.step import CalibrationStep
    from companion.vision.arrays import Array


ALL_STEPS: Final[tuple[type[CalibrationStep], ...]] = (
    Aim,
    LensStep,
    TableStep,
    ColourStep,
    CardStep,
    DeckStep,
    ColumnStep,
    CheckStep,
)
NAMES: Final = tuple(step.name for step in ALL_STEPS)


def step_of(name: str, file: ProfileFile, pack: str = "standard") -> CalibrationStep:
    """Return a step by its name; raise LookupError if there is none."""
    for step in ALL_STEPS:
        if step.name == name:
            return step(file, pack=pack) if issubclass(step, ColumnStep | DeckStep) else step(file)
    raise LookupError(name)


EVERY: Final = 0.5
"""Seconds between two looks of a step that looks all the time."""
SETTLED: Final = 0.7
"""Seconds that something must lie still to be taken."""
NEW: Final = 0.001
"""The share of the small picture that must differ from what was taken last. A pale threat on a pale mat is no more."""


class LiveStep:
    """Feeds a step with pictures at its own pace."""

    def __init__(self, step: CalibrationStep) -> None:
        self.step = step
        self._rest = Rest(SETTLED)
        self._small: Array | None = None
        self._taken: Array | None = None
        self._looked = -EVERY
        self._told = step.pace is StepPace.ALWAYS

    def tell(self) -> None:
        """Ask for a picture to be taken now."""
        self._told = True

    def due(self, small: Array, at: float) -> bool:
        """Take in a small picture; return whether a full one is to be taken."""
        self._small = np.array(small)
        resting = self._rest.feed(self._small, at)
        if self._told:
            return True
        if self.step.eager:
            return at - self._looked >= EVERY
        return self.step.pace is StepPace.NEW and resting and self._is_new(self._small)

    def take(self, picture: Array, at: float = 0.0) -> list[Note]:
        """Pass a full picture to the step."""
        self._told, self._looked, self._taken = False, at, self._small
        return self.step.see(picture)

    def _is_new(self, small: Array) -> bool:
        before = self._taken
        if before is None or before.shape != small.shape:
            return True
        return cv2.countNonZero(difference(before, small)) > NEW * small.size


ABANDONED: Final = 90.0
"""Seconds without anybody at the page after which the table is watched again."""
STEPS: Final = NAMES


class Guide:
    """One calibration at a time. The vision thread brings pictures, a page's thread answers: a lock is between them."""

    why: str = Hint("calibrating", "The camera is being calibrated: close the page /calibrate to go on.")
    resting = True

    def __init__(
        self,
        path: Path,
        changed: Callable[[], None],
        camera: Callable[[], object] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`changed` is called when vision has to be chosen anew: a step was opened, or all is closed.

        `camera` is what the pictures come from; where it has `Controls`, its light is locked.
        """
        self._camera = camera
        self._file = ProfileFile(path)
        self._changed = changed
        self._clock = clock
        self._lock = threading.RLock()
        self._live: LiveStep | None = None
        self._notes: list[Note] = []
        self._asked = clock()

    @property
    def is_open(self) -> bool:
        return self._live is not None

    # --- the page -----------------------------------------------------------------------------------------------------

    def view(self) -> dict[str, object]:
        with self._lock:
            self._asked = self._clock()
            view: dict[str, object] = {
                "open": "",
                "steps": [{"name": name, "done": self._done(name)} for name in STEPS],
            }
            view |= {"profile": self._file.path.name, "notes": [note.as_json() for note in self._notes]}
            return view | self._shown(self._live.step) if self._live is not None else view

    def _shown(self, step: CalibrationStep) -> dict[str, object]:
        notes = self._notes or step.notes
        try:
            shown: dict[str, object] = {"progress": list(step.progress), "details": step.details(), "ready": step.ready}
        except StepError as error:
            notes, shown = list(error.notes), {"progress": [0, 1], "details": {}, "ready": False}
        return shown | {
            "open": step.name,
            "pace": step.pace.value,
            "keeps": not step.saves_itself and step.pace is not StepPace.ALWAYS and step.name != "check",
            "notes": [note.as_json() for note in notes],
        }

    def act(self, step: str, action: str, fields: Mapping[str, str]) -> None:
        """Do what somebody asked of a step."""
        if step not in STEPS:
            raise Refusal("no_such_step", None, f"There is no step {step[:40]!r}.", steps=list(STEPS))
        with self._lock:
            self._asked, self._notes = self._clock(), []
            try:
                self._act(step, action, fields)
            except StepError as error:
                self._notes = list(error.notes)

    def _act(self, name: str, action: str, fields: Mapping[str, str]) -> None:
        if action == "open":
            self._open(step_of(name, self._file, "" if name == DeckStep.name else "standard"))
            return
        if action == "close":
            self._close()
            return
        live = self._live
        if live is None or live.step.name != name:
            raise Refusal("step_closed", None, "That step is not open: open it first.", step=name)
        if action == "take":
            live.tell()
        elif action == "keep":
            self._notes = [*live.step.keep(), fine("kept", file=self._file.path.name)]
        elif action == "deck" and isinstance(live.step, CardStep):
            pack = fields.get("pack", "")
            self._file.know(cards_of(corrected_pack(pack, overlay_beside(pack, self._file.folder))))
            if isinstance(live.step, DeckStep):
                live.step.pack = pack
        else:
            live.step.act(action, fields)

    def _open(self, step: CalibrationStep) -> None:
        self._leave()
        camera = self._camera()
        step.controls = camera if isinstance(camera, Controls) else None
        self._live = LiveStep(step)
        self._changed()

    def _leave(self) -> None:
        if self._live is not None:
            self._live.step.leave()

    def _close(self) -> None:
        self._leave()
        self._live = None
        self._changed()

    def _done(self, name: str) -> bool:
        """Return whether the profile has what a step finds; checking is never over."""
        try:
            raw = self._file.raw()
        except StepError:
            return False
        camera, figures = raw.get("camera", {}), raw.get("figures", {})
        if name in {"cards", "deck"}:
            return any(one.get("art") for one in raw.get("cards", {}).values())
        if name == "columns":
            return is_written(self._file.folder)
        found = {"aim": "locked" in camera, "lens": "lens" in camera, "table": "stands" in camera}
        return found.get(name, name == "colours" and "measured" in figures)

    def show(self, content: bytes) -> None:
        """Pass a photo that somebody sent to the open step, which looks at it as at the camera's picture."""
        photo = cv2.imdecode(np.frombuffer(content, dtype=np.uint8), cv2.IMREAD_COLOR) if content else None
        if photo is None:
            raise Refusal("no_photo", None, "That is no photo that can be read: send a JPEG or PNG file.")
        with self._lock:
            if not isinstance(self._live and self._live.step, DeckStep):
                raise Refusal("step_closed", None, "That step is not open: open it first.", step=DeckStep.name)
            self.read(photo)

    # --- the eye ------------------------------------------------------------------------------------------------------

    def due(self, small: Array, at: float) -> bool:
        """Take in a small picture; return whether the open step wants a full one."""
        with self._lock:
            if self._live is not None and self._clock() - self._asked > ABANDONED:
                self._close()
            return self._live is not None and self._live.due(luma(small), at)

    def read(self, full: Array, *, whole: bool = False) -> Reading:
        """Pass a full picture to the open step. The reading says nothing of the game meanwhile."""
        del whole
        with self._lock:
            if self._live is not None:
                self._notes = []
                try:
                    self._live.take(full, self._clock())
                except StepError as error:
                    self._notes = list(error.notes)
        return Reading(table="lost")

    def jpeg(self, full: Array, *, drawn: bool) -> bytes:
        """Return the picture for the page, with what the step found drawn in."""
        with self._lock:
            marks = self._live.step.marks if self._live is not None and drawn else []
        return jpeg(drawing(full, marks))

    def cut(self, full: Array, place: str) -> bytes:
        """Return the whole picture: while a step is open no game is looked at."""
        del place
        return self.jpeg(full, drawn=False)
