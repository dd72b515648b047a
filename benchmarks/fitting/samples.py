"""What is learned from: the candidates that the eyes find on frames with truth, and what they really are."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.seeing import place_of
from companion.vision.arrays import Array
from companion.vision.crops import Layers, crop, layers
from companion.vision.eyes import Eyes, Look
from companion.vision.view import look_down

LARGE = 48  # pixels: crops to turn and shift when learning
NOTHING, STANDING, LYING = 0, 1, 2
LEAST_VISIBLE = 0.3


@dataclass(frozen=True, slots=True)
class Samples:
    """Crops (n, side, side, 3), measures (n, m), kinds (n) and how much is visible (n; 1 where nothing is)."""

    crops: Array
    measures: Array
    kinds: Array
    visible: Array

    def __len__(self) -> int:
        """How many there are."""
        return len(self.kinds)


def frames(folders: list[Path]) -> Iterator[tuple[Path, Array, dict[str, Any]]]:
    """Give every frame that has its truth beside it."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            truth = path.with_suffix(".json")
            if path.suffix not in {".jpg", ".png"} or not truth.exists():
                continue
            picture = cv2.imread(str(path))
            if picture is not None:
                yield path, np.asarray(picture), json.loads(truth.read_text())


def gather(eyes: Eyes, folders: list[Path]) -> Samples:
    """Look at every frame and keep each candidate with what it really is."""
    found = [taken for _, picture, truth in frames(folders) for taken in of_frame(eyes, picture, truth)]
    kept = [taken for taken in found if taken[2] == NOTHING or taken[3] >= LEAST_VISIBLE]
    if not kept:
        raise SystemExit("no frame with truth in these folders shows a table")
    crops, measures, kinds, visible = zip(*kept, strict=True)
    return Samples(np.stack(crops), np.stack(measures), np.array(kinds), np.array(visible))


def of_frame(eyes: Eyes, picture: Array, truth: dict[str, Any]) -> list[tuple[Array, Array, int, float]]:
    """Give crop, measures, kind and visible share of every candidate of one frame."""
    seen = eyes.look(picture)
    if seen.found is None or seen.found.scene is None or seen.pose is None:
        return []
    view = layers_of(eyes, picture, seen)
    figures, judge = eyes.whole.figures, eyes.whole.judge
    away = seen.found.cards.bare | {place.rstrip("ab") for place in seen.found.unread}
    spaces = [space for space in eyes.profile.spaces if space.slot not in away]
    found = figures.settle(figures.candidates(figures.shrink(view.odds), seen.pose, spaces), seen.pose)
    if not found:
        return []
    measures = judge.measure(found, seen.found.scene, seen.found.cover)
    there = {place_of(figure): figure for figure in truth["dwellers"]}
    shared = Counter(place_of(figure) for figure in truth["dwellers"])
    samples = []
    for candidate, measured in zip(found, measures, strict=True):
        if shared[candidate.space.name] > 1:  # one silhouette over two figures teaches nothing
            continue
        figure = there.get(candidate.space.name)
        mine = figure is not None and figure["colour"] == eyes.whole.evidence.players[candidate.player]
        kind = NOTHING if figure is None or not mine else LYING if figure["tipped"] else STANDING
        visible = float(figure["visible"]) if figure is not None and mine else 1.0
        samples.append((crop(candidate, view, LARGE), measured, kind, visible))
    return samples


def layers_of(eyes: Eyes, picture: Array, seen: Look) -> Layers:
    """Make the layers that a look was judged by once more."""
    if seen.found is None or seen.found.scene is None or seen.pose is None or seen.lines is None:
        raise ValueError("no table in this picture")
    scene = seen.found.scene
    odds = eyes.whole.evidence.odds(scene)
    above = look_down(picture, seen.lines.maps())
    return layers(odds, scene.strange, above, eyes.frame, seen.pose, eyes.profile.figure_height)
