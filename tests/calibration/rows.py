"""The top level of a drawn table: six rooms with whatever numbers, and the profile of its camera."""

import json
from dataclasses import dataclass, replace
from random import Random

import cv2
import numpy as np

from calibration.profiles import ProfileFile
from companion.cards.loader import builtin
from companion.pieces.drawing.raster import render
from companion.pieces.sheets.all_pieces import PrintedBox
from companion.pieces.sheets.printed_profile import profile_of
from hardware.tabletop.optics import Viewpoint
from hardware.tabletop.simulated_table import SimulatedTable, _camera

ROOMS = ("1:L3", "1:L2", "1:L1", "1:R1", "1:R2", "1:R3")
SIZES = ((1600, 1200), (1920, 1080), (2304, 1296))


@dataclass
class Row:
    table: SimulatedTable
    file: ProfileFile
    picture: np.ndarray


def a_row(numbers, folder, seed=1, language="en"):
    """Cards laid by hand, before a camera somewhere above them, in some light, with noise."""
    chance = Random(seed)
    pack = replace(builtin("homemade"), columns=tuple(numbers))
    box = PrintedBox(pack, language, "http://table.local/")
    top = [card.id for card in pack.top_level]
    pieces = [*(piece for piece in box.pieces("cards") if piece.id in top), *box.pieces("mat")]
    pictures = {piece.file: one for piece, one in zip(pieces, render(pieces, 2.5), strict=True)}
    size = SIZES[seed % len(SIZES)]
    height = chance.uniform(690, 800) + (60 if size != SIZES[0] else 0)
    view = Viewpoint(size=size, height=height, tilt=chance.uniform(5, 20), turn=chance.uniform(-3, 3))
    table = SimulatedTable(pieces, pictures, view, seed)
    for place, card in zip(ROOMS, top, strict=True):
        table.lay(card, place)
    table.switch(lamp=chance.random() < 0.5)
    raw = profile_of(pieces, size) | {"camera": _camera(view)}
    for card in raw["cards"].values():
        card["art"] = []
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "profile.json"
    path.write_text(json.dumps(raw))
    return Row(table, ProfileFile(path), shot(table, seed, chance))


def shot(table, seed, chance):
    """A picture: more or less light, noise and blur."""
    seen = cv2.GaussianBlur(table.picture(), (0, 0), chance.uniform(0.3, 0.8)).astype(float)
    noise = np.random.default_rng(seed).normal(0, chance.uniform(0, 5), seen.shape)
    return np.clip(seen * chance.uniform(0.5, 1.05) + noise, 0, 255).astype(np.uint8)
