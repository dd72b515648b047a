"""What belongs to the table beside the vault: the strips of the tracks and the corner for dice, and who sees them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from calibration.measuring.measures import inside, tilt_of
from calibration.notes import Note, hint
from companion.vision.dice.dice import SIDE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.profile import Profile

Pair = tuple[float, float]
TURNS: Final = range(16)
"""Degrees that a camera may be told to be tilted by."""
HIGHER: Final = range(1, 41)
"""Centimetres that it may be told to go up."""
MOST_TILT: Final = 30.0
SPARE: Final = 0.01
"""Of the picture's width: how far from its edge everything should be afterwards."""
SIGNS: Final = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) / 2


def notes_beside(pose: Pose, profile: Profile, size: tuple[int, int]) -> list[Note]:
    """A line for the strips, and one for the corner, where they are not whole in the picture."""
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
    """The corners of all places of the tracks."""
    return _rings((middle for row in profile.tracks.values() for middle in row), profile.card)


def corner_of(profile: Profile) -> Array:
    """The corners of where dice are thrown, at the height that they are read at."""
    return _rings(profile.dice, profile.dice_size, SIDE)


def _rings(middles: Iterable[Pair], size: Pair, height: float = 0.0) -> Array:
    flat = np.array([SIGNS * size + middle for middle in middles]).reshape(-1, 2)
    return np.asarray(np.c_[flat, np.full(len(flat), height)])


def remedy(pose: Pose, profile: Profile, size: tuple[int, int]) -> tuple[int, int] | None:
    """The least that would show everything: degrees of tilt towards the strips, and centimetres higher.

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
    """The camera tilted where it is, and higher above its place."""
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    rotation = np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]]) @ pose.rotation
    return replace(pose, rotation=rotation, shift=-rotation @ (pose.eye + np.array([0, 0, 10 * cm])))
