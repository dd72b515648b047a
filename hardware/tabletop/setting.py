"""Sets the drawn table: the very pieces that are printed, their pictures, and a profile by which the eyes know them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

import cv2

from companion.pieces.drawing.raster import rasterised
from companion.pieces.sheets.all_pieces import Box
from companion.pieces.sheets.printed_profile import CARDS, profile_of
from hardware.cameras.simulated import AS_DRAWN
from hardware.tabletop.drawing import PIXELS_PER_MM
from hardware.tabletop.optics import Viewpoint
from hardware.tabletop.table import SimulatedTable

if TYPE_CHECKING:
    from pathlib import Path

    from companion.cards.pack import Pack

PROFILE: Final = "profile.json"
SHEETS: Final = ("mat", "cards", "tokens")
WANTED: Final = (*CARDS, "mat", "track", "figure")


def table_of(pack: Pack, language: str, folder: Path, seed: int = 1) -> SimulatedTable:
    """A bare table for a pack; the pieces' pictures and `profile.json` are in the folder."""
    box = Box(pack, language, "http://localhost/")
    pieces = [piece for sheet in SHEETS for piece in box.pieces(sheet) if piece.kind in WANTED]
    pictures = {}
    folder.mkdir(parents=True, exist_ok=True)
    for piece, picture in zip(pieces, rasterised(pieces, PIXELS_PER_MM), strict=True):
        pictures[piece.file] = picture
        cv2.imwrite(str(folder / piece.file), picture)
    view = Viewpoint()
    profile = profile_of(pieces, view.size) | {"camera": _camera(view)}
    (folder / PROFILE).write_text(json.dumps(profile, indent=1), encoding="utf-8")
    return SimulatedTable(pieces, pictures, view, seed)


def _camera(view: Viewpoint) -> dict[str, object]:
    """The drawn lens bends nothing, and its light is held as it was drawn."""
    locked = dict(AS_DRAWN)
    return {"size": list(view.size), "matrix": view.matrix.tolist(), "distortion": [0, 0, 0, 0], "locked": locked}
