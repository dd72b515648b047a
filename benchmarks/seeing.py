"""Measure the accuracy of vision: readings of frames with truth, by how much of a thing is visible.

usage: python -m benchmarks.seeing FRAMES_DIR PROFILE
"""

import json
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import cv2

from companion.vision.places import ROOM_SLOTS
from companion.vision.profile import load_profile
from companion.vision.reading import VisionReading
from companion.vision.table_reader import TableReader

CARD_BANDS = ((0.97, ">=.97"), (0.8, ".8-.97"), (0.5, ".5-.8"), (0.0, "<.5"))
FIGURE_BANDS = ((0.9, ">=.9"), (0.6, ".6-.9"), (0.0, "<.6"))
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

    def count(self, kind: str, bands: tuple[tuple[float, str], ...], visible: float, verdict: str) -> None:
        """Count one thing under its band."""
        band = next(name for least, name in bands if visible >= least)
        self.rows.setdefault((kind, band), Counter())[verdict] += 1


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
        number, visible, place = int(str(card["card_id"])), float(str(card["visible"])), place_of(card)  # type: ignore[arg-type]
        wanted = f"room-{number:02d}" if card["kind"] == "room" else f"threat-{number}"
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
        good &= verdict == "right" or (visible < 0.9 and verdict == "unsure") or (visible < 0.6 and verdict != "wrong")  # noqa: PLR2004
    ghosts = sum(len(here) for here in figures.values())
    score.phantoms += ghosts
    score.exact += good and not ghosts
    score.frames += 1
    score.lost += reading.table != "found"


def measure(folder: Path, profile: Path) -> Score:
    """Read every frame of a folder that has its truth beside it."""
    cv2.setNumThreads(1)
    eyes, score = TableReader(load_profile(profile)), Score()
    for path in sorted(folder.iterdir()):
        truth = path.with_suffix(".json")
        if path.suffix in {".jpg", ".png"} and truth.exists():
            judge(eyes.look(cv2.imread(str(path)), path.name).reading, json.loads(truth.read_text()), score)
    return score


def main() -> None:
    """Print the table."""
    score = measure(Path(sys.argv[1]), Path(sys.argv[2]))
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
