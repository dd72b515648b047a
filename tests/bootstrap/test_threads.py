"""What starts beside the session, and the threads of libraries: whatever one of them raises, the evening goes on."""

import os
import signal
import threading

import pytest

from companion.app import runtime
from companion.app.config import Config
from companion.app.devices import Devices
from companion.app.network_services import network_services
from companion.app.runtime import LazyService, TableRuntime
from companion.app.serving import NEEDED, Threads
from companion.network.broker_settings import Broker, Mqtt
from companion.table.bots import bot_thread, helper_thread, win_forecast
from companion.table.record.record import Record
from companion.table.session.intents import Look, StartGame, Tap

SOON = 30
ERRORS = (RuntimeError, OSError, AttributeError, ImportError, KeyError)
SETUP = {"players": ["red", "blue"], "levels": ["red", "blue"], "first": "red"}


def raising(error):
    def odd(*_, **__):
        raise error("odd")

    return odd


@pytest.fixture
def evening(tmp_path):
    with Record(tmp_path / "data") as record:
        yield TableRuntime(record, Config(voice=False), Devices(None, tmp_path / "profile.json", None))


def plays(evening):
    evening.session.ask(StartGame(SETUP)).result(SOON)
    answer = evening.session.ask(Tap({"do": "place", "by": "red", "space": "1:R1a"})).result(SOON)
    return answer.version == 1


class Odd:
    """A service of which some verb raises."""

    def __init__(self, verb, error):
        self.verb, self.error, self.closed = verb, error, False

    def start(self):
        if self.verb == "start":
            raise self.error("odd")

    def close(self):
        self.closed = True
        if self.verb == "close":
            raise self.error("odd")


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("verb", ["start", "close"])
def test_a_service_that_raises(evening, verb, error, capfd):
    before, odd, behind = Odd("", error), Odd(verb, error), Odd("", error)
    for service in (before, odd, behind):
        evening.add(service, "panel")
    evening.start()
    evening.session.ask(Look()).result(SOON)
    assert plays(evening)
    told = evening.session.snapshots.latest.state["devices"].get("panel", {})
    assert (told.get("code") == "fails") == (verb == "start")
    evening.close()
    assert before.closed
    assert behind.closed
    assert error.__name__ in capfd.readouterr().err


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize(
    ("module", "name", "device"), [(bot_thread, "BotThread", "officer"), (win_forecast, "WinForecast", "seer")]
)
def test_helpers_that_cannot_be_made(evening, monkeypatch, module, name, device, error):
    monkeypatch.setattr(module, name, raising(error))
    evening.start()
    evening.session.ask(Look()).result(SOON)
    assert evening.session.snapshots.latest.state["devices"][device]["code"] == "fails"
    assert plays(evening)
    evening.close()


@pytest.mark.parametrize("error", ERRORS)
def test_a_helpers_thread_goes_on_behind_a_bug(evening, monkeypatch, error):
    times = [0]
    work = bot_thread.BotThread._work

    def odd(self):
        times[0] += 1
        if times[0] == 1:
            raise error("odd")
        work(self)

    monkeypatch.setattr(bot_thread.BotThread, "_work", odd)
    monkeypatch.setattr(helper_thread.Fence, "_pause", 0.001, raising=False)
    evening.start()
    seq, seen = 0, []
    while "ok" not in seen:
        snapshot = evening.session.snapshots.newer_than(seq, SOON)
        assert snapshot is not None, seen
        seq = snapshot.seq
        seen.append(snapshot.state["devices"].get("officer", {}).get("state"))
    assert "failing" in seen
    assert plays(evening)
    evening.close()


@pytest.mark.parametrize("error", ERRORS)
def test_a_broker_whose_library_cannot_be_loaded(evening, monkeypatch, error, tmp_path):
    monkeypatch.setattr("companion.app.network_services.publisher", raising(error))
    config = Config(mqtt=Mqtt(Broker("127.0.0.1", 1), "table"), announce=False)
    for service in network_services(config, evening.session, tmp_path, None):
        evening.add(service, service.device)
    evening.start()
    evening.session.ask(Look()).result(SOON)
    assert evening.session.snapshots.latest.state["devices"]["broker"]["code"] == "fails"
    assert plays(evening)
    evening.close()
    assert isinstance(service, LazyService)
    assert runtime.LazyService is LazyService


def dies(name):
    thread = threading.Thread(target=raising(RuntimeError), name=name)
    thread.start()
    thread.join(SOON)


def test_the_end_of_a_librarys_thread_is_counted_and_the_evening_goes_on(monkeypatch, capfd):
    killed = []
    monkeypatch.setattr(os, "kill", lambda *what: killed.append(what))
    with Threads() as threads:
        for _ in range(3):
            dies("Thread-7 (callbacks of a chip)")
    assert (threads.bugs.count, threads.ended_by, killed) == (3, "", [])
    assert capfd.readouterr().err.count("Traceback") == 1


@pytest.mark.parametrize("name", NEEDED)
def test_the_end_of_a_thread_that_is_needed_ends_the_companion(monkeypatch, name, capfd):
    killed = []
    monkeypatch.setattr(os, "kill", lambda *what: killed.append(what))
    with Threads() as threads:
        dies(name)
    assert killed == [(os.getpid(), signal.SIGTERM)]
    assert threads.ended_by == f"RuntimeError in the thread {name}"
    assert "the companion ends" in capfd.readouterr().err
