"""Measures in the guest: from a button's edge to the entry in the record, and what a frame takes. Writes JSON."""

import json
import sys
import tempfile
import time
from pathlib import Path
from queue import SimpleQueue

from companion.table.intents import Button, StartGame, Tap
from companion.table.record import Record
from companion.table.session import Session
from hardware.cameras.capture import UsbCamera
from hardware.cameras.pi import PiCamera
from hardware.cameras.settings import CameraSettings
from hardware.panel import GpioPanel
from hardware.wiring import load
from tests.bench import virtual_camera
from tests.bench.gpio_sim import KernelFingers

PRESSES = 60
FRAMES = 30
SOON = 10


def quantile(times, share):
    """In milliseconds."""
    ordered = sorted(times)
    return round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))], 2)


def edge_to_record(folder):
    """THREATS is pressed, and taken back by a script, again and again; each is in the record before it is published."""
    record = Record(folder)
    wiring = load()
    fingers = KernelFingers(wiring)
    ready: SimpleQueue[object] = SimpleQueue()
    session = Session(record)
    panel = GpioPanel(wiring, lambda intent: (session.put(intent), ready.put(intent)), chip=fingers.chip)
    session.start()
    session.ask(StartGame({"players": ["red", "blue"]}, seed="bench")).result(SOON)
    panel.start()
    ready.get(timeout=SOON)
    ready.get(timeout=SOON)
    times, entries = [], len(record.entries(record.current))
    for _ in range(PRESSES):
        before = session.snapshots.latest
        if before.state["phase"] != "spawn":
            raise SystemExit(f"THREATS cannot be pressed in phase {before.state['phase']}")
        began = time.monotonic()
        fingers.down(Button.THREATS)
        after = session.snapshots.newer_than(before.seq, SOON)
        times.append(time.monotonic() - began)
        if after.version <= before.version:
            raise SystemExit("the press is not in the record")
        fingers.up(Button.THREATS)
        time.sleep(0.08)
        session.ask(Tap({"do": "undo"})).result(SOON)
    written = len(record.entries(record.current)) - entries
    panel.close()
    session.stop()
    record.close()
    return {
        "presses of THREATS that are in the record": written // 2,
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
