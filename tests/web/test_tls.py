"""Secure pages by the same server: what is slow, broken or too much in a handshake costs nobody else anything."""

import socket
import ssl
from contextlib import ExitStack, suppress
from dataclasses import replace

import pytest
from at_the_door import BEARER, PIN
from connecting import EVENTS, HERE, PATIENT, SOON, STATE, THERE, everything, line, refused, until
from securing import secure_line, secured, trusting

from tests.serving import WAIT

CLOSING = STATE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
ALERT = b"\x15"
HELLO_BEGINS = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"


@pytest.fixture
def serve(house, tmp_path):
    """Serve the pages at two doors with these limits; return the port of the secure one."""

    def serving(**limits):
        house.start()
        house.serve(limits=replace(PATIENT, **limits))
        house.door, port = secured(house.serving.server, tmp_path)
        return port

    return serving


@pytest.fixture
def bare(raw, tmp_path):
    """The same with an application that says one word."""

    def application(_, start):
        start("200 OK", [("Content-Length", "2")])
        return [b"{}"]

    return lambda **limits: secured(raw(application, replace(PATIENT, **limits)).server, tmp_path)


@pytest.fixture
def tls():
    """Open secure connections, all closed in the end."""
    with ExitStack() as stack:
        yield lambda *given, **named: stack.enter_context(secure_line(*given, **named))


def last_words(found):
    """What is still said before the end; who goes while somebody speaks may do so rudely."""
    said = b""
    with suppress(ConnectionResetError):
        while more := found.recv(1 << 16):
            said += more
    return said


def hello():
    """What a browser says first."""
    sealed, said = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = trusting().wrap_bio(sealed, said, server_hostname="table.local")
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    return said.read()


def test_a_page_is_read_by_name_and_by_address(serve, tls):
    port = serve()
    for name in ("table.local", HERE):
        answer = everything(tls(port, name=name, sends=CLOSING))
        assert answer.startswith(b"HTTP/1.1 200")
        assert answer.rstrip().endswith(b"}")


def test_the_plain_pages_stay_as_they_are(serve, house, lines):
    serve()
    until(lines(house.serving.port, sends=STATE), b"}")


def test_requests_follow_each_other_and_a_stream_follows_the_game(serve, tls, house):
    port = serve()
    found = tls(port, sends=STATE + STATE)
    until(found, b"HTTP/1.1 200")
    found.sendall(EVENTS)
    until(found, b"event: state")
    house.tap(None, do="place", by="red", space="1:R1a")
    until(found, f"id: {house.state['seq']}\n".encode())


def test_who_says_that_nothing_more_comes_still_gets_the_answer(serve, tls):
    found = tls(serve(), sends=STATE)
    with pytest.raises(ssl.SSLError):  # it says farewell, and finds an answer in place of the other's
        found.unwrap()
    found.close()


def test_a_body_that_is_sent_in_crumbs_arrives(serve, tls):
    body = b'{"pin": "%b"}' % PIN.encode()
    head = b"POST /api/host/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    found = tls(serve())
    for piece in (
        head,
        b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body),
        *(bytes([one]) for one in body),
    ):
        found.sendall(piece)
    answer = everything(found)
    assert answer.startswith(b"HTTP/1.1 200"), answer
    assert b"__Host-companion=" in answer
    assert b"; Secure;" in answer


def test_the_cookie_of_secure_pages_never_travels_in_the_open(house):
    client = house.client()
    client.post("/api/host/login", json={"pin": PIN}, base_url="https://localhost")
    assert client.get("/host/record", base_url="https://localhost").status_code == 200
    assert client.get("/host/record").status_code == 303


def test_a_phone_brings_its_seat_from_the_plain_pages(house):
    client = house.seated("red")
    answer = client.post("/api/moves", json={"do": "pass", "by": "red"}, base_url="https://localhost")
    assert answer.status_code != 401


def test_the_host_sends_a_file_by_secure_pages(serve, tls):
    body = b"toml=" + b"x" * 100_000
    head = f"Host: localhost\r\nAuthorization: {BEARER['Authorization']}\r\nConnection: close\r\n"
    head += f"Content-Length: {len(body)}\r\nContent-Type: application/x-www-form-urlencoded\r\n\r\n"
    found = tls(serve(), sends=b"POST /wasteland/cards/import HTTP/1.1\r\n" + head.encode() + body)
    assert everything(found).startswith(b"HTTP/1.1 409")


@pytest.mark.parametrize(
    "sends",
    [b"", b"\x16", HELLO_BEGINS, HELLO_BEGINS + b"\0" * 500],
    ids=["nothing", "a byte", "the beginning of a hello", "a hello that never ends"],
)
def test_a_handshake_that_does_not_come_to_an_end_is_given_up(bare, lines, sends):
    _, port = bare(handshake=SOON)
    assert last_words(lines(port, sends=sends)) == b""


def test_a_handshake_that_is_broken_off_behind_the_hello_is_given_up(bare, lines):
    _, port = bare(handshake=SOON)
    answer = last_words(lines(port, sends=hello()))
    assert answer.startswith(b"\x16\x03\x03"), "the server's part of it"


@pytest.mark.parametrize(
    "sends",
    [
        STATE,
        b"\0" * 300,
        b"\x16\x03\x01\xff\xff" + b"x" * 70_000,
        b"\x17\x03\x03\x00\x20" + b"x" * 32,
        b"\x15\x03\x01\x00\x02\x02\x28",
        b"\x80\x2e\x01\x00\x02" + b"\0" * 60,
    ],
    ids=["plain HTTP", "noughts", "an endless record", "data before all", "an alert", "the oldest TLS"],
)
def test_what_is_no_handshake_ends_that_connection_alone(bare, lines, tls, sends):
    _, port = bare(leaving=SOON)
    answer = last_words(lines(port, sends=sends))
    assert answer[:1] in (b"", ALERT)
    until(tls(port, sends=STATE), b"{}")


def test_rubbish_behind_a_good_handshake_ends_that_connection_alone(bare, tls):
    _, port = bare(leaving=SOON)
    found = tls(port, sends=STATE)
    until(found, b"{}")
    with socket.socket(fileno=found.detach()) as beneath:
        beneath.settimeout(WAIT)
        beneath.sendall(b"\x17\x03\x03\x00\x40" + b"x" * 64)
        last_words(beneath)
    until(tls(port, sends=STATE), b"{}")


def test_an_old_browser_is_turned_away(bare, tls):
    door, port = bare()
    door.context.minimum_version = ssl.TLSVersion.TLSv1_3
    old = trusting()
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(ssl.SSLError):
        tls(port, context=old)
    until(tls(port, sends=STATE), b"{}")


def test_handshakes_of_one_address_are_counted_and_others_come_in(bare, tls, lines):
    _, port = bare(handshakes=3, tick=60.0)
    for _ in range(3):
        until(tls(port, sends=STATE), b"{}")
    assert last_words(lines(port)) == b""
    until(tls(port, THERE, sends=STATE), b"{}")


def test_half_handshakes_give_way_to_who_comes(bare, lines, tls):
    _, port = bare(of_one=3)
    waiting = [lines(port, sends=HELLO_BEGINS) for _ in range(3)]
    until(tls(port, sends=STATE), b"{}")
    assert last_words(waiting[0]) == b""


def test_slow_requests_are_under_the_same_limits(bare, tls):
    _, port = bare(header=SOON)
    refused(everything(tls(port, sends=STATE[:20])), 408, "too_slow")


def test_a_large_body_is_refused_as_on_plain_pages(bare, tls):
    sends = b"POST /api/moves HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\n"
    refused(everything(tls(bare()[1], sends=sends)), 413, "too_large")


def test_a_long_answer_arrives_whole_however_it_is_read(raw, tls, tmp_path):
    whole = bytes(range(256)) * 8000

    def application(_, start):
        start("200 OK", [("Content-Length", str(len(whole)))])
        return [whole[at : at + 100_000] for at in range(0, len(whole), 100_000)]

    _, port = secured(raw(application).server, tmp_path)
    found = tls(port, sends=CLOSING)
    answer = b"".join(iter(lambda: found.recv(5000), b""))
    assert answer.partition(b"\r\n\r\n")[2] == whole


def test_when_the_door_is_shut_who_came_in_by_it_goes_and_others_stay(serve, house, tls, lines):
    port = serve()
    inside, plain = tls(port, sends=STATE), lines(house.serving.port, sends=STATE)
    until(inside, b"}")
    until(plain, b"}")
    house.serving.server.close_door(house.door)
    assert everything(inside) == b""
    with pytest.raises(ConnectionRefusedError):
        line(port)
    plain.sendall(CLOSING)
    assert b"HTTP/1.1 200" in everything(plain)
