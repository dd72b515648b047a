"""A sticker that no square was found for is read where it should be; a threat's, laid askew, a little farther away."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.camera.pose import Pose
from companion.vision.cards.placing import learn_stickers
from companion.vision.cards.reread import Rereader
from companion.vision.cards.tags import TagFinder
from companion.vision.profile import load_profile

from . import tables

PROFILE = load_profile(Path(__file__).resolve().parent.parent / "frames" / "profile.json")
THREAT = next(card for card in PROFILE.cards.values() if card.kind == "threat")
SLOT = next(slot for slot in PROFILE.slots if slot.name == "3:R1")
STICKERS = learn_stickers([], PROFILE)
SIZE, FOCAL, HEIGHT = (1600, 1200), 1400.0, 700.0
ABOVE = Pose(
    rotation=np.diag([1.0, -1.0, -1.0]),
    shift=np.array([0.0, 0.0, HEIGHT]),
    matrix=np.array([[FOCAL, 0, SIZE[0] / 2], [0, FOCAL, SIZE[1] / 2], [0, 0, 1]]),
    distortion=np.zeros(4),
    error=0.0,
    tags=6,
)


def picture_of(off, turn):
    """Draw the sticker of a threat on 3:R1b, moved (mm) and turned (radians to the left) about its own middle."""
    x = SLOT.x + PROFILE.space_offsets["b"][0] + STICKERS.threat[0] + off[0]
    y = SLOT.y - (PROFILE.card[1] - PROFILE.threat[1]) / 2 + STICKERS.threat[1] + off[1]
    paper = cv2.cvtColor(tables.tag(THREAT.tags[0], STICKERS.size), cv2.COLOR_BGR2GRAY)
    half = STICKERS.size * 1.25 / 2
    spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    around = np.array([[-half, half], [half, half], [half, -half], [-half, -half]]) @ spin.T + (x, y)
    corners = ABOVE.project(np.c_[around, np.zeros(4)]).astype(np.float32)
    side = paper.shape[0]
    flat = np.array([[0, 0], [side, 0], [side, side], [0, side]], dtype=np.float32) - 0.5
    bend = cv2.getPerspectiveTransform(flat, corners)
    grey = cv2.warpPerspective(paper, bend, SIZE, flags=cv2.INTER_AREA, borderValue=90)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), 1.2))


def read(grey, *, askew):
    ids = tuple(PROFILE.card_of_tag())
    reader = Rereader(PROFILE, TagFinder(PROFILE.dictionary, ids))
    return reader.threat(grey, ABOVE, SLOT, "b", STICKERS, askew=askew)


def test_a_sticker_in_its_place_is_read():
    found = read(picture_of((2.0, -1.0), 0.05), askew=False)
    assert found is not None
    assert found.sure
    assert found.tag.id == THREAT.tags[0]


@pytest.mark.parametrize(("off", "turn"), [((-8.0, 1.0), 0.19), ((7.0, -6.0), -0.19)])
def test_a_sticker_far_from_its_place_is_read_where_one_is_missed(off, turn):
    grey = picture_of(off, turn)
    near = read(grey, askew=False)
    assert near is None or not near.sure
    found = read(grey, askew=True)
    assert found is not None
    assert found.sure
    assert found.tag.id == THREAT.tags[0]


def test_noise_is_no_sticker_wherever_it_is_sought():
    noise = np.random.default_rng(4).integers(0, 255, SIZE[::-1], dtype=np.uint8)
    found = read(np.asarray(cv2.GaussianBlur(noise, (0, 0), 2.0)), askew=True)
    assert found is None or not found.sure
