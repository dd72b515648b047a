"""Two figures on one space: of one colour where a space takes two, of two where somebody put one too many."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.seeing import place_of
from companion.vision.annotate import draw

FRAMES = Path(__file__).resolve().parent.parent / "frames"
CLEAR = 0.9


@pytest.fixture(scope="module", params=["pair_7020", "pair_7022"])
def look(request, frame_eyes):
    picture = cv2.imread(str(FRAMES / f"{request.param}.jpg"))
    truth = json.loads((FRAMES / f"{request.param}.json").read_text())
    shown = Counter(place_of(figure) for figure in truth["dwellers"])
    doubles = {space for space, count in shown.items() if count > 1}
    there = {space: [] for space in shown}
    for figure in truth["dwellers"]:
        pose = "lying" if figure["tipped"] else "standing"
        there[place_of(figure)].append((figure["colour"], pose))
    clear = {s for s in doubles if all(f["visible"] > CLEAR for f in truth["dwellers"] if place_of(f) == s)}
    return picture, frame_eyes.look(picture), {s: sorted(there[s]) for s in clear}, doubles


def seen_on(reading, space):
    return [(dweller.player, dweller.pose) for dweller in reading.dwellers if dweller.space == space]


def test_two_on_a_space_are_read_as_two(look):
    _, found, pairs, _ = look
    read = {space: seen_on(found.reading, space) for space in pairs}
    assert len(pairs) > 2
    assert read == pairs


def test_a_foot_beyond_the_middle_to_the_next_space_stands_on_that_one(look, frame_eyes):
    _, found, pairs, _ = look
    finder = frame_eyes.whole.pairs
    space = min(space for space in pairs if seen_on(found.reading, space) == pairs[space])
    one, other = (v.candidate for v in found.found.verdicts if v.candidate.space.name == space)
    for foot, likely in ((22.0, True), (25.0, False)):
        assert finder._likely([replace(one, foot=(-2.0, 0.0)), replace(other, foot=(foot, 0.0))]) is likely


def test_one_on_a_space_is_never_two(look):
    _, found, _, doubles = look
    counted = Counter(dweller.space for dweller in found.reading.dwellers)
    assert {space for space, count in counted.items() if count > 1} <= doubles


def test_a_space_is_read_or_unsure(look):
    _, found, _, _ = look
    assert not {dweller.space for dweller in found.reading.dwellers} & set(found.reading.unsure)


def test_both_are_read_again_where_something_changed(look, frame_eyes):
    picture, found, pairs, _ = look
    read = [space for space in pairs if seen_on(found.reading, space) == pairs[space]]
    again = {space: frame_eyes.look_again(picture, found, {space[:-1]}).reading for space in read}
    alike = [space for space in read if seen_on(again[space], space) == pairs[space]]
    assert all(space in again[space].unsure for space in set(read) - set(alike))
    assert len(alike) >= len(read) - 1
    assert all(len(again[space].dwellers) == len(found.reading.dwellers) for space in alike)


def test_both_are_drawn_where_they_stand(look, frame_eyes):
    picture, found, pairs, _ = look
    space = min(s for s in pairs if seen_on(found.reading, s) == pairs[s])
    both = draw(picture, found, frame_eyes.profile)
    one = [dweller for dweller in found.reading.dwellers if dweller.space == space][1:]
    rest = [dweller for dweller in found.reading.dwellers if dweller.space != space]
    fewer = type(found)(
        type(found.reading)("", "found", dwellers=tuple(rest + one)), found.tags, found.pose, found.lines, found.found
    )
    assert np.any(both != draw(picture, fewer, frame_eyes.profile))


def test_with_a_hand_over_the_table_nothing_is_two(look, frame_eyes):
    picture, *_ = look
    height, width = picture.shape[:2]
    reaching = cv2.line(picture.copy(), (width // 2, height), (width // 2, height // 2), (60, 50, 45), 250)
    reading = frame_eyes.look(reaching).reading
    assert reading.hand
    assert max(Counter(dweller.space for dweller in reading.dwellers).values()) == 1
