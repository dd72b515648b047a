"""The connection itself: encrypted, and against brokers that are none."""

import socket
import ssl
import subprocess
import threading
from contextlib import suppress

import pytest

from companion.games.timeline import Timeline
from companion.network.broker_settings import broker
from companion.network.link import MOST, OnceLog, tls_context
from tests.network.mosquitto import WAIT

ACCEPTED = b"\x20\x03\x00\x00\x00"


@pytest.fixture
def papers(tmp_path):
    """An authority, a certificate that it has signed for 127.0.0.1, and one that nobody has."""

    def openssl(*arguments):
        subprocess.run(["openssl", *arguments], cwd=tmp_path, check=True, capture_output=True)

    def key(name, *more):
        new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", f"{name}.key"]
        address = ["-addext", "subjectAltName=IP:127.0.0.1"] if name != "ca" else []
        openssl("req", "-x509", *new, *address, "-subj", f"/CN={name}", "-days", "2", "-out", f"{name}.pem", *more)

    key("ca")
    key("server", "-CA", "ca.pem", "-CAkey", "ca.key")
    key("stranger")
    return tmp_path


def test_an_encrypted_broker_is_known_by_its_certificate(mosquitto, place, papers):
    port = mosquitto(f"certfile {papers}/server.pem", f"keyfile {papers}/server.key").port
    table = place(port, broker=broker(f"mqtts://127.0.0.1:{port}", ca=papers / "ca.pem"))
    table.connected()
    table.table.start()
    table.table.tap("place", by="red", space="1:R1a")
    # Larger than one record of TLS, so that more than one is waiting at times.
    for _ in range(20):
        table.table.tap("undo")
        table.table.tap("redo")
    table.publisher._settled()
    assert not table.publisher._open
    assert table.said.lines == []


def test_the_authority_of_a_house_need_not_be_strict_and_that_of_the_world_is(papers, monkeypatch):
    strict, plain = ssl.VERIFY_X509_STRICT, ssl.create_default_context

    def as_in_newer_pythons(**more):
        context = plain(**more)
        context.verify_flags |= strict
        return context

    monkeypatch.setattr(ssl, "create_default_context", as_in_newer_pythons)
    assert not tls_context(broker("mqtts://127.0.0.1", ca=papers / "ca.pem")).verify_flags & strict
    assert tls_context(broker("mqtts://127.0.0.1")).verify_flags & strict


# Paho leaves a socket whose handshake has failed to the garbage collector.
left_behind = pytest.mark.filterwarnings(
    "ignore:Exception ignored in. <ssl.SSLSocket", "ignore:unclosed <ssl.SSLSocket"
)


@left_behind
def test_a_certificate_that_nobody_has_signed_is_refused_and_said_once(mosquitto, place, papers):
    port = mosquitto(f"certfile {papers}/stranger.pem", f"keyfile {papers}/stranger.key").port
    table = place(port, broker=broker(f"mqtts://127.0.0.1:{port}", ca=papers / "ca.pem"))
    table.connected("failing", "is not trusted")
    assert len(table.said.lines) == 1


@left_behind
def test_an_encrypted_table_at_a_plain_broker_is_told(mosquitto, place, papers):
    port = mosquitto().port
    table = place(port, broker=broker(f"mqtts://127.0.0.1:{port}", ca=papers / "ca.pem"))
    table.connected("failing", "no broker at mqtts://")


def pretend(*answers, heard=None):
    """A broker of a test's own: what it says to each connection, whatever it hears."""
    server = socket.create_server(("127.0.0.1", 0))

    def run():
        for answer in answers:
            try:
                connection, _ = server.accept()
            except OSError:  # the test is over
                return
            with connection, suppress(OSError):
                connection.recv(65536)
                if heard is not None:
                    heard.release()
                connection.sendall(answer)
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65536):
                    pass

    threading.Thread(target=run, daemon=True).start()
    return server


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (b"\x20\x03\x00\x84\x00", "too old"),
        (b"\x20\x03\x00\x86\x00", "username or password"),
        (b"\x20\x03\x00\x97\x00", "Quota exceeded"),
        (ACCEPTED + b"\xe0\x02\x95\x00", "too large"),
        (ACCEPTED + b"\x30\x05\x00\x02\xff\xfe\x00", "hung up"),
        (ACCEPTED + b"\x30\x02\xff\xff", "no MQTT"),
        (ACCEPTED + b"\x90\x00", "no MQTT"),
    ],
    ids=["old", "wrong", "quota", "large", "a topic that is no text", "a topic that is not there", "half an answer"],
)
def test_what_a_broker_says_at_the_door_is_told(place, answer, hint):
    with pretend(*[answer] * 50) as server:
        table = place(server.getsockname()[1])
        table.connected("failing", hint)
        table.publisher.close()


@pytest.mark.parametrize(
    "rubbish",
    [b"HTTP/1.1 200 OK\r\n\r\n", b"\x20\x80\x80\x80\x80\x01", b"\x20\x02\x00", bytes(64)],
    ids=["a web server", "an endless length", "half a packet", "nothing but zeros"],
)
def test_a_broker_that_speaks_no_mqtt_is_said_once_and_tried_again(place, rubbish):
    heard = threading.Semaphore(0)
    with pretend(*[rubbish] * 50, heard=heard) as server:
        table = place(server.getsockname()[1])
        for _ in range(3):
            assert heard.acquire(timeout=WAIT)
        table.connected("failing")
        table.table.start()
        assert table.state["players"]
        table.publisher.close()
    assert len(table.said.lines) == len(set(table.said.lines)) <= 2


def length(number):
    """The length of a packet as MQTT writes it."""
    written = b""
    while True:
        number, rest = divmod(number, 128)
        written += bytes([rest + (128 if number else 0)])
        if not number:
            return written


TOPIC = b"\x00\x01t"
FLOODS = {
    "one message of 200 MB": (b"\x32" + length(200_000_000) + TOPIC, bytes(100_000)),
    "messages that never count": (b"", b"\x34" + length(60_006) + TOPIC + b"%s" + bytes(60_001)),
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_broker_that_does_not_mind_how_much_we_take_is_hung_up_on(place, flood):
    head, piece = FLOODS[flood]
    sent, over = [0], threading.Event()

    def pour(listening):
        with suppress(OSError):
            phone, _ = listening.accept()
            with phone:
                phone.settimeout(WAIT)
                phone.recv(65536)
                phone.sendall(ACCEPTED + head)
                for number in range(3000):
                    more = piece.replace(b"%s", (number + 1).to_bytes(2, "big"))
                    phone.sendall(more)
                    sent[0] += len(more)
        over.set()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        pouring = threading.Thread(target=pour, args=(listening,), daemon=True)
        pouring.start()
        table = place(listening.getsockname()[1])
        table.connected("failing", "TooMuchError")
        assert over.wait(WAIT)
        table.publisher.close()
    assert sent[0] < 20_000_000, "what the kernel's buffers hold, and no more"
    assert len(table.publisher._link._client._in_packet["packet"]) < 2_000_000
    assert len(table.publisher._link._client._in_messages) <= 1
    table.table.start()
    assert table.state["players"]


def test_trouble_that_changes_all_the_time_is_said_once_each(place):
    with pretend(*[b"\x20\x03\x00\x84\x00", b"\x20\x03\x00\x86\x00", b"HTTP/1.1 400\r\n\r\n"] * 50) as server:
        table = place(server.getsockname()[1])
        for hint in ("too old", "username", "MQTT") * 3:
            table.connected("failing", hint)
        table.publisher.close()
    assert len(table.said.lines) == len(set(table.said.lines)) <= 4


def test_a_hostile_broker_is_not_quoted_without_end():
    said = []
    once = OnceLog(said.append)
    for number in range(1000):
        once.say("link", f"trouble {number}")
    assert len(said) == MOST
    once.settled("link")
    once.say("link", "trouble 1")
    assert said[-1] == "MQTT: trouble 1"
    assert len(said) == MOST + 1


def test_a_bug_of_ours_is_traced_once_and_no_broker_is_blamed_for_it(mosquitto, listening, place, monkeypatch, capsys):
    port = mosquitto().port
    table, ear = place(port), listening(port, "companion/Table 1/state")
    table.connected()
    ear.the_state_of(table)  # was sent behind its subscription, so the broker knows that as well
    reached = threading.Semaphore(0)

    def bug(*_message, **_more):
        reached.release()
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(table.publisher, "heard", bug)
    for _ in range(3):
        ear.say("companion/Table 1/command", b"{}")
        assert reached.acquire(timeout=WAIT)
    table.publisher.close()
    assert table.state["devices"]["broker"] == {"state": "ok", "hint": ""}
    assert table.said.lines == []
    assert capsys.readouterr().err.count("ZeroDivisionError: ours") == 1


def test_a_session_that_has_ended_is_told_as_offline(mosquitto, listening, place, monkeypatch):
    port = mosquitto().port
    table = place(port)
    table.connected()
    ear = listening(port, "companion/+/availability")
    table.table.start()
    monkeypatch.setattr(Timeline, "take", lambda *_: 1 / 0)  # a bug that leaves the game half-way
    with pytest.raises(ZeroDivisionError):
        table.table.tap("place", by="red", space="1:R1a")
    table.table.session.wait()
    assert ear.until(lambda one: one.payload == b"offline").topic == "companion/Table 1/availability"


def test_a_broker_that_comes_and_goes_is_said_again_after_it_has_lasted(mosquitto, place):
    broker_ = mosquitto()
    table = place(broker_.port)
    table.connected()
    for _ in range(2):
        broker_.kill()
        table.connected("failing", "no broker")
        broker_.start()
        table.connected()
    once = len(table.said.lines)
    table.publisher._since -= 3600
    broker_.kill()
    table.connected("failing", "no broker")
    assert len(table.said.lines) > once
