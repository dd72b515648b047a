"""The helpers' own work, looked at from within, and a helper that is gone."""

import os
import random
import signal
from multiprocessing import Pipe

import pytest

from companion.bots.policy import helper_process
from companion.bots.policy import helper_process as helper_module
from companion.bots.policy.budget import Budget
from companion.bots.policy.helper_process import BotSettings, Helper, PositionCodec, _begin, latest
from companion.bots.policy.policy import moves_of
from companion.cards.loader import builtin
from companion.games.shelter.cards.box import Box
from companion.games.shelter.moves import read
from companion.games.shelter.setup import TableSetup, new_game
from companion.games.shelter.state import state_of
from companion.games.shelter.together.wasteland import agreed_from_json
from companion.seeded_chance import QuickLuck

PACK = builtin("homemade")
BOX = Box(PACK)


@pytest.fixture
def game():
    return new_game(BOX, TableSetup(["red", "blue"]), QuickLuck(random.Random(2)))


def hung_up(*questions):
    """A line on which questions wait, and nobody any more at its other end; what is answered can still be read."""
    ours, theirs = Pipe()
    for question in questions:
        ours.send(question)
    return ours, theirs


def echo(line):
    line.send(latest(line))
    line.recv()


def test_of_the_questions_that_wait_the_latest_is_answered():
    ours, theirs = hung_up(1, 2, 3)
    assert latest(theirs) == 3
    ours.close()
    with pytest.raises(EOFError):
        latest(theirs)


class Ending:
    """A line that is hung up after so many questions."""

    def __init__(self, *questions):
        self.questions, self.sent = list(questions), []

    def recv(self):
        if not self.questions:
            raise EOFError
        return self.questions.pop(0)

    def poll(self):
        return False

    def send(self, answer):
        self.sent.append(answer)


def test_an_officer_answers_for_every_character(game):
    parcel, seat = PositionCodec(BOX).pack(game), game.turn
    line = Ending(*((seat, 7, character, parcel) for character in ("easy", "fair", "hard", "fair")))
    with pytest.raises(EOFError):
        helper_process._think_until_hung_up(line, PACK, BotSettings("1", Budget(walks=3)))
    assert [(one, version) for one, version, _, _ in line.sent] == [(seat, 7)] * 4
    for _, _, move, reason in line.sent:
        assert read(move) in moves_of(game, seat)
        assert reason["why"]


def test_a_seer_tells_early_and_tells_well(game, monkeypatch):
    monkeypatch.setattr(helper_process, "FIRST", 2)
    line = Ending(("a", 4, PositionCodec(BOX).pack(game)), ("b", 2, PositionCodec(BOX).pack(game)))
    with pytest.raises(EOFError):
        helper_process._foresee_until_hung_up(line, PACK, "1")
    assert [(key, one["playouts"], one["sure"]) for key, one in line.sent] == [
        ("a", 2, False),
        ("a", 4, False),
        ("b", 2, False),
    ]


def test_a_seer_leaves_what_is_passed(game, monkeypatch):
    line = Ending(("a", 9, PositionCodec(BOX).pack(game)))
    monkeypatch.setattr(Ending, "poll", lambda self: not self.questions and not self.sent)
    monkeypatch.setattr(helper_process, "latest", Ending.recv)
    with pytest.raises(EOFError):
        helper_process._foresee_until_hung_up(line, PACK, "1")
    assert line.sent == []


def test_a_seer_knows_who_has_won(game):
    game.play(read({"do": "correct", "set": {"phase": "over"}}), QuickLuck(random.Random(1)))
    line = Ending(("a", 9, PositionCodec(BOX).pack(game)))
    with pytest.raises(EOFError):
        helper_process._foresee_until_hung_up(line, PACK, "1")
    ((_, told),) = line.sent
    assert told["sure"]


def test_the_process_ends_when_it_is_hung_up(monkeypatch):
    monkeypatch.setattr(os, "nice", lambda by: by)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    line = Ending(5)
    _begin(echo, line)
    assert line.sent == [5]


def test_a_helper_that_is_gone_answers_nothing_and_harms_nobody():
    gone = Helper(echo)
    gone.ask("a")
    assert gone.answers(30) == ["a"]
    os.kill(gone.pid, signal.SIGKILL)
    gone._process.join()
    assert not gone.is_alive()
    gone.ask("b")
    gone.ask("c")
    assert gone.answers(1) == []
    gone.dismiss()


def test_a_helper_that_stands_still_is_ended(monkeypatch):
    monkeypatch.setattr(helper_module, "LAST_PATIENCE", 0.1)
    still = Helper(echo)
    os.kill(still.pid, signal.SIGSTOP)
    still.dismiss()
    assert not still.is_alive()


def test_a_co_operative_game_travels_whole():
    table = TableSetup(["red", "blue"])
    table.together = agreed_from_json("hard")
    game, parcels = new_game(BOX, table, QuickLuck(random.Random(2))), PositionCodec(BOX)
    there = parcels.unpack(parcels.pack(game))
    assert there.together == game.together
    assert state_of(there) == state_of(game)
