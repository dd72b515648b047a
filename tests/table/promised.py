"""Tables whose chance is promised: secrets and numbers that are always the same, and what tests ask of them."""

import hashlib
import random

import in_the_wasteland
import pytest
from at_the_table import RED, SETUP

from companion.fair.check import check
from companion.refusal import Refusal
from companion.table.session.intents import AddNumber, Speaker, StartGame

SECRETS = [hashlib.sha256(b"secret %d" % number).hexdigest() for number in range(30)]
NUMBERS = [hashlib.sha256(b"number %d" % number).hexdigest()[:32] for number in range(30)]
GREEN = Speaker(frozenset({"green"}), name="green")


def start(table, plays="shelter", **more):
    setups = {"shelter": SETUP, "wasteland": in_the_wasteland.TWO, "pig": {"players": ["red", "blue"]}}
    return table.ask(StartGame(setups[plays], plays, **more))


def add(table, number=NUMBERS[0], speaker=RED, seat="red", promise=None):
    return table.ask(AddNumber(seat, number, speaker, promise))


def entries_of(table):
    return table.record.entries(table.state["id"])


def checked(table):
    return check(entries_of(table))


def refused(table, **said):
    with pytest.raises(Refusal) as told:
        add(table, **said)
    return told.value.code


def wander(table, seed, steps=60):
    """Legal moves, undos, redos, corrections and numbers, at random."""
    source = random.Random(seed)
    for _ in in_the_wasteland.wander(table, seed, steps):
        if source.random() < 0.05:
            seat = source.choice(table.state["order"])
            try:
                add(table, f"{source.getrandbits(128):032x}", Speaker(frozenset({seat}), name=seat), seat)
            except Refusal as refusal:
                assert refusal.code == "number_added"
