"""Packages of the system: taken only where they are missing, after saying which, and never without an administrator."""

import os
import subprocess
from pathlib import Path

import pytest

PACKAGES = Path(__file__).parents[1] / "scripts" / "packages"
ROOT, SOMEBODY = "0", "1000"


class System:
    """A system whose apt is pretended: what is installed, what could be, and what was asked of it."""

    def __init__(self, folder):
        self.folder = folder
        self.asked_of_apt = folder / "asked"
        self.installed, self.known, self.user, self.installs = [], {}, ROOT, True

    def program(self, name, text):
        (self.folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (self.folder / name).chmod(0o755)

    def run(self, words):
        there = " | ".join(["nothing", *self.installed])
        candidates = "\n".join(f"{name}) echo '  Candidate: {version}' ;;" for name, version in self.known.items())
        self.program("id", f"echo {self.user}")
        self.program("dpkg-query", f"case $3 in {there}) echo 'install ok installed' ;; esac")
        self.program("apt-cache", f"case $2 in\n{candidates}\nesac")
        self.program("apt-get", f'echo "$*" >>{self.asked_of_apt}; {"true" if self.installs else "! [ $1 = install ]"}')
        command = ["bash", "-euo", "pipefail", "-c", f". {PACKAGES}; {words}"]
        environment = os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}"}
        return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)

    @property
    def asked(self):
        return self.asked_of_apt.read_text().splitlines() if self.asked_of_apt.exists() else []


@pytest.fixture
def system(tmp_path):
    return System(tmp_path)


def test_what_is_there_is_left_alone(system):
    system.installed = ["chromium", "mosquitto"]
    said = system.run("bring 'for the tests' chromium mosquitto")
    assert (said.returncode, said.stderr, system.asked) == (0, "", [])


def test_an_administrator_is_told_what_is_installed(system):
    system.installed = ["chromium"]
    said = system.run("bring 'for the tests' chromium mosquitto")
    assert said.returncode == 0
    assert "Installing packages of the system for the tests: mosquitto" in said.stderr
    assert system.asked[-1].endswith(" mosquitto")
    assert "chromium" not in system.asked[-1]


def test_somebody_else_is_told_what_to_ask_for(system):
    system.user = SOMEBODY
    said = system.run("bring 'for the tests' chromium mosquitto")
    assert said.returncode == 1
    assert "    apt install chromium mosquitto\n" in said.stderr
    assert system.asked == []


def test_what_cannot_be_installed_is_said(system):
    system.installs = False
    said = system.run("bring 'for the tests' chromium")
    assert said.returncode == 1
    assert "could not be installed" in said.stderr


def test_the_lists_are_renewed_once(system):
    system.run("bring 'for one' chromium; bring 'for another' mosquitto")
    assert [words.split()[0] for words in system.asked] == ["update", "install", "install"]


@pytest.mark.parametrize(
    ("known", "wanted"),
    [
        ({}, []),
        ({"python3-lgpio": "(none)"}, []),
        ({"python3-lgpio": "0.2.2-1"}, ["python3-lgpio"]),
        (
            {"python3-lgpio": "0.2.2-1", "python3-picamera2": "0.3.31-1", "python3-numpy": "1:2.2.4+ds-1"},
            ["python3-lgpio", "python3-picamera2"],
        ),
        (
            {"python3-lgpio": "0.2.2-1", "python3-picamera2": "0.3.19-1", "python3-numpy": "1:1.24.2-1"},
            ["python3-lgpio"],
        ),
    ],
)
def test_a_pi_needs_what_its_system_has_in_a_form_that_can_be_used(system, known, wanted):
    system.known = known
    said = system.run("of_a_pi")
    assert said.returncode == 0
    assert said.stdout.split() == wanted
    assert ("NumPy 1" in said.stderr) == ("python3-picamera2" in known and "python3-picamera2" not in wanted)
