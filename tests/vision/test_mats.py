"""A mat with a picture, of checks or wood is as good as white paper: what lies on it is told against it."""

import cv2
import numpy as np
import pytest

from calibration.profiles import ProfileFile
from calibration.steps.mat_position import TableStep
from companion.vision.places import slot_of
from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader

from . import tables

MATS = {"checks": tables.checked_mat(), "painting": tables.painted_mat(), "wood": tables.wooden_mat()}
ROOMS = {"1:L2": 0, "2:R1": 3, "3:L1": 2, "4:R3": 1, "5:L3": 4, "5:R2": 5}
EMPTY = {f"{level}:{slot}" for level in range(1, 6) for slot in tables.SLOTS} - ROOMS.keys()
ARM = ((-60, -400), (40, -400), (60, -60), (20, 10), (-40, 0))
SKIN = (150, 175, 215)


@pytest.fixture(scope="module", params=MATS)
def mat(request):
    return MATS[request.param]


@pytest.fixture(scope="module")
def known_eyes(mat, tmp_path_factory):
    """A reader whose owner has photographed the empty mat, in another light."""
    file = ProfileFile(tables.write_profile(tmp_path_factory.mktemp("mat")))
    step = TableStep(file)
    notes = step.see(tables.lit(tables.draw_table({}, mat=mat, view=tables.camera(tilt=16)), (1, 1, 1), 0.1))
    assert "mat_taken" in [note.code for note in notes]
    step.keep()
    return TableReader(file.profile())


def on_the_table(mat, rooms=ROOMS, **more):
    return tables.lit(tables.draw_table(rooms, mat=mat, **more))


def names(reading):
    return {place: int(seen.card[-2:]) for place, seen in reading.rooms.items()}


def over(picture, shape, paint):
    """Paint a shape of the table's plane (mm): a colour, another picture, or the share of the light that is left."""
    rotation, shift = tables.camera()
    points = np.array([(x, y, 0.0) for x, y in shape]) @ rotation.T + shift
    pixels = points[:, :2] / points[:, 2:] * tables.FOCAL + np.array(tables.SIZE) / 2
    mask = np.zeros(picture.shape[:2], dtype=np.float32)
    cv2.fillPoly(mask, [np.rint(pixels).astype(np.int32)], 1.0)
    mask = cv2.GaussianBlur(mask, (0, 0), 4 if isinstance(paint, float) else 1)[..., None]
    if isinstance(paint, float):
        light = (picture / 255.0) ** 2.2 * (1 - mask * (1 - paint))
        return np.clip(light ** (1 / 2.2) * 255, 0, 255).astype(np.uint8)
    return np.clip(picture * (1 - mask) + np.array(paint) * mask, 0, 255).astype(np.uint8)


def test_rooms_are_read_and_what_is_empty_is_empty(known_eyes, mat):
    reading = known_eyes.look(on_the_table(mat)).reading
    assert not reading.hand
    assert names(reading) == ROOMS
    assert not set(reading.unsure)


def test_rooms_without_stickers_are_read_as_well(known_eyes, mat):
    reading = known_eyes.look(on_the_table(mat, stickers=False)).reading
    assert names(reading) == ROOMS
    assert not set(reading.unsure)


def test_a_bare_arm_is_a_hand_and_what_it_hides_is_unsure(known_eyes, mat):
    reading = known_eyes.look(over(on_the_table(mat), ARM, SKIN)).reading
    assert reading.hand
    assert {"5:E", "4:E"} <= set(reading.unsure)
    assert not {"1:R3", "1:L3"} & set(reading.unsure)


def test_the_shadow_of_an_arm_is_nothing(known_eyes, mat):
    reading = known_eyes.look(over(on_the_table(mat), ARM, 0.55)).reading
    assert not reading.hand
    assert names(reading) == ROOMS
    assert not reading.threats
    assert not set(reading.unsure)


def test_a_cloth_over_empty_places_hides_them(known_eyes, mat):
    cloth = ((-330, 60), (-140, 60), (-140, -60), (-330, -60))
    reading = known_eyes.look(over(on_the_table(mat), cloth, (90, 96, 92))).reading
    assert {"3:L3", "3:L2"} <= set(reading.unsure)
    assert not {"3:L3", "3:L2"} & reading.rooms.keys()


def test_a_room_that_is_laid_is_read_in_a_look_at_its_place(known_eyes, mat):
    before = known_eyes.look(on_the_table(mat, {place: n for place, n in ROOMS.items() if place != "4:R3"}))
    reading = known_eyes.look_again(on_the_table(mat), before, {"4:R3"}).reading
    assert names(reading) == ROOMS
    assert not set(reading.unsure)


def test_an_empty_place_is_told_by_its_last_look(tmp_path):
    """It fades with the evenings: it is told by how it looked last, not by how it looked on the first day."""
    mat = MATS["painting"]
    file = ProfileFile(tables.write_profile(tmp_path))
    step = TableStep(file)
    step.see(tables.draw_table({}, mat=mat))
    step.keep()
    eyes = TableReader(file.profile())
    place = ((-325, 36), (-230, 36), (-230, -36), (-325, -36))
    new, worn = (tables.draw_table(ROOMS, mat=one) for one in (mat, np.full_like(mat, mat.mean(axis=(0, 1)))))
    evenings = [over(new, place, worn * share + new * (1 - share)) for share in np.linspace(0.05, 0.9, 18)]
    for picture in evenings:
        assert "3:L3" not in eyes.look(picture).reading.unsure
    assert "3:L3" in TableReader(file.profile()).look(evenings[-1]).reading.unsure


def test_without_a_picture_of_the_mat_it_is_no_hand(eyes, mat):
    """Nobody has photographed it: cards are read, and what is empty or strange is not known."""
    reading = eyes.look(on_the_table(mat)).reading
    assert not reading.hand
    assert names(reading) == ROOMS
    assert {slot_of(place) for place in reading.unsure} <= EMPTY


def test_dots_of_a_cloth_that_nobody_has_photographed_are_no_figures(eyes):
    """They have a figure's size and colour: where no card is known either, they are in doubt."""
    reading = eyes.look(on_the_table(tables.dotted_mat())).reading
    assert names(reading) == ROOMS
    assert not [one for one in reading.dwellers if slot_of(one.space) in EMPTY]
    assert {slot_of(place) for place in reading.unsure} >= EMPTY - {"1:E", "2:E", "3:E", "4:E", "5:E"}


@pytest.mark.parametrize(
    ("room", "player", "turn"), [("1:L2", "red", 0.3), ("1:L2", "red", -0.4), ("1:L2", "blue", 0.3)]
)
def test_a_pencil_across_a_mat_of_its_colour_that_nobody_has_photographed_is_no_dweller(eyes, mat, room, player, turn):
    """On such a mat its ends are lost: what is as thin as a pencil from edge to edge of a card is one."""
    slot = next(slot for slot in eyes.profile.slots if slot.name == room)
    along = np.array([np.cos(turn), np.sin(turn)])
    aside, middle = np.array([-along[1], along[0]]) * 3.6, np.array([slot.x, slot.y - 9])
    pencil = [middle + along * far + aside * side for far, side in ((-85, -1), (85, -1), (85, 1), (-85, 1))]
    reading = eyes.look(over(on_the_table(mat), pencil, eyes.profile.colours[player][::-1])).reading
    assert not [one for one in reading.dwellers if slot_of(one.space) == room]


def test_the_mat_is_photographed_only_while_it_is_empty(tmp_path):
    file = ProfileFile(tables.write_profile(tmp_path))
    step = TableStep(file)
    assert "mat_not_empty" in [note.code for note in step.see(tables.draw_table(ROOMS, mat=MATS["wood"]))]
    step.keep()
    assert file.profile().mat_picture is None
    assert "mat_not_empty" in [note.code for note in step.see(tables.draw_table({"2:R1": 3}, stickers=False))]
    step.see(tables.draw_table({}, mat=MATS["wood"]))
    step.keep()
    taken = load_profile(file.path).mat_picture
    assert taken is not None
    known = cv2.imread(str(taken))
    assert abs(known.shape[1] / known.shape[0] - 740 / 430) < 0.01
