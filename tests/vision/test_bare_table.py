"""A table with neither mat nor stickers is found by its cards, followed when bumped, and lost where it is unsure."""

import json

import cv2
import numpy as np
import pytest

from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader

from . import tables

LIFT = 6
VAULT = {f"{level}:E": LIFT for level in range(1, 6)}
ROOMS = {"1:L3": 0, "1:L2": 1, "1:L1": 2, "1:R1": 3, "1:R2": 4, "2:R1": 5}
GROUNDS = {"wood": tables.wooden_mat(), "paint": tables.painted_mat()}


@pytest.fixture(scope="module")
def eyes(tmp_path_factory):
    path = tables.write_profile(tmp_path_factory.mktemp("bare"), LIFT + 1)
    raw = json.loads(path.read_text())
    raw["table"]["mat_tags"] = []
    raw["cards"] = {name: card | {"tags": []} for name, card in raw["cards"].items()}
    raw["cards"]["elevator"] = raw["cards"].pop(f"room-{LIFT:02d}") | {"kind": "elevator"}
    path.write_text(json.dumps(raw))
    return TableReader(load_profile(path))


def seen(cards, ground, view=None):
    return tables.draw_table(cards, stickers=False, view=view or tables.camera(), mat_tags=(), mat=GROUNDS[ground])


def off(pose, view):
    """Return how far (pixels) the corners of the grid are from where they are."""
    rotation, shift = view
    corners = np.array([[x, y, 0.0] for x in (-320, 320) for y in (-165, 165)])
    matrix = np.array([[tables.FOCAL, 0, tables.SIZE[0] / 2], [0, tables.FOCAL, tables.SIZE[1] / 2], [0, 0, 1]])
    there = cv2.projectPoints(corners, rotation, shift, matrix, np.zeros(4))[0].reshape(-1, 2)
    return float(np.linalg.norm(pose.project(corners) - there, axis=1).max())


@pytest.mark.parametrize("ground", list(GROUNDS))
def test_a_bare_table_is_found_and_its_rooms_are_read(eyes, ground):
    view = tables.camera()
    found = eyes.look(seen(VAULT | ROOMS, ground, view))
    assert off(found.pose, view) < 3
    rooms = {place: room.card for place, room in found.reading.rooms.items()}
    assert {place: rooms.get(place) for place in ROOMS} == {
        place: f"room-{number:02d}" for place, number in ROOMS.items()
    }


def test_it_is_found_again_after_a_bump(eyes):
    eyes.look(seen(VAULT | ROOMS, "wood"))
    moved = tables.camera(height=690, tilt=22, turn=0.05)
    assert off(eyes.look(seen(VAULT | ROOMS, "wood", moved)).pose, moved) < 3


def test_cards_without_an_elevator_among_them_are_no_table(eyes):
    lost = TableReader(eyes.profile).look(seen(ROOMS, "wood"))
    assert lost.reading.table == "lost"
