"""The companion on a small Pi: a whole game by phone in no more memory than a limit, and watching by a USB camera."""

from __future__ import annotations

import json
import os
import threading
import time
import urllib.request
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

from benchmarks import running
from companion.app.sight.vision_thread import vision_of
from companion.table.record.record import Record
from companion.table.session.intents import StartGame
from companion.table.session.session import Session
from hardware.cameras import usb
from hardware.cameras.camera_settings import CameraSettings
from hardware.cameras.watched import WatchedCamera

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.vision.arrays import Array

LIMIT: Final = 150
"""Megabytes for everything that the service starts: a Zero 2 W has 512, and its system and page cache want the rest."""
MOVES: Final = 60
PHONES: Final = 4
REST: Final = 30.0
"""Seconds of watching a table at rest, for what that takes of a core."""
GROUPS: Final = Path("/sys/fs/cgroup")
GIVEN: Final = 30
"""Pictures a second of nearly every webcam, which are dropped beyond those that are wanted."""
WATCHED: Final = 10
"""Small pictures a second that the eye wants of it."""
WATCHING: Final = 100
NOISE: Final = 3.0
"""Grey levels by which two pictures of a table at rest differ."""
TOKEN: Final = "small"  # noqa: S105 - of a table that nobody else reaches


@contextmanager
def limited(megabytes: int) -> Iterator[Path | None]:
    """Yield a group of processes that the kernel allows so much memory, and no swap; None where it does not let us."""
    newer = (GROUPS / "cgroup.controllers").exists()
    group = (GROUPS if newer else GROUPS / "memory") / f"companion-{os.getpid()}"
    most = "memory.max" if newer else "memory.limit_in_bytes"
    try:
        group.mkdir()
    except OSError:
        yield None
        return
    try:
        (group / most).write_text(str(megabytes << 20))
        with suppress(OSError):
            (group / ("memory.swap.max" if newer else "memory.swappiness")).write_text("0")
        yield group
    finally:
        group.rmdir()


def ended_for_memory(group: Path) -> int:
    """Return how many processes the kernel has ended since the group was made."""
    for name in ("memory.events", "memory.oom_control"):
        with suppress(OSError):
            told = dict(line.split() for line in (group / name).read_text().splitlines())
            return int(told.get("oom_kill", 0))
    return 0


def peak_of(group: Path) -> float:
    """Return the most memory that the group had at once, in megabytes: the kernel's cache of files counts too."""
    for name in ("memory.peak", "memory.max_usage_in_bytes"):
        with suppress(OSError):
            return int((group / name).read_text()) / (1 << 20)
    return 0.0


def measure(folder: Path) -> dict[str, float] | None:
    """Play, look and read under the limit; None where this machine makes no groups for us."""
    data = folder / "data"
    with Record(data) as record:
        session = Session(record)
        session.start()
        session.ask(StartGame({"players": ["red", "blue"], "first": "red"}, seed="1")).result()
        session.stop()
    with limited(LIMIT) as group:
        if group is None:
            return None
        config = running.a_camera(folder)
        with running.companion(config, data, "--token", TOKEN, group=group) as (process, base):
            phones = [threading.Thread(target=_read, args=(base,), daemon=True) for _ in range(PHONES)]
            for one in phones:
                one.start()
            moves = 0
            while moves < MOVES and (legal := _asked(f"{base}/api/legal")):
                offered = legal["moves"] if isinstance(legal, dict) else legal
                _asked(
                    f"{base}/api/moves",
                    {name: it for name, it in offered[moves % len(offered)].items() if name != "preview"},
                )
                moves += 1
            before, began = _busy(process.pid), time.monotonic()
            running.process_ended(process, REST)
            share = (_busy(process.pid) - before) / (time.monotonic() - began)
            camera = running.state(base)["table"]["camera"]
            found = {
                "moves": float(moves),
                "resident_mb": running.resident(process.pid)[1],
                "group_mb": peak_of(group),
                "ended": float(ended_for_memory(group)),
                "at_rest": 100 * share,
                "seen": float(camera in ("watching", "unsure")),
            }
    return found


class Webcam:
    """Fills cv2.VideoCapture: a camera of 30 pictures a second in JPEG, before which nothing moves."""

    def __init__(self, picture: Array) -> None:
        chance = np.random.default_rng(1)
        noisy = (np.clip(picture + chance.normal(0, NOISE, picture.shape), 0, 255).astype(np.uint8) for _ in range(4))
        self._jpegs = [np.asarray(cv2.imencode(".jpg", one)[1]).reshape(1, -1) for one in noisy]
        self._told = {
            cv2.CAP_PROP_FOURCC: float(cv2.VideoWriter.fourcc(*"MJPG")),
            cv2.CAP_PROP_FRAME_WIDTH: float(picture.shape[1]),
            cv2.CAP_PROP_FRAME_HEIGHT: float(picture.shape[0]),
            cv2.CAP_PROP_FPS: float(GIVEN),
        }
        self.now = 0.0
        self._next = 0

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def get(self, what: int) -> float:
        return self._told.get(what, 0.0)

    def set(self, what: int, value: float) -> bool:
        del what, value
        return True

    def grab(self) -> bool:
        self.now += 1 / GIVEN
        return True

    def read(self) -> tuple[bool, Array]:
        self.grab()
        self._next += 1
        return True, self._jpegs[self._next % len(self._jpegs)]

    def release(self) -> None:
        pass


def share_at_rest(folder: Path) -> float:
    """Return how much of a core watching takes before a USB camera at 1080p while nothing moves, in percent.

    The table's own code from the camera to the judgement that nothing has changed; what the kernel does for the port is
    not in it.
    """
    running.a_camera(folder)
    picture = cv2.imread(str(folder / "stills" / "0.jpg"), cv2.IMREAD_COLOR)
    webcam = Webcam(np.asarray(picture))
    before = usb.node_of, usb.why_not, usb.know_mains, cv2.VideoCapture
    usb.node_of = lambda _: Path("/dev/video0")  # type: ignore[assignment]
    usb.why_not = lambda _: ""  # type: ignore[assignment]
    usb.know_mains = lambda *_: None  # type: ignore[assignment]
    cv2.VideoCapture = lambda *_: webcam  # type: ignore[assignment,misc]
    try:
        settings = CameraSettings(size=(running.WIDE, running.HIGH), rate=WATCHED)
        camera = WatchedCamera(
            lambda: usb.UsbCamera(0, settings, lambda: webcam.now), lambda _: None, lambda: webcam.now
        )
        vision = vision_of(folder / "profile.json")
        for _ in range(WATCHED):  # until it lies still, and is read
            with camera.frame(full=False) as small:
                due = vision.due(small.image, small.at)
            if due:
                with camera.frame(full=True) as full:
                    vision.read(full.image)
        looks, began = 0, time.process_time()
        for _ in range(WATCHING):
            with camera.frame(full=False) as small:
                looks += vision.due(small.image, small.at)
        taken = time.process_time() - began
        camera.close()
    finally:
        usb.node_of, usb.why_not, usb.know_mains, cv2.VideoCapture = before  # type: ignore[assignment,misc]
    if looks:
        raise RuntimeError(f"{looks} of {WATCHING} pictures of a table at rest were to be read")
    return 100 * taken / (WATCHING / WATCHED)


def _asked(address: str, move: dict[str, Any] | None = None) -> Any:
    """Return what a page answers, to a move where there is one."""
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    body = None if move is None else json.dumps(move).encode()
    asked = urllib.request.Request(address, body, headers)  # noqa: S310 - our own address
    with urllib.request.urlopen(asked, timeout=running.PATIENCE) as answer:  # noqa: S310
        return json.load(answer)


def _read(base: str) -> None:
    """Be a phone: follow all that happens until the table is gone."""
    with suppress(OSError), urllib.request.urlopen(f"{base}/api/events", timeout=running.PATIENCE) as stream:  # noqa: S310
        for _ in stream:
            pass


def _busy(process: int) -> float:
    """Return for how many seconds a process has had a core."""
    told = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / os.sysconf("SC_CLK_TCK")
