"""`./run` without a word: the table where there is one, the demo where there is not; with words, what they say."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.bootstrap import devices

ROOT = Path(__file__).parents[1]
PI = "Raspberry Pi 5 Model B Rev 1.0"


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine with neither camera nor panel, until a test gives it some."""
    for name in ("VIDEO", "GPIO_CHIP", "MODEL"):
        monkeypatch.setattr(devices, name, tmp_path / "dev" / name.lower())
    (tmp_path / "dev").mkdir()
    return tmp_path / "dev"


@pytest.mark.usefixtures("machine")
def test_nothing_is_no_table():
    assert not devices.is_a_table()


def test_any_camera_is_a_table(machine):
    (machine / "video").touch()
    assert devices.is_a_table()


def test_a_pi_is_a_table(machine):
    (machine / "gpio_chip").touch()
    (machine / "model").write_text(PI)
    assert devices.is_a_table()


@pytest.mark.parametrize("model", ["Some Laptop", None])
def test_pins_of_another_machine_are_not(machine, model):
    (machine / "gpio_chip").touch()
    if model:
        (machine / "model").write_text(model)
    assert not devices.is_a_table()


def said_by_run(folder, *words, camera):
    """What the command is asked, where a camera is at its place or is not."""
    shutil.copy(ROOT / "run", folder)
    tools = folder / "scripts"
    tools.mkdir()
    (tools / "environment").write_text(f"here={ROOT}\nPATH={tools}:$PATH\n")
    asked = tools / "companion"
    asked.write_text('#!/bin/sh\necho "$@"\n')
    shim = tools / "python"
    place = "/dev/null" if camera else folder / "nothing"
    told = f"VIDEO = Path('{place}'); devices.GPIO_CHIP = Path('{folder}/nothing')"
    begin = f"from pathlib import Path; from companion.bootstrap import devices; devices.{told}"
    shim.write_text(f'#!/bin/sh\ncd {ROOT}\nexec {sys.executable} -c "{begin}; $2"\n')
    for script in (asked, shim):
        script.chmod(0o755)
    ran = subprocess.run([folder / "run", *words], capture_output=True, text=True, check=True, cwd="/")
    return ran.stdout.split()


def test_without_a_camera_it_is_the_demo(tmp_path):
    assert said_by_run(tmp_path, camera=False) == ["demo"]


def test_with_a_camera_it_is_the_table(tmp_path):
    assert said_by_run(tmp_path, camera=True) == ["run"]


def test_its_words_are_those_of_the_table(tmp_path):
    assert said_by_run(tmp_path, "--port", "80", camera=False) == ["run", "--port", "80"]
