"""Learn the log odds of a pixel's colour and strangeness: how often figures show it, against how often cards do."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.fitting.samples import frames
from companion.vision.arrays import Array
from companion.vision.camera.top_view import sight_lines
from companion.vision.figures.evidence import EDGES
from companion.vision.table_reader import LookResult, TableReader

CLASSES, DISTANCES = len(EDGES) + 2, 64
BODY_MM = 6.0  # above the table: a point inside every figure
FEW, LARGEST, SMOOTH = 3.0, 4.0, 1.2
NEAR = np.ones((5, 5), dtype=np.uint8)


def learn(eyes: TableReader, folders: list[Path]) -> Array | None:
    """Return log odds (classes, distances); None where no frame has its mask (`frame_0007_id.png`) beside it."""
    figures, cards = np.zeros((CLASSES, DISTANCES)), np.zeros((CLASSES, DISTANCES))
    for path, picture, truth in frames(folders):
        mask = cv2.imread(str(path.with_name(f"{path.stem}_id.png")), cv2.IMREAD_UNCHANGED)
        seen = eyes.look(picture) if mask is not None else None
        if mask is None or seen is None or seen.found is None:
            continue
        _count(eyes, seen, labels(np.asarray(mask), truth, eyes.whole.evidence.players), figures, cards)
    return odds_of(figures, cards) if figures.sum() else None


def labels(mask: Array, truth: dict[str, Any], players: list[str]) -> Array:
    """Number the pixels that show a figure by its player, from 1."""
    found = np.zeros(mask.shape, dtype=np.uint8)
    if all("mask" in figure for figure in truth["dwellers"]):
        for figure in truth["dwellers"]:
            found[mask == figure["mask"]] = 1 + players.index(figure["colour"])
        return found
    camera = truth["camera"]
    turn, _ = cv2.Rodrigues(np.array(camera["R"]))
    lens = np.array(camera["K"]), np.array(camera["dist"])
    for figure in truth["dwellers"]:
        inside = np.array([[*figure["centre_mm"], BODY_MM]])
        point = cv2.projectPoints(inside, turn, np.array(camera["t"]), *lens)[0].ravel().round().astype(int)
        if 0 <= point[0] < mask.shape[1] and 0 <= point[1] < mask.shape[0] and figure["colour"] in players:
            found[mask == mask[point[1], point[0]]] = 1 + players.index(figure["colour"])
    return found


def odds_of(figures: Array, cards: Array) -> Array:
    """Turn counts into log odds, smooth over neighbouring distances."""
    shown, not_shown = (figures + FEW) / figures.sum(), (cards + FEW) / cards.sum()
    smooth = [cv2.GaussianBlur(part, (5, 1), SMOOTH) for part in (shown, not_shown)]
    return np.asarray(np.clip(np.log(smooth[0] / smooth[1]), -LARGEST, LARGEST))


def _count(eyes: TableReader, seen: LookResult, labelled: Array, figures: Array, cards: Array) -> None:
    """Count the pixels of one look."""
    if seen.found is None or seen.found.scene is None or seen.pose is None:
        return
    scene = seen.found.scene
    lines = sight_lines(seen.pose, eyes.frame).maps()
    shown = cv2.remap(labelled, lines[0], lines[1], cv2.INTER_NEAREST)
    classes, distances = eyes.whole.evidence.classes(scene), eyes.whole.evidence.distances(scene)
    beside = cv2.dilate((shown > 0).astype(np.uint8), NEAR) > 0
    on_cards = np.zeros(shown.shape, dtype=bool)
    for slot in eyes.profile.slots:
        if slot.name not in seen.found.cards.bare:
            eyes.whole.builder.windows.of(on_cards, slot.name)[:] = True
    for player in range(len(eyes.whole.evidence.players)):
        own, other = shown == player + 1, ~beside & on_cards
        np.add.at(figures, (classes[own], distances[own][:, player]), 1)
        np.add.at(cards, (classes[other], distances[other][:, player]), 1)
