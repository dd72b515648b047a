"""Measure what answers to doubts do to the readings of other figures: each doubt is said, all others are judged.

usage: python -m benchmarks.answering FOLDER [PROFILE]

FOLDER holds worlds, each in a folder with its own profile, or frames with truth beside a PROFILE. In every frame each
figure whose pose is in doubt is said as it stands, as a person would, and nothing else is; the other figures of the
world are read before and after all answers.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2

from benchmarks.seeing import FIGURE_BANDS, PROFILE, place_of, verdict_on, worlds
from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.reading import VisionReading

Frame = tuple[str, "Array", dict[str, Any]]
POSES = ("standing", "lying")


@dataclass
class Answers:
    """How many doubts were answered and learned, and what became of the other figures: before and after, in pairs."""

    asked: int = 0
    learned: int = 0
    others: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, other: Answers) -> None:
        self.asked, self.learned = self.asked + other.asked, self.learned + other.learned
        self.others.update(other.others)


def of_world(profile: Path, frames: list[Frame]) -> Answers:
    """Answer every doubt of a household's frames, and compare all figures in full view before and after."""
    eyes, answers = TableReader(load_profile(profile)), Answers()
    before = {name: _verdicts(eyes.look(picture).reading, truth) for name, picture, truth in frames}
    said: set[tuple[str, str]] = set()
    for name, picture, truth in frames:
        reading = eyes.look(picture).reading
        for figure in _alone(truth):
            place = place_of(figure)
            if place not in reading.unsure:
                continue
            answers.asked += 1
            said.add((name, place))
            learned = eyes.learn(place, str(figure["colour"]), POSES[bool(figure["tipped"])])
            answers.learned += learned is not None
    if answers.learned:
        after = {name: _verdicts(eyes.look(picture).reading, truth) for name, picture, truth in frames}
    else:
        after = before
    for name, _, _ in frames:
        for place, verdict in before[name].items():
            if (name, place) not in said:
                answers.others[verdict, after[name][place]] += 1
    return answers


def _alone(truth: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the figures in full view that share their space with nobody."""
    shared = Counter(place_of(figure) for figure in truth["dwellers"])
    whole = FIGURE_BANDS[0][0]
    return [one for one in truth["dwellers"] if shared[place_of(one)] == 1 and float(one["visible"]) >= whole]


def _verdicts(reading: VisionReading, truth: dict[str, Any]) -> dict[str, str]:
    """Return what is said of each figure that stands alone in full view."""
    told = {dweller.space: f"{dweller.player} {dweller.pose}" for dweller in reading.dwellers}
    return {
        place_of(one): verdict_on(
            told.get(place_of(one)),
            f"{one['colour']} {POSES[bool(one['tipped'])]}",
            place_of(one),
            reading.unsure,
        )
        for one in _alone(truth)
    }


def frames_of(folder: Path) -> list[Frame]:
    """Return every frame of a folder that has its truth beside it."""
    paths = [path for path in sorted(folder.iterdir()) if path.suffix in {".jpg", ".png"}]
    found = [(path, path.with_suffix(".json")) for path in paths if path.with_suffix(".json").exists()]
    return [(path.name, cv2.imread(str(path)), json.loads(truth.read_text())) for path, truth in found]


def main() -> None:
    """Print what answers changed."""
    cv2.setNumThreads(1)
    folder = Path(sys.argv[1])
    if len(sys.argv) > 2:  # noqa: PLR2004 - the second word
        every = of_world(Path(sys.argv[2]), frames_of(folder))
    else:
        every = Answers()
        for world in worlds(folder):
            every.add(of_world(world / PROFILE, frames_of(world)))
    print(f"{every.asked} doubts answered, {every.learned} learned from; {every.others.total()} other figures:")
    for (before, after), count in sorted(every.others.items()):
        print(f"{before:8} -> {after:8} {count:5}" + ("" if before == after else "  *"))


if __name__ == "__main__":
    main()
