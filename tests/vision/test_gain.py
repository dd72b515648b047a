"""The light on a view is made row by row: the same light as of the whole view at once."""

import cv2
import numpy as np

from companion.vision.scene.light import Gain, Surroundings

WIDE, HIGH = 203, 101
GRID = np.random.default_rng(3).uniform(0.4, 1.6, (5, 7, 3)).astype(np.float32)
BEND = np.array([[6 / WIDE, 0.0, -0.1], [0.0, 4 / HIGH, 0.2]])
DRAWN = Gain.between(GRID, BEND, (WIDE, HIGH))
FLAGS = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
WHOLE = cv2.warpAffine(GRID, BEND, (WIDE, HIGH), flags=FLAGS, borderMode=cv2.BORDER_REPLICATE)


def test_rows_and_pixels_are_those_of_the_whole_view():
    for rows in (slice(0, 24), slice(70, HIGH), slice(40, 400)):
        assert np.allclose(DRAWN.rows(rows), WHOLE[rows], atol=1e-5)
    for row, column in ((0, 0), (57, 120), (HIGH - 1, WIDE - 1)):
        assert np.allclose(DRAWN.at(row, column), WHOLE[row, column], atol=1e-5)
    assert np.allclose(DRAWN.at(-5, WIDE + 9), WHOLE[0, -1], atol=1e-5), "beyond the view the nearest"


def test_what_is_kept_of_it_is_what_would_be_kept_of_the_whole():
    assert np.allclose(DRAWN.every(4, 2), WHOLE[2::4, 2::4], atol=1e-5)
    small = Surroundings.small(WHOLE, DRAWN, mat_known=True)
    assert np.allclose(small.gain, small.mat, atol=1e-5)
    assert small.gain.shape == (HIGH // 4, WIDE // 4, 3)


def test_light_that_is_there_already_is_taken_as_it_is():
    there = Gain(WHOLE)
    assert np.array_equal(there.whole(), WHOLE)
    assert np.array_equal(there.every(4, 2), WHOLE[2::4, 2::4])
    assert np.array_equal(there.at(57, 120), WHOLE[57, 120])
    assert np.array_equal(there.thinned(), Surroundings.small(WHOLE, there, mat_known=True).mat)
