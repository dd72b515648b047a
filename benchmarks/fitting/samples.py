"""Training samples: the candidates that vision finds on frames with truth, and what they really are."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.seeing import place_of
from companion.vision.arrays import Array
from companion.vision.camera.top_view import look_down
from companion.vision.figures.evidence import Evidence
from companion.vision.figures.figure_finder import Candidate
from companion.vision.figures.verdict import Layers, crop, layers
from companion.vision.profile import load_profile
from companion.vision.table_reader import LookResult, TableReader

LARGE = 48  # pixels: crops to turn and shift when learning
NOTHING, STANDING, LYING = 0, 1, 2
LEAST_VISIBLE = 0.3
NEAR_MM = 7.0  # what fits this near to a figure's middle is that figure
Sample = tuple[Array, Array, int, float]


@dataclass(frozen=True, slots=True)
class Samples:
    """Crops (n, side, side, 3), measures (n, m), kinds (n) and how much is visible (n; 1 where nothing is)."""

    crops: Array
    measures: Array
    kinds: Array
    visible: Array

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.kinds)


def frames(folders: list[Path]) -> Iterator[tuple[Path, Array, dict[str, Any]]]:
    """Yield every frame that has its truth beside it."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            truth = path.with_suffix(".json")
            if path.suffix not in {".jpg", ".png"} or not truth.exists():
                continue
            picture = cv2.imread(str(path))
            if picture is not None:
                yield path, np.asarray(picture), json.loads(truth.read_text())


def gather(eyes: TableReader, folders: list[Path], log_odds: Array | None = None) -> Samples:
    """Look at every frame and keep each candidate with what it really is."""
    found = []
    for folder in worlds(folders):
        its = eyes_for(eyes, folder, log_odds)
        found += [taken for _, picture, truth in frames([folder]) for taken in of_frame(its, picture, truth)]
    kept = [taken for taken in found if taken[2] == NOTHING or taken[3] >= LEAST_VISIBLE]
    if not kept:
        raise SystemExit("no frame with truth in these folders shows a table")
    crops, measures, kinds, visible = zip(*kept, strict=True)
    return Samples(np.stack(crops), np.stack(measures), np.array(kinds), np.array(visible))


def worlds(folders: list[Path]) -> list[Path]:
    """Return the folders of rendered worlds, each with its profile, in place of the folder that holds them."""
    return [one for folder in folders for one in sorted(p.parent for p in folder.glob("*/profile.json")) or [folder]]


def eyes_for(eyes: TableReader, folder: Path, log_odds: Array | None = None) -> TableReader:
    """Return eyes for a folder of another camera, other figures or stickers, which has a profile of its own."""
    own = folder / "profile.json"
    if not own.exists():
        return eyes
    others = TableReader(load_profile(own), keep_scenes=True)
    if log_odds is not None:
        others.whole.evidence = Evidence(others.profile.colours, log_odds)
    return others


def of_frame(eyes: TableReader, picture: Array, truth: dict[str, Any]) -> list[Sample]:
    """Return crop, measures, kind and visible share of every candidate of one frame."""
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
    samples = _of_pairs(eyes, seen, view, found, truth)
    there = {place_of(figure): figure for figure in truth["dwellers"]}
    shared = Counter(place_of(figure) for figure in truth["dwellers"])
    for candidate, measured in zip(found, measures, strict=True):
        if shared[candidate.space.name] > 1:  # one silhouette over two figures teaches nothing
            continue
        figure = there.get(candidate.space.name)
        mine = figure is not None and figure["colour"] == eyes.whole.evidence.players[candidate.player]
        samples.append((crop(candidate, view, LARGE), measured, *_told(figure if mine else None)))
    return samples


def _of_pairs(
    eyes: TableReader, seen: LookResult, view: Layers, found: list[Candidate], truth: dict[str, Any]
) -> list[Sample]:
    """Return the members of every pair that might be there: half of one figure is nothing beside its other half."""
    if seen.found is None or seen.found.scene is None or seen.pose is None or seen.found.cover.hand:
        return []
    whole, scene, cover = eyes.whole, seen.found.scene, seen.found.cover
    verdicts = whole.judge.judge(found, scene, cover, view)
    members = whole.pairs.members(verdicts, whole.figures.shrink(view.odds), seen.pose)
    if not members:
        return []
    measures = whole.judge.measure(members, scene, cover)
    players = whole.evidence.players
    samples = []
    for member, measured, cut in zip(members, measures, whole.pairs.crops(members, view, LARGE), strict=True):
        at = np.add((member.space.x, member.space.y), member.foot)
        same = [figure for figure in truth["dwellers"] if figure["colour"] == players[member.player]]
        near = [figure for figure in same if hypot(*np.subtract(figure["centre_mm"], at)) < NEAR_MM]
        samples.append((cut, measured, *_told(near[0] if near else None)))
    return samples


def _told(figure: dict[str, Any] | None) -> tuple[int, float]:
    """Return the kind of a figure, or of nothing, and how much of it is visible."""
    if figure is None:
        return NOTHING, 1.0
    return LYING if figure["tipped"] else STANDING, float(figure["visible"])


def layers_of(eyes: TableReader, picture: Array, seen: LookResult) -> Layers:
    """Make the layers that a look was judged by once more."""
    if seen.found is None or seen.found.scene is None or seen.pose is None or seen.lines is None:
        raise ValueError("no table in this picture")
    scene = seen.found.scene
    odds = eyes.whole.evidence.odds(scene)
    above = look_down(picture, seen.lines.maps())
    return layers(odds, scene.strange, above, eyes.frame, seen.pose, eyes.profile.figure_height)
