import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.vision.annotate import CUT_WIDTH, cut_out, draw
from companion.vision.profile import parse_profile
from companion.vision.table_reader import TableReader

from . import tables

LAID = {"1:L3": 0, "2:R1": 3, "3:L1": 1, "5:R3": 5, "4:R2": 2}


def test_rooms_are_read_by_their_stickers(eyes):
    reading = eyes.look(tables.draw_table(LAID), "a.png").reading
    assert {place: seen.card for place, seen in reading.rooms.items()} == {p: f"room-{n:02d}" for p, n in LAID.items()}
    assert not reading.dwellers
    assert not reading.threats
    assert reading.table == "found"


def test_rooms_are_read_by_their_pictures(eyes):
    reading = eyes.look(tables.draw_table(LAID, stickers=False)).reading
    assert {place: seen.card for place, seen in reading.rooms.items()} == {p: f"room-{n:02d}" for p, n in LAID.items()}


def test_an_empty_vault_has_no_cards(eyes):
    reading = eyes.look(tables.draw_table({})).reading
    assert reading.rooms == {}
    assert reading.unsure == ()


def test_a_sticker_seen_twice_is_no_answer(eyes):
    reading = eyes.look(tables.draw_table({"1:L3": 0, "5:R3": 0})).reading
    assert "1:L3" not in reading.rooms
    assert "5:R3" not in reading.rooms
    assert {"1:L3", "5:R3"} <= set(reading.unsure)


def test_an_unknown_card_is_unsure(eyes):
    picture = tables.draw_table({"2:R1": 3})
    stranger = tables.draw_table({"2:R1": 77}, stickers=False)
    reading = eyes.look(np.where(np.abs(picture.astype(int) - stranger) > 6, stranger, picture)).reading
    assert reading.rooms.get("2:R1") is None or reading.rooms["2:R1"].card == "room-03"


def test_slots_outside_the_picture_are_unsure(eyes):
    picture = tables.draw_table(LAID)
    picture[:, 800:] = 0
    cut = np.ascontiguousarray(picture[:, :800])
    reading = eyes.look(cut).reading
    assert "5:R3" not in reading.rooms
    if reading.table == "found":
        assert "5:R3" in reading.unsure


@pytest.mark.parametrize("gain", [0.45, 0.7, 1.25])
def test_a_changed_lamp_needs_no_calibration(eyes, gain):
    picture = np.clip(tables.draw_table(LAID).astype(float) * gain, 0, 255).astype(np.uint8)
    rooms = eyes.look(picture).reading.rooms
    assert {place: seen.card for place, seen in rooms.items()} == {p: f"room-{n:02d}" for p, n in LAID.items()}


def test_a_look_at_what_changed_gives_the_same_reading(eyes):
    picture = tables.draw_table(LAID)
    before = eyes.look(picture)
    after = tables.draw_table(LAID | {"3:R1": 4})
    again = eyes.look_again(after, before, {"3:R1", "4:R2"})
    assert again.reading.rooms["3:R1"].card == "room-04"
    assert set(again.reading.rooms) == {*LAID, "3:R1"}


def test_something_large_that_a_part_cuts_off_is_no_arm(eyes):
    picture = tables.draw_table(LAID)
    before = eyes.look(picture)
    ((x, y),) = before.pose.project(np.array([[92.0, 0.0, 0.0]]))
    cv2.circle(picture, (round(x), round(y)), 70, (40, 200, 240), -1)  # a plate in the middle of the table
    assert not eyes.look(picture).reading.hand
    assert not eyes.look_again(picture, before, {"3:R1"}).reading.hand


def test_cards_that_nobody_knows_beside_a_tag_of_the_mat_are_no_arm(eyes):
    reading = eyes.look(tables.draw_table(LAID | {"1:E": 77, "2:E": 78, "3:E": 79}, stickers=False)).reading
    assert {"1:E", "2:E", "3:E"} <= set(reading.unsure)
    assert not reading.hand


@pytest.mark.parametrize(("blue", "seen"), [(8, "elevator-red"), (7, None)])
def test_elevators_are_told_apart_by_their_pictures_only_where_these_differ(profile_file, tmp_path, blue, seen):
    data = json.loads(profile_file.read_text())
    for name, number in (("elevator-red", 7), ("elevator-blue", blue)):
        cv2.imwrite(str(tmp_path / f"{number}.png"), tables.art(number))
        data["cards"][name] = {"kind": "elevator", "tags": [], "art": [str(tmp_path / f"{number}.png")]}
    with_elevators = TableReader(parse_profile(data, profile_file.parent))
    reading = with_elevators.look(tables.draw_table(LAID | {"2:E": 7}, stickers=False)).reading
    assert [reading.rooms["2:E"].card if "2:E" in reading.rooms else None] == [seen]
    assert ("2:E" in reading.unsure) == (seen is None)


@pytest.mark.parametrize("backwards", [False, True])
def test_a_cards_name_lies_over_the_edges_of_its_neighbours(eyes, backwards):
    picture = tables.draw_table({"2:R1": 3, "3:R1": 4, "4:R1": 1})
    look = eyes.look(picture)
    found = sorted(look.found.cards.placements, key=lambda placement: placement.place, reverse=backwards)
    shoved = {"2:R1": 0.0, "3:R1": 4.0, "4:R1": 8.0}  # mm, until the next one's edge
    look.found.cards.placements[:] = [replace(one, y=one.y + shoved[one.place]) for one in found]
    drawn = draw(picture, look, eyes.profile)
    for placement in look.found.cards.placements:
        corner = np.array([[placement.x - 44, placement.y + 31.5, 0.0]])
        ((x, y),) = look.pose.project(corner)
        left, low = int(x + 2), int(y + 12 * picture.shape[1] / 1900)
        assert (drawn[low - 6 : low + 3, left] > 240).all()  # before its first letter


@pytest.mark.parametrize("place", ["2:R1", "2:R1a", "1:E", "3:L2b"])
def test_a_place_is_cut_out_with_its_neighbours_and_framed(eyes, place):
    picture = tables.draw_table({"2:R1": 3, "3:R1": 4})
    look = eyes.look(picture)
    cut = cut_out(picture, look.pose, eyes.profile, place)
    assert cut.shape[1] == CUT_WIDTH
    assert cut.shape[0] < CUT_WIDTH
    high, wide = cut.shape[0] // 2, CUT_WIDTH // 2
    assert cut[high - 5 : high + 5, wide - 5 : wide + 5].mean() > 1.5 * cut[:20].mean()


def test_a_place_that_nobody_knows_is_the_whole_picture(eyes):
    picture = tables.draw_table({})
    assert cut_out(picture, eyes.look(picture).pose, eyes.profile, "9:Z9") is picture
