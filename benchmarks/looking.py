"""Measure the speed of vision beside a bare `ArucoDetector.detectMarkers` on the same frame, in one run.

usage: python -m benchmarks.looking [FRAMES_DIR PROFILE]
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # one thread each, before numpy asks

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader
from companion.vision.time.watcher import Rest, luma

HERE = Path(__file__).resolve().parent.parent / "tests" / "frames"
KINDS = ("std", "capsule", "hand", "notag", "pair")  # of the frames of the tests
ROUNDS = 5
SLOTS = ("2:L2", "3:R1", "4:R2")
LARGE = (2304, 1296)
IN_MEMORY = "import benchmarks.looking as b; print(b.json.dumps(b.memory()))"


GOALS = {"whole": 1.5, "again": 0.1, "idle": 0.001}
WITHOUT_STICKERS = 3.0


@dataclass(frozen=True, slots=True)
class Speed:
    """What each frame takes: its look, its look after one change and its idle gate in bare detectors, these in ms."""

    whole: list[float] = field(default_factory=list)
    again: list[float] = field(default_factory=list)
    idle: list[float] = field(default_factory=list)
    bare_ms: list[float] = field(default_factory=list)


def over(values: list[float], goal: float) -> str:
    """Return how many are more than they should be: a median tells nothing of those."""
    many = sum(value > goal for value in values)
    return f"{many} of {len(values)} frames ({many / max(len(values), 1):.0%})"


def goal_of(name: str) -> float:
    """Return what a whole look may take on frames of that name."""
    return WITHOUT_STICKERS if "notag" in name else GOALS["whole"]


def measure(
    folder: Path = HERE,
    profile: Path = HERE / "profile.json",
    kind: str = "",
    most: int | None = None,
    rounds: int = ROUNDS,
) -> Speed:
    """Time a whole look, a look after one change and the idle gate on every frame, beside the bare detector.

    Of a folder with several kinds of frames only those of one `kind` are looked at: names that begin with it.
    """
    cv2.setNumThreads(1)
    eyes = TableReader(load_profile(profile))
    bare = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    paths = [
        path for path in sorted(folder.iterdir()) if path.suffix in {".jpg", ".png"} and path.name.startswith(kind)
    ]
    speed = Speed()
    for path in paths[:most]:
        picture = cv2.imread(str(path))
        look, rest = eyes.look(picture), Rest()
        eyes.look_again(picture, look, {SLOTS[0]})
        once = best(partial(bare.detectMarkers, picture), rounds)
        again = [best(partial(eyes.look_again, picture, look, {slot}), rounds) for slot in SLOTS]
        speed.bare_ms.append(once * 1000)
        speed.whole.append(best(partial(eyes.look, picture), rounds) / once)
        speed.again.append(statistics.median(again) / once)
        speed.idle.append(best(partial(gate, rest, picture), rounds) / once)
    return speed


def memory_of_another() -> float:
    """Measure the memory of a process of its own."""
    told = subprocess.run([sys.executable, "-c", IN_MEMORY], capture_output=True, check=True, text=True)
    return float(json.loads(told.stdout))


def memory() -> float:
    """Measure what vision adds to the imports at 2304x1296: looks, each made while the last one is kept."""
    cv2.setNumThreads(1)
    still = cv2.imread(str(next(HERE.glob("std_*.jpg"))))
    height = LARGE[1]
    width = round(still.shape[1] * height / still.shape[0])
    side = (LARGE[0] - width) // 2
    picture = cv2.copyMakeBorder(
        cv2.resize(still, (width, height)), 0, 0, side, LARGE[0] - width - side, cv2.BORDER_REPLICATE
    )
    profile = load_profile(HERE / "profile.json")
    before = resident()
    eyes = TableReader(profile)
    look = eyes.look(np.asarray(picture))
    if look.reading.table != "found":
        raise RuntimeError("the table was not found, so a look took less memory than looks take")
    for _ in range(2):
        look = eyes.look(np.asarray(picture))
    eyes.look_again(np.asarray(picture), look, {SLOTS[0]})
    return resident() - before


def gate(rest: Rest, picture: Array) -> bool:
    """Do what is done with every frame while nothing moves."""
    return rest.feed(luma(picture), 0.0)


def best(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """Time some work by the processor's clock, since other programs run too: the best of several rounds."""
    shortest = float("inf")
    for _ in range(rounds):
        start = time.thread_time()
        work()
        shortest = min(shortest, time.thread_time() - start)
    return shortest


def resident() -> float:
    """Return the most memory this process has held since it began, in MB: what it was forked from does not count."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) / 1024


def main() -> None:
    """Print the ratios."""
    given = [Path(word) for word in sys.argv[1:]]
    for kind in KINDS if not given else ("",):
        tell(kind or given[0].name, measure(*given, kind=kind) if given else measure(kind=kind))
    print(f"memory that vision adds     {memory_of_another():8.1f} MB (under 60)")


def tell(name: str, speed: Speed) -> None:
    """Print the ratios of one kind of frames: the middle one, and how many are over the goal."""
    goal = goal_of(name)
    print(f"{name}, {len(speed.whole)} frames\nbare detectMarkers          {statistics.median(speed.bare_ms):8.1f} ms")
    for what, values, most in (
        ("whole look", speed.whole, goal),
        ("a look after one change", speed.again, GOALS["again"]),
        ("idle gate", speed.idle, GOALS["idle"]),
    ):
        middle = statistics.median(values)
        print(f"{what:27} {middle:8.4f} times that (at most {most:g}; over it {over(values, most)})")


if __name__ == "__main__":
    main()
