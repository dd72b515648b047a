"""What the service may do: all that its parts need, and little more."""

import shutil
import subprocess

import pytest

from tests.pretended import SCRIPTS

SERVICE = SCRIPTS / "appliance" / "table-companion.service"


@pytest.fixture
def allowed():
    lines = SERVICE.read_text().splitlines()
    return {line.partition("=")[2] for line in lines if line.startswith("DeviceAllow=")}


def test_vcgencmd_may_ask_the_firmware_of_a_pi(allowed):
    assert "/dev/vcio rw" in allowed


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not here")
def test_systemd_finds_it_well_locked():
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=20", "--no-pager", SERVICE]
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout[-300:] + judged.stderr
