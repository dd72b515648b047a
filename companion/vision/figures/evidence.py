"""How much each pixel speaks for a figure of each colour: its own colour, and how strange it is on a known card."""

import json
from importlib.resources import files

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.figures.colours import BITS, SIDE, distance_table, table_index
from companion.vision.scene.scene import Scene

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
    """Turns a scene into log odds of figures, for up to four players."""

    def __init__(self, colours: dict[str, tuple[int, int, int]], odds: Array) -> None:
        self.players = list(colours)[:MOST_PLAYERS]
        self._distance = distance_table(colours)[:, :MOST_PLAYERS]
        self._classes = strangeness_classes()
        self._packed = self._pack(odds)

    def classes(self, scene: Scene) -> Array:
        """Class every pixel by strangeness."""
        fine = cv2.convertScaleAbs(scene.strange, alpha=FINE)
        classes = np.asarray(cv2.LUT(fine, self._classes))
        classes[scene.blind] = UNKNOWN
        return classes

    def cells(self, scene: Scene) -> Array:
        """Give each pixel's row in the table of colours, in the light it stands in."""
        return table_index(np.asarray(cv2.divide(scene.seen, scene.gain)))

    def distances(self, scene: Scene) -> Array:
        """Give each pixel's distance to each player's colour: (h, w, players)."""
        return np.asarray(self._distance[self.cells(scene)])

    def odds(self, scene: Scene) -> Array:
        """Give log odds (h, w, 4) that a pixel shows a figure of a player, as bytes around `MIDDLE`."""
        classes = self.classes(scene)
        found = np.empty(classes.shape, dtype=np.uint32)
        for top in range(0, len(classes), STRIP):
            rows = slice(top, top + STRIP)
            cells = table_index(np.asarray(cv2.divide(scene.seen[rows], scene.gain[rows])))
            found[rows] = self._packed[(classes[rows].astype(np.uint32) << (3 * BITS)) | cells]
        return found.view(np.uint8).reshape(*classes.shape, MOST_PLAYERS)

    def _pack(self, odds: Array) -> Array:
        """Look both tables up in advance: four bytes in one number for every class and colour."""
        bytes_of = np.clip(np.rint(odds * FINENESS) + MIDDLE, 0, 255).astype(np.uint8)
        table = np.zeros((len(odds), SIDE**3, MOST_PLAYERS), dtype=np.uint8)
        table[:, :, : len(self.players)] = bytes_of[:, self._distance]
        return table.reshape(-1, MOST_PLAYERS).view(np.uint32).ravel()


def unpack(packed: Array) -> Array:
    """Turn bytes back into log odds."""
    return (packed.astype(np.float32) - MIDDLE) / FINENESS
