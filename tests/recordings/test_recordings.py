"""Recorded rounds, hands and all, through vision and steadier into the session: the right moves, and nothing else."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.app.sight.vision_thread import ProfileVision
from companion.cards.loader import builtin
from companion.table.record.record import Record
from companion.table.session.intents import Speaker, StartGame, TableSeen, Tap
from companion.table.session.session import Session
from companion.vision.profile import load_profile
from hardware.tabletop.simulated_table import PROFILE, make_table

HERE = Path(__file__).parent
TICK = 0.2
WAIT = 60
RED = Speaker(frozenset({"red"}), name="red")
DWELLERS = {"available": ["plain"] * 4}
START = {"players": {"red": DWELLERS, "blue": DWELLERS}}
SETUP = {"players": ["red", "blue"], "levels": ["red", "blue"], "first": "red", "start": START}


@pytest.fixture(scope="module")
def profile(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pieces")
    make_table(builtin("homemade"), "en", folder)
    return load_profile(folder / PROFILE)


def story(name):
    return json.loads((HERE / name / "story.json").read_text())


class Evening:
    """A session that looks at recordings."""

    def __init__(self, folder, profile):
        self.record = Record(folder)
        self.session = Session(self.record)
        self.session.start()
        self.seeing = ProfileVision(profile)
        self.at = 0.0
        self.heard = []

    def play(self, name):
        """Show a recording, every fifth of a second a picture with its own noise."""
        chance = np.random.default_rng(1)
        for scene in story(name):
            still = cv2.imread(str(HERE / name / scene["picture"]))
            for _ in range(round(scene["seconds"] / TICK)):
                picture = np.clip(still + chance.normal(0, 1.5, still.shape), 0, 255).astype(np.uint8)
                self.show(picture)
                self.at += TICK

    def show(self, picture):
        if self.seeing.due(picture, self.at):
            self.heard.append((self.at, self.seeing.read(picture)))
        if self.seeing.resting and self.heard:
            self.session.ask(TableSeen(self.readings[-1], self.at)).result(WAIT)

    @property
    def readings(self):
        return [reading for _, reading in self.heard]

    @property
    def moves(self):
        return [entry.body["move"] for entry in self.record.entries(self.record.current) if "move" in entry.body]

    @property
    def state(self):
        return self.session.snapshots.latest.state


@pytest.fixture
def evening(tmp_path, profile):
    evening = Evening(tmp_path, profile)
    evening.session.ask(StartGame(SETUP, pack="homemade", seed="1")).result(WAIT)
    yield evening
    evening.session.stop()
    evening.record.close()


def placed(by, space):
    return {"do": "place", "by": by, "space": space, "dwellers": ["plain"]}


def nothing_wrong(evening, figures):
    """No reading ever named a card that does not lie there, nor a dweller that nobody put down."""
    levels = evening.state["levels"]
    rooms = {f"{n}:{slot}": card for n, level in levels.items() for slot, card in level["rooms"].items()}
    rooms |= {"1:E": "elevator", "2:E": "elevator-red", "3:E": "elevator-blue"}
    assert evening.readings
    for reading in evening.readings:
        assert {place: card for place, card in reading.cards.items() if card}.items() <= rooms.items()
        assert {(one.space, one.player, one.pose) for one in reading.dwellers} <= figures


def test_a_round_is_played_as_it_was_played(evening):
    evening.play("round")
    figures = [("red", "1:R1a"), ("blue", "1:R1b"), ("red", "1:R2a"), ("blue", "1:R2b")]
    assert evening.moves == [placed(*one) for one in figures]
    assert evening.state["table"]["disagreements"] == []
    nothing_wrong(evening, {(space, player, "standing") for player, space in figures})
    assert evening.readings[-1].dwellers == ()
    (offer,) = evening.state["pending"]  # everybody has picked up, and nobody has said that they pass
    evening.session.ask(Tap({"do": "choose", "id": offer["id"], "option": "yes"}, RED)).result(WAIT)
    assert evening.state["round"] == 2


def test_a_bump_a_dark_lamp_and_a_hand_that_stays_change_nothing(evening):
    evening.play("rough")
    figures = [("red", "1:R1a"), ("blue", "1:R1b"), ("red", "1:R2a")]
    assert evening.moves == [placed(*one) for one in figures]
    assert evening.state["table"]["disagreements"] == []
    nothing_wrong(evening, {(space, player, "standing") for player, space in figures})
    assert len(evening.readings[-1].dwellers) == 3
    bumped = sum(scene["seconds"] for scene in story("rough")[:3])
    again = next(
        at for at, reading in evening.heard if at > bumped and reading.table == "found" and any(reading.cards.values())
    )
    assert again - bumped < 1.0  # virtual seconds: found again within one of rest
