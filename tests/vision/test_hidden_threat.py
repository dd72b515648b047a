"""A threat whose sticker a head hides, on a room that looks like it; and a room in a shadow, which is no threat."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.cards.placing import CardPlacement
from companion.vision.cards.recognise import Guess, Recogniser
from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader
from tests.recordings.mishaps import lamp_changed

from . import tables

ROOM, PLACE = 3, "2:R1"
LEFT, TOP, WIDE, TALL = 11, 21, 120, 168
"""Where a threat lies on the left of a room, in pixels of the room's picture."""
HEAD = (LEFT + 27 * tables.PX, TOP + 12 * tables.PX)


def threat(number: int) -> np.ndarray:
    """A threat that differs from the room's picture in some boxes; each of another colour."""
    chance = np.random.default_rng(900 + number)
    picture = tables.art(ROOM)[TOP : TOP + TALL, LEFT : LEFT + WIDE].copy()
    for _ in range(4):
        x, y = (int(v) for v in chance.integers(0, (WIDE - 50, TALL - 40)))
        colour = tuple(int(v) for v in chance.integers(20, 240, 3))
        cv2.rectangle(picture, (x, y), (x + 48, y + 30), colour, -1)
    return picture


@pytest.fixture(scope="module")
def threat_eyes(tmp_path_factory):
    """A reader that knows four threats with stickers."""
    path = tables.write_profile(tmp_path_factory.mktemp("threats"))
    raw = json.loads(path.read_text())
    for number in range(4):
        cv2.imwrite(str(path.parent / f"t{number}.png"), threat(number))
        raw["cards"][f"threat-{number}"] = {"kind": "threat", "tags": [40 + number], "art": [f"t{number}.png"]}
    path.write_text(json.dumps(raw))
    return TableReader(load_profile(path))


def the_table(monkeypatch, change):
    """Draw a table on which one room's picture was changed."""
    drawn = tables.art

    def art(number):
        picture = drawn(number).copy()
        return change(picture) if number == ROOM else picture

    monkeypatch.setattr(tables, "art", art)
    return tables.draw_table({PLACE: ROOM, "4:L2": 1, "1:L1": 0, "5:R2": 2})


@pytest.mark.parametrize("number", range(4))
def test_a_threat_whose_sticker_a_head_hides_is_not_missed(threat_eyes, monkeypatch, number):
    def lay(picture):
        picture[TOP : TOP + TALL, LEFT : LEFT + WIDE] = threat_now
        cv2.circle(picture, HEAD, 11 * tables.PX, (140, 60, 30), -1)
        return picture

    threat_now = threat(number)
    reading = threat_eyes.look(the_table(monkeypatch, lay)).reading
    assert reading.rooms[PLACE].card == f"room-{ROOM:02d}"
    if f"{PLACE}a" not in reading.unsure:
        assert reading.threats[f"{PLACE}a"].card == f"threat-{number}"


def test_a_head_on_a_bare_room_is_no_threat(threat_eyes, monkeypatch):
    def stand(picture):
        return cv2.circle(picture, HEAD, 11 * tables.PX, (140, 60, 30), -1)

    reading = threat_eyes.look(the_table(monkeypatch, stand)).reading
    assert reading.rooms[PLACE].card == f"room-{ROOM:02d}"
    assert not reading.threats


def test_a_room_in_the_shadow_of_a_hand_is_no_threat(threat_eyes, monkeypatch):
    """However alike a threat's picture looks: the room in its shadow explains the place better."""

    def shade(picture):
        light = (picture[:, : LEFT + WIDE] / 255.0) ** 2.2 * 0.3
        picture[:, : LEFT + WIDE] = light ** (1 / 2.2) * 255
        return picture

    named = Recogniser.threat

    def sees_a_threat(self, small, slot, side, placed=frozenset()):
        found = named(self, small, slot, side, placed)
        if slot.name != PLACE or side != "a" or found is None:
            return found
        where = found.placement
        card = threat_eyes.profile.cards["threat-0"]
        return Guess(CardPlacement(card, where.place, where.slot, where.x, where.y, 0.0, 0.8), 0.8, 0.2)

    monkeypatch.setattr(Recogniser, "threat", sees_a_threat)
    reading = threat_eyes.look(the_table(monkeypatch, shade)).reading
    assert reading.rooms[PLACE].card == f"room-{ROOM:02d}"
    assert not reading.threats


# --- filmed ---------------------------------------------------------------------------------------------------------

EVENING = Path(__file__).parent.parent / "recordings" / "evening"


@pytest.fixture(scope="module")
def evening_eyes():
    return TableReader(load_profile(EVENING / "profile.json"))


def filmed(number: int) -> np.ndarray:
    return cv2.imread(str(EVENING / f"{number:02d}.jpg"))


def test_a_threat_under_a_standing_figure_in_another_lamp_is_named_finely(evening_eyes):
    """Its room explains half of it, and the head hides its sticker."""
    reading = evening_eyes.look(lamp_changed(filmed(13))).reading
    assert reading.threats["1:R1b"].card == "sock-nibbler"
    assert ("1:R1b", "green", "standing") in [(one.space, one.player, one.pose) for one in reading.dwellers]


def test_a_threat_that_a_lying_figure_hides_is_told_to_be_hidden(evening_eyes):
    reading = evening_eyes.look(filmed(22)).reading
    assert ("3:R1a", "red", "lying") in [(one.space, one.player, one.pose) for one in reading.dwellers]
    assert "3:R1a" in reading.threats or "3:R1a" in reading.hidden


def test_a_threat_of_which_its_room_explains_nearly_half_is_named_finely():
    """The room explains too much for a doubt and too little for a bare one, and the coarse match is in doubt."""
    mirrored = EVENING.parent / "mirrored"
    reading = TableReader(load_profile(mirrored / "profile.json")).look(cv2.imread(str(mirrored / "10.jpg"))).reading
    assert reading.threats["3:R1a"].card == "dust-bunny"
    assert ("3:R1a", "red", "standing") in [(one.space, one.player, one.pose) for one in reading.dwellers]


def test_the_dark_half_of_a_room_without_a_name_is_no_threat():
    """The afternoon with another threat: it and a figure hide one half, and the other is nearly as much like one."""
    eyes = TableReader(load_profile(EVENING.parent / "afternoon" / "profile.json"))
    reading = eyes.look(cv2.imread(str(Path(__file__).parent / "dark_room.jpg"))).reading
    assert "2:R1" in reading.unsure
    assert reading.threats["2:R1a"].card == "thieving-magpie"
    assert "2:R1b" not in reading.threats
