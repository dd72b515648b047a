"""What moves the simulated table is a thread like those of devices: what it raises is tried again."""

import threading

import pytest

from companion.app.demo import helper, next_help
from companion.app.demo.helper import DemoHelper
from companion.table import fence
from companion.table.session.intents import StartGame
from tests.table.at_the_table import WAIT, Table

SETUP = {"players": ["red", "blue"], "levels": ["red", "blue"], "first": "red", "bots": {"blue": "easy"}}


@pytest.fixture
def table(tmp_path):
    made = Table(tmp_path / "data")
    yield made
    made.close()


@pytest.fixture
def hands(table, drawn, monkeypatch):
    """The thread, without the time that people need to watch."""
    for name in ("AWAKE", "SETTLED", "UNHURRIED"):
        monkeypatch.setattr(helper, name, 0.01)
    monkeypatch.setattr(fence, "LEAST", 0.01)
    made = DemoHelper(table.session, drawn, SETUP, seed="1")
    yield made
    made.close()


class Odd:
    """Something that raises so many times, and then does what it should."""

    def __init__(self, does, times=3):
        self.does, self.left, self.well = does, times, threading.Event()

    def __call__(self, *given, **named):
        self.left -= 1
        if self.left >= 0:
            raise RuntimeError("odd")
        found = self.does(*given, **named)
        self.well.set()
        return found


def test_what_moves_the_table_goes_on_after_a_bug(table, hands, monkeypatch, capsys):
    odd = Odd(next_help.next_step)
    monkeypatch.setattr(next_help, "next_step", odd)
    hands.start()
    assert odd.well.wait(WAIT)
    assert (table.session.bugs.count, len(table.record.games)) == (3, 1)
    assert capsys.readouterr().err.count("what moves the simulated table fails: Traceback") == 1


def test_a_game_that_could_not_begin_begins_later(table, hands, monkeypatch):
    odd = Odd(hands._start)
    monkeypatch.setattr(hands, "_start", odd)
    hands.start()
    assert odd.well.wait(WAIT)
    assert table.state["phase"] != "none"


def test_where_somebody_has_begun_a_game_meanwhile_that_one_is_played(table, hands, drawn, monkeypatch):
    """The thread fails as it begins its own; nobody's game is replaced by the next try."""
    odd = Odd(next_help.next_step, times=0)
    monkeypatch.setattr(next_help, "next_step", odd)

    def begun_by_somebody_else():
        table.ask(StartGame({"players": ["red", "blue"]}, pack=drawn.pack.id))
        raise RuntimeError("odd")

    monkeypatch.setattr(hands, "_start", begun_by_somebody_else)
    hands.start()
    assert odd.well.wait(WAIT)
    assert list(table.record.games) == ["game-1"]
