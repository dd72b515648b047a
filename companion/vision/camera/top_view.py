"""The table seen from straight above: one picture in millimetres, whatever the camera's place and lens."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.camera.pose import Pose
from companion.vision.places import Slot
from companion.vision.profile import Profile

STEP = 16
SIDE_MM, NEAR_MM, FAR_MM = 26.0, 16.0, 32.0


@dataclass(frozen=True, slots=True)
class ViewFrame:
    """A rectangle of the mat's plane: its left and far edge in mm, pixels per mm, size in pixels."""

    left: float
    far: float
    scale: float
    width: int
    height: int

    def pixels(self, points: Array) -> Array:
        """Convert mm (n, 2) to pixels of the view."""
        flat = np.asarray(points, dtype=np.float64)
        return np.asarray((flat - (self.left, self.far)) * (self.scale, -self.scale))

    def grid(self, step: int) -> Array:
        """Return the mm of every `step`-th pixel, one column and row beyond the edge included: (n, m, 2)."""
        across = self.left + np.arange(0, self.width + step, step) / self.scale
        along = self.far - np.arange(0, self.height + step, step) / self.scale
        return np.stack(np.meshgrid(across, along), axis=-1)


@dataclass(frozen=True, slots=True)
class ViewPart:
    """A rectangle of a larger view: its own frame, and its first pixel in the larger one."""

    frame: ViewFrame
    x: int
    y: int

    def cut(self, picture: Array) -> Array:
        """Return this part of a picture of the larger view."""
        return picture[self.y : self.y + self.frame.height, self.x : self.x + self.frame.width]


def part_of(whole: ViewFrame, profile: Profile, slots: list[Slot]) -> ViewPart:
    """Cut out some slots, with the same margin that a whole view has."""
    half_x, half_y = profile.card[0] / 2, profile.card[1] / 2
    left = max(0, int((min(s.x for s in slots) - half_x - SIDE_MM - whole.left) * whole.scale))
    top = max(0, int((whole.far - max(s.y for s in slots) - half_y - FAR_MM) * whole.scale))
    right = min(whole.width, int((max(s.x for s in slots) + half_x + SIDE_MM - whole.left) * whole.scale))
    low = min(whole.height, int((whole.far - min(s.y for s in slots) + half_y + NEAR_MM) * whole.scale))
    corner = (whole.left + left / whole.scale, whole.far - top / whole.scale)
    return ViewPart(ViewFrame(*corner, whole.scale, right - left, low - top), left, top)


def frame_of(profile: Profile, scale: float) -> ViewFrame:
    """Frame every slot of the mat, with a margin for figures that lean over its edge."""
    half_x, half_y = profile.card[0] / 2, profile.card[1] / 2
    left = min(slot.x for slot in profile.slots) - half_x - SIDE_MM
    right = max(slot.x for slot in profile.slots) + half_x + SIDE_MM
    far = max(slot.y for slot in profile.slots) + half_y + FAR_MM
    near = min(slot.y for slot in profile.slots) - half_y - NEAR_MM
    return ViewFrame(left, far, scale, int((right - left) * scale), int((far - near) * scale))


@dataclass(frozen=True, slots=True)
class SightLines:
    """The map from a view to the camera's picture: known for every `STEP`-th pixel, interpolated when asked."""

    knots: Array
    frame: ViewFrame

    def maps(self, part: ViewPart | None = None) -> tuple[Array, Array]:
        """Return the two maps for `remap`, of the whole view or a part of it."""
        part = part or ViewPart(self.frame, 0, 0)
        columns = slice(part.x // STEP, (part.x + part.frame.width - 1) // STEP + 2)
        rows = slice(part.y // STEP, (part.y + part.frame.height - 1) // STEP + 2)
        near = self.knots[rows, columns]
        # resize() puts samples at the middles of cells: there is one cell more, and half a cell to cut off each edge
        dense = cv2.resize(near, (near.shape[1] * STEP, near.shape[0] * STEP), interpolation=cv2.INTER_LINEAR)
        left, top = (STEP // 2 + first % STEP for first in (part.x, part.y))
        maps = dense[top : top + part.frame.height, left : left + part.frame.width]
        corner, right, below = self.knots[0, 0], self.knots[0, 1], self.knots[1, 0]
        shift = (right - corner) * (0.5 / STEP) + (below - corner) * (0.5 / STEP)
        return np.ascontiguousarray(maps[..., 0] - shift[0]), np.ascontiguousarray(maps[..., 1] - shift[1])

    def crop(self, part: ViewPart) -> "Crop":
        """Return the rectangle of the camera's picture that shows a part of the view."""
        lines = self.maps(part)
        left, top = (int(max(0, line.min() - 2)) for line in lines)
        right, low = (int(line.max() + 3) for line in lines)
        return Crop(part, lines, slice(top, low), slice(left, right))


@dataclass(frozen=True, slots=True)
class Crop:
    """A part of a view, its maps for `remap`, and the rows and columns of the camera's picture that show it."""

    part: ViewPart
    lines: tuple[Array, Array]
    rows: slice
    columns: slice

    @property
    def corner(self) -> tuple[int, int]:
        """Its first pixel (x, y) in the camera's picture."""
        return int(self.columns.start), int(self.rows.start)

    def look_down(self, picture: Array) -> Array:
        """Rectify the part out of what `cut` returned."""
        left, top = self.corner
        return look_down(picture, (self.lines[0] - left, self.lines[1] - top))


def sight_lines(pose: Pose, frame: ViewFrame) -> SightLines:
    """Compute the map from a view to the camera's picture."""
    grid = frame.grid(STEP)
    points = np.concatenate([grid, np.zeros((*grid.shape[:2], 1))], axis=-1).reshape(-1, 3)
    return SightLines(pose.project(points).reshape(*grid.shape[:2], 2).astype(np.float32), frame)


def look_down(picture: Array, lines: tuple[Array, Array]) -> Array:
    """Rectify a picture: draw the table as seen from straight above."""
    return np.asarray(cv2.remap(picture, lines[0], lines[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT))
