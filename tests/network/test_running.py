"""The command itself, with a broker in its configuration."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.network.mosquitto import WAIT

ROOT = Path(__file__).parents[2]
CONFIG = """
[table]
name = "Kitchen"
port = 0
announce = false
[camera]
kind = "off"
[panel]
on = false
[voice]
on = false
[mqtt]
url = "{url}"
username = "pi"
password = "secret-7"
"""


@pytest.fixture
def running(mosquitto, tmp_path):
    broker = mosquitto()
    file = tmp_path / "companion.toml"
    file.write_text(CONFIG.format(url=broker.url), encoding="utf-8")
    command = [sys.executable, "-m", "companion.cli", "run", "--config", file, "--data", tmp_path / "data"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        yield broker, process
        if process.poll() is None:
            process.kill()


def test_run_tells_the_broker_and_says_goodbye(running, listening):
    broker, process = running
    ear = listening(broker.port)
    ear.on("companion/Kitchen/state", lambda told: told["devices"].get("broker", {}).get("state") == "ok")
    device = json.loads(
        next(one.payload for one in ear.all if one.topic == "homeassistant/sensor/companion_Kitchen/round/config")
    )["device"]
    assert device["name"] == "Kitchen"
    assert device["configuration_url"].startswith("http://")
    process.send_signal(signal.SIGTERM)
    ear.until(lambda one: one.topic == "companion/Kitchen/availability" and one.payload == b"offline")
    out, err = process.communicate(timeout=WAIT)
    assert process.returncode == 0
    assert "secret-7" not in out + err
