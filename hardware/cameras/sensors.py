"""The Pi's camera modules: what each sees from where, and in which modes it sees with its whole sensor."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

Size = tuple[int, int]


@dataclass(frozen=True, slots=True)
class CameraModule:
    """A module, its field in degrees, how high it hangs, and its modes that crop nothing."""

    name: str
    field: tuple[float, float]
    """Across and down; of a lens that is bought apart nobody knows, and it is (0, 0)."""
    height_mm: int
    """Above the middle of the mat: from there the mat is in view with a hand's width around it."""
    modes: tuple[Size, ...]
    """What the sensor gives with all of its area."""
    sizes: tuple[Size, ...]
    """Pictures to choose from; the first is the suggested one."""

    def mode_for(self, size: Size) -> Size:
        """Return the smallest mode that crops nothing and is no smaller than a picture, else the largest."""
        fitting = [mode for mode in self.modes if mode[0] >= size[0] and mode[1] >= size[1]]
        return min(fitting or self.modes, key=lambda mode: mode[0] if fitting else -mode[0])

    def shows_mm(self, height_mm: float = 0.0) -> tuple[float, float] | None:
        """Return the width and depth that are in view from straight above; None with an unknown lens."""
        if not self.field[0]:
            return None
        across, down = (2 * (height_mm or self.height_mm) * math.tan(math.radians(side) / 2) for side in self.field)
        return across, down

    def pixels_per_mm(self, size: Size) -> float | None:
        """Return how finely a picture from the usual height shows the mat."""
        shown = self.shows_mm()
        return None if shown is None else size[0] / shown[0]


ROUNDING: Final = 0.01
MODULES: Final = {
    "ov5647": CameraModule(
        "Camera Module 1", (53.5, 41.4), 850, ((1296, 972), (2592, 1944)), ((1920, 1440), (1296, 972))
    ),
    "imx219": CameraModule(
        "Camera Module 2", (62.2, 48.8), 700, ((1640, 1232), (3280, 2464)), ((1640, 1232), (1920, 1442))
    ),
    "imx708": CameraModule(
        "Camera Module 3", (66.0, 41.0), 700, ((2304, 1296), (4608, 2592)), ((1920, 1080), (2304, 1296))
    ),
    "imx708_wide": CameraModule(
        "Camera Module 3 Wide", (102.0, 67.0), 400, ((2304, 1296), (4608, 2592)), ((2304, 1296), (1920, 1080))
    ),
    "imx477": CameraModule("HQ Camera", (0.0, 0.0), 700, ((2028, 1520), (4056, 3040)), ((2028, 1520), (1920, 1438))),
    "imx500": CameraModule("AI Camera", (66.0, 52.3), 700, ((2028, 1520), (4056, 3040)), ((2028, 1520), (1920, 1438))),
    "imx296": CameraModule("Global Shutter Camera", (0.0, 0.0), 700, ((1456, 1088),), ((1456, 1088),)),
}
"""By the model that libcamera calls them; without an infrared filter they are the same to us."""


def module_of(model: str) -> CameraModule | None:
    """Return a module by libcamera's model of it; one without an infrared filter ends in `_noir`."""
    return MODULES.get(model.removesuffix("_noir"))


def is_full(size: Size, largest: Size) -> bool:
    """Return whether a picture has the shape of the largest: one of another shape is cut out of it by most cameras."""
    return abs(size[0] * largest[1] / (size[1] * largest[0]) - 1) <= ROUNDING
