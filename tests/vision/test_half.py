"""A threat of which half a sticker is left: where that puts it, and where its picture has it, are both weighed."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.cards.reread import Rereader, RereadTag
from companion.vision.cards.tags import Tag

FRAMES = Path(__file__).resolve().parent.parent / "frames"
PLACE, CARD = "5:L3b", "threat-70"
FIGURE = (182, 74, 28)


@pytest.mark.parametrize("off", [0, 8, 16])
def test_half_a_sticker_may_be_put_off_by_what_hides_the_rest(frame_eyes, monkeypatch, off):
    picture = cv2.imread(str(FRAMES / "std_7004.jpg"))
    card = next(card for card in frame_eyes.profile.cards.values() if card.name == CARD)
    tag = next(tag for tag in frame_eyes.look(picture).tags if tag.id in card.tags)
    side = float(np.linalg.norm(tag.corners[1] - tag.corners[0]))
    lower = tag.corners[2:].mean(axis=0) * 0.6 + tag.corners.mean(axis=0) * 0.4
    cv2.circle(picture, tuple(np.round(lower).astype(int).tolist()), round(side * 0.45), FIGURE, -1, cv2.LINE_AA)
    usual = Rereader.threat

    def put_off(self, grey, pose, slot, side, stickers, *, askew=False):
        if slot.name + side != PLACE:
            return usual(self, grey, pose, slot, side, stickers, askew=askew)
        moved = tag.corners + np.array([-off, off], dtype=np.float32)
        return RereadTag(Tag(tag.id, moved, 0.5, drawn=True), sure=False, firm=False)

    monkeypatch.setattr(Rereader, "threat", put_off)
    reading = frame_eyes.look(picture).reading
    assert reading.threats[PLACE].card == CARD
