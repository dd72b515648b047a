from dataclasses import dataclass, field

import pytest

from companion.refusal import Refusal
from companion.table.session.intents import ButtonPressed, DeviceChanged
from companion.table.session.snapshots import Snapshot
from hardware.panel.panel import GpioPanel
from hardware.panel.pins import Fingers
from hardware.panel.wiring import Wiring, load


@dataclass
class Clock:
    """A clock that goes when it is told to."""

    now: float = 100.0

    def __call__(self):
        return self.now

    def go(self, seconds):
        self.now += seconds


def state(**changes):
    """As much of a state as lamps and voice look at."""
    return {
        "game": "shelter",
        "phase": "place",
        "turn": None,
        "round": 1,
        "pending": [],
        "players": {colour: {"name": colour.title()} for colour in ("red", "blue", "green", "yellow")},
        "table": {"camera": "watching", "disagreements": []},
        "result": None,
        "spawned": [],
    } | changes


def snapshot(*events, seq=1, **changes):
    return Snapshot(seq, 1, state(**changes), tuple(events))


@dataclass
class Table:
    """A panel on pretended pins, turned by hand on a clock of our own."""

    clock: Clock
    wiring: Wiring = field(default_factory=load)
    intents: list = field(default_factory=list)
    broken: Exception | None = None
    refused: Refusal | None = None
    switched_off: int = 0

    def switch_off(self):
        if self.refused is not None:
            raise self.refused
        self.switched_off += 1

    def __post_init__(self):
        self.fingers = Fingers(self.wiring, self.passes)
        self.panel = GpioPanel(
            self.wiring, self.intents.append, chip=self.chip, clock=self.clock, switch_off=self.switch_off
        )
        self.panel.turn(0)

    def chip(self):
        if self.broken is not None:
            raise self.broken
        return self.fingers.chip

    def passes(self, seconds):
        """Time passes, and the panel's thread does what it does meanwhile."""
        self.panel.turn(0)
        for _ in range(20):
            self.clock.go(seconds / 20)
            self.panel.turn(0)

    def show(self, *events, **changes):
        self.panel.show(snapshot(*events, **changes))
        self.panel.turn(0)

    def pressed(self):
        return [(one.button.value, one.held) for one in self.intents if isinstance(one, ButtonPressed)]

    def said(self, device="panel"):
        return [
            (one.state, one.hint) for one in self.intents if isinstance(one, DeviceChanged) and one.device == device
        ]


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def table(clock):
    table = Table(clock)
    yield table
    table.panel.close()
