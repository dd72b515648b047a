"""Where the camera's picture has the pixels of a view: little is kept, and a part is the same as in the whole."""

import cv2
import numpy as np
import pytest

from companion.vision.camera.pose import find_pose
from companion.vision.camera.top_view import part_of, sight_lines

from . import tables


@pytest.fixture(scope="module")
def pose(eyes):
    picture = tables.draw_table({}, view=tables.camera(tilt=20))
    found = find_pose(eyes.finder.find(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)), eyes.profile, tables.SIZE)
    assert found is not None
    return found


@pytest.mark.parametrize("names", [{"1:L3"}, {"3:R1", "4:R2"}, {"5:R3"}, {"2:E", "2:L1", "4:L2"}])
def test_the_lines_of_a_part_are_those_of_the_whole(eyes, pose, names):
    part = part_of(eyes.frame, eyes.profile, [slot for slot in eyes.profile.slots if slot.name in names])
    lines = sight_lines(pose, eyes.frame)
    for whole, cut in zip(lines.maps(), lines.maps(part), strict=True):
        assert np.array_equal(part.cut(whole), cut)


def test_the_lines_meet_the_picture_where_the_pose_says(eyes, pose):
    lines = sight_lines(pose, eyes.frame)
    across, down = lines.maps()
    assert across.shape == (eyes.frame.height, eyes.frame.width)
    for u, v in [(0, 0), (401, 277), (eyes.frame.width - 1, eyes.frame.height - 1)]:
        x, y = eyes.frame.left + u / eyes.frame.scale, eyes.frame.far - v / eyes.frame.scale
        there = pose.project(np.array([[x, y, 0.0]]))[0]
        assert np.hypot(across[v, u] - there[0], down[v, u] - there[1]) < 0.5  # pixels


def test_little_is_kept_of_them(eyes, pose):
    lines = sight_lines(pose, eyes.frame)
    assert lines.knots.nbytes * 100 < sum(one.nbytes for one in lines.maps())
