"""What a figure covers of the table below it, standing or lying, as the camera sees it."""

from dataclasses import dataclass, field
from math import cos, pi, sin

import numpy as np

from companion.vision.arrays import Array

TURNS = 16
LEAN_STEP = 0.08
MIDDLE = 0.4  # of a figure's height: the part that stays in the middle of a template


@dataclass(frozen=True, slots=True)
class Stance:
    """One way a figure may be: standing, or lying with its head towards `turn` (radians)."""

    lying: bool
    turn: float = 0.0


STANCES = (Stance(lying=False), *(Stance(lying=True, turn=2 * pi * k / TURNS) for k in range(TURNS)))


@dataclass(slots=True)
class Silhouettes:
    """Templates by lean: how far, in mm, a point one mm up moves away from the camera's foot."""

    height: float
    base: float
    pixel: float
    side: int
    _kept: dict[tuple[int, int], Array] = field(default_factory=dict)

    def templates(self, lean: tuple[float, float]) -> Array:
        """Give every stance's template as rows (stances, side * side), 0 to 1, v downwards as in a view."""
        key = (round(lean[0] / LEAN_STEP), round(lean[1] / LEAN_STEP))
        if key not in self._kept:
            near = (key[0] * LEAN_STEP, key[1] * LEAN_STEP)
            rows = [self._draw(self._balls(stance), near) for stance in STANCES]
            self._kept[key] = np.stack(rows).astype(np.float32)
        return self._kept[key]

    def middle(self, lean: tuple[float, float]) -> tuple[float, float]:
        """Say how far from a figure's foot the middle of its template is, in mm."""
        return (lean[0] * self.height * MIDDLE, lean[1] * self.height * MIDDLE)

    def _balls(self, stance: Stance) -> Array:
        """Build a figure of balls: rows of x, y, z and radius in mm."""
        tall, wide = self.height, self.base / 2
        if not stance.lying:
            foot = [(0.0, 0.0, tall * 0.05, wide)]
            body = [(0.0, 0.0, tall * part, wide * 0.68) for part in (0.12, 0.24, 0.36, 0.48, 0.6, 0.72)]
            return np.array([*foot, *body, (0.0, 0.0, tall * 0.86, wide * 0.56)])
        along = (cos(stance.turn), sin(stance.turn))
        rows = [
            (part * tall, 0.0, wide * (0.78 - part * 0.6), wide * 0.68) for part in (-0.28, -0.16, -0.04, 0.08, 0.2)
        ]
        rows.append((0.36 * tall, 0.0, wide * 0.52, wide * 0.55))
        rim = [(cos(angle), sin(angle)) for angle in np.arange(0, 2 * pi, pi / 5)]
        rows += [(-0.44 * tall, wide * 0.8 * side, wide * (1 + 0.8 * up), wide * 0.2) for side, up in rim]
        rows.append((-0.44 * tall, 0.0, wide, wide * 0.5))
        balls = np.array(rows)
        x = balls[:, 0] * along[0] - balls[:, 1] * along[1]
        y = balls[:, 0] * along[1] + balls[:, 1] * along[0]
        return np.column_stack([x, y, balls[:, 2], balls[:, 3]])

    def _draw(self, balls: Array, lean: tuple[float, float]) -> Array:
        """Draw balls leaning over, soft at the edge by a pixel."""
        shift = self.middle(lean)
        centres_x = balls[:, 0] + lean[0] * balls[:, 2] - shift[0]
        centres_y = balls[:, 1] + lean[1] * balls[:, 2] - shift[1]
        steps = (np.arange(self.side) - (self.side - 1) / 2) * self.pixel
        off_x = steps[None, :, None] - centres_x
        off_y = -steps[:, None, None] - centres_y
        away = np.sqrt(off_x**2 + off_y**2) - balls[:, 3]
        return np.asarray(np.clip(0.5 - away.min(axis=2) / self.pixel, 0, 1).ravel())
