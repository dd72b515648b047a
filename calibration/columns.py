"""Columns: the owner reads the numbers beside the red-backed rooms; they go into the overlay beside the pack."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from calibration.measures import Locator
from calibration.notes import Note, StepError, fault, fine, hint
from calibration.outline import above
from calibration.profiles import write_whole
from calibration.steps import AMBER, Mark, Step
from companion.cards.faults import PackFaults
from companion.cards.loader import builtin, builtin_names, load_pack
from companion.table.packs import overlay_path

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.cards.pack import Pack
    from companion.vision.arrays import Array

SPACES: Final = 12
NONE: Final = "-"
SMALLEST, LARGEST = 2, 12
COLUMNS: Final = re.compile(r"^columns\s*=\s*\[[^\]]*\][^\n]*\n?", re.MULTILINE)
OVERLAY: Final = "overlay.toml"


def overlay_beside(pack: str, folder: Path) -> Path:
    """Where the corrections of a pack are: beside the pack, or for one of ours in the owner's data `folder`."""
    return overlay_path(folder, pack) if pack in builtin_names() else Path(pack) / OVERLAY


def corrected(pack: str, overlay: Path) -> Pack:
    """The pack with its owner's corrections so far."""
    over = overlay if overlay.exists() else None
    try:
        return builtin(pack, over) if pack in builtin_names() else load_pack(pack, over)
    except PackFaults as faults:
        raise StepError(*(fault("pack_fault", why=str(one)) for one in faults.faults)) from faults
    except OSError as error:
        raise StepError(fault("pack_fault", why=f"{pack}: {error.strerror}")) from error


def parsed(values: list[str]) -> list[int | None]:
    """Twelve numbers from 2 to 12, or `-` where none is printed; every fault is told."""
    found: list[int | None] = []
    faults: list[Note] = []
    for place, value in enumerate(values, start=1):
        text = value.strip()
        if text in ("", NONE):
            found.append(None)
        elif text.isdecimal() and text.isascii() and SMALLEST <= int(text) <= LARGEST:
            found.append(int(text))
        else:
            faults.append(fault("odd_number", place=place, value=text[:20]))
    if len(values) != SPACES:
        faults.append(fault("not_twelve", count=len(values)))
    if faults:
        raise StepError(*faults)
    return found


def write_columns(overlay: Path, pack: str, numbers: list[int | None]) -> None:
    """Put the numbers into the overlay; all else in it stays. Nothing is written that the pack would refuse."""
    before = overlay.read_text(encoding="utf-8") if overlay.exists() else ""
    line = f"columns = [{', '.join(str(n) if n is not None else chr(34) + NONE + chr(34) for n in numbers)}]\n"
    text = COLUMNS.sub(line, before, count=1) if COLUMNS.search(before) else line + ("\n" if before else "") + before
    trial = overlay.with_name(f".{overlay.name}.trial")
    try:
        write_whole(trial, text)
        corrected(pack, trial)
        trial.replace(overlay)
    except OSError as error:
        raise StepError(fault("not_written", file=overlay.name, why=error.strerror or str(error))) from error
    finally:
        trial.unlink(missing_ok=True)


@dataclass
class ColumnStep(Step):
    """Shows the red-backed rooms enlarged, and takes the numbers."""

    pack: str = "standard"
    overlay: Path | None = None
    name: ClassVar[str] = "columns"
    saves_itself: ClassVar[bool] = True
    crops: dict[str, Array] = field(default_factory=dict)
    _kept: bool = False

    @property
    def target(self) -> Path:
        """The overlay that is written."""
        return self.overlay or overlay_beside(self.pack, self.file.folder)

    def _see(self, picture: Array, label: str) -> list[Note]:
        del label
        profile = self.file.profile()
        located = Locator(profile).locate(picture)
        if located.pose is None:
            return [fault("no_table", seen=len(located.tags), of=len(profile.mat_tags))]
        half_x, half_y = profile.card[0] / 2, profile.card[1] / 2
        for slot in (slot for slot in profile.slots if slot.level == 1 and not slot.is_elevator):
            around = [(-half_x, half_y), (half_x, half_y), (half_x, -half_y), (-half_x, -half_y)]
            corners = [(slot.x + dx, slot.y + dy) for dx, dy in around]
            taken = above(picture, located.pose, _array(corners), profile.card, 4.0)
            if taken is not None:
                self.crops[slot.name] = taken
            self.marks.append(Mark(located.pose.project(_array([(*corner, 0.0) for corner in corners])), AMBER))
        return [hint("read_columns")]

    def numbers(self) -> list[int | None]:
        """The numbers as they are now."""
        return list(corrected(self.pack, self.target).columns)

    @property
    def progress(self) -> tuple[int, int]:
        """Done when somebody has confirmed them."""
        return (int(self._kept), 1)

    def act(self, action: str, fields: Mapping[str, str]) -> None:
        """Take the numbers, given as `0` to `11`."""
        if action != "numbers":
            raise StepError(fault("no_such_action", action=action[:40]))
        self.put([fields.get(str(place), "") for place in range(SPACES)])

    def put(self, values: list[str]) -> None:
        """Write the numbers."""
        write_columns(self.target, self.pack, parsed(values))
        self._kept = True
        self.notes = [fine("columns_kept", file=self.target.name)]

    def details(self) -> dict[str, Any]:
        """The numbers and whose they are."""
        return {"pack": self.pack, "numbers": self.numbers()}


def _array(rows: list[Any]) -> Array:
    return np.array(rows, dtype=np.float64)
