"""The course of a calibration: its steps in their order, made for a profile and a pack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from calibration.steps.aim import Aim
from calibration.steps.cards import CardStep
from calibration.steps.check import CheckStep
from calibration.steps.colours import ColourStep
from calibration.steps.columns import ColumnStep
from calibration.steps.lens import LensStep
from calibration.steps.table import TableStep

if TYPE_CHECKING:
    from calibration.profiles import ProfileFile
    from calibration.steps.step import Step

STEPS: Final[tuple[type[Step], ...]] = (Aim, LensStep, TableStep, ColourStep, CardStep, ColumnStep, CheckStep)
NAMES: Final = tuple(step.name for step in STEPS)


def step_of(name: str, file: ProfileFile, pack: str = "standard") -> Step:
    """A step by its name; LookupError if there is none."""
    for step in STEPS:
        if step.name == name:
            return ColumnStep(file, pack=pack) if step is ColumnStep else step(file)
    raise LookupError(name)
