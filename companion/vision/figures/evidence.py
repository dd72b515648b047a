"""Log odds that a pixel shows a player's figure, by its distance to the player's colour in any shade and shine."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.vision.arrays import linear
from companion.vision.scene.light import in_linear_light

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.scene.scene import ExplainedView

BITS = 5
SIDE = 1 << BITS
PLACES = np.array([[SIDE**2, SIDE, 1]], dtype=np.float32)  # of blue, green and red in a row's number
SHADES = np.geomspace(0.10, 1.6, 14)
SHINES = np.array([0.0, 0.02, 0.06, 0.15, 0.35])
SHINE_COST, SHADE_COST = 14.0, 3.0
BLOWN = np.geomspace(1.0, 3.0, 7)
CLIPS = (0.9, 0.7, 0.5)  # where the camera's white lies in light of a bright place
CLIP_COST = 2.0
FARTHEST = 63.0
AT_ONCE = 2048  # colours: what is worked on leaves no holes in memory


def distance_table(colours: dict[str, tuple[int, int, int]]) -> Array:
    """Tabulate the distance of every encoded BGR colour to each player's, 0 to 63: (SIDE**3, players) uint8."""
    steps = (np.arange(SIDE) + 0.5) / SIDE
    cells = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    table = np.full((len(cells), len(colours)), FARTHEST, dtype=np.float32)
    looks = [_looks(rgb) for rgb in colours.values()]
    for first in range(0, len(cells), AT_ONCE):
        some = slice(first, first + AT_ONCE)
        lab = _lab(cells[some] ** 2 * 1.6)
        for index, shades in enumerate(looks):
            table[some, index] = _nearest(lab, shades)
    return np.asarray(np.clip(table, 0, FARTHEST), dtype=np.uint8)


def _looks(rgb: tuple[int, int, int]) -> list[tuple[Array, Array]]:
    """Return what a colour looks like in any shade, by kinds of shine: Lab colours, and a cost for each."""
    body = linear(np.array(rgb[::-1]))
    kinds = [(SHADES[:, None] * body + shine, SHADES, shine, 0.0) for shine in SHINES]
    kinds += [(np.minimum(BLOWN[:, None] * body, clip), BLOWN, 0.0, CLIP_COST) for clip in CLIPS]
    return [
        (_lab(colour), SHINE_COST * np.sqrt(shine) + SHADE_COST * np.abs(np.log(shade / 0.7)) + extra)
        for colour, shade, shine, extra in kinds
    ]


def _nearest(lab: Array, looks: list[tuple[Array, Array]]) -> Array:
    """Return the distance of each of some colours (n, 3) to the nearest look."""
    nearest = np.full(len(lab), FARTHEST, dtype=np.float32)
    for shades, cost in looks:
        square = (lab**2).sum(axis=1)[:, None] + (shades**2).sum(axis=1) - 2 * lab @ shades.T
        np.minimum(nearest, (np.sqrt(np.maximum(square, 0)) + cost).min(axis=1), out=nearest)
    return nearest


def _lab(light: Array) -> Array:
    """Convert linear BGR to Lab with less weight on lightness, and more on the chroma of dark colours."""
    picture = np.clip(light, 0, 1).astype(np.float32).reshape(1, -1, 3)
    srgb = np.where(picture <= 0.0031308, picture * 12.92, 1.055 * picture ** (1 / 2.4) - 0.055).astype(np.float32)  # noqa: PLR2004
    lab = np.asarray(cv2.cvtColor(srgb, cv2.COLOR_BGR2LAB)).reshape(-1, 3).astype(np.float32)
    lab[:, 0] *= 0.5
    return lab


def table_index(light: Array) -> Array:
    """Return the row of the table that a colour of linear light belongs to."""
    level = cv2.sqrt(np.maximum(light, 0))
    cell = np.asarray(np.minimum(cv2.convertScaleAbs(level, alpha=SIDE / np.sqrt(1.6), beta=-0.5), SIDE - 1))
    rows = cell.astype(np.float32).reshape(-1, 1, 3)
    return np.asarray(cv2.transform(rows, PLACES)).astype(np.int32).reshape(cell.shape[:-1])


EDGES = (0.15, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 9.0, 14.0)  # of strangeness; below the first: as expected
FINE = 16  # steps of strangeness kept a unit
MOST_PLAYERS = 4
STRIP = 48  # rows worked on at a time: they fit into the processor's cache
MIDDLE, FINENESS = 128, 30.0  # how log odds are kept in a byte
UNKNOWN = 0  # the class of pixels with nothing to compare with


def strangeness_classes() -> Array:
    """Map strangeness (in sixteenths, 0 to 255) to its class, from 1."""
    return np.asarray(np.digitize(np.arange(256) / FINE, EDGES) + 1, dtype=np.uint8)


def load_odds() -> Array:
    """Load the learned log odds of a figure: (classes, 64 colour distances)."""
    data = json.loads(files("companion.vision").joinpath("learned.json").read_text(encoding="utf-8"))
    return np.array(data["odds"], dtype=np.float32) / 10


class Evidence:
    """Computes log odds of figures from a scene, for up to four players."""

    def __init__(self, colours: dict[str, tuple[int, int, int]], odds: Array) -> None:
        self.players = list(colours)[:MOST_PLAYERS]
        self._distance = distance_table(colours)[:, :MOST_PLAYERS]
        self._classes = strangeness_classes()
        self._packed = self._pack(odds)

    def classes(self, scene: ExplainedView) -> Array:
        """Return the class of strangeness of every pixel."""
        fine = cv2.convertScaleAbs(scene.strange, alpha=FINE)
        classes = np.asarray(cv2.LUT(fine, self._classes))
        classes[scene.blind] = UNKNOWN
        if not scene.mat_known:
            classes[scene.expected.owner == 0] = UNKNOWN
        return classes

    def cells(self, scene: ExplainedView) -> Array:
        """Return each pixel's row in the table of colours, corrected for the light on it."""
        return table_index(np.asarray(cv2.divide(in_linear_light(scene.above), scene.gain.whole())))

    def distances(self, scene: ExplainedView) -> Array:
        """Return each pixel's distance to each player's colour: (h, w, players)."""
        return np.asarray(self._distance[self.cells(scene)])

    def odds(self, scene: ExplainedView) -> Array:
        """Return log odds (h, w, 4) that a pixel shows a figure of a player, as bytes around `MIDDLE`."""
        classes = self.classes(scene)
        found = np.empty(classes.shape, dtype=np.uint32)
        for top in range(0, len(classes), STRIP):
            rows = slice(top, top + STRIP)
            cells = table_index(np.asarray(cv2.divide(in_linear_light(scene.above[rows]), scene.gain.rows(rows))))
            found[rows] = np.take(self._packed, (classes[rows].astype(np.int32) << (3 * BITS)) | cells)
        return found.view(np.uint8).reshape(*classes.shape, MOST_PLAYERS)

    def _pack(self, odds: Array) -> Array:
        """Combine both tables in advance: four bytes in one number for every class and colour."""
        bytes_of = np.clip(np.rint(odds * FINENESS) + MIDDLE, 0, 255).astype(np.uint8)
        table = np.zeros((len(odds), SIDE**3, MOST_PLAYERS), dtype=np.uint8)
        table[:, :, : len(self.players)] = bytes_of[:, self._distance]
        return table.reshape(-1, MOST_PLAYERS).view(np.uint32).ravel()


def unpack(packed: Array) -> Array:
    """Convert bytes back to log odds."""
    return (packed.astype(np.float32) - MIDDLE) / FINENESS
