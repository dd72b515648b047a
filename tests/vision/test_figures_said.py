"""A person's answer to a doubt: it is asked no more, in another picture neither, and the others read as before."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.app.sight.vision_thread import ProfileVision, keep_answers, vision_of
from companion.table.ports import FigureSaid
from companion.table.sight.reading import Figure
from companion.vision.figures import verdict
from companion.vision.figures.memory import (
    DOUBT,
    HARM,
    LYING,
    MOST_SAID,
    NOTHING,
    STANDING,
    THERE,
    Answer,
    Answers,
    CropSeen,
    FigureMemory,
    KnownLook,
    LastLooks,
)
from companion.vision.figures.network import load_net
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
    assert eyes.learn(DOUBTED, "red", "lying") is None, "that was said already"
    assert eyes.forget(learned)
    assert not eyes.said
    assert DOUBTED in eyes.look(picture(3)).reading.unsure, "taken back, it is a doubt again"


def test_an_answer_that_teaches_nothing_elsewhere_holds_where_it_was_given(profile, monkeypatch):
    """As where the guard refuses it: another figure would be less sure."""
    monkeypatch.setattr(FigureMemory, "learn", lambda *_: None)
    eyes = TableReader(profile)
    before = eyes.look(picture(1))
    answer = eyes.learn(DOUBTED, "red", "lying")
    assert answer.look is None
    for seed in (2, 3):
        after = eyes.look(picture(seed))
        assert figures(after) == {**figures(before), DOUBTED: ("red", "lying")}
    assert not eyes.forget(answer), "nothing was learned"
    assert DOUBTED in eyes.look(picture(5)).reading.unsure


class Doubtful:
    """A network that is never sure that anybody is there."""

    def __init__(self, net):
        self._net = net

    def answer_with_features(self, *crops):
        chances, features = self._net.answer_with_features(*crops)
        return chances / 2 + np.array([0.5, 0, 0]), features


def test_who_says_that_nobody_is_there_is_not_asked_again_and_no_other_figure_is_lost(profile, monkeypatch):
    monkeypatch.setattr(verdict, "load_net", lambda: Doubtful(load_net()))
    eyes = TableReader(profile)
    before = eyes.look(picture(1))
    assert not figures(before)
    assert DOUBTED in before.reading.unsure
    answer = eyes.learn(DOUBTED, "", "nothing")
    after = eyes.look(picture(2))
    assert set(before.reading.unsure) - set(after.reading.unsure) == {DOUBTED}
    assert not figures(after)
    eyes.forget(answer)
    assert DOUBTED in eyes.look(picture(3)).reading.unsure


def test_whose_figure_it_is_holds_where_the_camera_was_in_doubt_and_saw_anothers(profile, monkeypatch):
    monkeypatch.setattr(verdict, "load_net", lambda: Doubtful(load_net()))
    eyes = TableReader(profile)
    eyes.look(picture(1))
    answer = eyes.learn(DOUBTED, "green", "standing")
    assert answer.look is None, "its features are those of another colour"
    assert figures(eyes.look(picture(2))) == {DOUBTED: ("green", "standing")}
    assert eyes.learn(DOUBTED, "green", "standing") is None, "that was said already"
    assert eyes.learn(DOUBTED, "purple", "standing") is None


def test_nobody_says_away_what_is_clearly_there(profile):
    eyes = TableReader(profile)
    eyes.look(picture(1))
    assert eyes.learn(DOUBTED, "", "nothing") is None, "its pose was in doubt, not that it is there"


def test_an_answer_makes_no_figure_wrong_that_is_clearly_seen_otherwise():
    own = feature(1)
    for lying in (0.95, 0.97, 0.999):
        clear = seen(feature(3, own), lying)
        memory = FigureMemory([KnownLook(tuple(own.tolist()), STANDING, 1.5, "red")] * MOST_SAID)
        assert lying_chance(memory, clear) > 0.45, "in doubt at the most"
    memory = FigureMemory([])
    assert memory.learn(seen(own, 0.95), "red", STANDING, []) is None, "not against what is clearly seen"
    assert memory.learn(seen(own, 0.5, nothing=0.95), "red", STANDING, []) is None, "it is clearly no figure"
    assert memory.learn(seen(own, 0.5, nothing=0.05), "red", NOTHING, []) is None, "it clearly is one"
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
    vision.forget(Answer("1:R1a", seen(feature(1), 0.5), STANDING, 0, said))
    assert load_profile(path).figure_memory == (sheet,)
    del raw["figures"]
    assert {key: one for key, one in json.loads(path.read_text()).items() if key != "figures"} == raw
    path.unlink()
    keep_answers(path, [said])
    assert not path.exists()
    assert "not kept" in capsys.readouterr().err


def test_what_was_said_is_read_at_once_and_what_was_taken_back_no_more(profile):
    vision, now = ProfileVision(profile), itertools.count()

    def rest(seed):
        """Show the table at rest until vision needs no more pictures; return what it reads, and how many it took."""
        reading = None
        for pictures in range(20):
            if not vision.due(picture(seed), next(now) / 4) and vision.resting:
                return reading, pictures
            reading = vision.read(picture(seed)) if vision.resting else reading
        return reading, 20

    assert DOUBTED in rest(1)[0].unsure
    assert rest(1)[1] == 0, "nothing has changed"
    answer = vision.learn(FigureSaid(1, DOUBTED, "red", "standing"))
    told, _ = rest(1)
    assert Figure(DOUBTED, "red", "standing") in told.dwellers
    assert DOUBTED not in told.unsure
    vision.forget(answer)
    assert Figure(DOUBTED, "red", "standing") not in rest(1)[0].dwellers


def test_vision_keeps_what_it_learns(profile):
    kept = []
    vision = ProfileVision(profile, keep=kept.append)
    vision.due(picture(1), 0.0)
    vision.read(picture(1), whole=True)
    learned = vision.learn(FigureSaid(1, DOUBTED, "red", "lying"))
    assert kept == [(learned.look,)]
    assert vision.learn(FigureSaid(2, "4:L3a", "red", "standing")) is None
    vision.forget(learned)
    vision.forget(learned)
    assert kept == [(learned.look,), ()]


def there(memory, look):
    return 1 - memory.chance(look, NOTHING)


def test_whether_anybody_is_there_is_learned_too_by_a_bounded_step():
    own = feature(1)
    doubt, like, far = seen(own, 0.1, nothing=0.5), seen(feature(3, own), 0.1, nothing=0.6), seen(feature(2), 0.1, 0.6)
    memory = FigureMemory([])
    assert memory.learn(doubt, "red", STANDING, [like]) is not None
    assert there(memory, like) > THERE
    assert there(memory, far) == pytest.approx(0.4, abs=0.03)
    memory = FigureMemory([])
    assert memory.learn(doubt, "red", NOTHING, [like]) is None, "another doubt would be told away"
    look = memory.learn(doubt, "red", NOTHING, [far])
    assert (look.kind, look.player) == (NOTHING, "red")
    assert there(memory, like) < DOUBT
    assert there(FigureMemory([look] * 9), seen(own, 0.1, nothing=0.002)) > 1 - DOUBT, "a clear one stays"
    assert memory.forget(look)
    assert there(memory, like) == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("kind", "nothing"),
    [(NOTHING, 0.25), (NOTHING, 0.06), (STANDING, 0.93)],
    ids=["a figure would go", "a clear figure would be in doubt", "an empty space would be in doubt"],
)
def test_an_answer_about_who_is_there_changes_no_other_space(kind, nothing):
    own = feature(1)
    other = seen(feature(4, own), 0.1, nothing=nothing)
    assert FigureMemory([]).learn(seen(own, 0.1, nothing=0.5), "red", kind, [other]) is None
    assert FigureMemory([]).learn(seen(own, 0.1, nothing=0.5), "red", kind, []) is not None


def test_nothing_is_learned_against_the_figures_of_the_colours_step():
    own = feature(1)
    sheet = FigureMemory([KnownLook(tuple(own.tolist()), STANDING, 0.33)])
    assert sheet.learn(seen(feature(3, own), 0.1, nothing=0.5), "red", NOTHING, []) is None
    assert sheet.learn(seen(feature(3, own), 0.1, nothing=0.5), "red", STANDING, []) is not None


class Verdict:
    """What `LastLooks` notes of a space."""

    def __init__(self, space, look):
        self.candidate, self.seen = self, look
        self.space, self.name = self, space


def test_an_answer_holds_until_its_space_looks_otherwise():
    own = feature(1)
    look, like = seen(own, 0.4, nothing=0.5), seen(feature(3, own), 0.4, nothing=0.5)
    answer = Answer("1:R1a", look, STANDING, 0)
    assert answer.is_of(like)
    assert not answer.is_of(seen(own, 0.4, nothing=0.5, player=1)), "another colour"
    assert not answer.is_of(seen(feature(2), 0.4, nothing=0.5)), "something else"
    assert not answer.is_of(seen(own, 0.95, nothing=0.5)), "it clearly lies"
    assert not answer.is_of(seen(own, 0.4, nothing=0.95)), "it has clearly gone"
    assert not Answer("1:R1a", look, NOTHING, 0).is_of(seen(own, 0.4, nothing=HARM)), "somebody has come"
    answers, looks = Answers(), LastLooks()
    answers.hold(answer)
    for slots, seen_now, left in (({"1:R1"}, like, answer), ({"2:R1"}, None, answer), ({"1:R1"}, None, None)):
        looks.note([Verdict("1:R1a", seen_now)] if seen_now else [], slots)
        answers.look(looks, slots)
        assert answers.at("1:R1a") is left
    assert not answers.drop(answer)
    answers.hold(answer)
    assert answers.drop(answer)
    assert answers.at("1:R1a") is None
