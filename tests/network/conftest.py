import random
import secrets
import threading

import pytest

from companion.network import mdns
from companion.network.broker_settings import Broker, Mqtt
from companion.network.league import League
from companion.network.link import BackOff
from companion.network.publisher import Publisher
from companion.table.session.intents import AskLegal, Tap
from tests.network.mosquitto import MOSQUITTO, WAIT, Ear, Mosquitto
from tests.table.at_the_table import Table

QUICK = BackOff(least=0.02, most=0.1, lasting=60.0)


class Said:
    """What was said on the log, and somebody who waits for it."""

    def __init__(self):
        self.lines = []
        self.newer = threading.Condition()

    def __call__(self, line):
        with self.newer:
            self.lines.append(line)
            self.newer.notify_all()

    def until(self, part):
        with self.newer:
            assert self.newer.wait_for(lambda: any(part in line for line in self.lines), WAIT), self.lines


class Place:
    """A table with its publisher."""

    def __init__(self, folder, port, name="Table 1", *, past=tuple, **settings):
        self.table = Table(folder)
        self.name = name
        self.said = Said()
        broker = settings.pop("broker", None) or Broker("127.0.0.1", port)
        self.publisher = Publisher(
            self.table.session, Mqtt(broker, name, **settings), past=past, pauses=QUICK, say=self.said
        )
        self.publisher.start()

    @property
    def state(self):
        return self.table.state

    @property
    def snapshots(self):
        return self.table.session.snapshots

    def connected(self, state="ok", hint=""):
        """Until the page says so, too."""
        seq = 0
        while True:
            found = self.snapshots.newer_than(seq, WAIT)
            assert found is not None, self.state["devices"]
            broker = found.state["devices"].get("broker", {"state": "", "hint": ""})
            if broker["state"] == state and hint in broker["hint"]:
                return
            seq = found.seq

    def play(self, rng, until, most=3000):
        """Random play, until something holds."""
        for _ in range(most):
            if until(self.state):
                return
            offers = self.table.session.question(AskLegal()).result(WAIT)
            self.table.ask(Tap(rng.choice([offer.move for offer in offers if offer.move["do"] != "use"])))
        raise AssertionError(self.state["phase"])

    def play_to_the_end(self, rng):
        """A short game: this round is the last."""
        self.table.tap("correct", set={"last_round": True})
        self.play(rng, lambda state: state["phase"] == "over")

    def close(self):
        self.publisher.close()
        self.table.close()


@pytest.fixture
def mosquitto(tmp_path):
    """Starts brokers; they end with the test."""
    if MOSQUITTO is None:
        pytest.skip("Mosquitto is not installed: apt install mosquitto")
    started = []

    def start(*lines, **options):
        started.append(Mosquitto(tmp_path, *lines, **options))
        return started[-1]

    yield start
    for one in started:
        one.kill()


@pytest.fixture
def listening():
    made = []

    def listen(port, *topics, **options):
        made.append(Ear(port, *topics, **options))
        return made[-1]

    yield listen
    for one in made:
        one.close()


@pytest.fixture
def place(tmp_path):
    made = []

    def make(port, name="Table 1", **options):
        made.append(Place(tmp_path / f"place{len(made)}", port, name, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


class Watched:
    """A league, and somebody who waits for what it shows."""

    def __init__(self, port, **options):
        self.said = Said()
        self.league = League(Broker("127.0.0.1", port), say=self.said, pauses=QUICK, **options)
        self.league.start()

    @property
    def picture(self):
        return self.league.snapshots.latest.state

    def until(self, wanted):
        seq = 0
        while True:
            found = self.league.snapshots.newer_than(seq, WAIT)
            assert found is not None, self.picture
            if wanted(found.state):
                return found.state
            seq = found.seq

    def finals(self, count):
        """The results as soon as so many games are finished: table, and everybody's score."""
        picture = self.until(lambda picture: len(picture["results"]) == count)
        return {(one["table"], one["game"]): scores(one["players"]) for one in picture["results"]}

    def close(self):
        self.league.stop()


def scores(players):
    return {colour: player["happiness"] for colour, player in players.items()}


@pytest.fixture
def league():
    made = []

    def make(port, **options):
        made.append(Watched(port, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.fixture
def rng():
    return random.Random(1)


@pytest.fixture(autouse=True)
def among_ourselves(monkeypatch):
    """Other tables may be in the same network: a test finds its own alone."""
    monkeypatch.setattr(mdns, "MARK", ("app", secrets.token_hex(8)))
