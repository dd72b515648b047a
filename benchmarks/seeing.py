"""Measure the accuracy of vision: readings of frames with truth, by how much of a thing is visible.

usage: python -m benchmarks.seeing FOLDER [PROFILE]

FOLDER holds frames with their truth, or worlds, each in a folder with its own profile: then tables by worlds and by
families of figures come first.
"""

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from companion.bots.study.tally import share_interval
from companion.vision.places import ROOM_SLOTS
from companion.vision.profile import load_profile
from companion.vision.reading import VisionReading
from companion.vision.table_reader import TableReader

CARD_BANDS = ((0.97, ">=.97"), (0.8, ".8-.97"), (0.5, ".5-.8"), (0.0, "<.5"))
FIGURE_BANDS = ((0.9, ">=.9"), (0.6, ".6-.9"), (0.0, "<.6"))
PROFILE = "profile.json"
VERDICTS = ("right", "wrong", "unsure", "missing")
TOLD_BANDS = ((0.98, ">=.98"), (0.9, ".9-.98"), (0.8, ".8-.9"), (0.0, "<.8"))


@dataclass(slots=True)
class Score:
    """What was counted."""

    rows: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    frames: int = 0
    exact: int = 0
    phantoms: int = 0
    lost: int = 0
    told: dict[str, Counter[bool]] = field(default_factory=dict)
    """By the confidence that a figure was told with, how often it stood there in this colour and pose."""
    families: dict[str, Counter[str]] = field(default_factory=dict)
    """By their family, what was said of figures in full view."""

    def count(self, kind: str, bands: tuple[tuple[float, str], ...], visible: float, verdict: str) -> None:
        """Count one thing under its band."""
        band = next(name for least, name in bands if visible >= least)
        self.rows.setdefault((kind, band), Counter())[verdict] += 1

    @property
    def figures(self) -> Counter[str]:
        """What was said of figures in full view."""
        return self.rows.get(("dweller", FIGURE_BANDS[0][1]), Counter())

    def add(self, other: "Score") -> None:
        """Count what another one has counted."""
        for key, counted in other.rows.items():
            self.rows.setdefault(key, Counter()).update(counted)
        for band, came_true in other.told.items():
            self.told.setdefault(band, Counter()).update(came_true)
        for family, counted in other.families.items():
            self.families.setdefault(family, Counter()).update(counted)
        self.frames += other.frames
        self.exact += other.exact
        self.phantoms += other.phantoms
        self.lost += other.lost


def place_of(item: dict[str, int | None]) -> str:
    """Name the place of a card or figure in the truth, whose levels and columns count from 0."""
    slot = ROOM_SLOTS[item["col"] or 0]
    name = f"{(item['level'] or 0) + 1}:{slot}"
    return name if slot == "E" or item.get("space") is None else name + "ab"[item["space"] or 0]


def verdict_on(got: str | None, wanted: str, place: str, unsure: tuple[str, ...]) -> str:
    """Judge one answer."""
    if got is not None:
        return "right" if got == wanted else "wrong"
    return "unsure" if place in unsure or place[:-1] in unsure else "missing"


def judge(reading: VisionReading, truth: dict[str, list[dict[str, object]]], score: Score) -> None:
    """Compare a reading with the truth."""
    good = True
    cards = {place: seen.card for place, seen in (reading.rooms | reading.threats).items()}
    for card in truth["cards"]:
        if card["kind"] == "elevator":
            continue
        visible, place = float(str(card["visible"])), place_of(card)  # type: ignore[arg-type]
        wanted = str(card["name"]) if "name" in card else _published(card)
        verdict = verdict_on(cards.pop(place, None), wanted, place, reading.unsure)
        score.count(str(card["kind"]), CARD_BANDS, visible, verdict)
        good &= verdict == "right" or (visible < 0.8 and verdict == "unsure") or (visible < 0.5 and verdict != "wrong")  # noqa: PLR2004
    good &= all(place.endswith(":E") for place in cards)
    standing = {
        (place_of(figure), f"{figure['colour']} {'lying' if figure['tipped'] else 'standing'}")  # type: ignore[arg-type]
        for figure in truth["dwellers"]
    }
    for told in reading.dwellers:
        band = next(name for least, name in TOLD_BANDS if told.confidence >= least)
        came_true = (told.space, f"{told.player} {told.pose}") in standing
        score.told.setdefault(band, Counter())[came_true] += 1
    figures: dict[str, list[str]] = {}
    for dweller in reading.dwellers:
        figures.setdefault(dweller.space, []).append(f"{dweller.player} {dweller.pose}")
    for figure in truth["dwellers"]:
        visible, place = float(str(figure["visible"])), place_of(figure)  # type: ignore[arg-type]
        wanted = f"{figure['colour']} {'lying' if figure['tipped'] else 'standing'}"
        here = figures.get(place, [])
        got = wanted if wanted in here else here[0] if here else None
        if got is not None:
            here.remove(got)
        verdict = verdict_on(got, wanted, place, reading.unsure)
        score.count("dweller", FIGURE_BANDS, visible, verdict)
        if visible >= FIGURE_BANDS[0][0]:
            family = str(figure.get("mini", "")).split("-")[0]
            score.families.setdefault(family, Counter())[verdict] += 1
        good &= verdict == "right" or (visible < 0.9 and verdict == "unsure") or (visible < 0.6 and verdict != "wrong")  # noqa: PLR2004
    ghosts = sum(len(here) for here in figures.values())
    score.phantoms += ghosts
    score.exact += good and not ghosts
    score.frames += 1
    score.lost += reading.table != "found"


def _published(card: dict[str, object]) -> str:
    """Name a card of the published frames, which number them."""
    number = int(str(card["card_id"]))
    return f"room-{number:02d}" if card["kind"] == "room" else f"threat-{number}"


def measure(folder: Path, profile: Path | None = None) -> Score:
    """Read every frame of a folder that has its truth beside it; its own profile where none is given."""
    cv2.setNumThreads(1)
    eyes, score = TableReader(load_profile(profile or folder / PROFILE)), Score()
    for path in sorted(folder.iterdir()):
        truth = path.with_suffix(".json")
        if path.suffix in {".jpg", ".png"} and truth.exists():
            judge(eyes.look(cv2.imread(str(path)), path.name).reading, json.loads(truth.read_text()), score)
    return score


def worlds(folder: Path) -> list[Path]:
    """Return the worlds in a folder, each with a profile of its own."""
    return sorted(path.parent for path in folder.glob(f"*/{PROFILE}"))


def said(counted: Counter[str]) -> str:
    """Return what was said of some figures, with the interval of what is right."""
    total = counted.total()
    low, high = share_interval(counted["right"], total)
    shares = "  ".join(f"{name} {counted[name] / max(total, 1):6.1%}" for name in VERDICTS)
    return f"n {total:5}  {shares}  right {low:.1%} to {high:.1%}"


def main() -> None:
    """Print the tables."""
    folder, profile = Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None  # noqa: PLR2004 - the second word
    score = Score()
    if profile is None and worlds(folder):
        for world in worlds(folder):
            its = measure(world)
            print(
                f"{world.name:14} {said(its.figures)}  exactly right {its.exact}/{its.frames}  phantoms {its.phantoms}"
            )
            score.add(its)
        for family, counted in sorted(score.families.items()):
            print(f"{family:14} {said(counted)}")
    else:
        score = measure(folder, profile)
    print(f"{'figures':14} {said(score.figures)}")
    for (kind, band), counted in sorted(score.rows.items()):
        total = sum(counted.values())
        shares = "  ".join(f"{name} {counted[name] / total:7.2%}" for name in VERDICTS)
        print(f"{kind:8} {band:7} n {total:5}  {shares}")
    for _, band in TOLD_BANDS:
        if counted := score.told.get(band):
            print(f"told {band:7} n {counted.total():5}  came true {counted[True] / counted.total():7.2%}")
    frames = max(score.frames, 1)
    print(f"{score.frames} frames, {score.lost} lost; exactly right {score.exact / frames:.1%}")
    print(f"phantoms a frame {score.phantoms / frames:.3f}")


if __name__ == "__main__":
    main()
