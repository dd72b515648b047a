"""`./run` without a word: the table where there is one, the demo where there is not; with words, what they say."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.app import devices

ROOT = Path(__file__).parents[1]
PI = "Raspberry Pi 5 Model B Rev 1.0"


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine with neither camera nor panel, until a test gives it some."""
    for name in ("VIDEO", "GPIO_CHIP", "MODEL"):
        monkeypatch.setattr(devices, name, tmp_path / "dev" / name.lower())
    (tmp_path / "dev").mkdir()
    return tmp_path / "dev"


@pytest.fixture
def environment(tmp_path):
    (tmp_path / "data").mkdir()
    return {"COMPANION_DATA": str(tmp_path / "data")}


@pytest.mark.usefixtures("machine")
def test_nothing_is_no_table(environment):
    assert not devices.is_a_table(environment)


def test_a_laptops_camera_alone_is_no_table(machine, environment):
    (machine / "video").touch()
    assert not devices.is_a_table(environment)


@pytest.mark.parametrize("known", ["profile.json", "companion.toml"])
def test_a_camera_that_somebody_has_set_up_is_a_table(machine, environment, known, tmp_path):
    (tmp_path / "data" / known).touch()
    assert not devices.is_a_table(environment)
    (machine / "video").touch()
    assert devices.is_a_table(environment)


def test_a_pi_is_a_table(machine, environment):
    (machine / "gpio_chip").touch()
    (machine / "model").write_text(PI)
    assert devices.is_a_table(environment)


@pytest.mark.parametrize("model", ["Some Laptop", None])
def test_pins_of_another_machine_are_not(machine, environment, model):
    (machine / "gpio_chip").touch()
    if model:
        (machine / "model").write_text(model)
    assert not devices.is_a_table(environment)


def said_by_run(folder, *words, table):
    """What the command is asked, where there is a table or none."""
    shutil.copy(ROOT / "run", folder)
    tools = folder / "scripts"
    tools.mkdir()
    (tools / "environment").write_text(f"say() {{ :; }}\nPATH={tools}:$PATH\n")
    asked, python = tools / "companion", tools / "python"
    asked.write_text('#!/bin/sh\necho "$@"\n')
    chip = "/dev/null" if table else folder / "nothing"
    (folder / "model").write_text(PI)
    told = f"devices.GPIO_CHIP = Path('{chip}'); devices.MODEL = Path('{folder}/model')"
    begin = f"from pathlib import Path; from companion.app import devices; {told}"
    python.write_text(f'#!/bin/sh\ncd {ROOT}\nexec {sys.executable} -c "{begin}; $2"\n')
    for script in (asked, python):
        script.chmod(0o755)
    environment = {**os.environ, "COMPANION_DATA": str(folder)}
    ran = subprocess.run([folder / "run", *words], capture_output=True, text=True, check=True, cwd="/", env=environment)
    return ran.stdout.split()


@pytest.mark.parametrize("words", [[], ["--port", "80"]])
def test_without_a_table_it_is_the_demo(tmp_path, words):
    assert said_by_run(tmp_path, *words, table=False) == ["demo", *words]


@pytest.mark.parametrize("words", [[], ["--port", "80"]])
def test_with_a_table_it_is_the_table(tmp_path, words):
    assert said_by_run(tmp_path, *words, table=True) == ["run", *words]


@pytest.mark.parametrize("table", [True, False])
def test_either_can_be_asked_for(tmp_path, table):
    first, second = tmp_path / "first", tmp_path / "second"
    first.mkdir()
    second.mkdir()
    assert said_by_run(first, "demo", "--port", "80", table=table) == ["demo", "--port", "80"]
    assert said_by_run(second, "table", "--port", "80", table=table) == ["run", "--port", "80"]
