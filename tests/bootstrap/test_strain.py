"""What strains a Pi, as firmware and kernel tell it: the doctor's checks, and the banner while people play."""

import pytest
from click.testing import CliRunner

from companion.app.devices import FoundCamera
from companion.app.doctor import report as report_module
from companion.app.doctor.report import report
from companion.app.strain import LOW, Strain, StrainWatch, heat, power, strain
from companion.cli import main
from companion.table.ports import note, ok
from companion.table.session.intents import DeviceChanged


def a_pi(folder, *, celsius=None, alarm=None):
    """The part of /sys that a Pi's kernel fills."""
    (folder / "class/thermal/thermal_zone0").mkdir(parents=True)
    (folder / "class/hwmon/hwmon0").mkdir(parents=True)
    (folder / "class/hwmon/hwmon1").mkdir(parents=True)
    (folder / "class/hwmon/hwmon0/name").write_text("cpu_thermal\n")
    if celsius is not None:
        (folder / "class/thermal/thermal_zone0/temp").write_text(f"{celsius * 1000:.0f}\n")
    if alarm is not None:
        (folder / "class/hwmon/hwmon1/name").write_text("rpi_volt\n")
        (folder / "class/hwmon/hwmon1/in0_lcrit_alarm").write_text(f"{alarm}\n")
    return folder


def test_the_firmware_tells_power_and_the_kernel_heat(tmp_path):
    assert strain(lambda *_: "throttled=0x50005", a_pi(tmp_path, celsius=61.2)) == Strain(0x50005, 61.2)


@pytest.mark.parametrize(("alarm", "bits"), [(1, 1), (0, 0), (None, None)])
def test_without_the_firmwares_program_the_kernel_tells_of_power(tmp_path, alarm, bits):
    assert strain(lambda *_: None, a_pi(tmp_path, alarm=alarm)).bits == bits


def test_other_machines_tell_nothing(tmp_path):
    for said in (None, "", "what?", "throttled=odd"):
        found = strain(lambda *_, said=said: said, tmp_path)
        assert (found, found.hint, power(found), heat(found)) == (Strain(None, None), None, None, None)


@pytest.mark.parametrize(
    ("bits", "celsius", "code"),
    [
        (0, 55.0, "heat_ok"),
        (0x60000, 55.0, "heat_was_slow"),
        (0x4, 84.0, "heat_slow"),
        (0x8, 70.0, "heat_slow"),
        (0, 81.0, "heat_slow"),
        (0x50005, 60.0, "heat_slow"),
        (0x10001, 60.0, "heat_ok"),
    ],
)
def test_heat_is_told(bits, celsius, code):
    assert heat(Strain(bits, celsius)).code == code


@pytest.mark.parametrize(
    ("found", "code"),
    [
        (Strain(0x1, 90.0), "power_low"),
        (Strain(0x2, 85.0), "power_hot"),
        (Strain(None, 85.0), "power_hot"),
        (Strain(0x70000, 50.0), None),
        (Strain(0, None), None),
    ],
)
def test_what_people_should_know_at_once(found, code):
    assert getattr(found.hint, "code", None) == code


def test_it_is_said_when_it_begins_and_when_it_is_over():
    said, states = [], iter([Strain(0, 50.0), Strain(1, 50.0), Strain(1, 51.0), Strain(0, 50.0)])
    watch = StrainWatch(said.append, lambda: next(states), every=0)
    assert all(watch.turn() for _ in range(4))
    assert said == [DeviceChanged("power", "strained", LOW), DeviceChanged("power", "ok", "")]
    watch.close()


# --- the report -------------------------------------------------------------------------------------------------------

CAMERAS = [
    FoundCamera("csi:imx708", "Camera Module 3", "csi", ((1920, 1080),)),
    FoundCamera("usb:x", "Webcam | odd", "usb", ((1280, 720),)),
]
CHECKS = [ok("disk", free=1, folder="/home/ann"), note("camera", "none"), ok("panel"), ok("voice")]
SAID = {"disk": "1 MB free in /home/ann.", "camera": "No.", "panel": "Fine.", "voice": "At 192.168.0.7: fine."}


def test_the_report_is_a_row_of_the_table_of_machines():
    lines = report(CHECKS, SAID, CAMERAS).splitlines()
    assert lines[0] == "| machine and system | the Pi's own camera | a USB webcam | panel | voice |"
    row = [cell.strip() for cell in lines[2].strip("|").split("|")]
    assert row[1:] == [
        "Camera Module 3 (1920x1080)",
        "Webcam / odd (1280x720)",
        "yes: Fine.",
        "yes: At …: fine.",
    ]
    assert any(line.startswith("- numpy ") for line in lines)
    assert "ann" not in "\n".join(lines), "folders are nobody's business"


def test_a_pi_is_named_as_such(tmp_path, monkeypatch):
    for name, text in (
        ("MODEL", "Raspberry Pi 5 Model B\0"),
        ("RELEASE", "VERSION_CODENAME=trixie\n"),
        ("RASPBERRY", ""),
    ):
        (tmp_path / name).write_text(text)
        monkeypatch.setattr(report_module, name, tmp_path / name)
    assert report_module.machine_and_system().startswith("Raspberry Pi 5 Model B, Raspberry Pi OS trixie, ")


def test_the_command_prints_it(tmp_path):
    (tmp_path / "companion.toml").write_text("[table]\nport = 0\nlanguage = 'pl'\n")
    shown = CliRunner().invoke(main, ["doctor", "--report", "--data", str(tmp_path)])
    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith("| machine and system |")
    assert str(tmp_path) not in shown.output
