"""`companion doctor --report`: a row for the table of machines in docs/hardware.md, and what stands behind it."""

from __future__ import annotations

import platform
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.app.devices import cameras_here
from companion.app.doctor.machine_checks import output
from companion.table.ports import Check, Health, ok

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from companion.app.devices import FoundCamera

MODEL: Final = Path("/proc/device-tree/model")
RELEASE: Final = Path("/etc/os-release")
RASPBERRY: Final = Path("/etc/rpi-issue")
PACKAGES: Final = ("numpy", "opencv-python-headless", "picamera2", "gpiozero", "lgpio")
SYSTEM: Final = ("python3-picamera2", "python3-libcamera", "python3-lgpio", "rpi-eeprom")
"""What apt brings on a Pi."""
SIGNS: Final = {Health.OK: "yes", Health.NOTE: "not quite", Health.FAIL: "no"}
NAMED: Final = ("camera", "panel", "voice")
PRIVATE: Final = re.compile(r"/[\w./-]+|\b\d{1,3}(?:\.\d{1,3}){3}\b")
"""Folders and addresses are nobody's business."""


def libraries() -> Check:
    """Name the versions of what cameras and pins need."""
    return ok("libraries", found=", ".join(f"{name} {which}" for name, which in versions().items()))


def versions() -> dict[str, str]:
    """Return the version of each library, and of each package of the system, that is there."""
    found = {"Python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    listed = output("dpkg-query", "--show", "--showformat=${Package} ${Version}\\n", *SYSTEM) or ""
    return found | dict(line.split(" ", 1) for line in listed.splitlines() if " " in line)


def machine_and_system() -> str:
    """Return the machine's model and its operating system, as the table's first column names them."""
    model = _text(MODEL) or platform.machine()
    found = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', _text(RELEASE), re.MULTILINE))
    name = found.get("PRETTY_NAME", platform.system())
    if RASPBERRY.exists():
        name = f"Raspberry Pi OS {found.get('VERSION_CODENAME', '')}".strip()
    return f"{model}, {name}, {platform.machine()}"


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip("\0\n ")
    except OSError:
        return ""


def report(checks: Sequence[Check], sentences: Mapping[str, str], cameras: Iterable[FoundCamera] | None = None) -> str:
    """Return the row, and below it each check and version; no name, folder, address or secret of the owner's."""
    there = list(cameras_here() if cameras is None else cameras)
    by_name = {check.name: check for check in checks}
    ports = {
        port: ", ".join(f"{one.name} ({_size(one.sizes[0])})" for one in there if one.port == port) or "none"
        for port in ("csi", "usb")
    }
    said = {name: _cell(by_name.get(name), sentences) for name in NAMED}
    cells = [machine_and_system(), ports["csi"], ports["usb"], said["panel"], said["voice"]]
    lines = [
        "| machine and system | the Pi's own camera | a USB webcam | panel | voice |",
        "|---|---|---|---|---|",
        f"| {' | '.join(_clean(cell) for cell in cells)} |",
        "",
        f"- kernel {platform.release()}",
        *(f"- {name} {which}" for name, which in versions().items()),
        *(f"- {check.name}: {check.state.value}, {_clean(sentences[check.name])}" for check in checks),
    ]
    return "\n".join(lines)


def _cell(check: Check | None, sentences: Mapping[str, str]) -> str:
    return "not looked at" if check is None else f"{SIGNS[check.state]}: {sentences[check.name]}"


def _clean(text: str) -> str:
    return PRIVATE.sub("…", text).replace("|", "/").replace("\n", " ")


def _size(size: tuple[int, int]) -> str:
    return f"{size[0]}x{size[1]}"
