import cv2
import numpy as np

from companion.vision.time.watcher import Changes, Rest, Watcher, luma

from . import tables

LAID = {"1:L3": 0, "2:R1": 3, "3:L1": 1}


def noisy(picture, seed):
    return np.clip(picture + np.random.default_rng(seed).normal(0, 2, picture.shape), 0, 255).astype(np.uint8)


def test_rest_needs_a_third_of_a_second():
    still, rest = np.full((180, 320), 90, dtype=np.uint8), Rest()
    assert [rest.feed(still, at / 10) for at in range(6)] == [False, False, False, True, True, True]


def test_movement_starts_the_wait_again():
    still, rest = np.full((180, 320), 90, dtype=np.uint8), Rest()
    for at in range(5):
        rest.feed(still, at / 10)
    moved = still.copy()
    moved[40:60, 40:60] = 200
    assert not rest.feed(moved, 0.5)
    assert not rest.feed(moved, 0.7)
    assert rest.feed(moved, 0.9)


def test_noise_is_rest():
    still, rest = np.full((180, 320), 90, dtype=np.uint8), Rest()
    assert [rest.feed(noisy(still, at), at / 10) for at in range(5)][-1]
    assert not rest.frozen


def test_a_frozen_camera_is_noticed():
    still, rest = np.full((180, 320), 90, dtype=np.uint8), Rest()
    for at in range(120):
        rest.feed(still, at / 10)
    assert rest.frozen


def test_only_the_slot_that_changed_is_named(eyes):
    before = tables.draw_table(LAID)
    after = tables.draw_table(LAID | {"4:R2": 2})
    pose = eyes.look(before).pose
    assert pose is not None
    small = luma(before)
    changes = Changes(pose, eyes.profile, tables.SIZE, (small.shape[1], small.shape[0]))
    named = changes.between(small, luma(after))
    assert named is not None
    assert "4:R2" in named
    assert not named & {"1:L3", "2:R1", "3:L1", "1:R3"}
    assert changes.between(small, small) == set()
    assert changes.between(small, 255 - small) is None


def test_a_nudged_camera_is_noticed_even_where_few_cards_lie(eyes):
    before = tables.draw_table({"1:L3": 0})
    pose = eyes.look(before).pose
    assert pose is not None
    small = luma(before)
    changes = Changes(pose, eyes.profile, tables.SIZE, (small.shape[1], small.shape[0]))
    assert changes.between(small, luma(tables.draw_table({"1:L3": 0}, view=tables.camera(turn=0.008)))) is None
    covered = before.copy()
    x, y = (int(v) for v in pose.project(np.array([[*eyes.profile.mat_tags[0].centre, 0.0]]))[0])
    cv2.circle(covered, (x, y), 20, (128, 128, 128), -1)  # a cup on one of the mat's tags
    assert changes.between(small, luma(covered)) is not None


def test_another_size_of_picture_is_a_whole_look(eyes):
    watcher, picture = Watcher(eyes), tables.draw_table(LAID)
    for at in range(8):
        watcher.feed(noisy(picture, at), at / 10)
    larger = cv2.resize(picture, None, fx=1.5, fy=1.5)
    readings = [watcher.feed(noisy(larger, at), 1 + at / 10) for at in range(8)]
    assert set([reading for reading in readings if reading is not None][-1].rooms) == set(LAID)


def test_the_watcher_reads_at_rest_and_then_idles(eyes):
    watcher = Watcher(eyes)
    picture = tables.draw_table(LAID)
    readings = [watcher.feed(noisy(picture, at), at / 10) for at in range(12)]
    read = [reading for reading in readings if reading is not None]
    assert readings[:3] == [None] * 3
    assert readings[-1] is None
    assert set(read[-1].rooms) == set(LAID)
    after = tables.draw_table(LAID | {"4:R2": 2})
    later = [watcher.feed(noisy(after, at), 2 + at / 10) for at in range(12)]
    seen = [reading for reading in later if reading is not None]
    assert set(seen[-1].rooms) == {*LAID, "4:R2"}
    assert later[-1] is None


def test_a_bumped_camera_is_found_again(eyes):
    watcher = Watcher(eyes)
    for at in range(10):
        watcher.feed(noisy(tables.draw_table(LAID), at), at / 10)
    bumped = tables.draw_table(LAID | {"5:R3": 5}, view=tables.camera(height=690, tilt=17, turn=0.05))
    readings = [watcher.feed(noisy(bumped, at), 1 + at / 10) for at in range(10)]
    found = [reading for reading in readings if reading is not None]
    assert set(found[-1].rooms) == {*LAID, "5:R3"}
