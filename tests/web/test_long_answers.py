"""Answers that take long to make or to read: they hold no thread for long, and others are answered meanwhile."""

import socket
import threading
import time
from dataclasses import replace

from connecting import HERE, PATIENT, SOON, STATE, THERE, everything, until

from tests.serving import WAIT


def endless():
    """An application whose answer has no end, and what tells that it was given up."""
    ended = threading.Event()

    def pieces():
        try:
            while True:
                yield b"x" * 100_000
        finally:
            ended.set()

    def application(_, start):
        start("200 OK", [])
        return pieces()

    return application, ended


def test_who_does_not_read_a_long_answer_holds_no_thread_for_long(raw, lines):
    application, ended = endless()
    serving = raw(application, replace(PATIENT, stalled=SOON))
    found = lines(serving.port, sends=STATE)
    until(found, b"xxx")
    assert ended.wait(WAIT)


def test_who_reads_a_long_answer_byte_by_byte_holds_no_thread_for_long(raw):
    """There is always something that could be sent, and never an end."""
    application, ended = endless()
    serving = raw(application, replace(PATIENT, stalled=1.5, answer_rate=10_000_000))
    serving.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)  # what is read makes room at once
    with socket.socket() as found:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        found.settimeout(WAIT)
        found.connect((HERE, serving.port))
        found.sendall(STATE)
        late = time.monotonic() + WAIT
        while not ended.wait(0.02) and time.monotonic() < late:
            found.recv(8192)
    assert ended.is_set()


def test_who_reads_slowly_gets_all_of_it(raw, lines):
    def application(_, start):
        start("200 OK", [("Content-Length", "8000000")])
        return [b"x" * 8_000_000]

    found = lines(raw(application).port, sends=STATE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
    assert len(everything(found).partition(b"\r\n\r\n")[2]) == 8_000_000


def test_who_asks_for_much_waits_for_it_alone(raw, lines):
    """All threads that one address may have are taken, and what else it asks for waits; another is answered."""
    go_on = threading.Event()

    def application(environ, start):
        if environ["REMOTE_ADDR"] == HERE and environ["HTTP_HOST"] != "localhost":
            go_on.wait(WAIT)
        start("200 OK", [("Content-Length", "2")])
        return [b"ok"]

    serving = raw(application)
    slow = STATE.replace(b"localhost", b"slow")
    many = [lines(serving.port, sends=slow) for _ in range(20)]
    until(lines(serving.port, THERE, STATE), b"ok")
    assert serving.server.answers("/", WAIT)
    go_on.set()
    for found in many:
        until(found, b"ok")


def test_without_a_thread_that_answers_there_is_no_sign_of_life(raw):
    go_on = threading.Event()

    def application(_, start):
        go_on.wait(WAIT)
        start("200 OK", [])
        return []

    server = raw(application).server
    assert not server.answers("/", 0.05)
    go_on.set()
    assert server.answers("/", WAIT)
