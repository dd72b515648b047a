import cv2
import numpy as np
import pytest

from calibration.steps.lens import LensStep
from calibration.steps.step import StepError
from tests.vision import tables

from . import scenes

EYES = [(0, -250, 420), (200, -150, 400), (-220, -100, 380), (0, 260, 420), (240, 160, 380), (-200, 200, 420)]
TARGETS = [(0, 0, 0), (60, 30, 0), (-70, -20, 0), (0, 60, 0), (-60, 40, 0), (80, -40, 0)]


@pytest.fixture(scope="module")
def views():
    flat, size = scenes.paper("charuco-board")
    places = zip(EYES, TARGETS, strict=True)
    return [scenes.shown(flat, size, scenes.facing(eye, target), seed=n) for n, (eye, target) in enumerate(places)]


def test_the_printed_board_tells_the_lens(fresh, views, codes):
    step = LensStep(fresh)
    for number, picture in enumerate(views, start=1):
        assert codes(step.see(picture)) == ["board_seen"], number
    assert step.progress == (6, 10)
    assert codes(step.keep())[0] == "lens_found"
    camera = fresh.profile().camera
    assert camera.size == tables.SIZE
    assert abs(camera.matrix[0][0] / tables.FOCAL - 1) < 0.01
    assert abs(camera.matrix[1][1] / tables.FOCAL - 1) < 0.01
    assert np.abs(np.array(camera.matrix)[:2, 2] - np.array(tables.SIZE) / 2).max() < 12


def test_a_part_of_the_board_is_enough(fresh, views, codes):
    picture = views[0].copy()
    picture[:, :500] = 90
    assert codes(LensStep(fresh).see(picture)) == ["board_seen"]


def test_a_board_that_has_not_moved_is_told_and_not_counted(fresh, views, codes):
    step = LensStep(fresh)
    step.see(views[0])
    assert codes(step.see(scenes.noisy(views[0], 7))) == ["same_view"]
    assert step.progress == (1, 10)


def test_too_few_views_are_no_lens(fresh, views):
    step = LensStep(fresh)
    step.see(views[0])
    step.see(views[1])
    assert not step.ready
    with pytest.raises(StepError, match="2 pictures show the board well enough, 3 are needed"):
        step.keep()
    assert not fresh.path.exists()


def test_pictures_of_another_size_are_left_out_and_told(fresh, views, codes):
    step = LensStep(fresh)
    step.see(cv2.resize(views[0], (800, 600)))
    for picture in views:
        step.see(picture)
    assert "other_sizes" in codes(step.keep())
    assert fresh.profile().camera.size == tables.SIZE


def test_a_chessboard_does_as_well(fresh):
    flat = np.kron(np.indices((7, 10)).sum(axis=0) % 2, np.ones((80, 80))).astype(np.uint8) * 220 + 20
    flat = cv2.cvtColor(cv2.copyMakeBorder(flat, 80, 80, 80, 80, cv2.BORDER_CONSTANT, value=240), cv2.COLOR_GRAY2BGR)
    step = LensStep(fresh, any_chessboard=True)
    for number, (eye, target) in enumerate(zip(EYES, TARGETS, strict=True)):
        picture = scenes.shown(flat, (flat.shape[1] / 4, flat.shape[0] / 4), scenes.facing(eye, target), seed=number)
        step.see(picture)
    assert step.chessboard == (9, 6)
    step.keep()
    assert abs(fresh.profile().camera.matrix[0][0] / tables.FOCAL - 1) < 0.01


def test_without_a_board_the_mat_is_good_for_a_guess(fresh, codes):
    step = LensStep(fresh)
    for tilt in (15, 22, 30):
        assert codes(step.see(tables.draw_table({}, view=tables.camera(tilt=tilt)))) == ["mat_instead"]
    assert codes(step.keep()) == ["lens_guessed"]
    assert abs(fresh.profile().camera.matrix[0][0] / tables.FOCAL - 1) < 0.03


def test_a_guess_does_not_take_the_place_of_a_measured_lens(fresh, views):
    step = LensStep(fresh)
    for picture in views:
        step.see(picture)
    step.keep()
    before = fresh.path.read_bytes()
    guess = LensStep(fresh)
    guess.see(tables.draw_table({}))
    with pytest.raises(StepError, match="a guess would be worse"):
        guess.keep()
    assert fresh.path.read_bytes() == before


def test_a_lens_that_is_no_better_than_the_present_one_is_not_taken(file, views, codes):
    """The profile has the very lens that takes the pictures: nothing measured from noise can be better."""
    before = file.path.read_bytes()
    step = LensStep(file)
    for picture in views:
        notes = step.see(picture)
    assert codes(notes) == ["board_seen", "lens_no_better"]
    assert not step.ready
    with pytest.raises(StepError, match="it stays"):
        step.keep()
    guess = LensStep(file)
    guess.see(tables.draw_table({}))
    with pytest.raises(StepError, match="it stays"):
        guess.keep()
    assert file.path.read_bytes() == before


def test_another_lens_than_the_present_one_is_taken(file, views, codes):
    file.change({"camera": {"distortion": [-0.15, 0.05, 0, 0]}})
    step = LensStep(file)
    for picture in views:
        notes = step.see(picture)
    assert codes(notes) == ["board_seen"]
    assert codes(step.keep())[0] == "lens_found"
    assert abs(file.profile().camera.distortion[0]) < 0.03


def test_nothing_in_view_and_nothing_to_see(fresh, codes):
    step = LensStep(fresh)
    assert codes(step.see(np.full((900, 1200, 3), 90, dtype=np.uint8))) == ["no_board"]
    assert codes(step.see(np.zeros((20, 20, 3), dtype=np.uint8))) == ["too_small"]
