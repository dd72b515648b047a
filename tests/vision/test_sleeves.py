"""A sleeve across the table is smooth and may be as dark as the mat: what it hides is unsure, never empty."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.scene.light import LINEAR, Gain
from companion.vision.scene.mat import is_veiled, mat_under

FRAMES = Path(__file__).resolve().parent.parent / "frames"
HIDDEN = {"4:L3", "4:L2", "4:L1"}
SLEEVE = ((-520, -30), (-44, -30), (-44, -104), (-520, -104))  # mm


def test_the_mat_under_a_sleeve_is_the_mat():
    above = np.full((240, 400, 3), (71, 81, 81), dtype=np.uint8)
    above[100:220, :260] = (52, 97, 59)
    told = mat_under(above, np.ones(above.shape[:2], dtype=bool), Gain(np.ones(above.shape, dtype=np.float32)))
    assert np.abs(told.smooth - LINEAR[above[0, 0]]).max() < 0.01
    assert told.known


def test_too_little_mat_tells_nothing():
    above = np.full((40, 40, 3), 90, dtype=np.uint8)
    assert not mat_under(above, np.zeros((40, 40), dtype=bool), Gain(LINEAR[above])).smooth.any()


def test_a_slot_is_veiled_where_it_is_strange_all_over():
    strange = np.full((20, 20), 0.4)
    strange[:9] = 30.0  # a hand reaches in
    assert not is_veiled(strange)
    assert is_veiled(strange + 1.0)


@pytest.mark.parametrize("hue", [(0.35, 0.9, 0.3), (0.5, 0.35, 0.7)])
def test_what_a_sleeve_hides_is_unsure(frame_eyes, hue):
    picture = cv2.imread(str(FRAMES / "capsule_7006.jpg"))
    before = frame_eyes.look(picture)
    assert len(HIDDEN & set(before.reading.rooms)) > 1
    mat = picture[_pixels(before, [(0.0, -170.0)])[0][::-1]]
    cv2.fillConvexPoly(picture, np.array(_pixels(before, SLEEVE)), tuple(float(value) for value in mat * hue))
    reading = frame_eyes.look(picture).reading
    assert reading.hand
    assert set(reading.unsure) >= HIDDEN
    assert not HIDDEN & set(reading.rooms)


def _pixels(look, places):
    points = look.pose.project(np.array([(*place, 0.0) for place in places]))
    return [tuple(int(value) for value in point) for point in np.rint(points)]


def test_a_card_in_glare_beside_a_tag_of_the_mat_is_no_hand(frame_eyes):
    picture = cv2.imread(str(FRAMES / "std_7002.jpg"))
    before = frame_eyes.look(picture)
    assert not before.reading.hand
    glare = ((-47, -101), (47, -101), (47, -171), (-47, -171))  # the lowest elevator, up to the tag below it
    cv2.fillConvexPoly(picture, np.array(_pixels(before, glare)), (255, 255, 255))
    reading = frame_eyes.look(picture).reading
    assert not reading.hand
    assert "5:E" in reading.unsure
