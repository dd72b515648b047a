import numpy as np

from calibration.steps.colours import better
from companion.vision.arrays import linear

PAINTS = {"red": (176, 30, 36), "blue": (36, 82, 158)}
PAPER = np.full((50, 3), 0.87)


def seen(paints):
    """The pixels of a figure of each colour, some in the light and some in shadow."""
    shades = np.linspace(0.4, 0.9, 60)[:, None]
    return {player: shades * linear(np.array(rgb[::-1])) for player, rgb in paints.items()}


def test_colours_that_are_no_better_than_the_present_ones_are_not_taken():
    measured = {"red": (160, 42, 50), "blue": (50, 88, 150)}
    assert better(measured, PAINTS, seen(PAINTS), PAPER)[0] == set()
    assert better(PAINTS, PAINTS, seen(PAINTS), PAPER) == (set(), set())


def test_colours_that_fit_better_than_the_present_ones_are_taken():
    strange = {"red": (200, 90, 120), "blue": (90, 160, 190)}
    assert better(strange, PAINTS, seen(strange), PAPER) == ({"red", "blue"}, set())


OFF = {"red": (120, 60, 80), "blue": PAINTS["blue"]}


def test_only_the_colour_that_names_its_figures_worse_is_refused():
    measured = {"red": (168, 36, 42), "blue": (150, 60, 90)}
    assert better(measured, OFF, seen(PAINTS), PAPER) == ({"red"}, {"blue"})


def test_a_colour_that_takes_paper_for_a_figure_is_refused():
    measured = {"red": (168, 36, 42), "blue": (222, 222, 224)}
    assert better(measured, OFF, seen(PAINTS), PAPER) == ({"red"}, {"blue"})


def test_a_colour_that_nothing_is_known_of_is_taken():
    assert better({"blue": PAINTS["blue"]}, {"red": PAINTS["red"]}, seen(PAINTS), PAPER) == ({"blue"}, set())
