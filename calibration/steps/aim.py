"""Aim: does the camera see the whole mat, sharp, well lit and large enough?"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np

from calibration.measuring.measures import (
    Located,
    Locator,
    blur_of,
    dazzled_share,
    grey_of,
    inside,
    patches,
    scale_at,
    tilt_of,
    white_of,
)
from calibration.notes import Level, Note, fault, fine, hint
from calibration.steps.beside import notes_beside
from calibration.steps.lighting import LitStep
from calibration.steps.step import AMBER, GREEN, Mark, Pace

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.profile import Profile

BLURRED, SOFT = 1.9, 1.4  # pixels an edge is wide
DARK, BRIGHT = 90, 250  # what white paper should lie between
DAZZLING: Final = 0.01
STEEP, STEEPEST = 35.0, 50.0  # degrees
TAG_PX, LEAST_TAG_PX = 24.0, 15.0  # a card's sticker


class Aim(LitStep):
    """Looks at every picture; when somebody says so, what the camera has found for its light is held and kept."""

    name: ClassVar[str] = "aim"
    pace: ClassVar[Pace] = Pace.ALWAYS

    def _see(self, picture: Array, label: str) -> list[Note]:
        del label
        locator = Locator(self.file.profile())
        located = locator.locate(picture)
        self.marks = mat_marks(located, locator.profile)
        light = self.lit(picture, located)
        if self.found:
            self.file.change({"camera": {"locked": self.found}})
        return [*light, *notes_on(picture, located, locator.profile)]

    @property
    def progress(self) -> tuple[int, int]:
        """Done when nothing stands in the way."""
        seen = bool(self.notes) and all(note.level is not Level.FAULT for note in self.notes)
        return (int(seen), 1)


def notes_on(picture: Array, located: Located, profile: Profile) -> list[Note]:
    """Everything there is to say about how the camera is aimed."""
    if grey_of(picture).max() < DARK / 3:
        return [fault("black")]
    mat = located.seen(tag.id for tag in profile.mat_tags)
    around = patches(picture, mat)
    notes = [*_sharpness(picture, around), *_light(picture, around)]
    if located.pose is None:
        return [fault("no_table", seen=len(mat), of=len(profile.mat_tags)), *notes]
    beside = notes_beside(located.pose, profile, located.size)
    return [*_in_view(located, located.pose, profile), *beside, *_angle(located.pose, profile), *notes]


def _sharpness(picture: Array, around: list[Array]) -> list[Note]:
    blur = blur_of(around or [grey_of(picture)[::2, ::2]])
    if blur is None:
        return []
    if blur > BLURRED:
        return [fault("blurred", px=round(blur, 1))]
    return [hint("soft", px=round(blur, 1)) if blur > SOFT else fine("sharp", px=round(blur, 1))]


def _light(picture: Array, around: list[Array]) -> list[Note]:
    white, dazzled = white_of(around), dazzled_share(picture[::4, ::4])
    notes = [hint("dazzled", percent=round(100 * dazzled, 1))] if dazzled > DAZZLING else []
    if white is None:
        return notes
    if white < DARK:
        return [fault("dark", level=round(white)), *notes]
    return [hint("bright", level=round(white)) if white > BRIGHT else fine("well_lit", level=round(white)), *notes]


def _in_view(located: Located, pose: Pose, profile: Profile) -> list[Note]:
    seen = {tag.id for tag in located.tags}
    missing = [tag for tag in profile.mat_tags if tag.id not in seen]
    half_x, half_y = profile.card[0] / 2, profile.card[1] / 2
    corners = [(s.x + dx, s.y + dy, 0) for s in profile.slots for dx in (-half_x, half_x) for dy in (-half_y, half_y)]
    shown = inside(pose.project(np.array(corners, dtype=float)), located.size)
    notes = [] if shown.all() else [fault("cut_off", percent=round(100 * float(1 - shown.mean())))]
    spots = [pose.project(np.array([[*tag.centre, 0.0]]))[0] for tag in missing]
    hidden = [tag.id for tag, spot in zip(missing, spots, strict=True) if inside(spot, located.size)]
    if hidden:
        notes.append(hint("covered", tags=", ".join(map(str, hidden))))
    return notes or [fine("in_view", tags=len(profile.mat_tags))]


def _angle(pose: Pose, profile: Profile) -> list[Note]:
    tilt = round(tilt_of(pose))
    smallest = min(scale_at(pose, slot.x, slot.y) for slot in profile.slots) * profile.card_tag
    notes = [fine("tilt", degrees=tilt) if tilt <= STEEP else hint("steep", degrees=tilt)]
    if tilt > STEEPEST:
        notes = [fault("steep", degrees=tilt)]
    if smallest < TAG_PX:
        notes.append((fault if smallest < LEAST_TAG_PX else hint)("far", px=round(smallest)))
    return [*notes, fine("height", cm=round(float(pose.eye[2]) / 10))]


def mat_marks(located: Located, profile: Profile) -> list[Mark]:
    """The mat's tags as they were seen, and an outline of the slots."""
    wanted = {tag.id for tag in profile.mat_tags}
    marks = [Mark(tag.corners, GREEN, str(tag.id)) for tag in located.tags if tag.id in wanted]
    if located.pose is not None:
        half_x, half_y = profile.card[0] / 2, profile.card[1] / 2
        left, right = (side(slot.x for slot in profile.slots) for side in (min, max))
        near, far = (side(slot.y for slot in profile.slots) for side in (min, max))
        left, right, near, far = left - half_x, right + half_x, near - half_y, far + half_y
        ring = np.array([[left, far, 0], [right, far, 0], [right, near, 0], [left, near, 0]])
        marks.append(Mark(located.pose.project(ring), AMBER if len(marks) < len(wanted) else GREEN))
    return marks
