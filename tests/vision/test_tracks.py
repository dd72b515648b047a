"""The two tracks beside the vault: each place by its sticker, else by its picture, bare, or in doubt."""

import json

import cv2
import numpy as np
import pytest

from companion.vision.cards.card_match import WholeCardMatcher
from companion.vision.profile import CardProfile, load_profile
from companion.vision.table_reader import TableReader
from companion.vision.time.watcher import Watcher

from . import tables

MIDDLES = {"items": [[-184, 172], [-92, 172], [92, 172]], "rooms": [[184, 172], [276, 172]]}
ROOMS = {"2:R1": 3}
ITEMS = {"shotgun": 20, "globe": 21, "kettle": 22}


@pytest.fixture(scope="module")
def beside(tmp_path_factory):
    """Eyes of a mat with tracks; three items with stickers, six rooms."""
    return eyes_of(tmp_path_factory.mktemp("tracks"), MIDDLES)


def eyes_of(folder, middles):
    path = tables.write_profile(folder)
    profile = json.loads(path.read_text())
    profile["table"] |= {"tracks": middles, "mat": [740, 500]}
    for name, number in ITEMS.items():
        cv2.imwrite(str(folder / f"art/{name}.png"), tables.art(number))
        profile["cards"][name] = {"kind": "item", "tags": [10 + number], "art": [f"art/{name}.png"]}
    path.write_text(json.dumps(profile))
    return TableReader(load_profile(path))


def laid(beside, cards, *, view=None, middles=MIDDLES, rooms=ROOMS):
    """A table with flat cards on track places: `{(track, index): (art, sticker or None)}`."""
    picture = tables.draw_table(rooms, view=view)
    look = beside.look(picture)
    assert look.pose is not None
    for (track, index), (number, sticker) in cards.items():
        card = tables.art(number)
        if sticker is not None:
            paper = tables.tag(sticker, 18)
            card[6 : 6 + len(paper), -6 - len(paper) : -6] = paper
        x, y = middles[track][index]
        half_x, half_y = tables.CARD[0] / 2, tables.CARD[1] / 2
        corners = np.array([[x - half_x, y + half_y, 0], [x + half_x, y + half_y, 0]])
        corners = np.vstack([corners, corners[::-1] - (0, 2 * half_y, 0)])
        size = card.shape[1::-1]
        flat = np.array([[0, 0], [size[0], 0], size, [0, size[1]]], dtype=np.float32)
        bend = cv2.getPerspectiveTransform(flat, look.pose.project(corners).astype(np.float32))
        cv2.warpPerspective(card, bend, tables.SIZE, dst=picture, borderMode=cv2.BORDER_TRANSPARENT)
    return picture


def test_empty_tracks_are_empty(beside):
    reading = beside.look(laid(beside, {})).reading
    assert reading.tracks == {"items": (None, None, None), "rooms": (None, None)}
    assert not any(":" in place and place.split(":")[0] in MIDDLES for place in reading.unsure)


def test_cards_with_stickers_are_named(beside):
    cards = {("items", 0): (20, 30), ("items", 2): (21, 31), ("rooms", 1): (4, 14)}
    reading = beside.look(laid(beside, cards)).reading
    assert reading.tracks == {"items": ("shotgun", None, "globe"), "rooms": (None, "room-04")}


def test_cards_without_stickers_are_named_by_their_pictures(beside):
    cards = {("items", 1): (22, None), ("rooms", 0): (2, None)}
    reading = beside.look(laid(beside, cards)).reading
    assert reading.tracks == {"items": (None, "kettle", None), "rooms": ("room-02", None)}


def test_a_card_that_nobody_knows_is_unsure_and_not_absent(beside):
    reading = beside.look(laid(beside, {("items", 1): (77, None)})).reading
    assert reading.tracks["items"][1] is None
    assert "items:1" in reading.unsure


def test_a_place_outside_the_picture_is_unsure(beside):
    turned = tables.camera(height=560, tilt=-12)
    reading = beside.look(laid(beside, {}, view=turned)).reading
    hidden = {f"{name}:{index}" for name, row in MIDDLES.items() for index in range(len(row))} & set(reading.unsure)
    assert hidden


def test_tracks_are_kept_when_a_part_is_looked_at_again(beside):
    picture = laid(beside, {("items", 0): (20, 30)})
    before = beside.look(picture)
    again = beside.look_again(picture, before, {"2:R1"}).reading
    assert again.tracks == before.reading.tracks


FAR = {name: [[x, 250] for x, _ in row] for name, row in MIDDLES.items()}
"""On strips at the mat's far edge, as they are printed."""


@pytest.fixture(scope="module")
def behind(tmp_path_factory):
    return eyes_of(tmp_path_factory.mktemp("far"), FAR)


def test_a_card_that_is_changed_on_a_track_is_read_again_without_a_whole_look(behind):
    before = behind.look(laid(behind, {("items", 0): (20, 30), ("rooms", 1): (4, 14)}, middles=FAR))
    changed = laid(behind, {("items", 0): (22, 32), ("rooms", 1): (4, 14)}, middles=FAR)
    again = behind.look_again(changed, before, {"items:0"})
    assert again.reading.tracks == {"items": ("kettle", None, None), "rooms": (None, "room-04")}
    assert again.reading.rooms == before.reading.rooms
    assert again.found is before.found


def test_the_watcher_sees_a_change_on_a_track_and_takes_two_looks_to_believe_it(behind):
    watcher, at, readings = Watcher(behind), 0.0, []
    pictures = [laid(behind, cards, middles=FAR) for cards in ({}, {("items", 2): (21, 31)}, {})]
    for picture in pictures:
        for _ in range(10):
            at += 0.2
            steady = watcher.feed(picture, at)
            if steady is not None:
                readings.append((steady.tracks["items"][2], steady.unsure))
    cards = [card for card, _ in readings]
    arrived = cards.index("globe")
    assert cards[-1] is None
    assert cards[arrived - 1] is None
    assert "items:2" in readings[arrived - 1][1]
    assert not any(place.startswith("items") for _, unsure in readings[: arrived - 1] for place in unsure)


def doubts(look):
    return {place for place in look.reading.unsure if place.split(":")[0] in MIDDLES or place == "2:R1"}


TWICE = {
    "on one track": ({("items", 0): (20, 30), ("items", 2): (20, 30)}, {"items:0", "items:2"}),
    "on both tracks": ({("items", 0): (4, 14), ("rooms", 1): (4, 14)}, {"items:0", "rooms:1"}),
    "on a track and in the vault": ({("rooms", 1): (3, 13)}, {"rooms:1", "2:R1"}),
}


@pytest.mark.parametrize("where", TWICE)
def test_a_sticker_that_is_seen_twice_names_neither_card(behind, where):
    cards, places = TWICE[where]
    look = behind.look(laid(behind, cards, middles=FAR))
    assert doubts(look) == places
    assert look.reading.tracks == {"items": (None, None, None), "rooms": (None, None)}
    assert set(look.reading.rooms) == {"2:R1"} - places


def test_a_room_on_the_items_track_and_an_item_on_the_rooms_track_are_unsure(behind):
    look = behind.look(laid(behind, {("items", 1): (4, 14), ("rooms", 0): (20, 30)}, middles=FAR))
    assert look.reading.tracks == {"items": (None, None, None), "rooms": (None, None)}
    assert doubts(look) == {"items:1", "rooms:0"}


def test_a_card_whose_sticker_is_seen_elsewhere_is_not_named_by_its_picture(behind):
    look = behind.look(laid(behind, {("items", 0): (20, 30), ("items", 1): (20, None)}, middles=FAR))
    assert look.reading.tracks["items"] == ("shotgun", None, None)
    assert doubts(look) == {"items:1"}


def test_a_second_sticker_makes_the_first_unsure_where_only_a_part_is_looked_at_again(behind):
    before = behind.look(laid(behind, {}, middles=FAR))
    twice = laid(behind, {("rooms", 1): (3, 13)}, middles=FAR)
    again = behind.look_again(twice, before, {"rooms:1"})
    assert doubts(again) == {"rooms:1", "2:R1"}
    assert again.reading.tracks["rooms"] == (None, None)
    assert again.reading.rooms == {}
    after = behind.look_again(laid(behind, {}, middles=FAR), again, {"rooms:1"})
    assert doubts(after) == set()
    assert after.reading.rooms["2:R1"].card == "room-03"


def test_a_room_that_was_taken_from_a_track_is_no_second_one_in_the_vault(behind):
    before = behind.look(laid(behind, {("rooms", 1): (4, 14)}, middles=FAR))
    built = laid(behind, {}, middles=FAR, rooms={"2:R1": 3, "3:R1": 4})
    taken = behind.look_again(laid(behind, {}, middles=FAR), before, {"rooms:1"})
    laid_down = behind.look_again(built, taken, {"3:R1"})
    assert laid_down.reading.rooms["3:R1"].card == "room-04"
    both = behind.look_again(built, before, {"3:R1", "rooms:1"})
    assert both.reading.rooms["3:R1"].card == "room-04"
    assert both.reading.tracks["rooms"] == (None, None)


FULL = {("items", 0): (20, 30), ("items", 2): (21, 31), ("rooms", 1): (4, 14)}


def covered(seeing, picture, middle, colour, size):
    """The same with a flat thing over a place."""
    pose = seeing.look(picture).pose
    half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array(size) / 2
    corners = pose.project(np.c_[half + middle, np.zeros(4)]).astype(np.int32)
    return cv2.fillConvexPoly(picture.copy(), corners, colour)


@pytest.mark.parametrize("size", [(88, 63), (110, 80)])
@pytest.mark.parametrize("colour", [(255, 255, 255), (30, 30, 30), (90, 120, 200)])
@pytest.mark.parametrize("where", ["beside", "behind"])
def test_a_place_that_something_flat_hides_is_unsure_and_not_empty(where, colour, size, request):
    seeing, middles = request.getfixturevalue(where), FAR if where == "behind" else MIDDLES
    picture = covered(seeing, laid(seeing, FULL, middles=middles), middles["items"][0], colour, size)
    look = seeing.look(picture)
    assert look.reading.tracks["items"][0] is None
    assert "items:0" in look.reading.unsure
    assert look.reading.tracks["rooms"] == (None, "room-04")
    assert "rooms:0" not in look.reading.unsure


@pytest.mark.parametrize("shade", [0.6, 0.8, 1.4])
def test_a_bare_place_under_a_lamp_from_one_side_is_empty(behind, shade):
    lamp = np.linspace(shade, 1, tables.SIZE[0]) ** (1 / 2.2)
    picture = np.clip(laid(behind, FULL, middles=FAR) * lamp[None, :, None], 0, 255).astype(np.uint8)
    look = behind.look(picture)
    assert look.reading.tracks == {"items": ("shotgun", None, "globe"), "rooms": (None, "room-04")}
    assert not doubts(look)


def test_a_bare_place_that_is_blown_out_is_unsure(behind):
    picture = np.clip(laid(behind, FULL, middles=FAR).astype(float) * 2.2, 0, 255).astype(np.uint8)
    assert doubts(behind.look(picture)) == {"items:1", "rooms:0"}


def test_a_sleeve_over_one_of_two_strips_is_no_bare_strip(tmp_path):
    strips = {"items": [[x, 248.5] for x in (-233, -141, -49)], "rooms": [[x, 248.5] for x in (49, 141, 233)]}
    seeing = eyes_of(tmp_path, strips)
    picture = laid(seeing, {("rooms", 1): (4, 14)}, middles=strips)
    look = seeing.look(picture)
    assert look.reading.tracks == {"items": (None, None, None), "rooms": (None, "room-04", None)}
    assert not doubts(look)
    sleeve = seeing.look(covered(seeing, picture, (-141, 248.5), (70, 90, 60), (284, 74)))
    assert {"items:0", "items:1", "items:2"} <= doubts(sleeve)


def test_a_bare_place_towards_which_an_arm_leaves_the_vault_is_unsure(behind):
    strip = (120, 130, 140)  # a sleeve of its very colour
    picture = laid(behind, {}, middles=FAR)
    assert not doubts(behind.look(picture))
    arm = covered(behind, picture, (-92, 150), strip, (80, 200))
    look = behind.look(arm)
    assert look.reading.hand
    assert "items:1" in doubts(look)
    assert not {"rooms:0", "rooms:1"} & doubts(look)


def of_a_part(folder, enrolled):
    """Eyes that know that many of six rooms, and of three items, by a picture."""
    eyes_of(folder, FAR)
    raw = json.loads((folder / "profile.json").read_text())
    for kind in ("room", "item"):
        for card in [card for card in raw["cards"].values() if card["kind"] == kind][enrolled:]:
            card["art"] = []
    (folder / "profile.json").write_text(json.dumps(raw))
    return TableReader(load_profile(folder / "profile.json"))


@pytest.mark.parametrize("enrolled", [1, 2])
def test_without_all_pictures_of_a_kind_only_a_sticker_names_a_card(tmp_path, enrolled):
    seeing = of_a_part(tmp_path, enrolled)
    cards = {("items", 0): (20, None), ("items", 1): (22, None), ("items", 2): (21, 31), ("rooms", 0): (0, None)}
    look = seeing.look(laid(seeing, cards, middles=FAR))
    assert look.reading.tracks == {"items": (None, None, "globe"), "rooms": (None, None)}
    assert doubts(look) == {"items:0", "items:1", "rooms:0"}


def test_a_single_card_has_no_lead_over_another():
    card = CardProfile("shotgun", "item", (), ())
    named = WholeCardMatcher([(card, tables.art(20))]).name(tables.art(20))
    assert named is not None
    assert named.margin == 0
