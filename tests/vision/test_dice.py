import cv2
import numpy as np
import pytest

from companion.vision.camera.pose import Pose
from companion.vision.dice.dice import read_dice

from . import tables, throws

VIEW = tables.camera()
POSE = Pose(VIEW[0], VIEW[1], throws.MATRIX, np.zeros(5), 0.0, 6)
CORNER = (throws.MIDDLE,)


@pytest.fixture(scope="module")
def mat():
    return tables.draw_table({}, view=VIEW)


def values(found):
    return None if found is None else sorted(die.value for die in found)


def side_by_side(first, second, turns=(0.3, 1.1)):
    x, y = throws.MIDDLE
    return [(first, x - 13, y + 2, turns[0]), (second, x + 13, y - 3, turns[1])]


@pytest.mark.parametrize("paint", range(len(throws.PAINTS)))
@pytest.mark.parametrize("first", range(1, 7))
def test_every_face_is_read(mat, first, paint):
    for second in (first, 7 - first):
        found = read_dice(throws.throw(mat, VIEW, side_by_side(first, second), paint), POSE, CORNER)
        assert values(found) == sorted((first, second))
        assert max(abs(die.y - throws.MIDDLE[1]) for die in found) < 6


def test_thrown_anyhow_they_are_right_or_unsure(mat):
    chance = np.random.default_rng(11)
    right = wrong = 0
    for number in range(24):
        dice = throws.random_throw(chance)
        picture = throws.throw(mat, VIEW, dice, number % 3, light=chance.uniform(0.5, 1.0))
        found = read_dice(noisy(picture, chance, 4), POSE, CORNER)
        right += values(found) == sorted(die[0] for die in dice)
        wrong += found is not None and values(found) != sorted(die[0] for die in dice)
    assert wrong == 0
    assert right >= 21


def noisy(picture, chance, by):
    return np.clip(picture + chance.normal(0, by, picture.shape), 0, 255).astype(np.uint8)


def test_an_empty_corner_has_no_dice(mat):
    assert read_dice(mat, POSE, CORNER) == ()
    assert read_dice(mat, POSE, ()) == ()


def test_one_die_three_dice_and_a_corner_out_of_view_are_not_told(mat):
    x, y = throws.MIDDLE
    assert read_dice(throws.throw(mat, VIEW, [(3, x, y, 0.2)]), POSE, CORNER) is None
    three = [(5, x - 20, y, 0.2), (6, x, y + 4, 0.1), (5, x + 20, y, 0.4)]
    assert read_dice(throws.throw(mat, VIEW, three), POSE, CORNER) is None
    assert read_dice(mat, POSE, ((900.0, 0.0),)) is None


def test_a_place_for_each_die(mat):
    x, y = throws.MIDDLE
    picture = throws.throw(mat, VIEW, [(4, x - 60, y, 0.2), (6, x + 30, y, 0.9)])
    assert values(read_dice(picture, POSE, ((x - 60, y), (x + 30, y)))) == [4, 6]


def test_a_place_that_shows_no_ground_is_read_by_its_face(mat):
    x, y = throws.MIDDLE
    picture = throws.throw(mat, VIEW, [(4, x - 60, y, 0.2), (6, x + 30, y, 0.9)], 1)
    assert values(read_dice(picture, POSE, ((x - 60, y), (x + 30, y)), (22, 22))) == [4, 6]


def test_blurred_dice_are_unsure_and_not_guessed(mat):
    for pair in ((6, 6), (5, 3), (2, 4)):
        blurred = cv2.GaussianBlur(throws.throw(mat, VIEW, side_by_side(*pair)), (0, 0), 3)
        assert values(read_dice(blurred, POSE, CORNER)) in (None, [], sorted(pair))
