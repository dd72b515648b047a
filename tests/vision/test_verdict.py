"""How likely a figure must be to be reported: fingers and cards look like figures too."""

from dataclasses import replace

import pytest

from companion.vision.figures.figure_finder import Candidate
from companion.vision.figures.verdict import FigureVerdict
from companion.vision.places import MatSpace

SPACE = MatSpace("2:R1a", "2:R1", 0.0, 0.0)
CANDIDATE = Candidate(SPACE, 0, 0, (0.0, 0.0), 300.0, 300.0, 0.0, 1.0, 90.0, 0.0, 0.0, 0.0, 0.0, (0, 0))
FREE = FigureVerdict(CANDIDATE, figure=0.65, pose=0.95, lying=False, covered=0.0, unseen=0.0)


@pytest.mark.parametrize(
    ("change", "sure"),
    [
        ({}, True),
        ({"figure": 0.45}, False),
        ({"hand": True}, True),
        ({"hand": True, "figure": 0.55}, False),
        ({"hand": True, "covered": 0.3}, False),
        ({"hand": True, "covered": 0.3, "figure": 0.85}, False),
        ({"hand": True, "covered": 0.3, "figure": 0.95}, True),
        ({"covered": 0.3}, True),
        ({"covered": 0.7}, False),
        ({"unseen": 0.6}, False),
        ({"unseen": 0.6, "hand": True}, False),
        ({"unseen": 0.6, "figure": 0.8}, True),
        ({"covered": 0.3, "pose": 0.8}, False),
        ({"pose": 0.8}, True),
        ({"pose": 0.6}, False),
    ],
)
def test_what_is_touched_or_beside_a_hand_must_be_likelier(change, sure):
    assert replace(FREE, **change).sure is sure
