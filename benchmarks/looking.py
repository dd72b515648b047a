"""How fast the eyes are, beside a bare `ArucoDetector.detectMarkers` on the same frame, in one run.

usage: python -m benchmarks.looking [FRAMES_DIR PROFILE]
"""

import resource
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2

from companion.vision.arrays import Array
from companion.vision.eyes import Eyes
from companion.vision.motion import Rest, luma
from companion.vision.profile import load_profile

HERE = Path(__file__).resolve().parent.parent / "tests" / "frames"
ROUNDS = 5
SLOTS = ("2:L2", "3:R1", "4:R2")


def measure(folder: Path = HERE, profile: Path = HERE / "profile.json", most: int = 8) -> dict[str, float]:
    """Give the ratios of a whole look, a look after one change and the idle gate to the bare detector, and memory."""
    cv2.setNumThreads(1)
    before = resident()
    eyes = Eyes(load_profile(profile))
    bare = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    paths = [path for path in sorted(folder.iterdir()) if path.suffix in {".jpg", ".png"}]
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
    found = {name: statistics.median(values) for name, values in rows.items()}
    return {**found, "memory_mb": resident() - before}


def gate(rest: Rest, picture: Array) -> bool:
    """Do what is done with every frame while nothing moves."""
    return rest.feed(luma(picture), 0.0)


def best(work: Callable[[], object]) -> float:
    """Time some work: the best of several rounds."""
    shortest = float("inf")
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        shortest = min(shortest, time.perf_counter() - start)
    return shortest


def resident() -> float:
    """Give the most memory this process has held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    """Print the ratios."""
    given = [Path(word) for word in sys.argv[1:]]
    found = measure(*given) if given else measure()
    print(f"bare detectMarkers          {found['bare_ms']:8.1f} ms")
    print(f"whole look                  {found['whole']:8.2f} times that (at most 2; 3 without stickers)")
    print(f"a look after one change     {found['again']:8.3f} times (at most 0.25)")
    print(f"idle gate                   {found['idle']:8.4f} times (under 0.01)")
    print(f"memory that vision adds     {found['memory_mb']:8.1f} MB (under 80)")


if __name__ == "__main__":
    main()
