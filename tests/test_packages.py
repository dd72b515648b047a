"""Packages of the system: taken only where they are missing, after saying which, and never without an administrator."""

import pytest

from .pretended import SOMEBODY, System


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


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        (
            "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError'\nERROR: No match",
            "network",
        ),
        ("pip._vendor.urllib3.exceptions.ReadTimeoutError: Read timed out.", "network"),
        ("connection broken by 'SSLError(certificate is not yet valid)'", "clock"),
        ("ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.", "not what was asked for"),
        ("ERROR: [Errno 13] Permission denied: '/x'", "somebody may not write there"),
        ("first\nERROR: one\nERROR: No wheel for this machine\nlast", "ERROR: No wheel for this machine"),
        ("first\nlast", "last"),
    ],
)
def test_what_was_tried_in_vain_is_one_line(system, output, why):
    system.program("pip", f'printf "%s\\n" "{output}"; exit 2')
    said = system.run("tried 'Getting the packages' pip install || exit 1")
    assert (said.returncode, said.stdout) == (1, "")
    (line,) = said.stderr.splitlines()
    assert line.startswith("Getting the packages did not work: ")
    assert why in line


def test_what_works_is_silent(system):
    said = system.run("tried 'Something' echo much")
    assert (said.returncode, said.stdout, said.stderr) == (0, "", "")
