"""Decks with stickers on: what a glare or a hand leaves of a card and of its sticker speaks together."""

import json

import cv2
import numpy as np
import pytest

from companion.vision.camera.top_view import frame_of
from companion.vision.cards.card_match import load_art
from companion.vision.cards.recognise import KEPT, FineMatchers
from companion.vision.profile import load_profile
from companion.vision.scene.expected import stickers
from companion.vision.table_reader import SCALE, TableReader

from . import tables

TABLE = {"1:L1": 0, "2:R1": 1, "3:L2": 2, "4:R2": 3, "5:L3": 5}
CORNER = slice(1, 31), slice(-31, -1)  # pixels of the view, rows and columns: a sticker of 18 mm


def decks_of(path):
    profile = load_profile(path)
    frame = frame_of(profile, SCALE)
    return FineMatchers(
        profile, frame, load_art(profile, SCALE)[0], stickers("APRILTAG_36h11", tuple(profile.card_of_tag()))
    )


@pytest.fixture
def decks(profile_file):
    return decks_of(profile_file)


def pictures(deck):
    return [picture.astype(int) for picture in deck.pictures]


def test_a_sticker_is_where_it_is_stuck_and_nowhere_else(decks):
    for bare, stuck in zip(pictures(decks.of("room", 0)), pictures(decks.of("room", 18.2)), strict=True):
        changed = np.abs(stuck - bare).max(axis=2) > 0
        assert changed[CORNER].mean() > 0.8
        changed[CORNER] = False
        assert not changed.any()


def test_a_card_with_two_stickers_is_known_by_either_and_one_without_by_its_picture(tmp_path):
    path = tables.write_profile(tmp_path)
    raw = json.loads(path.read_text())
    first, second = list(raw["cards"].values())[:2]
    first["tags"], second["tags"] = [10, 40], []
    path.write_text(json.dumps(raw))
    names = [card.name for card in decks_of(path).of("room", 18).cards]
    assert names == ["room-00", "room-00", *(f"room-{number:02d}" for number in range(1, 6))]


def test_a_deck_of_which_a_picture_is_missing_is_not_looked_at_finely(tmp_path):
    path = tables.write_profile(tmp_path)
    raw = json.loads(path.read_text())
    raw["cards"]["room-03"]["art"] = []
    path.write_text(json.dumps(raw))
    assert decks_of(path).of("room", 18) is None


def test_what_nobody_has_is_no_deck(decks):
    assert decks.of("threat", 0) is None


def test_a_deck_is_described_once_and_few_are_kept(decks):
    first = decks.of("room", 18)
    assert decks.of("room", 17.8) is first
    for size in range(10, 10 + KEPT):
        decks.of("room", size)
    assert decks.of("room", 18) is not first


def test_what_a_glare_leaves_of_a_sticker_names_its_card(profile_file, monkeypatch):
    eyes = TableReader(load_profile(profile_file))
    picture = tables.draw_table(TABLE)
    around = eyes.look(picture).pose.project(np.array([[46, 96, 0], [138, 96, 0], [138, 30, 0], [46, 30, 0]]))
    white = cv2.fillConvexPoly(np.zeros(picture.shape[:2], np.uint8), around.astype(np.int32), 1)[..., None] > 0
    glare = np.clip(cv2.GaussianBlur(picture, (0, 0), 1.2).astype(float) * 3 + 120, 0, 255)
    picture = np.where(white, glare, picture).astype(np.uint8)
    assert eyes.look(picture).reading.rooms["2:R1"].card == "room-01"
    with_stickers = FineMatchers.of
    monkeypatch.setattr(FineMatchers, "of", lambda decks, kind, _: with_stickers(decks, kind, 0))
    reading = eyes.look(picture).reading
    assert "2:R1" not in reading.rooms
    assert "2:R1" in reading.unsure
