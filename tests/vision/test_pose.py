from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.camera.pose import find_pose
from companion.vision.cards.tags import Tag

from . import tables

CORNERS = np.array([[x, y, 0.0] for x in (-320, 320) for y in (-165, 165)])


def truth(view) -> np.ndarray:
    matrix = np.array([[tables.FOCAL, 0, tables.SIZE[0] / 2], [0, tables.FOCAL, tables.SIZE[1] / 2], [0, 0, 1]])
    return cv2.projectPoints(CORNERS, cv2.Rodrigues(view[0])[0], view[1], matrix, None)[0].reshape(-1, 2)


def seen(eyes, picture):
    return eyes.finder.find(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))


@pytest.mark.parametrize("tilt", [8, 20, 30])
def test_the_pose_is_found(eyes, tilt):
    view = tables.camera(tilt=tilt)
    picture = tables.draw_table({}, view=view)
    pose = find_pose(seen(eyes, picture), eyes.profile, tables.SIZE)
    assert pose is not None
    assert np.abs(pose.project(CORNERS) - truth(view)).max() < 1.5


@pytest.mark.parametrize(
    "lens",
    [
        [-0.2, 0.05, 0.001, 0.001],
        [0.3, 0.1, 0, 0, 0.02, 0.9, 0.3, 0.1],
        [-0.2, 0, 0, 0, 0, 0, 0, 0, 0.05, -0.02, 0.04, 0.02],
        [-0.2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.06, -0.04],
    ],
    ids=len,
)
def test_every_number_of_a_lens_counts(eyes, lens):
    view = tables.camera()
    bent = np.array(lens, dtype=np.float64)
    matrix = np.array(eyes.profile.camera.matrix)

    def pixels(points):
        return cv2.projectPoints(points, cv2.Rodrigues(view[0])[0], view[1], matrix, bent)[0].reshape(-1, 2)

    tags = []
    for mark in eyes.profile.mat_tags:
        x, y, half = *mark.centre, mark.size / 2
        ring = np.array([(x + half * dx, y + half * dy, 0.0) for dx, dy in ((-1, 1), (1, 1), (1, -1), (-1, -1))])
        tags.append(Tag(mark.id, pixels(ring), drawn=True))
    camera = replace(eyes.profile.camera, distortion=tuple(lens))
    pose = find_pose(tags, replace(eyes.profile, camera=camera), tables.SIZE)
    assert pose is not None
    assert np.abs(pose.project(CORNERS) - pixels(CORNERS)).max() < 0.1


def test_a_covered_mat_tag_does_not_matter(eyes):
    view = tables.camera()
    picture = tables.draw_table({}, view=view, mat_tags=(0, 2, 5))
    pose = find_pose(seen(eyes, picture), eyes.profile, tables.SIZE)
    assert pose is not None
    assert np.abs(pose.project(CORNERS) - truth(view)).max() < 4


def test_the_mat_may_lie_the_other_way_round(eyes):
    turned = tables.draw_table({"2:R1": 3})[::-1, ::-1]
    look = eyes.look(np.ascontiguousarray(turned))
    assert look.reading.rooms["2:R1"].card == "room-03"


def test_another_resolution_of_the_same_camera_is_scaled(eyes):
    small = cv2.resize(tables.draw_table({"2:R1": 3}), (900, 675), interpolation=cv2.INTER_AREA)
    assert eyes.look(small).reading.rooms["2:R1"].card == "room-03"


def test_ground_and_project_are_inverse(eyes):
    pose = find_pose(seen(eyes, tables.draw_table({})), eyes.profile, tables.SIZE)
    assert pose is not None
    assert np.allclose(pose.ground(pose.project(CORNERS)), CORNERS[:, :2], atol=1e-3)


def test_one_tag_is_no_table(eyes):
    assert find_pose(seen(eyes, tables.draw_table({}, mat_tags=(0,))), eyes.profile, tables.SIZE) is None
