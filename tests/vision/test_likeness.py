"""Cards known by their pictures: likeness block by block at every shift, and where exactly a card lies."""

import cv2
import numpy as np
import pytest

from companion.vision.cards.card_match import FLAT, BlockMatcher
from companion.vision.profile import CardProfile
from companion.vision.scene.expected import alignment_steps

SIZE, BLOCKS, REACH = (44, 32), (4, 4), 2
CARDS = [CardProfile(name, "room", (), ()) for name in ("attic", "cellar", "garage")]


def pictures():
    """Three pictures with as much in them as a card has."""
    chance = np.random.default_rng(5)
    rough = chance.integers(0, 255, (len(CARDS), 16, 22, 3), dtype=np.uint8)
    return [np.asarray(cv2.resize(one, SIZE, interpolation=cv2.INTER_LINEAR)) for one in rough]


@pytest.fixture
def album():
    return BlockMatcher(list(zip(CARDS, pictures(), strict=True)), SIZE, BLOCKS, 0.6, halves=True)


def window(picture, right, down):
    """A picture on a table, so many pixels off, in a light of its own."""
    wide = cv2.copyMakeBorder(picture, 9, 9, 9, 9, cv2.BORDER_REFLECT)
    top, left = 9 - REACH - down, 9 - REACH - right
    cut = wide[top : top + SIZE[1] + 2 * REACH, left : left + SIZE[0] + 2 * REACH]
    return np.clip(cut * (0.5, 0.7, 0.6) + (10, 30, 60), 0, 255).astype(np.uint8)


def plainly(seen, page):
    """The likeness of two patches as it is defined: each block of each without its mean colour and of unit length."""
    tall, wide, found = SIZE[1] // BLOCKS[1], SIZE[0] // BLOCKS[0], []
    for row in range(BLOCKS[1]):
        for column in range(BLOCKS[0]):
            part = (slice(row * tall, (row + 1) * tall), slice(column * wide, (column + 1) * wide))
            off = [side[part].astype(float) - side[part].mean(axis=(0, 1)) for side in (seen, page)]
            least = FLAT * np.sqrt(off[0].size) / 2
            one, other = (part / max(np.linalg.norm(part), least) for part in off)
            found.append((one * other).sum())
    return found


@pytest.mark.parametrize(("right", "down"), [(0, 0), (-2, 1), (1, 2), (2, -2)])
def test_a_card_is_found_where_it_lies_in_any_light(album, right, down):
    match = album.compare(window(pictures()[1], right, down), REACH).whole()
    assert int(match.scores.argmax()) == 1
    assert match.scores[1] > 0.98
    assert match.shifts[1].tolist() == [right, down]


def test_likeness_is_what_it_is_by_definition(album):
    seen = window(pictures()[2], 1, 0)
    likes = album.compare(seen, REACH).likes
    for index, (right, down) in enumerate([(-2, -2), (-1, -2), (0, -2)]):
        patch = seen[down + REACH :, right + REACH :][: SIZE[1], : SIZE[0]]
        for number, page in enumerate(pictures()):
            assert np.allclose(likes[:, index, number], plainly(patch, page), atol=1e-4)


def test_half_a_card_is_named_by_that_half(album):
    seen = window(pictures()[0], 0, 0)
    seen[:, : SIZE[0] // 2 + REACH] = np.random.default_rng(1).integers(0, 255, (1, 1, 3))
    whole, (left, right) = album.compare(seen, REACH).whole(), album.compare(seen, REACH).halves()
    assert right.scores[0] > 0.98 > whole.scores[0] > left.scores[0]


def test_what_glare_has_swallowed_is_like_nothing(album):
    seen = window(pictures()[0], 0, 0)
    seen[2:] = 255
    assert not album.compare(seen, REACH).likes.any()


@pytest.mark.parametrize("inset", [0, 4])
def test_a_card_is_moved_to_where_its_picture_fits_also_at_the_edge_of_its_window(inset):
    chance = np.random.default_rng(3)
    smooth = cv2.GaussianBlur(chance.uniform(0.1, 0.9, (90, 120)).astype(np.float32), (0, 0), 4)
    told = np.asarray(cv2.normalize(smooth, None, 0.1, 0.8, cv2.NORM_MINMAX))
    bend = np.array([[1, 0, 0.4], [0, 1, -0.3]])
    seen = np.asarray(cv2.warpAffine(told, bend, (120, 90), borderMode=cv2.BORDER_REPLICATE))
    mine = np.zeros(told.shape, dtype=bool)
    mine[inset : 90 - inset, inset : 120 - inset] = True
    right, down, turn = alignment_steps(seen[None], told[None], mine[None])[0]
    assert (right, down) == pytest.approx((0.4, -0.3), abs=0.06)
    assert abs(turn) < 0.002
