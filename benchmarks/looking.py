"""How fast the eyes are, beside a bare `ArucoDetector.detectMarkers` on the same frame, in one run.

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
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.eyes import Eyes
from companion.vision.motion import Rest, luma
from companion.vision.profile import load_profile

HERE = Path(__file__).resolve().parent.parent / "tests" / "frames"
KINDS = ("std", "capsule", "hand", "notag", "pair")  # of the frames of the tests
ROUNDS = 5
SLOTS = ("2:L2", "3:R1", "4:R2")
LARGE = (2304, 1296)
IN_MEMORY = "import benchmarks.looking as b; print(b.json.dumps(b.memory()))"


def measure(
    folder: Path = HERE, profile: Path = HERE / "profile.json", kind: str = "", most: int = 8
) -> dict[str, float]:
    """Give the ratios of a whole look, a look after one change and the idle gate to the bare detector.

    Of a folder with several kinds of frames only those of one `kind` are looked at: names that begin with it.
    """
    cv2.setNumThreads(1)
    eyes = Eyes(load_profile(profile))
    bare = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    paths = [
        path for path in sorted(folder.iterdir()) if path.suffix in {".jpg", ".png"} and path.name.startswith(kind)
    ]
    rows: dict[str, list[float]] = {"whole": [], "again": [], "idle": [], "bare_ms": []}
    for path in paths[:: max(1, len(paths) // most)][:most]:
        picture = cv2.imread(str(path))
        look, rest = eyes.look(picture), Rest()
        eyes.look_again(picture, look, {SLOTS[0]})
        times = {
            "bare": best(partial(bare.detectMarkers, picture)),
            "whole": best(partial(eyes.look, picture)),
            "again": statistics.median(best(partial(eyes.look_again, picture, look, {slot})) for slot in SLOTS),
            "idle": best(partial(gate, rest, picture)),
        }
        rows["bare_ms"].append(times["bare"] * 1000)
        for name in ("whole", "again", "idle"):
            rows[name].append(times[name] / times["bare"])
    return {name: statistics.median(values) for name, values in rows.items()}


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
    eyes = Eyes(profile)
    look = eyes.look(np.asarray(picture))
    for _ in range(2):
        look = eyes.look(np.asarray(picture))
    eyes.look_again(np.asarray(picture), look, {SLOTS[0]})
    return resident() - before


def gate(rest: Rest, picture: Array) -> bool:
    """Do what is done with every frame while nothing moves."""
    return rest.feed(luma(picture), 0.0)


def best(work: Callable[[], object]) -> float:
    """Time some work by the processor's clock, since other programs run too: the best of several rounds."""
    shortest = float("inf")
    for _ in range(ROUNDS):
        start = time.thread_time()
        work()
        shortest = min(shortest, time.thread_time() - start)
    return shortest


def resident() -> float:
    """Give the most memory this process has held since it began, in MB: what it was forked from does not count."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) / 1024


def main() -> None:
    """Print the ratios."""
    given = [Path(word) for word in sys.argv[1:]]
    for kind in KINDS if not given else ("",):
        tell(kind, measure(*given, kind=kind) if given else measure(kind=kind))
    print(f"memory that vision adds     {memory_of_another():8.1f} MB (under 80)")


def tell(kind: str, found: dict[str, float]) -> None:
    """Print the ratios of one kind of frames."""
    print(f"{kind}\nbare detectMarkers          {found['bare_ms']:8.1f} ms")
    print(f"whole look                  {found['whole']:8.2f} times that (at most 2; 3 without stickers)")
    print(f"a look after one change     {found['again']:8.3f} times (at most 0.25)")
    print(f"idle gate                   {found['idle']:8.4f} times (under 0.01)")


if __name__ == "__main__":
    main()
