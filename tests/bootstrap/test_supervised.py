"""What systemd would do: hold the socket, wait for signs of life, ask for the end."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from companion.app.serving import Watchdog, listening
from companion.table.record.record import Record
from companion.table.session.session import Session

ROOT = Path(__file__).parents[2]
SOON = 30
HAND_OVER = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.execve(sys.executable, [sys.executable, *sys.argv[2:]], os.environ | {"LISTEN_PID": str(os.getpid())})
"""


@pytest.fixture
def systemd(tmp_path):
    """The socket on which a service says how it is."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as found:
        found.bind(str(tmp_path / "notify"))
        found.settimeout(SOON)
        yield found


@contextmanager
def service(tmp_path, port):
    """`companion run` as systemd starts it, with a socket that is held for it."""
    with socket.create_server(("127.0.0.1", 0)) as held:
        held.set_inheritable(True)
        port.append(held.getsockname()[1])
        told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "100000", "LISTEN_FDS": "1"}
        run = ["-m", "companion.cli", "run", "--data", str(tmp_path / "data"), "--port", "1"]
        started = subprocess.Popen(
            [sys.executable, "-c", HAND_OVER, str(held.fileno()), *run],
            env=os.environ | told,
            pass_fds=[held.fileno()],
            stdout=subprocess.DEVNULL,
            cwd=ROOT,
        )
    try:
        yield started
    finally:
        started.send_signal(signal.SIGTERM)
        assert started.wait(SOON) == 0


def test_a_service_gets_its_socket_and_says_that_it_lives(tmp_path, systemd):
    port = []
    with service(tmp_path, port):
        assert systemd.recv(64) == b"READY=1"
        with urllib.request.urlopen(f"http://127.0.0.1:{port[0]}/healthz", timeout=SOON) as answer:
            assert json.load(answer)["ok"]
        assert [systemd.recv(64) for _ in range(2)] == [b"WATCHDOG=1"] * 2
    while systemd.recv(64) != b"STOPPING=1":
        pass


def test_who_holds_all_connections_takes_no_sign_of_life(tmp_path, systemd):
    port = []
    with service(tmp_path, port), ExitStack() as stack:
        assert systemd.recv(64) == b"READY=1"
        for nth in range(400):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", port[0]), SOON))
            with suppress(OSError):  # it may have been turned away
                line.sendall(b"GET / HTTP/1.1"[: nth % 10])
        systemd.setblocking(False)
        with suppress(BlockingIOError):
            while systemd.recv(64):
                pass  # what was said before
        systemd.settimeout(SOON)
        assert [systemd.recv(64) for _ in range(5)] == [b"WATCHDOG=1"] * 5


def test_a_session_that_does_not_answer_gives_no_sign_of_life(tmp_path, systemd):
    with Record(tmp_path / "data") as record:
        session = Session(record)
        session.start()
        told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "20000"}
        served = [True]
        watchdog = Watchdog(session, lambda: served[0], told)
        assert watchdog._is_alive()
        served[0] = False
        assert not watchdog._is_alive()
        served[0] = True
        session.stop()
        assert not watchdog._is_alive()
        watchdog.start()
        watchdog.close()
    assert [systemd.recv(64), systemd.recv(64)] == [b"READY=1", b"STOPPING=1"]


def test_without_systemd_there_is_nobody_to_tell(tmp_path):
    with Record(tmp_path) as record:
        watchdog = Watchdog(Session(record), bool, {})
        watchdog.start()
        watchdog.close()
    with listening(0, {"LISTEN_FDS": "1", "LISTEN_PID": "1"}) as own:
        assert own.getsockname()[1] > 0
