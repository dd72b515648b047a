"""Aim, table and check: what one picture of the mat tells."""

import json

import cv2
import numpy as np
import pytest

from calibration.steps.aim import Aim
from calibration.steps.check import CheckStep
from calibration.steps.mat_position import TableStep
from calibration.steps.step import NoteLevel, StepError
from tests.vision import tables

from . import scenes

ROOMS = {"2:R1": 3, "4:L2": 1, "1:L1": 0}


def level_of(notes, code):
    return next(note.level for note in notes if note.code == code)


def test_a_good_picture_has_no_fault(file, codes):
    step = Aim(file)
    notes = step.see(tables.draw_table(ROOMS))
    assert {"in_view", "tilt", "height", "sharp", "well_lit"} <= set(codes(notes))
    assert not any(note.level is NoteLevel.FAULT for note in notes)
    assert step.progress == (1, 1)
    assert next(note for note in notes if note.code == "tilt").fields["degrees"] == 20
    assert abs(next(note for note in notes if note.code == "height").fields["cm"] - 70) <= 1
    assert len(step.marks) == 7


FAULTS = {
    "blurred": lambda picture: cv2.GaussianBlur(picture, (0, 0), 2.6),
    "dark": lambda picture: (picture * 0.25).astype(np.uint8),
    "black": lambda picture: picture // 64,
    "no_table": lambda picture: np.full_like(picture, 120),
    "cut_off": lambda _: tables.draw_table(ROOMS, view=scenes.facing((230, -255, 700), (230, 0, 0))),
}


@pytest.mark.parametrize("code", FAULTS)
def test_what_stands_in_the_way_is_said(file, code):
    step = Aim(file)
    notes = step.see(FAULTS[code](tables.draw_table(ROOMS)))
    assert level_of(notes, code) is NoteLevel.FAULT
    assert step.progress == (0, 1)


def test_a_covered_tag_and_a_steep_camera_are_hints(file):
    notes = Aim(file).see(tables.draw_table({}, view=tables.camera(tilt=42), mat_tags=(0, 1, 2, 3, 4)))
    assert level_of(notes, "steep") is NoteLevel.HINT
    assert next(note for note in notes if note.code == "covered").fields == {"tags": "5"}


def test_a_camera_far_away_is_told_to_come_closer(file):
    assert level_of(Aim(file).see(tables.draw_table({}, view=tables.camera(height=1250))), "far") is NoteLevel.FAULT


def test_a_tag_that_was_glued_askew_is_measured(file, codes):
    raw = file.raw()
    raw["table"]["mat_tags"][1]["centre"] = [348, 190]
    raw["table"]["mat_tags"][1]["mine"] = "kept"
    file.path.write_text(json.dumps(raw))
    step = TableStep(file)
    assert "tag_askew" in codes(step.see(tables.draw_table(ROOMS)))
    step.keep()
    tag = file.raw()["table"]["mat_tags"][1]
    assert np.abs(np.array(tag["centre"]) - (348, 193)).max() < 0.8
    assert tag["mine"] == "kept"


@pytest.mark.parametrize("by", [(0, 0), (1.2, 0.8)])
def test_a_shift_that_lens_and_mat_explain_as_well_is_not_written_down(file, codes, by):
    """A lens that is known a little wrong, and a shift that is not or hardly there."""
    file.change({"camera": {"distortion": [-0.03, 0.01, 0.0, 0.0]}})
    before = file.raw()["table"]["mat_tags"]
    before[2]["centre"] = [348 + by[0], -193 + by[1]]
    file.change({"table": {"mat_tags": before}})
    step = TableStep(file)
    notes = step.see(tables.draw_table(ROOMS))
    assert "tag_askew" not in codes(notes)
    step.keep()
    assert file.raw()["table"]["mat_tags"] == before


def test_one_of_several_tags_that_may_be_askew_is_told_and_nothing_changed(file, codes):
    raw = file.raw()["table"]["mat_tags"]
    raw[2]["centre"] = [350.2, -193]
    raw[0]["centre"] = [-349.5, 194.5]
    file.change({"table": {"mat_tags": raw}})
    step = TableStep(file)
    assert "tag_doubtful" in codes(step.see(tables.draw_table(ROOMS)))
    step.keep()
    assert file.raw()["table"]["mat_tags"] == raw


def of_another_lens(file, focal=0.8, distortion=(-0.2, 0.05, 0, 0), size=None):
    """Have the profile know another lens than the one that takes the test's pictures."""
    wide, tall = size or tables.SIZE
    matrix = [[focal * tables.FOCAL, 0, wide / 2], [0, focal * tables.FOCAL, tall / 2], [0, 0, 1]]
    file.change({"camera": {"size": [wide, tall], "matrix": matrix, "distortion": list(distortion)}})


@pytest.mark.parametrize("lens", [{}, {"focal": 1.25, "distortion": (0, 0, 0, 0)}, {"focal": 1, "size": (1920, 1080)}])
def test_a_picture_of_another_lens_is_refused_and_changes_nothing(file, codes, lens):
    of_another_lens(file, **lens)
    before = file.path.read_bytes()
    step = TableStep(file)
    notes = step.see(tables.draw_table(ROOMS))
    assert codes(notes) == ["lens_differs"]
    assert notes[0].fields["focal"] == pytest.approx(tables.FOCAL, rel=0.05)
    assert "do the step `lens`" in notes[0].text
    with pytest.raises(StepError):
        step.keep()
    assert file.path.read_bytes() == before
    assert codes(CheckStep(file).see(tables.draw_table(ROOMS))) == ["lens_differs"]
    assert "lens_differs" in codes(Aim(file).see(tables.draw_table(ROOMS)))


def test_smaller_stickers_are_measured(file, codes, monkeypatch):
    drawn = tables.tag
    monkeypatch.setattr(tables, "tag", lambda number, size: drawn(number, 14 if size == 18 else size))
    step = TableStep(file)
    assert "stickers_differ" in codes(step.see(tables.draw_table({"2:R1": 3, "4:L2": 1, "1:L1": 0, "3:R2": 2})))
    step.keep()
    assert abs(file.profile().card_tag - 14) < 0.6


def test_without_a_lens_the_mat_gives_one_and_says_so(fresh, codes):
    step = TableStep(fresh)
    assert codes(step.see(tables.draw_table({}, view=tables.camera(tilt=25))))[:2] == ["table_found", "lens_from_mat"]
    step.keep()
    camera = fresh.profile().camera
    assert camera.size == tables.SIZE
    assert abs(camera.matrix[0][0] / tables.FOCAL - 1) < 0.05


def test_a_known_lens_stays(file):
    step = TableStep(file)
    step.see(tables.draw_table(ROOMS))
    step.keep()
    assert file.profile().camera.matrix[0][0] == tables.FOCAL
    assert file.raw()["camera"]["stands"]["tilt"] == pytest.approx(20, abs=0.7)


@pytest.mark.parametrize(
    ("picture", "code"),
    [
        (lambda: tables.draw_table({}, mat_tags=(0, 2)), "few_tags"),
        (lambda: tables.draw_table({}, mat_tags=()), "no_table"),
        (lambda: cv2.GaussianBlur(tables.draw_table({}), (0, 0), 2.6), "blurred"),
    ],
)
def test_a_picture_that_is_not_good_enough_keeps_nothing(file, codes, picture, code):
    before = file.path.read_bytes()
    step = TableStep(file)
    assert code in codes(step.see(picture()))
    with pytest.raises(StepError, match="no picture was good enough yet"):
        step.keep()
    assert file.path.read_bytes() == before


def test_every_slot_gets_a_score_and_the_weak_ones_an_advice(file):
    step = CheckStep(file)
    picture = tables.draw_table(ROOMS)
    step.see(picture)
    good = {one.place: one.score for one in step.scores()}
    assert len(good) == 35
    assert min(good.values()) >= 50

    worse = CheckStep(file)
    spoilt = picture.copy()
    spoilt[:450] = cv2.GaussianBlur(picture, (0, 0), 6)[:450]
    notes = worse.see(spoilt)
    scores = {one.place: one for one in worse.scores()}
    assert scores["1:L1"].score < 30 < good["1:L1"]
    assert scores["1:L1"].advice == "blurred"
    assert "1:L1" in next(note for note in notes if note.code == "advice_blurred").fields["places"]
    assert scores["5:R3"].score == good["5:R3"]
    assert worse.details()["scores"][0] == {
        "place": "1:L3",
        "score": scores["1:L3"].score,
        "advice": scores["1:L3"].advice,
    }


def test_a_check_changes_nothing_and_says_when_there_is_no_table(file, codes):
    before = file.path.read_bytes()
    step = CheckStep(file)
    assert codes(step.see(np.full((900, 1200, 3), 120, dtype=np.uint8))) == ["no_table"]
    assert step.progress == (0, 1)
    assert not step.ready
    with pytest.raises(StepError):
        step.scores()
    step.see(tables.draw_table(ROOMS))
    step.keep()
    assert file.path.read_bytes() == before


def test_a_slot_outside_the_picture_is_worth_nothing(file):
    step = CheckStep(file)
    step.see(np.ascontiguousarray(tables.draw_table(ROOMS)[:, :1000]))
    scores = {one.place: one for one in step.scores()}
    assert (scores["3:R3"].score, scores["3:R3"].advice) == (0, "cut_off")


def test_a_hand_over_the_table_is_told_before_the_scores(file, codes):
    picture = tables.draw_table(ROOMS)
    picture[430:560, 300:] = (110, 140, 190)
    assert codes(CheckStep(file).see(picture))[:2] == ["hand_over", "slots_scored"]
