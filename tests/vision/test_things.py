"""A phone on the mat's edge is taken for a hand at first, and for a thing once it has lain there; an arm is a hand."""

import cv2
import numpy as np
import pytest

from companion.vision.scene.cover import _reaches_in
from companion.vision.time.things import GONE, LONG, Things
from companion.vision.time.watcher import Watcher

from . import tables

LAID = {"1:L3": 0, "2:R1": 3, "3:L1": 1}
LATER = {**LAID, "4:R2": 2}


def covered(picture, pose, *parts):
    """Lay dark things on the table: rectangles in mm."""
    shown = picture.copy()
    for left, top, right, low in parts:
        corners = np.array([(left, top, 0), (right, top, 0), (right, low, 0), (left, low, 0)], dtype=float)
        cv2.fillPoly(shown, [np.round(pose.project(corners)).astype(np.int32)], (38, 36, 40))
    return shown


PHONE, ARM = (250, -60, 400, -130), (-150, -60, -60, -260)


@pytest.fixture
def watched(eyes):
    watcher = Watcher(eyes)
    pose = eyes.look(tables.draw_table(LAID)).pose

    def see(laid, since, seconds, *parts):
        """Look at a table for some seconds; return the readings with their times."""
        picture, found = covered(tables.draw_table(laid), pose, *parts), []
        for tick in range(round(seconds / 0.25)):
            noisy = np.clip(picture + np.random.default_rng(tick).normal(0, 2, picture.shape), 0, 255).astype(np.uint8)
            at = since + tick * 0.25
            reading = watcher.feed(noisy, at)
            if reading is not None:
                found.append((at, reading))
        return found

    return see


def test_a_phone_that_lies_there_is_a_hand_no_more_and_what_is_under_it_stays_unsure(watched):
    seen = watched(LAID, 0.0, 2.0, PHONE)
    assert all(reading.hand for _, reading in seen)
    later = watched(LAID, 2.0, 2 * LONG, PHONE)
    assert not later[-1][1].hand
    assert "4:R3" in later[-1][1].unsure
    assert next(at for at, reading in later if not reading.hand) >= LONG
    after = watched(LATER, 30.0, 2.0, PHONE)
    assert set(after[-1][1].rooms) == set(LATER), "what is laid elsewhere is read"
    assert not after[-1][1].hand


def test_a_thing_is_not_forgotten_where_it_is_not_seen_while_an_arm_is_over_the_table():
    things, spot, nothing = Things(), np.eye(3, dtype=bool), np.zeros((3, 3), dtype=bool)
    things.see(spot, 0.0)
    things.see(nothing, LONG, hand=True)
    assert (things.at(LONG + GONE) == spot).all()
    things.see(nothing, LONG + GONE)
    assert not things.at(LONG + 2 * GONE).any()


def test_a_thing_is_not_forgotten_by_one_look_that_an_arm_has_spoilt():
    """An arm over a mat in many colours is now and then taken for no hand, and changes what is told of its light."""
    things, spot, nothing = Things(), np.eye(3, dtype=bool), np.zeros((3, 3), dtype=bool)
    for at, core in ((0.0, spot), (LONG, nothing), (LONG + 0.6, spot)):
        things.see(core, at)
    assert (things.at(LONG + 0.8) == spot).all()
    for at, core in ((LONG + 1.0, nothing), (LONG + 1.0 + GONE, spot)):
        things.see(core, at)
    assert not things.at(LONG + 1.0 + GONE).any()


def test_an_arm_beside_it_is_a_hand(watched):
    watched(LAID, 0.0, 2 * LONG, PHONE)
    assert watched(LAID, 30.0, 2.0, PHONE, ARM)[-1][1].hand
    assert not watched(LAID, 33.0, 2.0, PHONE)[-1][1].hand


def test_a_phone_that_was_taken_up_and_comes_back_is_a_hand_again(watched):
    watched(LAID, 0.0, 2 * LONG, PHONE)
    assert not watched(LAID, 30.0, 2.0)[-1][1].hand
    assert watched(LAID, 33.0, 2.0, PHONE)[-1][1].hand


def test_what_lies_there_is_told_from_what_comes_and_goes_spot_by_spot():
    things, core = Things(), np.zeros((4, 6), dtype=bool)
    assert things.at(0.0) is None
    core[:, :2] = True
    for at in (0.0, 5.0, LONG):
        core[:, 3] = at == 5.0
        things.see(core, at)
    assert not things.at(LONG - 0.1).any()
    assert things.at(LONG).tolist() == [[True, True, False, False, False, False]] * 4
    things.see(np.zeros((4, 6), dtype=bool), LONG)
    assert not things.at(100.0).any()


@pytest.mark.parametrize(("wide", "high", "enters"), [(7, 78, False), (14, 70, True), (110, 7, False), (26, 10, True)])
def test_a_strip_along_the_edge_of_the_view_is_no_arm(wide, high, enters):
    """Where no card lies, light is guessed: evening light on a dark mat once left a strip for a hand."""
    core = np.zeros((118, 216), dtype=np.uint8)
    core[:high, :wide] = 1
    assert _reaches_in(np.roll(core, (20, 0) if high > wide else (0, 20), (0, 1)), None, anywhere=False) == enters
