"""A person's answer to a doubt: the same figure in another picture is in doubt no more, the others read as before."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.app.sight.vision_thread import ProfileVision, keep_answers, vision_of
from companion.table.ports import FigureSaid
from companion.vision.figures.memory import LYING, MOST_SAID, STANDING, CropSeen, FigureMemory, KnownLook
from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader
from tests.vision import tables

FRAMES = Path(__file__).parent.parent / "frames"
LARGER = 1.3
"""A profile whose figures are this much larger than those on the table puts some of their poses in doubt."""
DOUBTED = "1:L1b"


def feature(seed, near=None, by=0.004):
    values = np.abs(np.random.default_rng(seed).normal(size=64)) if near is None else near
    moved = values + (0 if near is None else np.random.default_rng(seed).normal(0, by, 64))
    return (moved / np.linalg.norm(moved)).astype(np.float32)


def seen(features, lying, nothing=0.02, player=0):
    return CropSeen(player, np.array([nothing, (1 - nothing) * (1 - lying), (1 - nothing) * lying]), features)


def lying_chance(memory, look):
    told = memory.settle(look.chances[None], look.features[None])[0]
    return told[LYING] / (told[LYING] + told[STANDING])


@pytest.fixture(scope="module")
def profile():
    kept = load_profile(FRAMES / "profile.json")
    return replace(kept, figure_height=kept.figure_height * LARGER, figure_base=kept.figure_base * LARGER)


def picture(seed):
    frame = cv2.imread(str(FRAMES / "std_7002.jpg"))
    noise = np.random.default_rng(seed).normal(0, 2, frame.shape)
    return np.clip(frame + noise, 0, 255).astype(np.uint8)


def figures(look):
    return {one.space: (one.player, one.pose) for one in look.reading.dwellers}


def test_a_doubt_that_was_answered_is_none_in_the_next_picture_and_nothing_else_changes(profile):
    eyes = TableReader(profile)
    before = eyes.look(picture(2))
    first = eyes.look(picture(1))
    assert DOUBTED in first.reading.unsure
    assert DOUBTED in before.reading.unsure
    assert eyes.learn(DOUBTED, "blue", "standing") is None, "another colour was seen there"
    assert eyes.learn("5:L3a", "red", "standing") is None, "nothing was seen there"
    learned = eyes.learn(DOUBTED, "red", "lying")
    after = eyes.look(picture(2))
    assert figures(after) == {**figures(before), DOUBTED: ("red", "lying")}
    assert set(after.reading.unsure) == set(before.reading.unsure) - {DOUBTED}
    assert eyes.learn(DOUBTED, "red", "lying") is None, "it is in no doubt any more"
    assert eyes.forget(learned)
    assert not eyes.said


def test_an_answer_makes_no_figure_wrong_that_is_clearly_seen_otherwise():
    own = feature(1)
    for lying in (0.95, 0.97, 0.999):
        clear = seen(feature(3, own), lying)
        memory = FigureMemory([KnownLook(tuple(own.tolist()), STANDING, 1.5, "red")] * MOST_SAID)
        assert lying_chance(memory, clear) > 0.45, "in doubt at the most"
    memory = FigureMemory([])
    assert memory.learn(seen(own, 0.95), "red", STANDING, []) is None, "not against what is clearly seen"
    assert memory.learn(seen(own, 0.5, nothing=0.5), "red", STANDING, []) is None, "maybe it is no figure"
    neighbour = seen(feature(4, own), 0.93)
    assert memory.learn(seen(own, 0.5), "red", STANDING, [neighbour]) is None, "a neighbour would be less sure"
    told = seen(feature(4, own), 0.75)
    assert memory.learn(seen(own, 0.5), "red", STANDING, [told]) is None, "a neighbour would be told otherwise"
    sheet = FigureMemory([KnownLook(tuple(own.tolist()), LYING, 0.33)])
    assert sheet.learn(seen(own, 0.5), "red", STANDING, []) is None, "what the sheet taught holds"
    assert memory.learn(seen(own, 0.5), "red", STANDING, [seen(feature(2), 0.93)]) is not None
    assert lying_chance(memory, seen(feature(5, own), 0.6)) < 0.3


def test_the_newest_answers_of_each_colour_and_pose_are_kept():
    memory = FigureMemory([])
    given = [memory.learn(seen(feature(n), 0.5), "red", LYING, []) for n in range(MOST_SAID + 2)]
    assert memory.learn(seen(feature(50), 0.5), "blue", LYING, []) in memory.said
    assert [one for one in memory.said if one.player == "red"] == given[2:]


def test_the_profile_keeps_answers_and_drops_those_taken_back(tmp_path, capsys):
    path = tables.write_profile(tmp_path)
    sheet = KnownLook(tuple(feature(9).tolist()), LYING, 0.33).as_kept()
    said = KnownLook(tuple(feature(1).tolist()), STANDING, 1.5, "red").as_kept()
    raw = json.loads(path.read_text())
    keep_answers(path, [sheet, said])  # any example is kept as it is
    assert load_profile(path).figure_memory == (sheet, said)
    vision = vision_of(path)
    vision.forget(said)
    assert load_profile(path).figure_memory == (sheet,)
    del raw["figures"]
    assert {key: one for key, one in json.loads(path.read_text()).items() if key != "figures"} == raw
    path.unlink()
    keep_answers(path, [said])
    assert not path.exists()
    assert "not kept" in capsys.readouterr().err


def test_vision_keeps_what_it_learns(profile):
    kept = []
    vision = ProfileVision(profile, keep=kept.append)
    vision.due(picture(1), 0.0)
    vision.read(picture(1), whole=True)
    learned = vision.learn(FigureSaid(1, DOUBTED, "red", "lying"))
    assert kept == [(learned,)]
    assert vision.learn(FigureSaid(2, "4:L3a", "red", "standing")) is None
    vision.forget(learned)
    vision.forget(learned)
    assert kept == [(learned,), ()]
