"""What the service's sandbox leaves of cameras, pins and sound: all that the table needs. Run by the bench."""

import array
import shutil
import subprocess
import threading
from pathlib import Path

import pytest

from companion.games.api import Button
from hardware.panel.wiring import load
from tests.bench import service, usb_port
from tests.bench.gpio_sim import KernelFingers

PROJECT = Path(__file__).parents[2]
CONTRACT = PROJECT / "tests/hardware/test_camera_contract.py"
LOUD = 1000
"""Of 32,768: what nobody takes for silence."""


@pytest.fixture(scope="module", autouse=True)
def installed():
    service.install()
    yield
    service.stop()


def pytest_in_it(*words):
    service.runs(
        "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", str(PROJECT / "pyproject.toml"), *WARNINGS, *words
    )


WARNINGS = [
    f"-Wdefault::{one}" for one in ("DeprecationWarning", "ResourceWarning", "pytest.PytestUnraisableExceptionWarning")
]


@pytest.mark.parametrize("camera", ["usb", "webcam", "libcamera"])
def test_a_camera_does_what_cameras_do(camera):
    pytest_in_it(str(CONTRACT), "-k", f"[{camera}]")
    assert " passed" in service.said()
    assert "failed" not in service.said()


def test_the_voice_is_heard(tmp_path):
    """What is played to the one end of the kernel's loopback card is recorded at the other."""
    heard = tmp_path / "heard"
    listen = ["arecord", "-q", "-D", "plughw:Loopback,1,0", "-f", "S16_LE", "-r", "48000", "-c", "2", "-t", "raw"]
    with subprocess.Popen([*listen, heard]) as recorder:
        while not heard.exists() or not heard.stat().st_size:
            assert recorder.poll() is None, "nobody listens"
            threading.Event().wait(0.1)
        service.runs("-c", "from hardware.voice.voice import espeak; espeak('en', 'Threats are coming.')")
        recorder.terminate()
    samples = array.array("h", heard.read_bytes())
    assert max(samples) > LOUD


def test_the_table_runs_in_it():
    """The real program in the real unit: it sees the webcam, its buttons are heard, its buzzer sounds."""
    fingers = KernelFingers(load())
    service.HOME.mkdir(exist_ok=True)
    frames = PROJECT / "tests/frames"
    shutil.copy(frames / "profile.json", service.HOME)
    shutil.copytree(frames / "art", service.HOME / "art", dirs_exist_ok=True)
    (service.HOME / "companion.toml").write_text(f'[camera]\nkind = "usb"\nnumber = {usb_port.webcam()}\n')
    service.system("chown", "-R", "table-companion:", service.HOME)
    service.runs("-m", "companion.cli", "run", "--data", str(service.HOME), kind="notify")
    wanted = dict.fromkeys(("camera", "lamps", "panel", "voice"), "ok")
    assert any(wanted == {name: device["state"] for name, device in told.items()} for told in service.devices())
    fingers.down(Button.THREATS)
    assert any(fingers.buzzes for _ in range(20_000)), "nobody refuses what is pressed without a game"
    fingers.let_go(Button.THREATS)


def test_it_may_do_little():
    assert service.score() <= 1.6
