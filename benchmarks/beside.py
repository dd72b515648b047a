"""Measure whether anybody waits for the bots: the same taps at a quiet table, and while a bot searches."""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from benchmarks.tabling import quantiles
from companion.bots.policy.budget import Budget
from companion.table.bots.bot_thread import BotThread
from companion.table.bots.win_forecast import WinForecast
from companion.table.record.record import Record
from companion.table.session.intents import ChangeSettings, DeviceChanged, SeatBot, StartGame, Tap
from companion.table.session.session import Session

if TYPE_CHECKING:
    from companion.table.session.snapshots import Snapshots

TAPS, TURNS = 60, 6
"""Quiet and busy in turns, since what else the machine does changes too."""
ALL_THE_TIME = Budget(milliseconds=600_000)


def measure() -> dict[str, float]:
    """Time a correction until it is on disk and published: quiet, and beside a bot that never stops searching."""
    with tempfile.TemporaryDirectory() as folder:
        record = Record(Path(folder))
        session = Session(record)
        session.start()
        session.ask(StartGame({"players": ["red", "blue", "green"], "first": "red"}, seed="1")).result()
        officers, seers = BotThread(session, budget=ALL_THE_TIME), WinForecast(session, Path(folder))
        officers.start()
        seers.start()
        quiet, busy = [], []
        for _ in range(TURNS):
            quiet += _taps(session)
            session.ask(ChangeSettings(odds_win=True)).result()
            session.ask(SeatBot("red", "hard")).result()
            _until_told(session.snapshots)
            busy += _taps(session)
            session.ask(SeatBot("red", None)).result()
            session.ask(ChangeSettings(odds_win=False)).result()
        officers.close()
        seers.close()
        session.stop()
        record.close()
    return {**quantiles("quiet_ms", quiet), **quantiles("busy_ms", busy)}


def _taps(session: Session) -> list[float]:
    """Return so many corrections, each answered; one that changes nothing for the bot's turn."""
    times = []
    for number in range(TAPS):
        began = perf_counter()
        session.ask(Tap({"do": "correct", "set": {"players": {"blue": {"happiness": number % 50}}}})).result()
        times.append(1000 * (perf_counter() - began))
        session.put(DeviceChanged("panel", "ok", str(number)))
    return times


def _until_told(snapshots: Snapshots) -> None:
    """Wait until both helpers run: a first chance is known."""
    seq = 0
    while (snapshot := snapshots.newer_than(seq)) is not None and snapshot.state["odds"]["win"] is None:
        seq = snapshot.seq
