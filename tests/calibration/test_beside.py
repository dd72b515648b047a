"""The strips of the tracks and the corner for dice: whether the camera sees them, and what to do."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.steps.aim import Aim, notes_beside
from calibration.steps.mat_position import TableStep
from calibration.steps.step import NoteLevel
from companion.pieces.sheets.printed_profile import profile_of, table_of_mat
from companion.vision.camera.pose import Pose
from companion.vision.profile import parse_profile
from tests.vision import tables

from . import scenes

WIDE = (2304, 1296), 66.0
SQUARER = (1600, 1200), 59.0
TURNED = np.diag([-1.0, -1.0, 1.0])


@pytest.fixture(scope="module")
def ours():
    return parse_profile(profile_of([]), Path())


def above(eye, camera=WIDE, *, target=(0.0, 0.0, 0.0)):
    """A camera that looks at the mat; one behind its far edge sees it upside down."""
    size, angle = camera
    rotation, shift = scenes.facing(eye, target)
    if eye[1] > target[1]:
        rotation, shift = TURNED @ rotation, TURNED @ shift
    focal = size[0] / 2 / np.tan(np.radians(angle / 2))
    matrix = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1]])
    return Pose(rotation, shift, matrix, np.zeros(5), 0.3, 6), size


def told(pose, size, profile):
    return [(note.code, note.fields) for note in notes_beside(pose, profile, size)]


@pytest.mark.parametrize(
    ("eye", "camera"),
    [((0, -250, 700), WIDE), ((0, 0, 700), SQUARER), ((0, 255, 700), SQUARER)],
)
def test_a_camera_that_sees_all_is_told_nothing(ours, eye, camera):
    pose, size = above(eye, camera)
    assert told(pose, size, ours) == []


@pytest.mark.parametrize("eye", [(0, 255, 700), (0, -110, 700)])
def test_a_wide_picture_needs_a_little_tilt(ours, eye):
    """Whether the camera stands behind the far edge or on the players' side; done as told, all is seen."""
    pose, size = above(eye)
    [(code, fields)] = told(pose, size, ours)
    assert (code, fields["degrees"] <= 5) == ("strips_tilt", True)
    ahead = np.arctan2(-eye[1], eye[2]) + np.radians(fields["degrees"])
    pose, size = above(eye, target=(0.0, eye[1] + eye[2] * np.tan(ahead), 0.0))
    assert told(pose, size, ours) == []


def test_a_camera_that_hangs_too_low_is_told_how_much_higher(ours):
    pose, size = above((0, 0, 600))
    [(code, fields)] = told(pose, size, ours)
    assert code == "strips_higher"
    assert 5 <= fields["cm"] <= 15


def test_what_no_tilt_and_no_height_within_reach_would_show_is_said_too(ours):
    pose, size = above((0, 0, 250))
    assert told(pose, size, ours) == [("strips_outside", {}), ("corner_outside", {})]


def test_a_table_without_strips_misses_none(ours):
    pose, size = above((0, 0, 600))
    assert told(pose, size, replace(ours, tracks={}, dice=())) == []


def test_aiming_says_it_and_the_mat_keeps_it_for_the_doctor(file):
    raw = file.raw()
    raw["table"] |= {key: table_of_mat()[key] for key in ("tracks", "dice", "dice_size")}
    file.path.write_text(json.dumps(raw))
    picture = tables.draw_table({}, view=scenes.facing((0, -120, 700), (0, -60, 0)))
    step = Aim(file)
    note = next(note for note in step.see(picture) if note.code.startswith("strips_"))
    assert note.level is NoteLevel.HINT
    assert "tilt the camera by" in note.text
    assert step.progress == (1, 1), "the game goes without"
    mat = TableStep(file)
    mat.see(picture)
    mat.keep()
    assert file.raw()["camera"]["stands"]["outside"] == [{"code": note.code, **note.fields}]
