"""The verbs of the drawn table, and that it draws only what it must."""

import threading

import cv2
import numpy as np
import pytest

from companion.pieces.kinds.figures import FACES, NET
from hardware.cameras.capture import shrink
from hardware.cameras.simulated import SimulatedCamera
from hardware.tabletop.optics import Viewpoint
from hardware.tabletop.simulated_table import NoSuchThingError
from hardware.tabletop.table_contents import space_at, spaces, standing_on

from .evening import lay_start


def differing(one, other):
    return cv2.absdiff(one, other).max(axis=2) > 12


def test_what_stands_still_is_not_drawn_again(table, pack):
    lay_start(table, pack)
    first = table.picture()
    assert table.picture() is first
    ground = table._painter._still[1]
    [key] = table.bring("red", 1)
    table.put(key, "1:L1a")
    second = table.picture()
    assert second is not first
    assert table._painter._still[1] is ground
    changed = np.argwhere(differing(first, second))
    assert 0 < len(changed) < 12_000


def test_a_camera_that_only_watches_makes_its_small_picture_once(table, pack, monkeypatch):
    lay_start(table, pack)
    made = []
    monkeypatch.setattr("hardware.cameras.simulated.shrink", lambda image: made.append(1) or shrink(image))
    camera = SimulatedCamera(table.picture)
    for _ in range(4):
        with camera.frame(full=False) as frame:
            assert frame.image.shape == (480, 640)
    table.bump()
    with camera.frame(full=False) as frame:
        assert frame.image.shape == (480, 640)
    assert len(made) == 2


def test_a_card_laid_on_another_takes_its_place(table):
    table.lay("rain-barrel", "2:L1")
    table.lay("wild-goose", "2:L1a")
    table.lay("soup-kitchen", "2:L1")
    assert table.card_at("2:L1") == "soup-kitchen"
    assert table.card_at("2:L1a", threat=True) == "wild-goose"
    table.take("2:L1a", threat=True)
    assert table.card_at("2:L1a", threat=True) is None
    assert table.card_at("2:L1") == "soup-kitchen"


def test_there_are_no_more_copies_than_in_the_box(table):
    table.lay("rain-barrel", "2:L1")
    table.lay("rain-barrel", "2:R1")
    with pytest.raises(NoSuchThingError, match="every rain-barrel"):
        table.lay("rain-barrel", "3:L1")
    with pytest.raises(NoSuchThingError, match="no card"):
        table.lay("ace-of-spades", "3:L1")
    with pytest.raises(NoSuchThingError, match="no dweller"):
        table.tip("red-9")


def test_dwellers_are_put_moved_tipped_and_taken_home(table):
    first, second = table.bring("green", 2)
    assert table.space_of(table.figure(first)) is None
    table.put(first, "3:R2b")
    table.put(second, "3:R2b")
    assert table.space_of(table.figure(first)) == "3:R2b"
    apart = np.hypot(table.figure(first).x - table.figure(second).x, table.figure(first).y - table.figure(second).y)
    assert apart > 10
    table.tip(first)
    assert table.figure(first).lying
    table.tip(first)
    assert not table.figure(first).lying
    table.lift(first)
    assert table.space_of(table.figure(first)) is None


def test_who_stands_beside_another_stands_on_the_space_too(table):
    first, second = table.bring("green", 2)
    for space in spaces():
        table.put(first, space)
        table.put(second, space)
        assert table.space_of(table.figure(second)) == space


@pytest.mark.parametrize("space", spaces())
def test_every_space_is_found_by_its_middle(space):
    assert space_at(*standing_on(space)) == space


def test_between_the_spaces_is_none():
    assert space_at(0.0, 200.0) is None


def test_who_waits_is_told_of_a_change(table):
    seen = []
    waiting = threading.Thread(target=lambda: seen.append(table.wait(table.version, 30)))
    before = table.version
    waiting.start()
    table.bump()
    waiting.join(30)
    assert seen[0] > before or table.version > before
    assert table.wait(table.version, 0) == table.version


def test_a_point_above_the_table_leans_away_from_the_camera():
    view = Viewpoint()
    foot, head = view.project([(200, 100, 0), (200, 100, 30)])
    middle = view.project([(view.eye[0], view.eye[1], 0)])[0]
    assert np.linalg.norm(head - middle) > np.linalg.norm(foot - middle)
    through = view.ground @ (200, 100, 1)
    assert through[:2] / through[2] == pytest.approx(foot)


def test_the_net_holds_all_its_faces():
    points = np.array(FACES).reshape(-1, 2)
    assert points.min() >= -1e-9
    assert (points <= np.array(NET) + 1e-9).all()
