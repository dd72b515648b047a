"""Bots whose helper is killed, stands still or has a bug: the table waits for none of them."""

import os
import signal

import pytest
from bots_at_the_table import events

from companion.bots.policy.greedy import Greedy
from companion.bots.policy.helper_process import BotHelper
from companion.table.bots import bot_thread as officers_module
from companion.table.ports import as_json
from companion.table.session.events import DeviceReported


def killed_when_asked(monkeypatch, times):
    """Each question finds the helper killed in the middle of its thought, so many times."""
    killed = []
    consider = BotHelper.consider

    def considered(self, *question):
        consider(self, *question)
        if len(killed) < times:
            killed.append(self.pid)
            os.kill(self.pid, signal.SIGKILL)

    monkeypatch.setattr(BotHelper, "consider", considered)
    return killed


def test_a_helper_that_is_killed_in_mid_thought_is_started_again(table, bots, monkeypatch):
    table.start(bots={"red": "hard"})
    killed = killed_when_asked(monkeypatch, 1)
    here = bots(walks=40)
    state = here.until(lambda state: state["placed"])
    assert len(killed) == 1
    assert here.thread.helper.pid not in killed
    said = [event for event in events(table, DeviceReported) if event.device == "officer"]
    assert [event.state for event in said] == ["restarted", "ok"]
    assert "officer" in state["devices"]


def test_bots_play_on_though_every_helper_dies(table, bots, monkeypatch):
    table.start(bots={"red": "hard", "blue": "hard"})
    killed = killed_when_asked(monkeypatch, 1000)
    here = bots()
    state = here.until(lambda state: state["round"] > 1)
    assert len(killed) == officers_module.DEATHS
    assert state["devices"]["officer"] == {"state": "failing", **as_json(officers_module.FAILING)}
    said = [event.state for event in events(table, DeviceReported) if event.device == "officer"]
    assert said == ["restarted", "failing"]


def test_a_bot_is_beaten_by_no_bug_and_its_bug_is_told(table, bots, monkeypatch, capfd):
    table.start(bots={"red": "hard", "blue": "fair"})
    killed_when_asked(monkeypatch, 1000)
    monkeypatch.setattr(Greedy, "choose", lambda *_: 1 / 0)
    here = bots()
    state = here.until(lambda state: state["round"] > 1)
    assert state["devices"]["officer"]["state"] == "failing"
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_a_helper_that_stands_still_is_ended(table, bots, monkeypatch):
    table.start(bots={"red": "fair"})
    stopped = []
    consider = BotHelper.consider

    def considered(self, *question):
        if not stopped:
            stopped.append(self.pid)
            os.kill(self.pid, signal.SIGSTOP)
        consider(self, *question)

    monkeypatch.setattr(BotHelper, "consider", considered)
    here = bots(patience=1.5)
    here.until(lambda state: state["placed"])
    assert stopped
    with pytest.raises(ProcessLookupError):
        os.kill(stopped[0], 0)
