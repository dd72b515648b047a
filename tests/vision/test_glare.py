import numpy as np

from companion.vision.camera.top_view import ViewFrame
from companion.vision.places import MatSpace
from companion.vision.scene.light import glares

FRAME = ViewFrame(left=0.0, far=100.0, width=100, height=100, scale=1.0)
SPACES = [MatSpace("1:R1a", "1:R1", 25.0, 50.0), MatSpace("1:R1b", "1:R1", 75.0, 50.0)]


def lit():
    seen = np.full((100, 100, 3), 0.4, dtype=np.float32)
    seen[:, 50:] = 0.95
    return seen


def test_only_what_is_white_with_light_is_told():
    assert glares(lit(), SPACES, FRAME) == {"1:R1b": 1.0}


def test_a_figure_in_the_white_leaves_a_share_of_it():
    seen = lit()
    seen[42:58, 67:83] = (0.1, 0.5, 0.6)
    assert 0.5 < glares(seen, SPACES, FRAME)["1:R1b"] < 0.85


def test_one_bright_colour_is_no_white():
    seen = lit()
    seen[..., 0] = 0.1
    assert glares(seen, SPACES, FRAME) == {}


def test_a_space_outside_the_view_is_not_white():
    assert glares(lit(), [MatSpace("1:R2a", "1:R2", 300.0, 50.0)], FRAME) == {}
