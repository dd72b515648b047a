"""How much each pixel speaks for a figure of each colour: its own colour, and how strange it is on a known card."""

import json
from importlib.resources import files

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.colours import distance_table, table_index
from companion.vision.scene import Scene

EDGES = (0.15, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 9.0, 14.0)  # of strangeness; below the first: as expected
FINE = 16  # steps of strangeness kept a unit
DISTANCE_BITS = 6
UNKNOWN = 0  # the class of pixels with nothing to compare with


def strangeness_classes() -> Array:
    """Map strangeness (in sixteenths, 0 to 255) to its class, from 1."""
    return np.asarray(np.digitize(np.arange(256) / FINE, EDGES) + 1, dtype=np.uint8)


def load_odds() -> Array:
    """Load the learned log odds of a figure: (classes, 64 colour distances)."""
    data = json.loads(files("companion.vision").joinpath("learned.json").read_text(encoding="utf-8"))
    return np.array(data["odds"], dtype=np.float32) / 10


class Evidence:
    """Turns a scene into log odds of figures."""

    def __init__(self, colours: dict[str, tuple[int, int, int]], odds: Array) -> None:
        self.players = list(colours)
        self._distance = distance_table(colours)
        self._classes = strangeness_classes()
        self._odds = odds

    def classes(self, scene: Scene) -> Array:
        """Class every pixel by strangeness."""
        fine = cv2.convertScaleAbs(scene.strange, alpha=FINE)
        classes = np.asarray(cv2.LUT(fine, self._classes))
        classes[scene.blind] = UNKNOWN
        return classes

    def distances(self, scene: Scene) -> Array:
        """Give each pixel's distance to each player's colour in the light it stands in: (h, w, players)."""
        return np.asarray(self._distance[table_index(cv2.divide(scene.seen, scene.gain))])

    def odds(self, scene: Scene) -> Array:
        """Give log odds (h, w, players) that a pixel shows a figure of a player."""
        row = self.classes(scene).astype(np.uint16) << DISTANCE_BITS
        return np.asarray(self._odds.ravel()[row[..., None] | self.distances(scene)])
