"""What lies around the cards and shines on them: smooth, and kept as long as the camera stands."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.camera.view import Frame, Part

KEPT = 4  # pixels of a view to one of what is kept


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The bare mat as it should look, and the light everywhere: both in linear light."""

    mat: Array
    gain: Array

    def small(self) -> "Surroundings":
        """Give the same a quarter as large: so smooth, that two points tell of sixteen."""
        return Surroundings(_thinned(self.mat), _thinned(self.gain))

    def part(self, whole: Frame, part: Part) -> "Surroundings":
        """Cut a part of a whole view out of what was kept small, in the part's own size."""
        across, along = self.mat.shape[1] / whole.width, self.mat.shape[0] / whole.height
        bend = np.array(
            [
                [across, 0, (part.x + 0.5) * across - 0.5],
                [0, along, (part.y + 0.5) * along - 0.5],
            ]
        )
        size, flags = (part.frame.width, part.frame.height), cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        mat, gain = (
            cv2.warpAffine(kept, bend, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
            for kept in (self.mat, self.gain)
        )
        return Surroundings(np.asarray(mat), np.asarray(gain))


def _thinned(smooth: Array) -> Array:
    """Keep what is in the middle of every square of four by four, which lies between two of its pixels."""
    height, width = (side // KEPT * KEPT for side in smooth.shape[:2])
    if not height or not width:
        return np.asarray(smooth[:1, :1])
    inner = smooth[:height, :width]
    return np.asarray((inner[1::KEPT, 1::KEPT] + inner[2::KEPT, 2::KEPT]) / 2)
