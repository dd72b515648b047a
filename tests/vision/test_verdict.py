"""How likely a figure must be to be reported: fingers and cards look like figures too."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.figures.crops import AS_SEEN, LAYERS, likeness_of_card
from companion.vision.figures.figure_finder import Candidate
from companion.vision.figures.verdict import FigureVerdict
from companion.vision.places import MatSpace

SPACE = MatSpace("2:R1a", "2:R1", 0.0, 0.0)
CANDIDATE = Candidate(SPACE, 0, 0, (0.0, 0.0), 300.0, 300.0, 0.0, 1.0, 90.0, 0.0, 0.0, 0.0, 0.0, (0, 0))
FREE = FigureVerdict(CANDIDATE, figure=0.85, pose=0.95, lying=False, covered=0.0, unseen=0.0)


@pytest.mark.parametrize(
    ("change", "sure"),
    [
        ({}, True),
        ({"figure": 0.7}, True),
        ({"figure": 0.55}, False),
        ({"hand": True}, True),
        ({"hand": True, "figure": 0.75}, False),
        ({"hand": True, "covered": 0.3}, False),
        ({"hand": True, "covered": 0.3, "figure": 0.95}, True),
        ({"covered": 0.3}, True),
        ({"covered": 0.7, "figure": 0.72}, False),
        ({"unseen": 0.6, "figure": 0.72}, False),
        ({"unseen": 0.6, "figure": 0.72, "hand": True}, False),
        ({"unseen": 0.6}, True),
        ({"covered": 0.3, "pose": 0.8}, False),
        ({"pose": 0.8}, True),
        ({"pose": 0.6}, False),
        ({"on_card": True, "figure": 0.95}, False),
        ({"on_card": True, "figure": 0.99}, True),
    ],
)
def test_what_is_touched_beside_a_hand_or_like_its_card_must_be_likelier(change, sure):
    assert replace(FREE, **change).sure is sure


def disc(radius=12):
    return cv2.circle(np.zeros((48, 48), dtype=np.uint8), (24, 24), radius, 255, -1)


def crop_of(card, above):
    """Return a crop with the odds of a figure in its middle: what the card would show there, and what is seen."""
    found = np.zeros((48, 48, LAYERS), dtype=np.uint8)
    found[..., 0], found[..., 6:] = disc(), card
    found[..., 3:6] = np.clip(cv2.LUT(above, AS_SEEN), 0, 255)
    return found


def test_a_card_that_is_curled_shows_its_own_picture_and_a_figure_hides_it():
    card = np.full((48, 48, 3), (60, 70, 200), dtype=np.uint8)
    cv2.rectangle(card, (15, 14), (31, 30), (40, 160, 50), -1)
    cv2.circle(card, (30, 32), 5, (20, 200, 220), -1)
    noise = np.random.default_rng(1).integers(0, 12, card.shape, dtype=np.uint8)
    curled = np.roll(card, (2, -2), axis=(0, 1)) // 2 + 90 + noise
    assert likeness_of_card(crop_of(card, curled)) > 0.9
    hidden = card + noise
    cv2.ellipse(hidden, (24, 22), (8, 15), 0, 0, 360, (40, 160, 50), -1)
    cv2.circle(hidden, (22, 12), 6, (90, 210, 110), -1)
    assert likeness_of_card(crop_of(card, hidden)) < 0.77
    assert likeness_of_card(crop_of(np.zeros_like(card), curled)) == 0.0, "nothing is known of the card"
