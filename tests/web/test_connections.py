"""Connections: what is slow is given up, what is too much is refused, and nobody else notices."""

import errno
import os
import resource
import signal
import socket
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

import pytest
from at_the_door import TOKEN
from connecting import CHUNKED, EVENTS, HERE, PATIENT, SOON, STATE, THERE, dripped, everything, line, refused, until
from waitress.parser import HTTPRequestParser

from tests.serving import WAIT
from web.base import streams
from web.base.serving import bound, let_go, server_of, stop_on_signals
from web.server import connection
from web.server.answers import HttpRequest
from web.server.server import BODY


@pytest.fixture
def serve(house):
    """Serve the pages with these limits."""

    def serving(**limits):
        house.start()
        house.serve(limits=replace(PATIENT, **limits))
        return house.serving

    return serving


@pytest.fixture
def served(serve):
    return serve()


def test_who_says_nothing_is_closed_without_a_word(serve, lines):
    assert everything(lines(serve(idle=SOON).port)) == b""


def test_a_header_that_drips_is_given_up(serve, lines):
    refused(dripped(lines(serve(header=SOON).port), STATE[:-2] + b"x" * 1000), 408, "too_slow")


def test_a_body_that_drips_is_given_up(serve, lines):
    head = b"POST /api/moves HTTP/1.1\r\nContent-Length: 1000\r\nHost: localhost\r\n\r\n"
    found = lines(serve(body=SOON, body_rate=1 << 20).port, sends=head)
    refused(dripped(found, b"x" * 1000), 408, "too_slow")


@pytest.mark.parametrize("expects", [b"", b"Expect: 100-continue\r\n"])
def test_a_body_that_is_shorter_than_it_says_is_given_up(serve, lines, expects):
    head = b"POST /api/moves HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n" + expects + b"\r\n"
    answer = everything(lines(serve(body=SOON).port, sends=head + b"{}"))
    assert answer.startswith(b"HTTP/1.1 100 Continue\r\n\r\n") == bool(expects)
    refused(answer.removeprefix(b"HTTP/1.1 100 Continue\r\n\r\n"), 408, "too_slow")


def test_what_is_behind_a_body_is_another_request(served, lines):
    head = b"POST /api/moves HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
    answer = everything(lines(served.port, sends=head + b"nonsense\r\n\r\n"))
    first, _, second = answer.partition(b"HTTP/1.0 400")
    assert first.startswith(b"HTTP/1.1 401")
    assert b"malformed" in second


def test_requests_that_come_together_are_answered_in_order(served, lines):
    asked = b"GET /nowhere HTTP/1.1\r\nHost: localhost\r\n\r\n" + STATE.replace(
        b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"
    )
    answer = everything(lines(served.port, sends=asked))
    assert answer.startswith(b"HTTP/1.1 404")
    assert b"HTTP/1.1 200" in answer


def test_who_has_asked_and_sends_no_more_gets_the_answer(served, lines):
    found = lines(served.port, sends=STATE)
    found.shutdown(socket.SHUT_WR)
    assert everything(found).startswith(b"HTTP/1.1 200")


def test_half_a_request_has_no_answer(served, lines):
    found = lines(served.port, sends=STATE[:20])
    found.shutdown(socket.SHUT_WR)
    assert everything(found) == b""


@pytest.mark.parametrize(
    "sends",
    [
        b"POST /api/moves HTTP/1.1\r\nHost: localhost\r\nContent-Length: 32505856\r\n\r\n",
        b"POST /api/moves HTTP/1.1\r\nHost: localhost\r\nContent-Length: 32505856\r\nExpect: 100-continue\r\n\r\n",
        b"POST /wasteland/cards/import HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\n",
        b"POST /api/moves HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        + (b"2000\r\n" + b"x" * 0x2000 + b"\r\n") * 9,
        b"POST /api/moves HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1" * BODY * 2,
    ],
    ids=["length", "expected", "a file of nobody's", "chunks", "the length of a chunk"],
)
def test_a_large_body_is_refused_before_it_is_kept(served, lines, sends):
    refused(everything(lines(served.port, sends=sends)), 413, "too_large")


@pytest.mark.parametrize("host", [b"a b", b"[", b"\xff\xfe", b"x" * 300, b"evil.com", b"localhost:port"])
def test_a_large_body_for_a_broken_host_is_refused_as_well(served, lines, host):
    sends = b"POST /wasteland/cards/import HTTP/1.1\r\nHost: " + host + b"\r\nContent-Length: 99999\r\n\r\n"
    refused(everything(lines(served.port, sends=sends)), 413, "too_large")


def test_who_sends_too_much_reads_the_answer(served, lines):
    sends = b"POST /api/moves HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4000000\r\n\r\n" + b"x" * 4_000_000
    refused(everything(lines(served.port, sends=sends)), 413, "too_large")


def test_the_host_sends_a_file_where_one_is_taken(served, lines):
    body = b"toml=" + b"x" * 100_000
    head = f"Host: localhost\r\nAuthorization: Bearer {TOKEN}\r\nConnection: close\r\nContent-Length: {len(body)}\r\n"
    head += "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
    sends = b"POST /wasteland/cards/import HTTP/1.1\r\n" + head.encode() + body
    assert everything(lines(served.port, sends=sends)).startswith(b"HTTP/1.1 409")
    sends = b"POST /api/moves HTTP/1.1\r\n" + head.encode() + body
    refused(everything(lines(served.port, sends=sends)), 413, "too_large")


def test_beyond_the_budget_the_one_that_has_waited_longest_gives_way(house, lines):
    house.serve(limits=replace(PATIENT, of_one=3))
    port = house.serving.port
    stream = lines(port, sends=EVENTS)
    until(stream, b"event: state")
    first, second = lines(port), lines(port, sends=STATE[:9])
    newcomer = lines(port, sends=STATE)
    until(newcomer, b"}")
    assert everything(first) == b""
    second.sendall(STATE[9:])
    until(second, b"}")
    house.start()
    until(stream, b"event: state")


def test_where_all_are_served_one_more_is_told_so_and_other_addresses_notice_nothing(house, lines):
    house.serve(limits=replace(PATIENT, of_one=3))
    port = house.serving.port
    streams = [lines(port, sends=EVENTS) for _ in range(3)]
    for stream in streams:
        until(stream, b"event: state")
    answer = everything(lines(port))
    refused(answer, 503, "too_many_connections")
    assert b"Retry-After: 5\r\n" in answer
    until(lines(port, THERE, STATE), b"}")
    house.start()
    for stream in streams:
        until(stream, b"event: state")
    streams.pop().close()
    assert house.app.extensions["companion"].streams.wait_until(2, WAIT)
    until(lines(port, HERE, STATE), b"}")


def test_who_comes_again_and_again_is_told_so_only_at_first(house, lines):
    house.serve(limits=replace(PATIENT, of_one=1, newcomers=2, tick=60.0))
    port = house.serving.port
    until(lines(port, sends=EVENTS), b"event: state")
    refused(everything(lines(port)), 503, "too_many_connections")
    assert everything(lines(port)) == b""
    until(lines(port, THERE, STATE), b"}")


def test_beyond_the_room_of_all_the_address_with_most_that_wait_gives_way(house, lines):
    house.serve(limits=replace(PATIENT, connections=4))
    port = house.serving.port
    waiting = [lines(port) for _ in range(3)]
    other = lines(port, THERE)
    until(lines(port, "127.0.0.3", STATE), b"}")
    assert everything(waiting[0]) == b""
    other.sendall(STATE)
    until(other, b"}")


def test_streams_of_one_address_leave_places_to_others(make_house, lines):
    house = make_house(most_streams=2)
    house.serve(limits=PATIENT)
    port = house.serving.port
    for _ in range(2):
        until(lines(port, sends=EVENTS), b"event: state")
    answer = until(lines(port, sends=EVENTS), b"}}")
    refused(answer, 503, "too_many_streams")
    assert b"Retry-After: 5\r\n" in answer
    until(lines(port, THERE, EVENTS), b"event: state")


def test_one_laptop_with_many_addresses_cannot_have_all_streams(make_house, lines, monkeypatch):
    """The address with most gives one up, and a phone with its only one never does."""
    monkeypatch.setattr(streams, "MOST_OF_ALL", 8)
    house = make_house(most_streams=4)
    house.serve(limits=PATIENT)
    port = house.serving.port

    def listening(number):
        found = lines(port, f"127.0.0.{number}", EVENTS)
        until(found, b"event: state")
        return found

    taken = [listening(number) for number in (2, 2, 2, 2, 3, 3, 3, 3)]
    phones = [listening(number) for number in range(10, 16)]
    assert sum(everything(one).endswith(b"0\r\n\r\n") for one in (*taken[:3], *taken[4:7])) == 6, "each finds the end"
    refused(until(lines(port, "127.0.0.2", EVENTS), b"}}"), 503, "too_many_streams")
    refused(until(lines(port, "127.0.0.99", EVENTS), b"}}"), 503, "too_many_streams")
    seq = house.state["seq"]
    house.start()
    for phone in (*phones, taken[3], taken[7]):
        until(phone, f"id: {seq + 1}".encode())


def test_a_reader_who_stops_reading_has_one_state_kept_and_then_gets_the_newest(house):
    house.start()
    house.serve(limits=PATIENT, gone_after=60)
    stream = socket.socket()
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    with stream:
        stream.settimeout(WAIT)
        stream.connect((HERE, house.serving.port))
        stream.sendall(EVENTS)
        until(stream, b"event: state")
        kept = []
        for _ in range(20):
            house.passing_hands(10)
            kept += [len(one._out) for one in house.serving.server._all()]
        assert 0 < max(kept) < 2 * len(house.session.snapshots.latest.text)
        got = until(stream, f"id: {house.state['seq']}\n".encode())
        assert 1 < got.count(b"event: state") < 150


def test_who_asks_for_the_head_of_a_stream_takes_no_place(served, lines, house):
    until(lines(served.port, sends=EVENTS.replace(b"GET", b"HEAD")), b"\r\n\r\n")
    assert house.app.extensions["companion"].streams.open == 0


def test_a_stream_that_is_silent_is_said_to_be_there(house, lines):
    house.app.extensions["companion"].streams.heartbeat = 0.1
    house.serve(limits=PATIENT)
    got = until(lines(house.serving.port, sends=EVENTS), b": still here\n\n")
    assert got.count(b"event: state") == 1


def test_a_phone_that_was_away_gets_what_is_newer_and_nothing_else(house, lines):
    house.start()
    house.app.extensions["companion"].streams.heartbeat = 0.1
    house.serve(limits=PATIENT)
    seen = f"\r\nLast-Event-ID: {house.state['seq']}\r\n\r\n".encode()
    stream = lines(house.serving.port, sends=EVENTS.replace(b"\r\n\r\n", seen))
    assert b"event: state" not in until(stream, b": still here\n\n")
    house.tap(None, do="place", by="red", space="1:R1a")
    until(stream, f"id: {house.state['seq']}\n".encode())


def test_a_thousand_connections_are_open_at_once_and_the_table_is_alive(house, lines):
    if resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 4096:
        pytest.skip("this machine gives a process too few descriptors")
    house.serve(limits=PATIENT)
    port, server = house.serving.port, house.serving.server
    many = [lines(port, f"127.0.1.{1 + nth // 50}", STATE[: nth % 20]) for nth in range(1000)]
    assert server.answers("/healthz", WAIT)
    until(lines(port, THERE, STATE), b"}")
    for nth in (0, 499, 999):
        many[nth].sendall(STATE[nth % 20 :])
        until(many[nth], b"}")
    assert server._number == 1001
    assert all(one._socket.fileno() >= 1024 for one in server._all())  # what lies below is for libraries with select()


def test_without_a_free_descriptor_one_that_waits_gives_way(served, lines, monkeypatch):
    idle = lines(served.port)
    until(lines(served.port, sends=STATE), b"}")  # by now the idle one has been taken
    real, failures = socket.socket.accept, [OSError(errno.EMFILE, "too many open files")]

    def accept(listening):
        if failures:
            raise failures.pop()
        return real(listening)

    monkeypatch.setattr(socket.socket, "accept", accept)
    until(lines(served.port, sends=STATE), b"}")
    assert everything(idle) == b""


def test_a_neighbour_with_a_thousand_keeps_nobody_out(house, lines):
    house.serve(limits=PATIENT)
    port, server = house.serving.port, house.serving.server
    for nth in range(1000):
        lines(port, HERE, STATE[: nth % 20])
        if nth % 100 == 0:
            until(lines(port, THERE, STATE), b"}")
            assert server.answers("/healthz", WAIT)
    assert len(server._held[HERE]) <= server.limits.of_one


def test_a_bug_is_said_to_be_one(raw, lines, caplog):
    def application(_, __):
        raise RuntimeError("a bug")

    serving = raw(application)
    refused(everything(lines(serving.port, sends=STATE)), 500, "internal")
    assert "a bug" in caplog.text
    assert not serving.server.answers("/", 0.2)


@pytest.mark.parametrize("sends", [b"oops\r\n\r\n", STATE + b"oops\r\n\r\n"], ids=["alone", "behind another"])
def test_a_mistake_of_the_parser_ends_one_connection(served, lines, monkeypatch, caplog, sends):
    parse = HTTPRequestParser.parse_header

    def mistaken(self, header_plus):
        if header_plus.startswith(b"oops"):
            raise RuntimeError("a mistake")
        parse(self, header_plus)

    monkeypatch.setattr(HTTPRequestParser, "parse_header", mistaken)
    answer = everything(lines(served.port, sends=sends))
    assert answer.startswith(b"HTTP/1.1 200" if len(sends) > 20 else b"")
    assert "a mistake" in caplog.text
    until(lines(served.port, sends=STATE), b"}")


def test_empty_lines_before_a_request_are_no_requests(served, lines, monkeypatch):
    """Half a megabyte of them would be a quarter of a million, and nobody else's turn for seconds."""
    made = []
    monkeypatch.setattr(connection, "HttpRequest", lambda *given: made.append(given) or HttpRequest(*given))
    found = lines(served.port)
    found.sendall(b"\r\n" * 250_000 + b"\n\r" * 10 + STATE)
    until(found, b"}")
    assert len(made) == 1


def test_what_one_address_sends_is_parsed_in_small_pieces_and_takes_turns_with_others(house, lines, monkeypatch):
    house.serve(limits=replace(PATIENT, reads=3))
    server, read = house.serving.server, []
    received = HTTPRequestParser.received

    def parsed(request, data):
        read.append((server.loop.turn, id(request), len(data)))
        return received(request, data)

    monkeypatch.setattr(HTTPRequestParser, "received", parsed)
    crowd = [lines(house.serving.port) for _ in range(20)]
    for one in crowd:
        one.sendall(CHUNKED + b"1\r\nx\r\n" * 12_000)
    phone = lines(house.serving.port, THERE, STATE)
    until(phone, b"}")
    for one in crowd:
        until(one, b"HTTP/1.1 413")
    assert max(Counter(turn for turn, _ in {one[:2] for one in read}).values()) <= 4, "three, and the phone"
    assert max(size for *_, size in read) <= 8192


def test_who_shares_an_address_with_a_flood_has_a_turn_too(house, lines):
    house.serve(limits=replace(PATIENT, reads=1))
    crowd = [lines(house.serving.port) for _ in range(8)]
    ended = threading.Event()

    def flood(one):
        with suppress(OSError):
            while not ended.is_set():
                one.sendall(b"\r\n" * 32_768)

    with ThreadPoolExecutor(len(crowd)) as threads:
        flooding = [threads.submit(flood, one) for one in crowd]
        try:
            for _ in range(5):
                until(lines(house.serving.port, sends=STATE), b"}")
        finally:
            ended.set()
        assert all(one.result(WAIT) is None for one in flooding)


@pytest.fixture
def signals():
    """Put back what handles signals."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("signals")
def test_a_signal_while_a_socket_is_no_longer_watched_ends_the_server_in_order(house, monkeypatch):
    house.start()
    with bound(0, HERE) as listening:
        server = server_of(house.app, listening, limits=PATIENT)
        stop_on_signals(server, lambda: let_go(house.app))
        watch = server.loop.watch

        def interrupted(sock, events, *others):
            watch(sock, events, *others)
            if not events:
                os.kill(os.getpid(), signal.SIGTERM)

        def leaves_early():
            with line(listening.getsockname()[1], sends=EVENTS) as reader:
                until(reader, b"event: state")

        monkeypatch.setattr(server.loop, "watch", interrupted)
        reader = threading.Thread(target=leaves_early)
        reader.start()
        server.run()
        reader.join(WAIT)
    assert not reader.is_alive()
