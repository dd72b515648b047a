"""Fourteen rendered frames with truth: what must be read from them."""

import json
from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.looking import measure as measure_speed
from benchmarks.seeing import Score, judge
from companion.vision.eyes import Eyes
from companion.vision.profile import load_profile

FRAMES = Path(__file__).resolve().parent.parent / "frames"


@pytest.fixture(scope="module")
def frame_eyes():
    return Eyes(load_profile(FRAMES / "profile.json"))


@pytest.fixture(scope="module")
def score(frame_eyes):
    found = Score()
    for path in sorted(FRAMES.glob("*.jpg")):
        reading = frame_eyes.look(cv2.imread(str(path)), path.name).reading
        judge(reading, json.loads(path.with_suffix(".json").read_text()), found)
    return found


def share(score, kind, bands, verdict):
    counted = sum((score.rows.get((kind, band), Counter()) for band in bands), Counter())
    return counted[verdict] / sum(counted.values())


def test_every_frame_shows_the_table(score):
    assert (score.frames, score.lost) == (14, 0)


@pytest.mark.parametrize("kind", ["room", "threat"])
def test_cards_in_view_are_named(score, kind):
    assert share(score, kind, (">=.97", ".8-.97"), "right") >= 0.97


@pytest.mark.parametrize("kind", ["room", "threat"])
def test_no_card_is_named_wrongly(score, kind):
    assert share(score, kind, (">=.97", ".8-.97", ".5-.8", "<.5"), "wrong") == 0


def test_figures_in_view_are_read(score):
    assert share(score, "dweller", (">=.9",), "right") >= 0.93


def test_there_are_hardly_any_phantoms(score):
    assert score.phantoms <= 1


def test_a_part_looked_at_again_reads_the_same(frame_eyes):
    picture = cv2.imread(str(FRAMES / "std_7002.jpg"))
    before = frame_eyes.look(picture)
    again = frame_eyes.look_again(picture, before, {"2:L1", "2:R1"})
    assert {p: s.card for p, s in again.reading.rooms.items()} == {p: s.card for p, s in before.reading.rooms.items()}
    assert {d.space for d in again.reading.dwellers} == {d.space for d in before.reading.dwellers}


@pytest.mark.parametrize("slot", ["2:L2", "3:R1", "4:R2"])
@pytest.mark.parametrize("name", ["capsule_7006", "pair_7020"])
def test_neighbours_of_a_part_are_no_hand(frame_eyes, name, slot):
    picture = cv2.imread(str(FRAMES / f"{name}.jpg"))
    before = frame_eyes.look(picture)
    assert frame_eyes.look_again(picture, before, {slot}).found is before.found  # no whole look was made


def test_the_speed_can_be_measured():
    found = measure_speed(most=2)
    assert found["again"] < found["whole"]
    assert found["idle"] < 0.05


def test_without_any_mat_tag_the_cards_give_the_pose(frame_eyes):
    picture = cv2.imread(str(FRAMES / "std_7001.jpg"))
    before = frame_eyes.look(picture)
    assert before.pose is not None
    for tag in frame_eyes.profile.mat_tags:
        reach = tag.size * 0.7
        ring = [
            (tag.centre[0] + x * reach, tag.centre[1] + y * reach, 0.0) for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))
        ]
        cv2.fillConvexPoly(picture, np.rint(before.pose.project(np.array(ring))).astype(np.int32), (90, 90, 90))
    after = frame_eyes.look(picture)
    assert after.reading.table == "found"
    for place, seen in after.reading.rooms.items():
        assert seen.card == before.reading.rooms[place].card


def test_a_grey_picture_has_no_players(frame_eyes):
    picture = cv2.imread(str(FRAMES / "std_7001.jpg"), cv2.IMREAD_GRAYSCALE)
    reading = frame_eyes.look(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)).reading
    assert reading.dwellers == ()
    assert "1:E" in reading.unsure
