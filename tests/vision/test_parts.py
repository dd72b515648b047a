"""The parts that need no table: tags, light, colours, silhouettes, lens, gallery."""

import cv2
import numpy as np
import pytest

from calibration.measuring.measures import LensError, calibrate, from_chessboard, see_charuco
from companion.vision.arrays import linear
from companion.vision.cards.card_match import WholeCardMatcher
from companion.vision.cards.tags import TagFinder
from companion.vision.figures.evidence import distance_table, table_index
from companion.vision.figures.figure_finder import STANCES, Silhouettes
from companion.vision.profile import CardProfile
from companion.vision.scene import light

from . import tables

COLOURS = {"red": (196, 28, 34), "blue": (28, 74, 182), "green": (34, 138, 62), "yellow": (236, 188, 30)}


def test_tags_of_other_ids_are_not_reported():
    picture = cv2.cvtColor(tables.draw_table({"2:R1": 3}), cv2.COLOR_BGR2GRAY)
    assert {tag.id for tag in TagFinder("APRILTAG_36h11", (0, 1, 13)).find(picture)} == {0, 1, 13}
    assert TagFinder("APRILTAG_36h11", ()).find(picture) == []


def test_a_tag_with_bloomed_white_is_read_again():
    finder = TagFinder("APRILTAG_36h11", tuple(range(40)))
    paper = cv2.cvtColor(tables.tag(7, 12), cv2.COLOR_BGR2GRAY)
    quiet = paper.shape[0] / 10
    bloomed = cv2.dilate(paper, np.ones((3, 3), dtype=np.uint8))
    quad = np.array([[quiet, quiet], [9 * quiet, quiet], [9 * quiet, 9 * quiet], [quiet, 9 * quiet]], dtype=np.float32)
    assert [tag.id for tag in finder.read_quads(bloomed, [quad])] == [7]


def test_noise_is_no_tag():
    finder = TagFinder("APRILTAG_36h11", tuple(range(587)))
    noise = np.random.default_rng(0).integers(0, 255, (400, 400), dtype=np.uint8)
    quads = [
        np.array([[x, y], [x + 40, y], [x + 40, y + 40], [x, y + 40]], np.float32)
        for x in range(0, 340, 60)
        for y in range(0, 340, 60)
    ]
    assert finder.read_quads(noise, quads) == []


def test_the_light_on_a_card_is_found_under_a_figure():
    chance = np.random.default_rng(2)
    art = chance.uniform(0.05, 0.8, (1, 30, 40, 3)).astype(np.float32)
    gain, veil = np.array([0.9, 0.7, 0.5], dtype=np.float32), 0.06
    seen = art * gain + veil
    seen[0, 10:25, 5:17] = (0.02, 0.02, 0.4)
    fitted = light.fit(seen, art, np.ones((1, 30, 40), dtype=bool), light.basis(30, 40))
    assert np.allclose(fitted.terms[0, :, 0], gain, atol=0.03)
    assert np.allclose(fitted.terms[0, :, light.GAIN_TERMS], veil, atol=0.03)
    assert fitted.explained[0, 10:25, 5:17].mean() < 0.1
    assert fitted.explained[0, :, 20:].mean() > 0.95


@pytest.mark.parametrize("player", COLOURS)
@pytest.mark.parametrize("shade", [0.3, 0.6, 1.0])
def test_a_shaded_figure_is_nearest_to_its_own_colour(player, shade):
    table = distance_table(COLOURS)
    body = linear(np.array(COLOURS[player][::-1])).astype(np.float32) * shade
    row = table[table_index(body.reshape(1, 1, 3))][0, 0]
    assert list(COLOURS)[int(row.argmin())] == player
    assert row.min() < 8


def test_grey_is_no_player():
    grey = np.full((1, 1, 3), 0.3, dtype=np.float32)
    assert distance_table(COLOURS)[table_index(grey)].min() > 10


def test_a_standing_figure_leans_away_and_a_lying_one_is_long():
    shapes = Silhouettes(30, 16, 1.6, 26)
    upright, *lying = shapes.templates((0.0, 0.0)).reshape(len(STANCES), 26, 26)
    assert upright.sum() * 1.6**2 == pytest.approx(np.pi * 64, rel=0.15)
    assert all(shape.sum() > upright.sum() * 1.2 for shape in lying)
    leaning = shapes.templates((0.0, 0.5)).reshape(len(STANCES), 26, 26)[0]
    assert leaning.sum() > upright.sum() * 1.3


def test_a_lens_is_found_from_a_chessboard():
    matrix, size = np.array([[620.0, 0, 330], [0, 620, 235], [0, 0, 1]]), (640, 480)
    lens = from_chessboard([_board(matrix, size, turn) for turn in _turns()], (7, 5), 20)
    assert lens.matrix[0, 0] == pytest.approx(620, rel=0.01)
    assert lens.error < 0.5


def test_a_lens_is_found_from_a_charuco_board():
    matrix, size = np.array([[620.0, 0, 330], [0, 620, 235], [0, 0, 1]]), (640, 480)
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    flat = cv2.aruco.CharucoBoard((8, 6), 20, 15, known).generateImage((960, 720))
    views = [_seen(flat, 6.0, matrix, size, turn) for turn in _turns()]
    lens = calibrate([see_charuco(view, (8, 6), 20, 15, "5X5_250") for view in views], size)
    assert lens.matrix[0, 0] == pytest.approx(620, rel=0.015)


def test_too_few_pictures_are_told():
    with pytest.raises(LensError, match="0 pictures"):
        from_chessboard([np.zeros((100, 100), dtype=np.uint8)], (7, 5))
    with pytest.raises(LensError, match="no picture"):
        from_chessboard([], (7, 5))


def test_a_gallery_names_a_card_in_other_light():
    cards = [(CardProfile(f"card-{n}", "item", (), ()), tables.art(n)) for n in range(8)]
    gallery = WholeCardMatcher(cards)
    dim = np.clip(tables.art(5) * np.array([0.5, 0.6, 0.7]), 0, 255).astype(np.uint8)
    named = gallery.name(dim)
    assert named is not None
    assert named.card.name == "card-5"
    turned = gallery.name(dim[::-1, ::-1], either_way_up=True)
    assert turned is not None
    assert turned.card.name == "card-5"
    assert WholeCardMatcher([]).name(dim) is None


def _turns():
    return [
        (0.3, 0.1, 0.0),
        (-0.35, 0.2, 0.1),
        (0.1, -0.4, -0.1),
        (0.0, 0.35, 0.3),
        (-0.2, -0.2, -0.3),
        (0.4, 0.3, 0.2),
    ]


def _seen(flat, pixels_a_mm, matrix, size, turn):
    rotation = cv2.Rodrigues(np.array(turn))[0]
    middle = rotation @ np.array([flat.shape[1] / pixels_a_mm / 2, flat.shape[0] / pixels_a_mm / 2, 0])
    shift = np.array([0, 0, 260.0]) - middle
    scale = np.array([[1 / pixels_a_mm, 0, 0], [0, 1 / pixels_a_mm, 0], [0, 0, 1]])
    bend = matrix @ np.column_stack([rotation[:, 0], rotation[:, 1], shift]) @ scale
    return cv2.warpPerspective(flat, bend, size, flags=cv2.INTER_AREA, borderValue=255)


def _board(matrix, size, turn):
    squares = (np.indices((6, 8)).sum(axis=0) % 2 * 255).astype(np.uint8)
    flat = cv2.copyMakeBorder(
        np.kron(squares, np.ones((100, 100), dtype=np.uint8)), 50, 50, 50, 50, cv2.BORDER_CONSTANT, value=255
    )
    return _seen(flat, 5.0, matrix, size, turn)
