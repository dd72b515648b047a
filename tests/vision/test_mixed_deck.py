"""A deck of which half the cards carry stickers: those without are read by their pictures, beside the others."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.seeing import Score, judge
from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader

FRAMES = Path(__file__).resolve().parent.parent / "frames"
NAMES = ("std_7002", "std_7004", "pair_7022")
AROUND = 1.45  # of a tag: the white of its sticker
IN_VIEW = (">=.97", ".8-.97")


def tags_of(profile):
    return {tag for card in profile.cards.values() for tag in card.tags}


def half_of(profile, first):
    """A profile in which every second card but the elevators has no sticker."""
    cards = dict(profile.cards)
    for name in [name for name, card in cards.items() if card.kind != "elevator"][first::2]:
        cards[name] = replace(cards[name], tags=())
    return replace(profile, cards=cards)


def seen(eyes, picture):
    return eyes.finder.find(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), thorough=True)


def without(picture, tags):
    """Paint stickers out, with what is around them."""
    mask = np.zeros(picture.shape[:2], dtype=np.uint8)
    for tag in tags:
        ring = tag.centre + (np.asarray(tag.outer) - tag.centre) * AROUND
        cv2.fillConvexPoly(mask, np.rint(ring).astype(np.int32), 255)
    return cv2.inpaint(picture, mask, 4, cv2.INPAINT_TELEA)


@pytest.fixture(scope="module", params=[0, 1], ids=["even", "odd"])
def half(request):
    """What is read of the frames with half of their stickers, and how many stickers went and stayed in all."""
    profile = load_profile(FRAMES / "profile.json")
    mixed = half_of(profile, request.param)
    gone = tags_of(profile) - tags_of(mixed)
    before, eyes = TableReader(profile), TableReader(mixed)
    score, went, stayed = Score(), 0, 0
    for name in NAMES:
        picture = cv2.imread(str(FRAMES / f"{name}.jpg"))
        there = seen(before, picture)
        changed = without(picture, [tag for tag in there if tag.id in gone])
        left = {tag.id for tag in seen(before, changed)}
        assert not left & gone
        went += len({tag.id for tag in there} & gone)
        stayed += len(left & tags_of(mixed))
        judge(eyes.look(changed).reading, json.loads((FRAMES / f"{name}.json").read_text()), score)
    return score, went, stayed


def counted(score, kind, bands):
    return sum((score.rows.get((kind, band), Counter()) for band in bands), Counter())


def test_half_of_the_stickers_are_gone_and_half_are_read(half):
    _, went, stayed = half
    assert min(went, stayed) >= 15


@pytest.mark.parametrize("kind", ["room", "threat"])
def test_no_card_has_another_ones_name(half, kind):
    assert counted(half[0], kind, (*IN_VIEW, ".5-.8", "<.5"))["wrong"] == 0


@pytest.mark.parametrize("kind", ["room", "threat"])
def test_cards_in_full_view_have_a_name_with_and_without(half, kind):
    found = counted(half[0], kind, IN_VIEW)
    assert sum(found.values()) >= {"room": 60, "threat": 11}[kind]
    assert found["right"] >= sum(found.values()) - 1


def test_what_a_sticker_was_painted_out_of_is_no_figure(half):
    assert half[0].phantoms == 0
