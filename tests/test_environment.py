"""The virtual environment of a folder: made once, left alone while it is good, made anew when it is not."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

from .pretended import SCRIPTS, SOMEBODY, System

# What makes an environment in which everything is pretended: `pip` brings click, and can be kept from it.
PYTHON = """
case "$*" in
    *version_info*) echo {version} ;;
    *ensurepip*) ;;
    *venv*)
        for folder; do :; done
        mkdir -p $folder/bin
        printf 'venv\n' >>{asked}
        cp $0 $folder/bin/python
        cp {tools}/pip $folder/bin/pip ;;
esac"""
PIP = """
echo "pip $*" >>{asked}
[ ! -e {tools}/offline ] || {{ echo "Retrying after connection broken by 'NewConnectionError'"; exit 1; }}
place=$(dirname "$0")
mkdir -p $place/../lib/python3.11/site-packages/click
printf '#!/bin/sh\necho from %s\n' "$place" >$place/companion
chmod +x $place/companion"""
FILES = ("requirements.txt", "requirements-dev.txt", "pyproject.toml")


class Table(System):
    """A folder of the project, on a system with a pretended Python."""

    def __init__(self, tools, folder):
        super().__init__(tools)
        self.place = folder
        self.asked_of_pip = tools / "asked-of-pip"
        for program in ("python3.13", "python3.12", "python3"):
            self.program(program, "exit 1")
        self.brings("3.11")
        self.program("pip", PIP.format(asked=self.asked_of_pip, tools=tools))
        (folder / "scripts").mkdir(parents=True)
        for name in ("environment", "packages"):
            shutil.copy(SCRIPTS / name, folder / "scripts")
        for name in FILES:
            (folder / name).write_text(name)

    def brings(self, version):
        text = PYTHON.format(version=version, asked=self.asked_of_pip, tools=self.folder)
        self.program(f"python{version}", text)

    def start(self, requirements="requirements.txt", **more):
        """What it says at a start, and what it runs then."""
        script = f"{self.place}/scripts/environment {requirements}"
        return self.run("companion", script, **more)

    @property
    def made(self):
        """How often an environment was made."""
        return self.asked_of_pip.read_text().count("venv\n") if self.asked_of_pip.exists() else 0


@pytest.fixture(autouse=True)
def no_python_is_asked_for(monkeypatch):
    monkeypatch.delenv("PYTHON", raising=False)


@pytest.fixture
def table(tmp_path):
    (tmp_path / "tools").mkdir()
    return Table(tmp_path / "tools", tmp_path / "table")


def test_it_is_made_once(table):
    first, second = table.start(), table.start()
    assert "Setting up" in first.stderr
    assert (second.returncode, second.stderr, table.made) == (0, "", 1)
    assert second.stdout == f"from {table.place}/.venv/bin\n"


def test_that_of_the_tests_is_good_for_the_table(table):
    table.start("requirements-dev.txt")
    assert table.start().stderr == ""
    assert table.made == 1


@pytest.mark.parametrize("name", ["requirements.txt", "pyproject.toml"])
def test_other_requirements_are_another(table, name):
    table.start()
    (table.place / name).write_text("other")
    table.start()
    assert table.made == 2


@pytest.mark.parametrize("way", [shutil.copytree, shutil.move])
def test_another_folder_has_its_own(table, tmp_path, way):
    table.start()
    table.place = Path(way(table.place, tmp_path / "other"))
    assert table.start().stdout == f"from {tmp_path}/other/.venv/bin\n"
    assert table.made == 2


def test_a_folder_that_is_reached_in_two_ways_is_one(table, tmp_path):
    table.start()
    (tmp_path / "link").symlink_to(table.place)
    table.place = tmp_path / "link"
    table.start()
    assert table.made == 1


def test_without_its_python_it_is_made_anew(table):
    table.start()
    (table.place / ".venv/bin/python").write_text("#!/gone/python3.11\n")
    said = table.start()
    assert (said.returncode, table.made) == (0, 2)


def test_a_newer_python_takes_the_place_of_one_that_has_gone(table):
    table.start()
    (table.folder / "python3.11").unlink()
    table.program("python3.11", "exit 1")
    (table.place / ".venv/bin/python").unlink()
    table.brings("3.12")
    assert "with Python 3.12" in table.start().stderr
    assert table.start().stderr == ""


def test_a_newer_python_beside_it_changes_nothing(table):
    table.start()
    table.brings("3.13")
    assert table.start().stderr == ""


def test_the_python_that_is_asked_for_is_taken(table, monkeypatch):
    table.start()
    table.brings("3.12")
    monkeypatch.setenv("PYTHON", "python3.12")
    assert "with Python 3.12" in table.start().stderr
    assert table.start().stderr == ""
    monkeypatch.setenv("PYTHON", "python3.9")
    table.program("python3.9", "echo 3.9")
    table.start()
    assert table.start().stderr == ""


def test_without_a_python_it_says_so(table):
    table.program("python3.11", "exit 1")
    said = table.start()
    assert said.returncode == 1
    assert "was not found" in said.stderr


@pytest.mark.parametrize("part", ["bin/companion", "lib/python3.11/site-packages/click"])
def test_where_a_part_has_gone_it_is_made_anew(table, tmp_path, part):
    table.start()
    gone = table.place / ".venv" / part
    gone.rename(tmp_path / "gone")
    assert table.start().returncode == 0
    assert table.made == 2


def test_without_a_network_one_line_says_so_and_the_next_start_makes_it(table):
    (table.folder / "offline").touch()
    said = table.start()
    assert said.returncode == 1
    _setting_up, line = said.stderr.splitlines()
    assert line.startswith("Getting the Python packages that requirements.txt names did not work: the network")
    (table.folder / "offline").unlink()
    assert table.start().returncode == 0
    assert table.made == 2


def test_a_good_one_that_cannot_be_renewed_is_not_taken_for_good_again(table):
    table.start()
    (table.place / "requirements.txt").write_text("other")
    (table.folder / "offline").touch()
    assert table.start().returncode == 1
    (table.place / "requirements.txt").write_text("requirements.txt")
    assert table.start().returncode == 1


@pytest.fixture
def open_folder():
    """A folder that everybody reaches; what pytest makes is its user's alone."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.parametrize("barred", [".", ".venv", ".venv/lib", "table.egg-info"])
def test_who_may_not_write_there_is_told_whose_it_is(open_folder, barred):
    (open_folder / "tools").mkdir()
    table = Table(open_folder / "tools", open_folder / "table")
    (table.place / ".venv/lib").mkdir(parents=True)
    (table.place / "table.egg-info").mkdir()
    subprocess.run(["chmod", "-R", "a+rwX", open_folder], check=True)
    (table.place / barred).chmod(0o555)
    table.user = SOMEBODY
    # Nothing bars an administrator: whoever runs the tests, somebody else tries.
    other = {"user": 65534, "group": 65534, "extra_groups": []} if os.getuid() == 0 else {}
    said = table.start(**other)
    (table.place / barred).chmod(0o755)
    assert said.returncode == 1
    assert f"somebody may not write {(table.place / barred).resolve()}, which belongs to" in said.stderr
    assert f"sudo chown -R somebody: {table.place}" in said.stderr
    assert table.made == 0
