"""What the service may do: all that its parts need, and little more."""

import shutil
import subprocess

import pytest

from tests.pretended import SCRIPTS

SERVICE = SCRIPTS / "appliance" / "table-companion.service"


def settings(name):
    lines = (line.partition("=") for line in SERVICE.read_text().splitlines())
    return [value for key, _, value in lines if key == name]


@pytest.fixture
def allowed():
    return set(settings("DeviceAllow"))


def test_vcgencmd_may_ask_the_firmware_of_a_pi(allowed):
    assert "/dev/vcio rw" in allowed


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not here")
def test_systemd_finds_it_well_locked():
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=16", "--no-pager", SERVICE]
    judged = subprocess.run(command, capture_output=True, text=True, check=False)
    assert judged.returncode == 0, judged.stdout[-300:] + judged.stderr


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not here")
def test_systemd_of_any_age_takes_it(tmp_path):
    for kind in ("service", "socket"):
        text = (SERVICE.with_suffix(f".{kind}")).read_text().replace("/opt/table-companion/current/.venv", "/usr")
        (tmp_path / f"table-companion.{kind}").write_text(text.replace("/usr/bin/companion", "/bin/true"))
    units = [tmp_path / "table-companion.service", tmp_path / "table-companion.socket"]
    judged = subprocess.run(["systemd-analyze", "verify", *units], capture_output=True, text=True, check=False)
    said = [line for line in judged.stderr.splitlines() if line.startswith(str(tmp_path))]
    unknown = [line for line in said if "Unknown key 'Restart" in line and "ignoring" in line]
    assert judged.returncode == 0
    assert said == unknown, "only the two settings that systemd 254 brought"


def test_it_is_started_again_ever_more_slowly_and_for_ever():
    assert settings("Restart") == ["always"]
    assert settings("StartLimitIntervalSec") == ["0"]
    assert (settings("RestartSec"), settings("RestartMaxDelaySec")) == (["2"], ["60"])


def test_a_leak_ends_the_companion_before_it_ends_the_machine():
    (high,), (most,) = settings("MemoryHigh"), settings("MemoryMax")
    assert 0 < int(high.removesuffix("%")) < int(most.removesuffix("%")) < 90
    assert int(settings("TasksMax")[0]) >= 200
    assert settings("OOMPolicy") == ["continue"]


def test_cameras_pins_and_the_loudspeaker_work(allowed):
    needed = ("char-video4linux", "char-media", "char-dma_heap", "char-drm", "char-gpiochip", "char-alsa")
    assert {f"{device} rw" for device in needed} <= allowed
    assert settings("SupplementaryGroups") == ["gpio video audio input"]
    assert "AF_NETLINK" in settings("RestrictAddressFamilies")[0], "cameras that come and go are told by it"
    assert not settings("PrivateDevices")
    hidden = ("/run/udev", "/dev", "/sys")
    assert not [path for path in settings("InaccessiblePaths") if path.startswith(hidden)]
