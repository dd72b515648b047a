"""Measure the whole companion: time to the first answer, memory while it watches, and from an edge to a page."""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import cv2

from benchmarks.tabling import BARE, ENTRIES, FOUR, quantiles, seconds, write_long_record
from companion.app.config import Config
from companion.app.devices import Devices
from companion.app.runtime import TableRuntime
from companion.games.api import Button
from companion.table.record.record import Record
from companion.table.session.intents import StartGame, Tap
from hardware.panel.gestures import HELD_BACK
from hardware.panel.pins import Fingers
from hardware.panel.wiring import load
from web.base.app import create_app
from web.base.serving import bound, server_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.table.session.session import Session

HERE = Path(__file__).resolve().parent.parent
FRAMES = HERE / "tests" / "frames"
STARTS = 7
PRESSES = 300
SAMPLES = 60
WIDE, HIGH = 1920, 1080
PATIENCE = 60.0
KEPT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""As on a table: what Python has compiled once is kept."""
PHONE = """
import sys, urllib.request
with urllib.request.urlopen(sys.argv[1] + "/api/events") as stream:
    for line in stream:
        if line.startswith(b"id:"):
            print(line.decode().split()[1], flush=True)
"""


@contextmanager
def companion(
    config: Path, folder: Path, *more: str, group: Path | None = None
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Start `companion run` and return it with the address of its pages.

    Where a group of the kernel's is named it runs in that, with the heap of the table's own service.
    """
    enters = 'echo $$ >"$0/cgroup.procs" && exec "$@"'
    into = [] if group is None else ["sh", "-c", enters, str(group), "env", *heap_of_service()]
    command = [sys.executable, "-m", "companion.cli", "run", "--config", str(config), "--port", "0", "--data"]
    with subprocess.Popen(
        [*into, *command, str(folder), *more], stdout=subprocess.PIPE, text=True, cwd=HERE, env=KEPT
    ) as process:
        try:
            told = process.stdout.readline() if process.stdout else ""
            port = re.search(r":(\d+) ", told)
            if port is None:
                raise RuntimeError(f"companion run said {told!r}")
            yield process, f"http://127.0.0.1:{port[1]}"
        finally:
            process.terminate()
            process.communicate()


def heap_of_service() -> list[str]:
    """Return what the table's service tells the C library of its heap."""
    unit = (HERE / "scripts/appliance/table-companion.service").read_text(encoding="utf-8")
    return re.findall(r"\bMALLOC_\w+=\S+", unit)


def state(base: str) -> dict[str, Any]:
    """Return the state from the pages."""
    with urllib.request.urlopen(f"{base}/api/state", timeout=PATIENCE) as answer:  # noqa: S310 - our own address
        found: dict[str, Any] = json.load(answer)
    return found


def started(folder: Path) -> dict[str, float]:
    """Time from the command to the first answer, with a long record and a camera, beside a bare import."""
    write_long_record(folder / "data", ENTRIES)
    config, ours, theirs = a_camera(folder), [], []
    with companion(config, folder / "data") as (_, base):
        state(base)  # the first start compiles
    for _ in range(STARTS):
        began = perf_counter()
        with companion(config, folder / "data") as (_, base):
            if state(base)["version"] != ENTRIES:
                raise RuntimeError("the record was not taken up")
            ours.append(perf_counter() - began)
        theirs.append(seconds(BARE))
    return {
        "start_to_answer_ms": 1000 * statistics.median(ours),
        "bare_import_ms": 1000 * statistics.median(theirs),
        "ratio": statistics.median(ours) / statistics.median(theirs),
    }


def memory(folder: Path) -> dict[str, float]:
    """Measure resident memory while it watches stills of a table at 1080p, having read all of them."""
    with companion(a_camera(folder), folder / "watching") as (process, base):
        seq, seen = 0, ""
        with urllib.request.urlopen(f"{base}/api/events", timeout=PATIENCE) as stream:  # noqa: S310
            while seen not in ("watching", "unsure"):
                line = stream.readline()
                if line.startswith(b"data:"):
                    told = json.loads(line[5:])
                    seq, seen = told["seq"], told["table"]["camera"]
        sizes = [resident(process.pid) for _ in range(SAMPLES) if not process_ended(process)]
    return {
        "resident_mb": statistics.median(size for size, _ in sizes),
        "peak_mb": max(peak for _, peak in sizes),
        "snapshots": float(seq),
    }


def process_ended(process: subprocess.Popen[str], seconds: float = 0.1) -> bool:
    """Wait for so many seconds, unless it has ended; return whether it has."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def resident(process: int) -> tuple[float, float]:
    """Return resident memory in MB, now and at its peak."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    sizes = {name: int(size) / 1024 for name, size in re.findall(r"(VmRSS|VmHWM):\s+(\d+) kB", status)}
    return sizes["VmRSS"], sizes["VmHWM"]


def a_camera(folder: Path) -> Path:
    """Write a configuration with a camera at 1080p: one of the tests' frames in the middle of a wider picture."""
    stills = folder / "stills"
    stills.mkdir(parents=True, exist_ok=True)
    profile = json.loads((FRAMES / "profile.json").read_text(encoding="utf-8"))
    (width, height), matrix = profile["camera"]["size"], profile["camera"]["matrix"]
    scale = HIGH / height
    left = (WIDE - round(width * scale)) // 2
    profile["camera"]["size"] = [WIDE, HIGH]
    profile["camera"]["matrix"] = [[scale * number for number in row] for row in matrix[:2]] + [matrix[2]]
    profile["camera"]["matrix"][0][2] += left
    for card in profile["cards"].values():
        card["art"] = [str(FRAMES / art) for art in card.get("art", [])]
    (folder / "profile.json").write_text(json.dumps(profile), encoding="utf-8")
    picture = cv2.imread(str(min(FRAMES.glob("*.jpg"))), cv2.IMREAD_COLOR)
    picture = cv2.resize(picture, (round(width * scale), HIGH), interpolation=cv2.INTER_AREA)
    picture = cv2.copyMakeBorder(picture, 0, 0, left, WIDE - left - picture.shape[1], cv2.BORDER_REPLICATE)
    for number in range(5):
        cv2.imwrite(str(stills / f"{number}.jpg"), picture)
    config = folder / "companion.toml"
    config.write_text('[camera]\nkind = "stills"\npath = "stills"\n[panel]\non = false\n', encoding="utf-8")
    return config


def edges(folder: Path) -> dict[str, float]:
    """Time from the edge of THREATS on simulated pins to the published snapshot, with four phones on their streams."""
    wiring = load()
    fingers = Fingers(wiring)
    with Record(folder) as record:
        evening = TableRuntime(record, Config(voice=False), Devices(None, folder, wiring, lambda: fingers.chip))
        evening.start()
        start = {"round": 2, "phase": "spawn"}
        evening.session.ask(StartGame({"players": FOUR, "start": start}, seed="1")).result()
        with serving(evening) as base, phones(base):
            times = [pressed(evening.session, fingers) for _ in range(PRESSES)]
        evening.close()
    return quantiles("edge_to_snapshot_ms", times)


def pressed(session: Session, fingers: Fingers) -> float:
    """Return the milliseconds from the edge to the snapshot, beyond those for which a press waits for a box.

    Then take the threats away again.
    """
    latest = session.snapshots.latest
    began = perf_counter()
    fingers.down(Button.THREATS)
    session.snapshots.newer_than(latest.seq if latest else 0, PATIENCE)
    passed = perf_counter() - began
    fingers.let_go(Button.THREATS)
    session.ask(Tap({"do": "undo"})).result()
    return 1000 * (passed - HELD_BACK)


@contextmanager
def serving(evening: TableRuntime) -> Iterator[str]:
    """Serve the pages on a thread."""
    with bound(0, "127.0.0.1") as listening:
        app = create_app(evening.session, Path(tempfile.mkdtemp()), pin="0", sight=evening.sight)
        server = server_of(app, listening)
        threading.Thread(target=server.run, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


@contextmanager
def phones(base: str) -> Iterator[None]:
    """Start four phones, each a process that has seen the state by now."""
    command = [sys.executable, "-c", PHONE, base]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, bufsize=1) for _ in FOUR]
    for phone in running:
        if phone.stdout is None or not phone.stdout.readline():
            raise RuntimeError("a phone saw nothing")
    try:
        yield
    finally:
        for phone in running:
            phone.kill()
            phone.communicate()


def measure() -> dict[str, dict[str, float]]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return {
            "start": started(folder / "start"),
            "memory": memory(folder / "memory"),
            "edges": edges(folder / "edges"),
        }


if __name__ == "__main__":
    print(json.dumps(measure(), indent=1))
