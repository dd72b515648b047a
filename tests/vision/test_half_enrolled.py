"""A deck that is enrolled in part: what has no picture yet is unsure, whatever enrolled card looks like it."""

import json

import cv2
import numpy as np
import pytest

from companion.vision.closer import Closer
from companion.vision.eyes import Eyes
from companion.vision.profile import load_profile

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


def eyes(folder, enrolled):
    path = tables.write_profile(folder)
    raw = json.loads(path.read_text())
    for number, card in enumerate(raw["cards"].values()):
        card["art"] = card["art"] if number < enrolled else []
    path.write_text(json.dumps(raw))
    return Eyes(load_profile(path))


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


def test_without_the_closer_look_it_would_be_named_wrongly(tmp_path, monkeypatch):
    monkeypatch.setattr(Closer, "bears_out", lambda *_: True)
    rooms, _ = read(eyes(tmp_path, ENROLLED))
    assert (rooms["2:L2"], rooms["4:L1"]) == ("room-00", "room-01")


def test_a_figure_on_an_enrolled_room_hides_too_little_to_doubt_it(tmp_path):
    rooms, _ = read(eyes(tmp_path, ENROLLED), covered=True)
    assert rooms["2:R1"] == "room-01"


def test_a_whole_deck_needs_no_closer_look_and_an_empty_one_has_none(tmp_path):
    profile = load_profile(tables.write_profile(tmp_path))
    assert not Closer(profile, []).needed
