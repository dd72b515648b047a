"""Measure vision on real photographs, which are not part of the project: whoever measures names their folder.

usage: python -m benchmarks.photographs FOLDER (with its manifest.json)
"""

import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.measuring.measures import from_chessboard
from companion.vision.cards.card_match import WholeCardMatcher
from companion.vision.cards.tags import TagFinder
from companion.vision.profile import CardProfile

Rows = list[tuple[str, str, str]]
MANIFEST = "manifest.json"
EVERY_TAG = 587
CLOSE = 6.0  # pixels between the middles of a tag
ENROLLED, ASKED = (0, 1, 2), 5
BOARD, SQUARE_MM = (9, 6), 25.0


def measure(folder: Path) -> Rows:
    """Tags where there are some and where there are none, cards that look alike, a lens that is known."""
    entries = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["entries"]
    by_set: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        by_set.setdefault(entry["set"], []).append(entry)
    return [
        *_no_tags(folder, by_set.get("playing_cards", [])),
        *_tags(folder, by_set.get("apriltag", [])),
        *_cards(folder, by_set.get("set_cards", [])),
        *_lens(folder, by_set.get("opencv_chessboard", [])),
    ]


def _grey(path: Path) -> Any:
    return cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)


def _no_tags(folder: Path, entries: list[dict[str, Any]]) -> Rows:
    finder = TagFinder("APRILTAG_36h11", tuple(range(EVERY_TAG)))
    found = sum(len(finder.find(_grey(folder / entry["file"]), thorough=True)) for entry in entries)
    return [(f"tags found on {len(entries)} photographs without any, all {EVERY_TAG} ids allowed", "0", f"{found}")]


def _tags(folder: Path, entries: list[dict[str, Any]]) -> Rows:
    finder, rows = TagFinder("APRILTAG_36h11", tuple(range(EVERY_TAG))), []
    for entry in entries:
        found = finder.find(_grey(folder / entry["file"]), thorough=True)
        wanted = entry["expected"]["detections"]
        middles = [(tag["id"], np.mean(tag["corners"], axis=0)) for tag in wanted]
        hit = sum(
            any(tag.id == number and np.linalg.norm(tag.centre - middle) < CLOSE for tag in found)
            for number, middle in middles
        )
        what = "tags on the AprilTag library's own photograph; of those it found"
        rows.append((what, f"{len(wanted)}", f"{len(found)}; {hit}"))
    return rows


def _cards(folder: Path, entries: list[dict[str, Any]]) -> Rows:
    enrolled, asked = [], []
    for entry in entries:
        picture, name = cv2.imread(str(folder / entry["file"])), entry["expected"]["card"]
        if entry["photo_rank"] in ENROLLED:
            enrolled.append((CardProfile(name, "room", (), ()), np.asarray(picture)))
        elif entry["photo_rank"] == ASKED:
            asked.append((name, np.asarray(picture)))
    gallery = WholeCardMatcher(enrolled)
    named = [(name, gallery.name(picture, either_way_up=True)) for name, picture in asked]
    right = sum(guess is not None and guess.card.name == name for name, guess in named)
    share = right / max(len(asked), 1)
    return [("SET cards named, three enrolments each", "98 %", f"{share:.1%} ({right} of {len(asked)})")]


def _lens(folder: Path, entries: list[dict[str, Any]]) -> Rows:
    left = [entry for entry in entries if Path(entry["file"]).name.startswith("left")]
    published = left[0]["expected"]["K"][0][0]
    lens = from_chessboard([np.asarray(cv2.imread(str(folder / entry["file"]))) for entry in left], BOARD, SQUARE_MM)
    off = abs(lens.matrix[0, 0] / published - 1)
    return [("focal length from chessboards, off the published one", "1 %", f"{off:.2%} ({len(left)} photographs)")]


def main() -> None:
    """Print the rows."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()
    if not (folder / MANIFEST).is_file():
        raise SystemExit(f"{folder}: no {MANIFEST} here; name the folder of the photographs")
    for what, goal, figure in measure(folder):
        print(f"{what:75} {goal:>6}  {figure}")


if __name__ == "__main__":
    main()
