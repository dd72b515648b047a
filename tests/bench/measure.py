"""Measures in the guest: from a button's edge to the entry in the record, and what a frame takes. Writes JSON."""

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections import Counter
from importlib.metadata import version
from pathlib import Path

from hardware.cameras.camera_settings import CameraSettings
from hardware.cameras.pi import PiCamera
from hardware.cameras.usb import UsbCamera
from hardware.panel.wiring import load
from tests.bench import usb_port, virtual_camera
from tests.bench.gpio_sim import KernelFingers
from tests.hardware.evening import Evening

PRESSES = 60
FRAMES = 30


def quantile(times, share):
    """In milliseconds."""
    ordered = sorted(times)
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2)


def edge_to_record(folder):
    """THREATS is pressed and taken back, again and again."""
    fingers = KernelFingers(load())
    times = []
    with Evening(folder, fingers, fingers.chip) as evening:
        for _ in range(PRESSES):
            times.append(evening.press_threats())
            evening.take_back()
    return {
        "presses of THREATS, each in the record when it is published": len(times),
        "edge to published snapshot, with the time in which a box may come down, median, ms": quantile(times, 0.5),
        "edge to published snapshot, with the time in which a box may come down, p99, ms": quantile(times, 0.99),
    }


def frames(name, camera):
    """How long a frame takes to be had, small and full, apart from the rate of the camera."""
    found = {}
    for full in (False, True):
        began, count = time.monotonic(), 0
        while count < FRAMES:
            with camera.frame(full=full) as frame:
                count += bool(frame.image.size)
        found[f"{name}: {'full' if full else 'small'} pictures a second"] = round(
            FRAMES / (time.monotonic() - began), 1
        )
    camera.close()
    return found


def machine():
    """What the figures were taken on."""
    emulated = said("systemd-detect-virt", "--vm") == "qemu"
    libcamera = said("dpkg-query", "--show", "--showformat=${Version}", "python3-libcamera").split("-")[0]
    parts = [
        f"Python {platform.python_version()}",
        f"Linux {platform.release().split('+')[0]}",
        f"libcamera {libcamera}",
    ]
    parts += [f"{name} {version(name)}" for name in ("picamera2", "lgpio", "gpiozero", "opencv-python-headless")]
    return {"the guest": ", ".join([*parts, "emulated" if emulated else "on its own processor"])}


def said(*words):
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()


PARTS = {
    "the service's sandbox around cameras, pins and sound": ("sandbox",),
    "a webcam with the kernel's UVC driver, by OpenCV": ("webcam",),
    "the kernel's V4L2 camera, by OpenCV": ("usb",),
    "libcamera's virtual camera, by Picamera2": ("libcamera", "pi_camera", "stand_in"),
    "the panel on the kernel's chip, by gpiozero and lgpio": ("panel", "chip", "edges", "evening"),
    "what needs no kernel, in the guest too": ("",),
}
"""Words in the names of their tests; the first part that fits counts."""


def tests_passed(names):
    """How many tests have passed of each part."""
    counts = Counter(
        next(part for part, words in PARTS.items() if any(word in name for word in words)) for name in names
    )
    return {f"tests passed: {part}": counts[part] for part in PARTS}


def main():
    """All of it, and the names of the tests that have passed; into a file."""
    result = machine() | tests_passed(Path(os.environ["COMPANION_PASSED"]).read_text(encoding="utf-8").splitlines())
    with tempfile.TemporaryDirectory() as folder:
        result |= edge_to_record(Path(folder))
    result |= frames("vivid", UsbCamera(0, CameraSettings(virtual_camera.SIZE, rate=25)))
    result |= frames(
        "UVC webcam of 15 a second", UsbCamera(usb_port.webcam(), CameraSettings(virtual_camera.SIZE, rate=15))
    )
    settings = CameraSettings(virtual_camera.SIZE, rate=15, format="NV12")
    result |= frames("Picamera2", PiCamera(settings, virtual_camera))
    text = json.dumps(result, indent=1)
    sys.stdout.write(text + "\n")
    Path(sys.argv[1]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
