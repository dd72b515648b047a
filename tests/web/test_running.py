import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

import ifaddr
import pytest
from click.testing import CliRunner
from connecting import everything
from securing import secure_line

from companion.app import network_services, serving
from companion.cli import main
from companion.table.record.record import Record

ROOT = Path(__file__).parents[2]


@contextmanager
def companion(folder, *options):
    command = [sys.executable, "-m", "companion.cli", "run", "--port", "0", "--data", str(folder), *options]
    environment = {name: value for name, value in os.environ.items() if name != "JOURNAL_STREAM"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, env=environment) as process:
        try:
            yield process, process.stdout.readline(), process.stdout.readline()
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=20)
    assert process.returncode == 0


def ask(port, path, **options):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", **options)  # noqa: S310 - our own address
    with urllib.request.urlopen(request, timeout=20) as answer:  # noqa: S310
        return answer.read().decode()


def test_run_prints_where_it_is_and_serves_until_it_is_told_to_end(tmp_path):
    with companion(tmp_path, "--token", "abc") as (_, where, pin):
        port = int(re.search(r":(\d+) ", where).group(1))
        assert re.search(r"PIN is \d{6} ", pin)
        health = json.loads(ask(port, "/healthz"))
        assert health["parts"] == {"session": "ok", "journal": "ok", "camera": "off", "panel": "off"}
        setup = json.dumps({"setup": {"players": ["red", "blue"]}}).encode()
        headers = {"Authorization": "Bearer abc", "Content-Type": "application/json"}
        ask(port, "/api/host/games", data=setup, headers=headers)
        game = json.loads(ask(port, "/api/state"))["id"]
    with companion(tmp_path) as (_, where, pin):
        assert "the one you know" in pin
        port = int(re.search(r":(\d+) ", where).group(1))
        assert json.loads(ask(port, "/api/state"))["id"] == game


def secure_health(port, told):
    """What is answered at the secure door, by somebody who has installed the certificate."""
    trusting = ssl.create_default_context(cadata=ask(port, "/secure/table-companion.crt"))
    door = int(told["address"].rpartition(":")[2])
    asked = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    with secure_line(door, name=told["names"][0], sends=asked, context=trusting) as found:
        return everything(found)


def test_secure_pages_are_there_once_they_are_on_and_at_the_next_start(tmp_path):
    (tmp_path / "companion.toml").write_text("[table]\nsecure_port = 0\n")
    with companion(tmp_path, "--token", "abc") as (_, where, _pin):
        port = int(re.search(r":(\d+) ", where).group(1))
        headers = {"Authorization": "Bearer abc", "Content-Type": "application/json"}
        told = json.loads(ask(port, "/api/host/secure", data=b'{"do": "on"}', headers=headers))
        assert b'"session":"ok"' in secure_health(port, told)
        certificate = ask(port, "/secure/table-companion.crt")
    with companion(tmp_path) as (_, where, _pin):
        port = int(re.search(r":(\d+) ", where).group(1))
        late = time.monotonic() + 60
        while not (told := json.loads(ask(port, "/api/secure")))["address"]:
            assert time.monotonic() < late
        assert b'"session":"ok"' in secure_health(port, told)
        assert ask(port, "/secure/table-companion.crt") == certificate


def test_whoever_listens_does_not_hold_up_the_end(tmp_path):
    with companion(tmp_path) as (process, where, _):
        port = re.search(r":(\d+) ", where).group(1)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/events", timeout=20) as phone:
            assert phone.readline()
            process.send_signal(signal.SIGINT)
            *_, last = phone.read().splitlines()
            _, complaints = process.communicate(timeout=20)
    assert last == b"" or last.startswith((b"data:", b":"))
    assert "still running" not in complaints


def test_a_phone_that_hangs_up_gives_its_place_back(house):
    host, port = house.serve().removeprefix("http://").split(":")
    streams = house.app.extensions["companion"].streams
    with socket.create_connection((host, int(port))) as phone:
        phone.sendall(f"GET /api/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        told = b""
        while b"event: state" not in told:
            told += phone.recv(4096)
        assert streams.open == 1
    house.start()  # something new is written to a phone that is gone
    for space in ("1:R1a", "1:R2a", "1:R3a", "1:L1b"):
        house.tap(None, do="place", by=house.state["turn"], space=space)
        if not streams.open:
            break
    assert streams.wait_until(0, 10)


@pytest.mark.parametrize(
    ("request_", "status", "code"),
    [
        (b"nonsense\r\n\r\n", 400, "malformed"),
        (b"POST /api/moves HTTP/1.1\r\nContent-Length: many\r\n\r\n", 400, "malformed"),
        (b"POST /api/moves HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400, "malformed"),
        (b"POST /api/moves HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", 413, "too_large"),
    ],
)
def test_what_is_no_request_is_told_in_the_shape_of_every_error(house, request_, status, code):
    host, port = house.serve().removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as line:
        line.sendall(request_)
        head, _, body = b"".join(iter(lambda: line.recv(4096), b"")).partition(b"\r\n\r\n")
    assert head.split()[1] == str(status).encode()
    assert b"Content-Type: application/json" in head
    assert json.loads(body)["error"]["code"] == code
    assert set(json.loads(body)["error"]) == {"code", "fields", "message"}


def test_fifty_phones_see_a_move_while_the_state_is_answered(house):
    base = house.serve()
    host, port = base.removeprefix("http://").split(":")
    house.start()
    phones = [socket.create_connection((host, int(port)), timeout=10) for _ in range(50)]
    try:
        for phone in phones:
            phone.sendall(f"GET /api/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        for phone in phones:
            read_until(phone, f"id: {house.state['seq']}\n")
        assert json.loads(ask(port, "/api/state")) == house.state
        house.tap(None, do="place", by="red", space="1:R1a")
        for phone in phones:
            read_until(phone, f"id: {house.state['seq']}\n")
    finally:
        for phone in phones:
            phone.close()


def read_until(phone, wanted):
    told = ""
    while wanted not in told:
        got = phone.recv(65536)
        assert got, told
        told += got.decode()


def test_a_record_in_use_and_a_port_in_use_are_one_line(tmp_path):
    with Record(tmp_path):
        result = CliRunner().invoke(main, ["run", "--data", str(tmp_path), "--port", "0"])
    assert (result.exit_code, result.output.count("\n")) == (1, 1)
    assert "Another companion" in result.output
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", 0))  # noqa: S104
        taken.listen()
        result = CliRunner().invoke(main, ["run", "--data", str(tmp_path), "--port", str(taken.getsockname()[1])])
    assert result.exit_code == 1
    assert "in use" in result.output


def test_without_a_network_the_address_is_this_machine(monkeypatch):
    class Deaf(socket.socket):
        def connect(self, _):
            raise OSError

    monkeypatch.setattr(network_services.socket, "socket", Deaf)
    adapters = [adapter("127.0.0.1", "::1"), adapter("169.254.7.7")]
    monkeypatch.setattr("ifaddr.get_adapters", lambda: adapters)
    assert network_services.own_address() == "127.0.0.1"
    adapters.append(adapter("10.42.0.1"))
    assert network_services.own_address() == "10.42.0.1"


def adapter(*addresses):
    return ifaddr.Adapter("wlan0", "wlan0", [ifaddr.IP(one, 24, "wlan0") for one in addresses])


def test_a_table_that_started_before_its_network_tells_its_address_of_now(make_house):
    now = ["http://127.0.0.1:8000"]
    house = make_house(address=lambda: now[0])
    assert "http://table.local" in house.client().get("/join", headers={"Host": "table.local"}).text
    now[0] = "http://192.168.1.20:8000"
    assert "http://192.168.1.20:8000" in house.client().get("/join", headers={"Host": "table.local"}).text


def test_a_session_that_has_failed_ends_the_command(house, monkeypatch):
    sent = []
    monkeypatch.setattr(serving.os, "kill", lambda _, number: sent.append(number))
    house.session.stop()
    serving._end_behind(house.session)
    assert sent == []
    house.session.failure = "a bug"
    serving._end_behind(house.session)
    assert sent == [signal.SIGTERM]


@pytest.mark.skipif(not os.access(ROOT / "run", os.X_OK), reason="there is no ./run here")
def test_run_at_the_top_is_the_command():
    assert 'exec companion run "$@"' in (ROOT / "run").read_text(encoding="utf-8")
