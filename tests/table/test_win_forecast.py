"""Everybody's chance to win at a real session: told while it is wanted, kept for every round, survived by the table."""

import os
import signal
import threading

import pytest
from bots_at_the_table import LONG, Bots, events

from companion.bots.policy.helper_process import ForecastHelper
from companion.table.bots import win_forecast
from companion.table.bots.win_forecast import DEATHS, WinForecast
from companion.table.session.events import DeviceReported
from companion.table.session.intents import ChangeSettings


@pytest.fixture
def forecasts(table):
    made = []

    def see(playouts=6):
        made.append(WinForecast(table.session, table.folder, playouts=playouts))
        made[-1].start()
        return made[-1]

    yield see
    for one in made:
        one.close()
        assert one.helper is None


@pytest.fixture
def until(table):
    bots = Bots(table)
    yield bots.until
    bots.close()


def test_the_chances_are_told_with_their_uncertainty(table, forecasts, until):
    table.ask(ChangeSettings(odds_win=True))
    table.start()
    forecasts()
    told = until(lambda state: state["odds"]["win"] is not None)["odds"]["win"]
    assert told["playouts"] == 6
    assert (told["version"], told["round"]) == (0, 1)
    assert sum(one["chance"] for one in told["chances"].values()) == pytest.approx(1, abs=0.01)
    assert all(one["interval"][0] <= one["chance"] <= one["interval"][1] for one in told["chances"].values())
    table.tap("place", by="red", space="1:R1a")
    table.all_answered()
    version = table.state["version"]
    until(lambda state: state["odds"]["win"]["version"] == version)


def test_nobody_plays_on_while_nobody_wants_to_see_it(table, forecasts, until):
    table.start()
    mine = forecasts()
    table.ask(ChangeSettings(odds_win=True))
    until(lambda state: state["odds"]["win"] is not None)
    assert mine.helper is not None
    table.ask(ChangeSettings(odds_win=False))
    assert table.state["odds"]["win"] is None
    mine.close()
    assert mine.helper is None


def test_every_round_of_a_quick_game_gets_its_chances(table, forecasts, until, monkeypatch):
    table.ask(ChangeSettings(odds_win=True))
    written, write = threading.Condition(), win_forecast.write

    def wrote(*curve):
        with written:
            write(*curve)
            written.notify_all()

    monkeypatch.setattr(win_forecast, "write", wrote)
    forecasts(playouts=2)
    table.start(bots={"red": "fair", "blue": "easy"})
    state = until(lambda state: state["phase"] == "over")
    whole = list(range(1, state["round"] + 1))
    with written:
        assert written.wait_for(lambda: list(win_forecast.read(table.folder, state["id"])) == whole, LONG)
    kept = win_forecast.read(table.folder, state["id"])
    versions = [one["version"] for one in kept.values()]
    assert versions == sorted(versions)


def test_a_round_that_was_taken_back_is_told_anew(table, forecasts, until):
    table.ask(ChangeSettings(odds_win=True))
    table.start(start={"round": 3, "phase": "spawn"})
    game = table.state["id"]
    forecasts()
    until(lambda state: state["odds"]["win"] is not None)
    table.tap("correct", set={"round": 4})
    until(lambda state: state["odds"]["win"] is not None and state["odds"]["win"]["round"] == 4)
    first = win_forecast.read(table.folder, game)[4]["version"]
    table.tap("undo")
    version = table.state["version"]
    until(lambda state: state["odds"]["win"]["version"] == version)
    table.tap("redo")
    until(lambda state: state["odds"]["win"]["round"] == 4)
    kept = win_forecast.read(table.folder, game)
    assert list(kept) == [3, 4]
    assert kept[4]["version"] > first


def test_a_curve_goes_on_after_the_plug_was_pulled(table, until):
    table.ask(ChangeSettings(odds_win=True))
    table.start()
    game = table.state["id"]
    kept = {1: {"version": 0, "playouts": 9, "chances": {}}}
    win_forecast.write(table.folder, game, kept)
    mine = WinForecast(table.session, table.folder, playouts=3)
    mine.start()
    table.tap("place", by="red", space="1:R1a")
    table.all_answered()
    version = table.state["version"]
    until(lambda state: state["odds"]["win"] and state["odds"]["win"]["version"] == version)
    mine.close()
    assert win_forecast.read(table.folder, game) == kept


def test_a_file_that_is_none_is_no_curve(tmp_path):
    assert win_forecast.read(tmp_path, "g") == {}
    for text in ("nonsense", "[1]", '{"one": {}}', '{"1": 3}'):
        win_forecast.write(tmp_path, "g", {})
        (tmp_path / win_forecast.FOLDER / "g.json").write_text(text, encoding="utf-8")
        assert win_forecast.read(tmp_path, "g") == {}
    (tmp_path / "h").touch()
    win_forecast.write(tmp_path / "h", "g", {1: {}})


def test_a_seer_that_dies_again_and_again_is_said_once(table, forecasts, until, monkeypatch):
    consider, killed = ForecastHelper.consider, []

    def considered(self, *question, **how):
        consider(self, *question, **how)
        killed.append(self.pid)
        os.kill(self.pid, signal.SIGKILL)

    monkeypatch.setattr(ForecastHelper, "consider", considered)
    table.ask(ChangeSettings(odds_win=True))
    table.start()
    forecasts()
    until(lambda state: state["devices"].get("seer", {}).get("state") == "failing")
    assert len(killed) == DEATHS
    table.ask(ChangeSettings(odds_win=False))
    until(lambda state: state["devices"]["seer"]["state"] == "ok")
    said = [event.state for event in events(table, DeviceReported) if event.device == "seer"]
    assert said == ["failing", "ok"]
