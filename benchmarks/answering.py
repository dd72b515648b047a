"""Measure what answers to doubts do: whether the same doubt is asked again, and how all other figures are read.

usage: python -m benchmarks.answering FOLDER [PROFILE]

FOLDER holds worlds, each in a folder with its own profile, or frames with truth beside a PROFILE. In every frame each
space that is in doubt is said as it is, as a person would: which figure stands there, or that none does. Then the table
is looked at again, with other noise. The other figures of the world, and the other empty spaces, are read before and
after all answers.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

from benchmarks.seeing import FIGURE_BANDS, PROFILE, place_of, verdict_on, worlds
from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.reading import VisionReading

Frame = tuple[str, "Array", dict[str, Any]]
POSES = ("standing", "lying")
NOTHING = "nothing"
NOISE = 2.0
"""Grey levels of noise that is new in every look."""


@dataclass
class Answers:
    """Doubts: how many were answered, learned from, held, and were asked again; and what became of the others.

    `others` are the verdicts on all other figures before and after, in pairs; `again` counts the same doubts in a later
    look of a camera that was told nothing, and of this one. Phantoms are figures told on other empty spaces.
    """

    asked: Counter[str] = field(default_factory=Counter)
    learned: int = 0
    held: int = 0
    again: list[int] = field(default_factory=lambda: [0, 0])
    wrong: int = 0
    """Spaces that were answered and are told otherwise in the later look."""
    others: Counter[tuple[str, str]] = field(default_factory=Counter)
    phantoms: list[int] = field(default_factory=lambda: [0, 0])

    def add(self, other: Answers) -> None:
        self.learned, self.held, self.wrong = (
            self.learned + other.learned,
            self.held + other.held,
            self.wrong + other.wrong,
        )
        self.asked.update(other.asked)
        self.others.update(other.others)
        self.again = [one + more for one, more in zip(self.again, other.again, strict=True)]
        self.phantoms = [one + more for one, more in zip(self.phantoms, other.phantoms, strict=True)]


def of_world(profile: Path, frames: list[Frame]) -> Answers:
    """Answer every doubt of a household's frames, and compare everything else before and after."""
    eyes, untold, answers = TableReader(load_profile(profile)), TableReader(load_profile(profile)), Answers()
    before = {name: untold.look(picture).reading for name, picture, _ in frames}
    said: set[tuple[str, str]] = set()
    for number, (name, picture, truth) in enumerate(frames):
        reading = eyes.look(_noisy(picture, 2 * number)).reading
        there = {place_of(one): (str(one["colour"]), POSES[bool(one["tipped"])]) for one in _alone(truth)}
        taken = {place_of(one) for one in truth["dwellers"]}
        doubts = {space: there[space] for space in there.keys() & set(reading.unsure)}
        doubts |= dict.fromkeys(reading.chances.keys() & set(reading.unsure) - taken, ("", NOTHING))
        for space, (colour, pose) in sorted(doubts.items()):
            answer = eyes.learn(space, colour, pose)
            answers.asked["empty" if pose == NOTHING else "figure"] += 1
            answers.held += answer is not None
            answers.learned += answer is not None and answer.look is not None
        said |= {(name, space) for space in doubts}
        if doubts:
            later = _noisy(picture, 2 * number + 1)
            untold_later, told_later = untold.look(later).reading, eyes.look(later).reading
            answers.again[0] += len(doubts.keys() & set(untold_later.unsure))
            answers.again[1] += len(doubts.keys() & set(told_later.unsure))
            answers.wrong += len(
                {
                    one.space
                    for one in told_later.dwellers
                    if one.space in doubts and doubts[one.space] != (one.player, one.pose)
                }
            )
    for name, picture, truth in frames:
        after = eyes.look(picture).reading if answers.held else before[name]
        first, then = _verdicts(before[name], truth), _verdicts(after, truth)
        for place, verdict in first.items():
            if (name, place) not in said:
                answers.others[verdict, then[place]] += 1
        taken = {place_of(one) for one in truth["dwellers"]} | {space for of, space in said if of == name}
        for index, reading in enumerate((before[name], after)):
            answers.phantoms[index] += sum(one.space not in taken for one in reading.dwellers)
    return answers


def _noisy(picture: Array, seed: int) -> Array:
    noise = np.random.default_rng(seed).normal(0, NOISE, picture.shape)
    return np.asarray(np.clip(picture + noise, 0, 255).astype(np.uint8))


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
    asked = ", ".join(f"{count} of {what}" for what, count in sorted(every.asked.items()))
    print(f"{every.asked.total()} doubts answered ({asked}), {every.held} held, {every.learned} learned from")
    print(f"asked again in a later look: {every.again[0]} where nothing was said, now {every.again[1]}")
    print(f"answered and told otherwise later: {every.wrong}")
    print(f"phantoms on other spaces: {every.phantoms[0]} before, {every.phantoms[1]} after")
    print(f"{every.others.total()} other figures:")
    for (before, after), count in sorted(every.others.items()):
        print(f"{before:8} -> {after:8} {count:5}" + ("" if before == after else "  *"))


if __name__ == "__main__":
    main()
