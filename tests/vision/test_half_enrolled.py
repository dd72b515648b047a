"""A deck that is enrolled in part: what has no picture yet is unsure, whatever enrolled card looks like it."""

import json

import cv2
import numpy as np
import pytest

from companion.vision.cards.card_reader import StickerHint, names_agree
from companion.vision.cards.placing import CardPlacement
from companion.vision.cards.recognise import Guess, PartialDeckCheck, Recogniser
from companion.vision.profile import CardProfile, load_profile
from companion.vision.table_reader import TableReader

from . import tables

ENROLLED = 4
TABLE = {"1:L1": 0, "2:R1": 1, "3:L2": 2, "4:R2": 3, "2:L2": 4, "4:L1": 5}
"""The last two look like the first two, and have no picture."""


def like(number: int) -> np.ndarray:
    """Pictures of six cards, two of which differ from two others in one half only."""
    mine, other = tables_art(number % ENROLLED), tables_art(40 + number)
    if number >= ENROLLED:
        mine[:, : mine.shape[1] // 2] = other[:, : mine.shape[1] // 2]
    return mine


tables_art = tables.art


@pytest.fixture(autouse=True)
def look_alikes(monkeypatch):
    monkeypatch.setattr(tables, "art", like)


def sibling(number: int) -> np.ndarray:
    """A picture of a family: the same but for the name and a few shapes."""
    mine, chance = tables_art(number % ENROLLED).copy(), np.random.default_rng(number)
    name = "".join(chr(65 + letter) for letter in chance.integers(0, 26, 7))
    cv2.rectangle(mine, (0, 0), (mine.shape[1], 24), (214, 232, 238), -1)
    cv2.putText(mine, name, (6, 19), cv2.FONT_HERSHEY_DUPLEX, 0.6, (20, 20, 20), 1, cv2.LINE_AA)
    for _ in range(5):
        x, y = (int(v) for v in chance.integers((0, 40), (mine.shape[1] - 20, mine.shape[0] - 20)))
        colour = tuple(int(v) for v in chance.integers(20, 240, 3))
        cv2.rectangle(mine, (x, y), (x + int(chance.integers(6, 30)), y + int(chance.integers(6, 30))), colour, -1)
    return mine


def eyes(folder, enrolled):
    path = tables.write_profile(folder)
    raw = json.loads(path.read_text())
    for number, card in enumerate(raw["cards"].values()):
        card["art"] = card["art"] if number < enrolled else []
    path.write_text(json.dumps(raw))
    return TableReader(load_profile(path))


def read(seeing, *, covered=False):
    picture = tables.draw_table(TABLE, stickers=False)
    if covered:
        cv2.circle(picture, (675, 310), 26, (40, 40, 200), -1)
    reading = seeing.look(picture).reading.to_json()
    return {place: room["card"] for place, room in reading["rooms"].items()}, reading["unsure"]


def test_a_whole_deck_is_read_whole(tmp_path):
    rooms, unsure = read(eyes(tmp_path, 6))
    assert rooms == {place: f"room-{number:02d}" for place, number in TABLE.items()}
    assert unsure == []


def test_a_room_that_is_not_enrolled_is_unsure_and_not_its_look_alike(tmp_path):
    rooms, unsure = read(eyes(tmp_path, ENROLLED))
    assert rooms == {place: f"room-{number:02d}" for place, number in TABLE.items() if number < ENROLLED}
    assert {"2:L2", "4:L1"} <= set(unsure)


def test_a_sibling_that_differs_in_its_name_and_a_few_shapes_is_unsure_too(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "art", sibling)
    rooms, unsure = read(eyes(tmp_path, ENROLLED))
    assert rooms == {place: f"room-{number:02d}" for place, number in TABLE.items() if number < ENROLLED}
    assert {"2:L2", "4:L1"} <= set(unsure)


def test_without_the_closer_look_it_would_be_named_wrongly(tmp_path, monkeypatch):
    monkeypatch.setattr(PartialDeckCheck, "bears_out", lambda *_: True)
    rooms, _ = read(eyes(tmp_path, ENROLLED))
    assert (rooms["2:L2"], rooms["4:L1"]) == ("room-00", "room-01")


def test_a_figure_on_an_enrolled_room_hides_too_little_to_doubt_it(tmp_path):
    rooms, _ = read(eyes(tmp_path, ENROLLED), covered=True)
    assert rooms["2:R1"] == "room-01"


def test_a_whole_deck_needs_no_closer_look_and_an_empty_one_has_none(tmp_path):
    profile = load_profile(tables.write_profile(tmp_path))
    assert not PartialDeckCheck(profile, []).needed


def threats(folder, monkeypatch, guess, *, rooms, every):
    """Which threats are read where a glance takes every half of a room for the same one."""
    path = tables.write_profile(folder)
    raw = json.loads(path.read_text())
    art = next(iter(raw["cards"].values()))["art"]
    for card in raw["cards"].values():
        card["art"] = card["art"] if rooms else []
    raw["cards"]["threat-0"] = {"kind": "threat", "tags": [], "art": art}
    raw["cards"]["threat-1"] = {"kind": "threat", "tags": [], "art": art if every else []}
    path.write_text(json.dumps(raw))
    seeing = TableReader(load_profile(path))

    def glance(_, __, slot, side, *___):
        card = seeing.profile.cards["threat-0"]
        return Guess(CardPlacement(card, slot.name + side, slot.name, slot.x, slot.y, 0.0, guess[0]), *guess)

    monkeypatch.setattr(Recogniser, "threat", glance)
    monkeypatch.setattr(Recogniser, "finely", lambda *_: None)
    return seeing.look(tables.draw_table(TABLE)).reading.threats


LIKELY, CLEAR = (0.6, 0.13), (0.8, 0.13)


@pytest.mark.parametrize(("rooms", "every"), [(False, True), (False, False)])
def test_a_room_without_a_picture_is_not_taken_for_a_threat(tmp_path, monkeypatch, rooms, every):
    assert threats(tmp_path, monkeypatch, LIKELY, rooms=rooms, every=every) == {}
    assert threats(tmp_path, monkeypatch, CLEAR, rooms=rooms, every=every) != {}


def test_with_half_a_sticker_a_glance_needs_less_but_where_nothing_else_confirms_it():
    card = CardProfile("threat-0", "threat", (), ())
    placement = CardPlacement(card, "1:L1a", "1:L1", 0.0, 0.0, 0.0, 0.45)
    guess, hint = Guess(placement, 0.45, 0.05), StickerHint(placement, firm=False)
    assert names_agree(guess, hint)
    assert not names_agree(guess, hint, firmly=True)
    assert names_agree(Guess(placement, *LIKELY), hint, firmly=True)
    assert not names_agree(None, hint)
