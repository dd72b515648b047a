"""Training samples: the candidates that vision finds on frames with truth, and what they really are."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from math import hypot
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.seeing import place_of
from companion.vision.arrays import Array
from companion.vision.camera.top_view import look_down
from companion.vision.figures.crops import Layers, crop, layers
from companion.vision.figures.evidence import MOST_PLAYERS, Evidence, load_odds
from companion.vision.figures.figure_finder import Candidate
from companion.vision.places import MatSpace
from companion.vision.profile import load_profile
from companion.vision.scene.light import LINEAR
from companion.vision.scene.scene import ExplainedView
from companion.vision.table_reader import LookResult, TableReader

LARGE = 64  # pixels: crops to turn and shift when learning
NOTHING, STANDING, LYING = 0, 1, 2
LEAST_VISIBLE = 0.3
DECOYS, DECOY_AWAY, DECOY_PATCH = 40, 1.1, 20  # a frame; of a figure's height from figures; pixels around a space
BRIGHTER_THAN, COLOURFUL, SOME = (0.8, 0.98), 0.06, 0.02  # share of a space's pixels; of linear light
NEAR_MM = 7.0  # what fits this near to a figure's middle is that figure
Sample = tuple[Array, Array, Array, int, float]


@dataclass(frozen=True, slots=True)
class Samples:
    """Crops (n, side, side, layers) with measures, sizes and kinds, and how much is visible (1 where nothing is)."""

    crops: Array
    measures: Array
    sizes: Array
    kinds: Array
    visible: Array

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.kinds)


def together(parts: list[Samples]) -> Samples:
    """Return the samples of several folders as one."""
    names = [part.name for part in fields(Samples)]
    return Samples(*(np.concatenate([getattr(part, name) for part in parts if len(part)]) for name in names))


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


def gather(
    eyes: TableReader | None, folders: list[Path], log_odds: Array | None = None, kept: Path | None = None
) -> Samples:
    """Look at every frame and keep each candidate with what it really is; `kept` is a folder for what was seen once.

    `eyes` see the folders that have no profile of their own.
    """
    parts = []
    for folder in worlds(folders):
        file = kept / f"{folder.parent.name}_{folder.name}.npz" if kept else None
        if file is not None and file.exists():
            with np.load(file) as had:
                parts.append(Samples(**had))
            continue
        its = eyes_for(eyes, folder, log_odds)
        decoys = Decoys(its)
        found = [taken for _, picture, truth in frames([folder]) for taken in of_frame(its, picture, truth, decoys)]
        found = [taken for taken in found if taken[3] == NOTHING or taken[4] >= LEAST_VISIBLE]
        if not found:
            continue
        crops, measures, sizes, kinds, visible = zip(*found, strict=True)
        part = Samples(np.stack(crops), np.stack(measures), np.stack(sizes), np.array(kinds), np.array(visible))
        parts.append(part)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            np.savez(file, **{each.name: getattr(part, each.name) for each in fields(part)})
    if not parts:
        raise SystemExit("no frame with truth in these folders shows a table")
    return together(parts)


def worlds(folders: list[Path]) -> list[Path]:
    """Return the folders of rendered worlds, each with its profile, in place of the folder that holds them."""
    return [one for folder in folders for one in sorted(p.parent for p in folder.glob("*/profile.json")) or [folder]]


def eyes_for(eyes: TableReader | None, folder: Path, log_odds: Array | None = None) -> TableReader:
    """Return eyes for a folder of another camera, other figures or stickers, which has a profile of its own."""
    own = folder / "profile.json"
    if not own.exists():
        if eyes is None:
            raise SystemExit(f"{folder} has no profile.json; give one with --profile")
        return eyes
    others = TableReader(load_profile(own), keep_scenes=True)
    if log_odds is not None:
        others.whole.evidence = Evidence(others.profile.colours, log_odds)
    return others


def of_frame(eyes: TableReader, picture: Array, truth: dict[str, Any], decoys: "Decoys | None" = None) -> list[Sample]:
    """Return crop, measures, sizes, kind and visible share of every candidate of one frame, and of its decoys."""
    seen = eyes.look(picture)
    if seen.found is None or seen.found.scene is None or seen.pose is None:
        return []
    view = layers_of(eyes, picture, seen)
    figures, judge = eyes.whole.figures, eyes.whole.judge
    away = seen.found.cards.bare | {place.rstrip("ab") for place in seen.found.unread}
    spaces = [space for space in eyes.profile.spaces if space.slot not in away]
    found = figures.settle(figures.candidates(figures.shrink(view.odds), seen.pose, spaces), seen.pose)
    lures = decoys.of(seen, view, spaces, truth) if decoys else []
    if not found:
        return lures
    measures, sizes = judge.measure(found, seen.found.scene, seen.found.cover), figures.sizes(found, seen.pose)
    samples = lures + _of_pairs(eyes, seen, view, found, truth)
    there = {place_of(figure): figure for figure in truth["dwellers"]}
    shared = Counter(place_of(figure) for figure in truth["dwellers"])
    for candidate, measured, size in zip(found, measures, sizes, strict=True):
        if shared[candidate.space.name] > 1:  # one silhouette over two figures teaches nothing
            continue
        figure = there.get(candidate.space.name)
        mine = figure is not None and figure["colour"] == eyes.whole.evidence.players[candidate.player]
        samples.append((crop(candidate, view, LARGE), measured, size, *_told(figure if mine else None)))
    return samples


class Decoys:
    """Figures in colours that nobody has, but the cards: what looks like one where none is near, is nothing."""

    def __init__(self, eyes: TableReader) -> None:
        self._eyes = eyes
        self._chance = np.random.default_rng(len(eyes.profile.cards))
        self._evidence: Evidence | None = None

    def of(self, seen: LookResult, view: Layers, spaces: list[MatSpace], truth: dict[str, Any]) -> list[Sample]:
        """Return some of a look's decoys."""
        if seen.found is None or seen.found.scene is None or seen.pose is None:
            return []
        scene, whole = seen.found.scene, self._eyes.whole
        middles = {space.name: (space.x, space.y) for space in self._eyes.profile.spaces}
        there = [figure.get("centre_mm", middles[place_of(figure)]) for figure in truth["dwellers"]]
        busy = np.array(there or [(np.inf, np.inf)])
        far = DECOY_AWAY * self._eyes.profile.figure_height
        free = [space for space in spaces if np.hypot(*(busy - (space.x, space.y)).T).min() > far]
        self._evidence = self._evidence or self._in_colours_of(scene, free)
        if self._evidence is None:
            return []
        figures = whole.figures
        odds = self._evidence.odds(scene)
        found = figures.settle(figures.candidates(figures.shrink(odds), seen.pose, free), seen.pose)
        found = [found[k] for k in self._chance.permutation(len(found))[:DECOYS]]
        if not found:
            return []
        measures, sizes = whole.judge.measure(found, scene, seen.found.cover), figures.sizes(found, seen.pose)
        crops = [crop(one, replace(view, odds=odds), LARGE) for one in found]
        return [(*one, NOTHING, 1.0) for one in zip(crops, measures, sizes, strict=True)]

    def _in_colours_of(self, scene: ExplainedView, free: list[MatSpace]) -> Evidence | None:
        """Return the evidence for four of the brighter colours that lie on free spaces."""
        colours: dict[str, tuple[int, int, int]] = {}
        for index in self._chance.permutation(len(free)):
            across, down = self._eyes.frame.pixels(np.array([free[index].x, free[index].y])).astype(int)
            part = (
                slice(max(0, down - DECOY_PATCH), down + DECOY_PATCH),
                slice(max(0, across - DECOY_PATCH), across + DECOY_PATCH),
            )
            lit = np.clip(LINEAR[scene.above[part]] / np.maximum(scene.gain.whole()[part], SOME), 0, 1).reshape(-1, 3)
            if not len(lit):
                continue
            chroma = lit.max(axis=1) - lit.min(axis=1)
            one = np.argsort(chroma)[int(len(lit) * self._chance.uniform(*BRIGHTER_THAN))]
            if chroma[one] > COLOURFUL:
                red, green, blue = (int(v) for v in lit[one][::-1] ** (1 / 2.2) * 255)
                colours[f"decoy {len(colours)}"] = (red, green, blue)
            if len(colours) == MOST_PLAYERS:
                return Evidence(colours, load_odds())
        return None


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
    measures, sizes = whole.judge.measure(members, scene, cover), whole.figures.sizes(members, seen.pose)
    players = whole.evidence.players
    samples = []
    crops = whole.pairs.crops(members, view, LARGE)
    for member, measured, size, cut in zip(members, measures, sizes, crops, strict=True):
        at = np.add((member.space.x, member.space.y), member.foot)
        same = [figure for figure in truth["dwellers"] if figure["colour"] == players[member.player]]
        near = [figure for figure in same if hypot(*np.subtract(figure["centre_mm"], at)) < NEAR_MM]
        samples.append((cut, measured, size, *_told(near[0] if near else None)))
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
    return layers(odds, scene, above, eyes.frame, seen.pose, eyes.profile.figure_height)
