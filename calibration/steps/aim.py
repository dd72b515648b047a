"""Aim: does the camera see the whole mat, the tracks and the dice corner, sharp, well lit and large enough?"""

from __future__ import annotations

from dataclasses import replace
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
from calibration.steps.lighting import LightStep
from calibration.steps.step import AMBER, GREEN, Mark, Note, NoteLevel, StepPace, fault, fine, hint
from companion.vision.dice.dice import SIDE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.profile import Profile


Pair = tuple[float, float]
TURNS: Final = range(16)
"""Degrees of tilt that may be advised."""
HIGHER: Final = range(1, 41)
"""Centimetres of height that may be advised."""
MOST_TILT: Final = 30.0
SPARE: Final = 0.01
"""Share of the picture's width that should be left at its edges afterwards."""
SIGNS: Final = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) / 2


def notes_beside(pose: Pose, profile: Profile, size: tuple[int, int]) -> list[Note]:
    """Return a note on the tracks, and one on the dice corner, where they are not whole in the picture."""
    strips, corner = (
        bool(len(points)) and not inside(pose.project(points), size).all()
        for points in (strips_of(profile), corner_of(profile))
    )
    notes = [_about_strips(remedy(pose, profile, size))] if strips else []
    return [*notes, hint("corner_outside")] if corner else notes


def _about_strips(way: tuple[int, int] | None) -> Note:
    if way is None:
        return hint("strips_outside")
    degrees, cm = way
    return hint("strips_higher", cm=cm) if cm else hint("strips_tilt", degrees=degrees)


def strips_of(profile: Profile) -> Array:
    """Return the corners of all places of the tracks."""
    return _rings((middle for row in profile.tracks.values() for middle in row), profile.card)


def corner_of(profile: Profile) -> Array:
    """Return the corners of where dice are thrown, at the height of their upper faces."""
    return _rings(profile.dice, profile.dice_size, SIDE)


def _rings(middles: Iterable[Pair], size: Pair, height: float = 0.0) -> Array:
    flat = np.array([SIGNS * size + middle for middle in middles]).reshape(-1, 2)
    return np.asarray(np.c_[flat, np.full(len(flat), height)])


def remedy(pose: Pose, profile: Profile, size: tuple[int, int]) -> tuple[int, int] | None:
    """Return the least change that would show everything: degrees of tilt towards the tracks, and centimetres higher.

    Tilt alone, if that will do; None if nothing within reach does.
    """
    tags = _rings((tag.centre for tag in profile.mat_tags), (max(tag.size for tag in profile.mat_tags),) * 2)
    rooms = _rings(((slot.x, slot.y) for slot in profile.slots), profile.card)
    points = np.vstack([tags, rooms, strips_of(profile), corner_of(profile)])
    towards = -1 if pose.project(strips_of(profile))[:, 1].mean() < size[1] / 2 else 1
    for cm in (0, *HIGHER):
        for degrees in TURNS:
            moved = _moved(pose, degrees * towards, cm)
            if tilt_of(moved) <= MOST_TILT and inside(moved.project(points), size, SPARE * size[0]).all():
                return degrees, cm
    return None


def _moved(pose: Pose, degrees: float, cm: float) -> Pose:
    """Return the pose of the camera tilted in place, and raised."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    rotation = np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]]) @ pose.rotation
    return replace(pose, rotation=rotation, shift=-rotation @ (pose.eye + np.array([0, 0, 10 * cm])))


BLURRED, SOFT = 1.9, 1.4  # pixels an edge is wide
DARK, BRIGHT = 90, 250  # what white paper should lie between
DAZZLING: Final = 0.01
STEEP, STEEPEST = 35.0, 50.0  # degrees
TAG_PX, LEAST_TAG_PX = 24.0, 15.0  # a card's sticker


class Aim(LightStep):
    """Looks at every picture; on request it locks the light that the camera has found."""

    name: ClassVar[str] = "aim"
    pace: ClassVar[StepPace] = StepPace.ALWAYS

    def _see(self, picture: Array, label: str) -> list[Note]:
        del label
        locator = Locator(self.file.profile())
        located = locator.locate(picture)
        self.marks = mat_marks(located, locator.profile)
        light = self.light_notes(picture, located)
        if self.found:
            self.file.change({"camera": {"locked": self.found}})
        return [*light, *notes_on(picture, located, locator.profile)]

    @property
    def progress(self) -> tuple[int, int]:
        """Done when nothing stands in the way."""
        seen = bool(self.notes) and all(note.level is not NoteLevel.FAULT for note in self.notes)
        return (int(seen), 1)


def notes_on(picture: Array, located: Located, profile: Profile) -> list[Note]:
    """Return every note on how the camera is aimed."""
    if grey_of(picture).max() < DARK / 3:
        return [fault("black")]
    mat = located.seen(tag.id for tag in profile.mat_tags)
    around = patches(picture, mat)
    notes = [*_sharpness(picture, around), *_light(picture, around)]
    if located.pose is None:
        return [fault("no_table", seen=len(mat), of=len(profile.mat_tags)), *notes]
    beside = notes_beside(located.pose, profile, located.size)
    if located.other_lens is not None:
        beside.append(hint("lens_differs", **lens_seen(located, profile)))
    return [*_in_view(located, located.pose, profile), *beside, *_angle(located.pose, profile), *notes]


def lens_seen(located: Located, profile: Profile) -> dict[str, object]:
    """Return what a note on another lens tells: both focal lengths and both pictures' sizes, in pixels."""
    width, height = profile.camera.size
    return {
        "focal": round(located.other_lens or 0.0),
        "known": round(profile.camera.matrix[0][0]),
        "size": f"{located.size[0]}x{located.size[1]}",
        "known_size": f"{width}x{height}",
    }


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
    """Return marks for the mat's tags as they were seen, and an outline of the slots."""
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
