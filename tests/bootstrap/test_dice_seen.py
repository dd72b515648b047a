"""Dice that come to rest in their corner are read, though nothing else on the table has changed."""

import json

import pytest

from companion.app.sight.vision_thread import ProfileVision
from companion.vision.profile import ProfileError, load_profile
from hardware.cameras.capture import shrink
from tests.vision import tables, throws

VIEW = tables.camera()


def profile(folder, dice):
    path = tables.write_profile(folder)
    raw = json.loads(path.read_text())
    raw["table"]["dice"] = dice
    path.write_text(json.dumps(raw))
    return load_profile(path)


class Watching:
    """An eye's turns, as often as it takes for rest."""

    def __init__(self, seeing):
        self.seeing, self.at, self.readings = seeing, 0.0, []

    def rest(self, picture, turns=10):
        for _ in range(turns):
            self.at += 0.2
            if self.seeing.due(shrink(picture), self.at):
                self.readings.append(self.seeing.read(picture))
        return self.readings[-1]


def test_a_throw_is_seen_twice_and_then_left_alone(tmp_path):
    watching = Watching(ProfileVision(profile(tmp_path, list(throws.MIDDLE))))
    empty = tables.draw_table({"2:R1": 3}, view=VIEW)
    assert watching.rest(empty).dice == ()
    x, y = throws.MIDDLE
    thrown = throws.throw(empty, VIEW, [(3, x - 13, y, 0.3), (5, x + 13, y, 1.0)])
    before = len(watching.readings)
    found = watching.rest(thrown)
    looks = len(watching.readings)
    watching.rest(thrown)
    assert len(watching.readings) == looks >= before + 2
    assert sorted(die.value for die in found.dice) == [3, 5]
    assert found.cards == {"2:R1": "room-03"}
    assert watching.rest(empty).dice == ()


def test_a_table_without_a_corner_reads_no_dice(tmp_path):
    watching = Watching(ProfileVision(profile(tmp_path, [])))
    x, y = throws.MIDDLE
    picture = throws.throw(tables.draw_table({}, view=VIEW), VIEW, [(3, x - 13, y, 0.3), (5, x + 13, y, 1.0)])
    assert watching.rest(picture).dice == ()


@pytest.mark.parametrize("dice", ["here", [[1, 2], [3, 4], [5, 6]], [[1]]])
def test_a_corner_is_one_middle_or_two(tmp_path, dice):
    with pytest.raises(ProfileError, match=r"table\.dice"):
        profile(tmp_path, dice)
