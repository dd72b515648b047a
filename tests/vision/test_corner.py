"""The marked corner on rendered pictures: the sheet as it is printed, its cards, and dice as cubes in perspective."""

import itertools

import cv2
import numpy as np
import pytest

from companion.app.sight.corner_eye import drawn_faces, prints_of
from companion.cards.corner_sheet import CornerSheet
from companion.cards.wasteland.corner import CORNER
from companion.cards.wasteland.loader import builtin
from companion.cards.wasteland.notation import face_name
from companion.games.wasteland.adapter import GAME
from companion.pieces.drawing.raster import render
from companion.pieces.sheets.wasteland_pieces import PrintedWasteland
from companion.vision.corner import CornerReader

PACK = builtin("homemade")
PRINTS = prints_of(GAME)
MM = 6
NAMED = ["boat-hook", "the-auction", "iron-grip", "quest-3"]
WIDE, HIGH = 1600, 1200


class Scene:
    """A camera above a wooden table with the sheet on it."""

    def __init__(self, tilt=25.0, turn=8.0, far=480.0, seed=1):
        self.random = np.random.default_rng(seed)
        focal = 0.88 * WIDE
        self.matrix = np.array([[focal, 0, WIDE / 2], [0, focal, HIGH / 2], [0, 0, 1.0]])
        down = cv2.Rodrigues(np.array([np.pi, 0, 0]))[0]
        lean = cv2.Rodrigues(np.array([np.radians(tilt), 0, 0]))[0]
        spin = cv2.Rodrigues(np.array([0, 0, np.radians(turn)]))[0]
        self.rotation = lean @ down @ spin
        middle = np.array([CORNER.size[0] / 2, CORNER.size[1] / 2, 0])
        self.away = np.array([20.0, -15.0, far]) - self.rotation @ middle
        self.picture = np.full((HIGH, WIDE, 3), (70, 100, 130), np.uint8)

    def seen(self, points):
        turned = cv2.Rodrigues(self.rotation)[0]
        return cv2.projectPoints(np.array(points, float), turned, self.away, self.matrix, None)[0][:, 0]

    def lay(self, texture, corners, light=1.0):
        """Lay a picture over four points in space: upper left, upper right, lower right, lower left."""
        high, wide = texture.shape[:2]
        flat = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32) - 0.5
        bend = cv2.getPerspectiveTransform(flat, self.seen(corners).astype(np.float32))
        there = cv2.warpPerspective(np.full((high, wide), 255, np.uint8), bend, (WIDE, HIGH)) > 127
        drawn = cv2.warpPerspective(texture, bend, (WIDE, HIGH), flags=cv2.INTER_AREA)
        self.picture[there] = np.clip(drawn[there] * light, 0, 255)

    def flat(self, texture, middle, size, degrees=0.0, height=0.2):
        self.lay(texture, [(*spot, height) for spot in corners_of(middle, size, degrees)])

    def die(self, faces, number, upper, middle, degrees):
        """A die with this side up; what its sides show is another of its faces."""
        ring = corners_of(middle, (16, 16), degrees)
        eye = -self.rotation.T @ self.away
        sides = sorted(
            itertools.pairwise([*ring, ring[0]]), key=lambda one: -np.hypot(*(np.mean(one, axis=0) - eye[:2]))
        )
        for nth, (one, two) in enumerate(sides):
            outer = [(*two, 16), (*one, 16), (*one, 0), (*two, 0)]
            self.lay(faces[number, (upper + 1 + nth) % 6], outer, 0.6)
        self.lay(faces[number, upper], [(*spot, 16) for spot in ring])

    def shot(self, light=1.0, noise=6.0, blur=0.8):
        soft = cv2.GaussianBlur(self.picture, (0, 0), blur).astype(float)
        ramp = np.linspace(0.75, 1.1, WIDE)[None, :, None] * light
        return np.clip(soft * ramp + self.random.normal(0, noise, soft.shape), 0, 255).astype(np.uint8)


def corners_of(middle, size, degrees):
    turn = np.radians(degrees)
    way = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    half = [(-1, 1), (1, 1), (1, -1), (-1, -1)]
    return [tuple(np.array(middle) + way @ (np.array(one) * np.array(size) / 2)) for one in half]


@pytest.fixture(scope="module")
def printed():
    """Every piece's picture by its id."""
    box = PrintedWasteland(PACK, "en", "http://table.local:8000/")
    pieces = [one for sheet in ("corner", "cards") for one in box.pieces(sheet) if one.id in (*NAMED, "corner")]
    return dict(zip([one.id for one in pieces], render(pieces, MM), strict=True))


@pytest.fixture(scope="module")
def faces():
    found = {}
    for number, die in enumerate(PACK.dice):
        for nth, one in enumerate(item for item in drawn_faces(PRINTS) if item.die == number):
            assert one.face == face_name(die[nth])
            found[number, nth] = one.picture
    return found


@pytest.fixture(scope="module")
def reader():
    return CornerReader(CORNER, PRINTS.tags(), drawn_faces(PRINTS))


def scene_with(printed, **how):
    scene = Scene(**how)
    scene.flat(printed["corner"], (95, 50), CORNER.size, height=0.0)
    return scene


@pytest.mark.parametrize("card", NAMED)
def test_a_printed_card_in_the_frame_is_named_by_its_tag(printed, reader, card):
    scene = scene_with(printed, far=520)
    scene.flat(printed[card], (63, 50), (62, 80), 5)
    picture = scene.shot(0.8)
    pose = reader.find(picture)
    assert pose is not None
    assert reader.read(picture, pose).card == card


def test_nothing_is_named_on_an_empty_sheet_and_a_sheet_that_is_not_there_is_not_found(printed, reader):
    picture = scene_with(printed).shot()
    seen = reader.read(picture, reader.find(picture))
    assert (seen.card, seen.dice, seen.unsure) == (None, (), False)
    assert reader.find(Scene().shot()) is None


def test_dice_of_every_throw_are_read_or_doubted_and_never_read_wrongly(printed, faces, reader):
    source = np.random.default_rng(20)
    read = 0
    for nth in range(6):
        scene = scene_with(
            printed, tilt=source.uniform(10, 32), turn=source.uniform(-25, 25), far=source.uniform(420, 560)
        )
        lie = source.integers(0, 6, 3)
        spots = [(120, 25), (144, 48), (122, 74)]
        for number, (upper, spot) in enumerate(zip(lie, spots, strict=True)):
            scene.die(faces, number, int(upper), spot + source.uniform(-4, 4, 2), source.uniform(0, 360))
        picture = scene.shot(source.uniform(0.55, 1.05))
        seen = reader.read(picture, reader.find(picture))
        told = {(die, one) for die, one, *_ in seen.dice}
        thrown = {(number, face_name(PACK.dice[number][upper])) for number, upper in enumerate(lie)}
        assert seen.unsure or told == thrown, nth
        read += told == thrown
    assert read >= 3


def test_a_corner_of_another_shape_is_read_by_what_its_game_says():
    corner = CornerSheet(
        size=(120.0, 140.0),
        tag=20.0,
        tags={576: (16.0, 16.0), 577: (104.0, 16.0), 578: (104.0, 124.0), 579: (16.0, 124.0)},
        card=(30.0, 30.0, 60.0, 50.0),
        field=(30.0, 85.0, 60.0, 50.0),
        spot=(60.0, 110.0),
        die=20.0,
        photos="other-photos",
        all_shown="all",
    )
    scene, middle = Scene(), (60.0, 70.0)
    scene.flat(np.full((140 * MM, 120 * MM, 3), 245, np.uint8), middle, corner.size, height=0.0)
    for tag, spot in (*corner.tags.items(), (400, (60.0, 55.0))):
        scene.flat(tag_picture(tag), spot, (corner.tag * 1.25,) * 2, height=0.0)
    picture = scene.shot()
    reader = CornerReader(corner, {400: "treasure"})
    pose = reader.find(picture)
    assert pose is not None
    assert reader.read(picture, pose).card == "treasure"
    assert CornerReader(CORNER, {400: "treasure"}).find(picture) is None


def tag_picture(tag):
    """A tag with its white rim."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    inner = cv2.aruco.generateImageMarker(dictionary, tag, 160)
    return cv2.cvtColor(cv2.copyMakeBorder(inner, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=255), cv2.COLOR_GRAY2BGR)
