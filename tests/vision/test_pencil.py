"""A pencil in a player's colour on the table is no dweller, and takes none away."""

from pathlib import Path

import cv2
import numpy as np
import pytest

FRAMES = Path(__file__).resolve().parent.parent / "frames"
HALF_MM = 3.6
ENDS = (40, -140), (190, -115)


def lay_pencil(picture, pose, ends, paint):
    """Paint a pencil with its lit side, and a shadow beside it, from one place of the table to another (mm)."""
    first, last = np.array(ends, dtype=float)
    along = (last - first) / np.linalg.norm(last - first)
    aside = np.array([-along[1], along[0]]) * HALF_MM
    for shift, wide, shade in (((1.5, -2.5), 1.0, None), ((0, 0), 1.0, 0.75), ((-0.8, 1.0), 0.45, 1.0)):
        ring = np.array([first - aside * wide, last - aside * wide, last + aside * wide, first + aside * wide]) + shift
        points = np.rint(pose.project(np.c_[ring, np.full(4, 4.0 if shade else 0.0)])).astype(np.int32)
        if shade is None:
            mask = cv2.fillConvexPoly(np.zeros(picture.shape[:2], dtype=np.float32), points, 0.35)
            picture = (picture * (1 - mask[..., None])).astype(np.uint8)
        else:
            cv2.fillConvexPoly(picture, points, tuple(part * shade for part in paint), cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("player", ["red", "blue"])
def test_a_pencil_is_no_dweller(frame_eyes, player):
    picture = cv2.imread(str(FRAMES / "std_7003.jpg"))
    before = frame_eyes.look(picture)
    there = {(one.space, one.player) for one in before.reading.dwellers}
    paint = frame_eyes.profile.colours[player][::-1]
    reading = frame_eyes.look(lay_pencil(picture, before.pose, ENDS, paint)).reading
    assert {(one.space, one.player) for one in reading.dwellers} <= there
