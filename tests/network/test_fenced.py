"""Whatever the libraries of the network raise: the table plays on, says so, and tries again."""

import socket
import threading

import pytest
import zeroconf
from paho.mqtt.client import Client

from companion.network import link as link_module
from companion.network import mdns
from companion.network.broker_settings import Broker, Mqtt
from companion.network.link import BackOff, Link
from companion.network.publisher import Publisher
from companion.table import fence
from tests.network.mosquitto import WAIT
from tests.table.at_the_table import Table

ERRORS = (RuntimeError, OSError, AttributeError, ValueError, KeyError, TypeError, MemoryError)
QUICK = BackOff(least=0.001, most=0.002)


def raising(error):
    def odd(*_, **__):
        raise error("odd")

    return odd


class Listening:
    """Hears what a link says, until it has said it so often."""

    def __init__(self):
        self.hints = []
        self.newer = threading.Condition()

    def up(self, _):
        pass

    def down(self, hint):
        with self.newer:
            self.hints.append(hint)
            self.newer.notify_all()

    def until(self, times):
        with self.newer:
            assert self.newer.wait_for(lambda: len(self.hints) >= times, WAIT)


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("call", ["connect", "socket", "want_write", "loop_misc"])
def test_the_library_of_the_broker(monkeypatch, capsys, call, error):
    monkeypatch.setattr(Client, "connect", lambda *_, **__: None)
    monkeypatch.setattr(Client, "disconnect", raising(error))
    ends = socket.socketpair()
    monkeypatch.setattr(Client, "socket", lambda _: ends[0])
    monkeypatch.setattr(Client, call, raising(error))
    heard = Listening()
    link = Link(Broker("127.0.0.1", 1), "table", heard, [], pauses=QUICK)
    link.start()
    heard.until(3)
    link.stop()
    assert not link._thread.is_alive()
    assert all("odd" in hint for hint in heard.hints)
    is_expected = (call == "connect" and issubclass(error, OSError | ValueError)) or issubclass(error, link_module.SENT)
    traces = capsys.readouterr().err.count("Traceback")
    assert traces == (1 if is_expected else 2), "that of hanging up, and once that of what was raised again and again"
    for end in ends:
        end.close()


class Broken:
    """A link on which the first messages cannot be sent; every other one is acknowledged at once."""

    def __init__(self, published, error, times):
        self.published, self.error, self.left, self.sent = published, error, times, []
        self.newer = threading.Condition()

    def publish(self, topic, payload, **_):
        if self.left:
            self.left -= 1
            raise self.error("odd")
        with self.newer:
            self.sent.append((topic, payload))
            self.newer.notify_all()
        self.published.acknowledged(len(self.sent), None)
        return len(self.sent)

    def until(self, part):
        with self.newer:
            assert self.newer.wait_for(lambda: any(part in text for _, text in self.sent), WAIT), self.sent[-3:]

    def start(self):
        pass

    stop = start


@pytest.mark.parametrize("error", ERRORS)
def test_what_cannot_be_published_is_left_out_and_the_next_state_follows(tmp_path, monkeypatch, error):
    monkeypatch.setattr(fence, "LEAST", 0.001)
    table = Table(tmp_path / "data")
    published = Publisher(table.session, Mqtt(Broker("127.0.0.1", 1), "table"), past=raising(error), say=str)
    link = published._link = Broken(published, error, 2)
    published.start()
    published.up(None)
    table.start()
    number = 1
    while link.left:
        number += 1
        table.tap("correct", set={"round": number})
    table.tap("correct", set={"round": number + 1})
    link.until(f'"round":{number + 1}')
    while table.state["devices"]["broker"]["state"] != "ok":
        assert table.session.snapshots.newer_than(table.state["seq"], WAIT) is not None
    published.close()
    assert table.session.failure is None
    table.close()


@pytest.mark.parametrize("error", [*ERRORS, zeroconf.Error, StopIteration])
@pytest.mark.parametrize("call", ["__init__", "register_service", "close"])
def test_the_library_of_names(monkeypatch, call, error):
    said, newer = [], threading.Event()

    def say(_, about, line):
        said.append((about, line))
        newer.set()

    monkeypatch.setattr(mdns.OnceLog, "say", say)
    for name in ("__init__", "register_service", "close"):
        monkeypatch.setattr(mdns.Zeroconf, name, lambda *_, **__: None)
    monkeypatch.setattr(mdns.Zeroconf, call, raising(error))
    addresses = iter(range(2, 250))
    told = mdns.AnnouncedTable(
        "table", 80, lambda: f"127.0.0.{next(addresses, 250)}", interfaces=["127.0.0.1"], every=0.005
    )
    told.start()
    if call != "close":
        assert newer.wait(WAIT)
        assert "the QR code works all the same" in said[0][1]
    told.close()
    assert not told._thread.is_alive()


@pytest.mark.parametrize("error", ERRORS)
def test_an_address_that_cannot_be_found_out(monkeypatch, error):
    newer = threading.Event()
    monkeypatch.setattr(mdns.OnceLog, "say", lambda *_: newer.set())
    told = mdns.AnnouncedTable("table", 80, raising(error), every=0.005)
    told.start()
    assert newer.wait(WAIT)
    told.close()
    assert not told._thread.is_alive()
