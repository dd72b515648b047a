"""The guest's USB port with a webcam in it, and vivid, the kernel's other camera. Whoever waits, waits for udev."""

import subprocess
from pathlib import Path

NAME = "Bench webcam"
VIDEO = Path("/sys/class/video4linux")
VIVID = Path("/sys/bus/platform/drivers/vivid")


def webcam():
    """Its number among the cameras: the first of its nodes gives pictures, the second only data about them."""
    return min(_numbers())


def pull():
    """The webcam's plug is pulled: the kernel takes its driver from it."""
    _authorize("0")
    _settle()
    assert not _numbers()


def put():
    """It is put back, and has what number is free."""
    _authorize("1")
    _settle()
    assert _numbers()


def unbind_vivid():
    (VIVID / "unbind").write_text("vivid.0")
    _settle()


def bind_vivid():
    (VIVID / "bind").write_text("vivid.0")
    _settle()


def _numbers():
    return [
        int(one.name.removeprefix("video")) for one in VIDEO.iterdir() if (one / "name").read_text().strip() == NAME
    ]


def _authorize(allowed):
    for product in Path("/sys/bus/usb/devices").glob("*/product"):
        if product.read_text().strip() == NAME:
            (product.parent / "authorized").write_text(allowed)


def _settle():
    subprocess.run(["udevadm", "settle"], check=True)
