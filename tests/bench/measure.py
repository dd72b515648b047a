"""Measures in the guest: from a button's edge to the entry in the record, and what a frame takes. Writes JSON."""

import json
import sys
import tempfile
import time
from pathlib import Path

from hardware.cameras.camera_settings import CameraSettings
from hardware.cameras.capture import UsbCamera
from hardware.cameras.pi import PiCamera
from hardware.panel.wiring import load
from tests.bench import virtual_camera
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
    evening = Evening(folder, fingers, fingers.chip)
    times = []
    for _ in range(PRESSES):
        times.append(evening.press_threats())
        evening.take_back()
    evening.end()
    return {
        "presses of THREATS, each in the record when it is published": len(times),
        "edge to published snapshot, median, ms": quantile(times, 0.5),
        "edge to published snapshot, p99, ms": quantile(times, 0.99),
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


def main():
    """All of it."""
    with tempfile.TemporaryDirectory() as folder:
        result = edge_to_record(Path(folder))
    result |= frames("USB", UsbCamera(0, CameraSettings(virtual_camera.SIZE, rate=25)))
    settings = CameraSettings(virtual_camera.SIZE, rate=15, format="NV12")
    result |= frames("Picamera2", PiCamera(settings, virtual_camera))
    text = json.dumps(result, indent=1)
    sys.stdout.write(text + "\n")
    Path(sys.argv[1]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
