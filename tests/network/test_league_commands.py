"""`companion league` and `companion find`."""

import json
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.commands import league
from companion.network import mdns
from tests.network.mosquitto import WAIT

ROOT = Path(__file__).parents[2]


def asked(*arguments):
    result = CliRunner().invoke(main, arguments)
    return result.exit_code, result.output


def test_a_league_says_where_it_is_and_shows_the_tables(mosquitto, place):
    broker = mosquitto()
    place(broker.port, "Table 7").connected()
    command = [sys.executable, "-m", "companion.cli", "league", "--mqtt", broker.url, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        line = process.stdout.readline()
        port = re.search(r":(\d+) \(broker", line).group(1)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/events", timeout=WAIT) as stream:
            assert any(b"Table 7" in told for told in stream)
        process.send_signal(signal.SIGTERM)
        _, errors = process.communicate(timeout=WAIT)
    assert (process.returncode, errors) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--mqtt"),
        (("--mqtt", "http://secret:secret@x"), "no broker's"),
        (("--mqtt", "mqtt://x", "--password-file", "/none"), "none that cannot be read"),
        (("--mqtt", "mqtt://x", "--since", "tomorrow"), "no time like"),
    ],
)
def test_wrong_use_is_told_without_secrets(arguments, said):
    code, output = asked("league", *arguments)
    assert code == 2
    assert said in output
    assert "secret" not in output.split("Error: ")[1]


def test_a_port_in_use_is_one_line():
    import socket  # noqa: PLC0415

    with socket.create_server(("0.0.0.0", 0)) as taken:  # noqa: S104
        port = taken.getsockname()[1]
        code, output = asked("league", "--mqtt", "mqtt://127.0.0.1:1", "--port", str(port))
    assert code == 1
    assert output.startswith(f"Error: port {port}: ")


def test_find_lists_what_answers():
    table = mdns.AnnouncedTable("Kitchen", 8000, lambda: "127.0.0.1", interfaces=["127.0.0.1"])
    table.start()
    try:
        for _ in range(20):
            code, output = asked("find", "--seconds", "1.2", "--interface", "127.0.0.1")
            if code == 0:
                break
        assert output == "Kitchen  http://127.0.0.1:8000  http://kitchen.local:8000\n"
        code, output = asked("find", "--seconds", "1.2", "--interface", "127.0.0.1", "--json")
        assert json.loads(output)[0]["name"] == "Kitchen"
    finally:
        table.close()
    code, output = asked("find", "--seconds", "0.3", "--interface", "127.0.0.1")
    assert (code, output.count("\n")) == (1, 1)
    assert "No table has answered" in output


def test_a_network_that_cannot_be_asked_is_one_line(monkeypatch):
    def deaf(*_):
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(mdns, "_responder", deaf)
    assert asked("find") == (1, "Error: the network cannot be asked: Network is unreachable\n")


def test_a_time_is_one_where_we_are():
    assert league._time("2026-11-18T17:00").tzinfo is not None
    assert league._time(None) is None
