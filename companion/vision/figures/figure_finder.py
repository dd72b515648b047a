"""Find figures: for each space and colour the silhouette that gathers most evidence, standing or lying."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.vision.figures.evidence import unpack

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.camera.top_view import ViewFrame
    from companion.vision.places import MatSpace

TURNS = 16
LEAN_STEP = 0.08
RIM, RING = np.ones((3, 3), dtype=np.uint8), np.ones((7, 7), dtype=np.uint8)
MIDDLE = 0.4  # of a figure's height: the part that stays in the middle of a template


@dataclass(frozen=True, slots=True)
class Stance:
    """One pose of a figure: standing, or lying with its head towards `turn` (radians)."""

    lying: bool
    turn: float = 0.0


STANCES = (Stance(lying=False), *(Stance(lying=True, turn=2 * pi * k / TURNS) for k in range(TURNS)))


@dataclass(slots=True)
class Silhouettes:
    """Silhouette templates by lean: how far, in mm, a point one mm up is displaced away from the camera."""

    height: float
    base: float
    pixel: float
    side: int
    _kept: dict[tuple[int, int], Array] = field(default_factory=dict)
    _rings: dict[tuple[int, int, int], Array] = field(default_factory=dict)

    def templates(self, lean: tuple[float, float]) -> Array:
        """Return every stance's template as rows (stances, side * side), 0 to 1, v downwards as in a view."""
        key = (round(lean[0] / LEAN_STEP), round(lean[1] / LEAN_STEP))
        if key not in self._kept:
            near = (key[0] * LEAN_STEP, key[1] * LEAN_STEP)
            rows = [self._draw(self._balls(stance), near) for stance in STANCES]
            self._kept[key] = np.stack(rows).astype(np.float32)
        return self._kept[key]

    def ring(self, lean: tuple[float, float], stance: int) -> Array:
        """Return which pixels lie around a stance's template, as a row."""
        key = (round(lean[0] / LEAN_STEP), round(lean[1] / LEAN_STEP), stance)
        if key not in self._rings:
            inside = (self.templates(lean)[stance].reshape(self.side, -1) > 0.5).astype(np.uint8)  # noqa: PLR2004
            self._rings[key] = np.asarray(cv2.dilate(inside, RING) > cv2.dilate(inside, RIM)).ravel()
        return self._rings[key]

    def middle(self, lean: tuple[float, float]) -> tuple[float, float]:
        """Return the distance from a figure's foot to the middle of its template, in mm."""
        return (lean[0] * self.height * MIDDLE, lean[1] * self.height * MIDDLE)

    def _balls(self, stance: Stance) -> Array:
        """Model a figure as balls: rows of x, y, z and radius in mm."""
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
        """Draw balls leaning over, with an edge one pixel soft."""
        shift = self.middle(lean)
        centres_x = balls[:, 0] + lean[0] * balls[:, 2] - shift[0]
        centres_y = balls[:, 1] + lean[1] * balls[:, 2] - shift[1]
        steps = (np.arange(self.side) - (self.side - 1) / 2) * self.pixel
        off_x = steps[None, :, None] - centres_x
        off_y = -steps[:, None, None] - centres_y
        away = np.sqrt(off_x**2 + off_y**2) - balls[:, 3]
        return np.asarray(np.clip(0.5 - away.min(axis=2) / self.pixel, 0, 1).ravel())


PIXEL_MM = 1.6
SIDE = 26
REACH = 7
WANDER_MM = 6.0  # how far from the middle of a space people put figures
WANDER_COST = 3.0
LEAST_MASS = 45.0
RUNNER_UP = 0.5  # of the best colour's score: below it a colour is not thought of
LYING_LEAD = 0.12  # lying silhouettes are many: the best of them wins by chance too
NOWHERE = -3.0
STICK_LONG, STICK_THIN, SLENDER = 2.2, 1.3, 4.0  # of a figure's height, of its base, and of its own width: a pencil
AROUND = 48  # pixels that a stick is followed to both sides
Offset = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible figure on a space: where its foot is from the middle (mm), and the evidence for it."""

    space: MatSpace
    player: int
    stance: int
    foot: tuple[float, float]
    score: float
    standing: float
    lying: float
    cover: float
    area: float
    ring: float  # how much of its surroundings also speaks for the colour
    crowd: float  # evidence for the colour elsewhere in the window, in silhouettes
    claimed: float  # how much of it belongs to a stronger figure nearby
    rival: float  # the best other colour's score, as a share of its own
    corner: tuple[int, int]  # of the template in the padded half-size picture
    aside: tuple[float, float] = (0.0, 0.0)  # where its foot is expected (mm): one of two on a space stands beside it

    @property
    def is_lying(self) -> bool:
        return STANCES[self.stance].lying


class FigureFinder:
    """Fits silhouettes to the evidence around every space."""

    def __init__(self, frame: ViewFrame, silhouettes: Silhouettes) -> None:
        self._frame = frame
        self._silhouettes = silhouettes
        self._scale = 1 / PIXEL_MM
        self.base = silhouettes.base
        self.size = (round(frame.width / frame.scale * self._scale), round(frame.height / frame.scale * self._scale))
        self._pad = SIDE + 2 * REACH
        steps = np.arange(-REACH, REACH + 1)
        self._steps = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)

    def shrink(self, odds: Array) -> Array:
        """Downscale the evidence, with a border that speaks against figures."""
        half = unpack(np.asarray(cv2.resize(odds, self.size, interpolation=cv2.INTER_AREA)))
        pad = self._pad
        return np.asarray(cv2.copyMakeBorder(half, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=(NOWHERE,) * 4))

    def shape(self, candidate: Candidate, pose: Pose) -> Array:
        """Return the silhouette of a candidate (side, side), 0 to 1."""
        templates = self._silhouettes.templates(self.lean(candidate.space, pose))
        return np.asarray(templates[candidate.stance].reshape(SIDE, SIDE))

    def settle(self, found: list[Candidate], pose: Pose) -> list[Candidate]:
        """Keep the likely colours of each space, and measure what each shares with stronger neighbours."""
        claims: list[tuple[str, tuple[int, int], Array]] = []
        best: dict[str, Candidate] = {}
        kept: list[Candidate] = []
        for candidate in sorted(found, key=lambda c: -c.score):
            name = candidate.space.name
            first = best.get(name)
            if first is not None and candidate.score < RUNNER_UP * first.score:
                continue
            shape = self.shape(candidate, pose) > 0.5  # noqa: PLR2004 - inside
            claimed = self._claimed(candidate, shape, claims)
            rival = -1.0 if first is None else first.score / max(candidate.score, 1.0)
            kept.append(replace(candidate, claimed=claimed, rival=rival))
            if first is None:
                best[name] = candidate
                claims.append((name, candidate.corner, shape))
        runners = {c.space.name: c for c in reversed(kept) if c.rival > 0}
        return [self._with_rival(c, runners.get(c.space.name)) for c in kept]

    @staticmethod
    def _with_rival(candidate: Candidate, runner: Candidate | None) -> Candidate:
        """Set how near the next colour of the same space comes."""
        if candidate.rival > 0 or runner is None:
            return replace(candidate, rival=max(candidate.rival, 0.0))
        return replace(candidate, rival=runner.score / max(candidate.score, 1.0))

    @staticmethod
    def _claimed(candidate: Candidate, shape: Array, claims: list[tuple[str, tuple[int, int], Array]]) -> float:
        """Return how much of a silhouette stronger figures of other spaces cover."""
        taken: Array | None = None
        for name, corner, other in claims:
            across, along = corner[0] - candidate.corner[0], corner[1] - candidate.corner[1]
            if name == candidate.space.name or max(abs(across), abs(along)) >= SIDE:
                continue
            mine = (slice(max(0, along), SIDE + min(0, along)), slice(max(0, across), SIDE + min(0, across)))
            its = (slice(max(0, -along), SIDE + min(0, -along)), slice(max(0, -across), SIDE + min(0, -across)))
            taken = np.zeros_like(shape) if taken is None else taken
            taken[mine] |= other[its]
        return float(taken[shape].mean()) if taken is not None and shape.any() else 0.0

    def candidates(self, half: Array, pose: Pose, spaces: list[MatSpace]) -> list[Candidate]:
        """Fit every colour that has some evidence on each of the spaces."""
        found = []
        for space in spaces:
            lean = self.lean(space, pose)
            corner, rest = self.window(space, lean, REACH)
            side = SIDE + 2 * REACH
            window = half[corner[1] : corner[1] + side, corner[0] : corner[0] + side]
            inner = np.ascontiguousarray(window[REACH:-REACH, REACH:-REACH])
            mass = np.array(cv2.sumElems(cv2.threshold(inner, 0, 0, cv2.THRESH_TOZERO)[1]))
            for player in np.flatnonzero(mass > LEAST_MASS):
                layer = np.ascontiguousarray(window[..., player])
                found.append(self.fit(layer, space, int(player), lean, (corner, rest)))
        return found

    def on_cards(self, owner: Array) -> Array:
        """Return which pixels of the padded evidence show a known card, by whose picture each pixel of a view is."""
        cards = cv2.resize((owner > 0).astype(np.uint8), self.size, interpolation=cv2.INTER_NEAREST)
        pad = self._pad
        return np.asarray(cv2.copyMakeBorder(cards, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0))

    def is_stick(self, half: Array, candidate: Candidate, pose: Pose, cards: Array | None = None) -> bool:
        """Return whether the evidence goes on far beyond the silhouette, as thin as a pencil: no figure is so long.

        `cards` are the pixels to look at where the mat between the cards is not known: it may have the pencil's colour.
        """
        across, along = (at + SIDE // 2 for at in candidate.corner)
        left, top = max(0, across - AROUND), max(0, along - AROUND)
        part = slice(top, along + AROUND), slice(left, across + AROUND)
        layer = (half[(*part, candidate.player)] > 0).astype(np.uint8)
        if cards is not None:
            layer &= cards[part]
        count, parts = cv2.connectedComponents(layer)
        x, y = candidate.corner[0] - left, candidate.corner[1] - top
        under = parts[max(0, y) : y + SIDE, max(0, x) : x + SIDE]
        shape = self.shape(candidate, pose)[max(0, -y) :, max(0, -x) :][: under.shape[0], : under.shape[1]]
        mine = np.bincount(under[shape > 0.5], minlength=count)[1:]  # noqa: PLR2004 - inside
        if not mine.any():
            return False
        points = np.argwhere(parts == 1 + int(mine.argmax())).astype(np.float32)
        thin, long = ((side + 1) * PIXEL_MM for side in sorted(cv2.minAreaRect(points)[1]))
        return bool(long > max(STICK_LONG * self._silhouettes.height, SLENDER * thin) and thin < STICK_THIN * self.base)

    @staticmethod
    def lean(space: MatSpace, pose: Pose) -> tuple[float, float]:
        """Return how far a point one mm above a space is displaced away from the camera, in mm."""
        eye = pose.eye
        return float((space.x - eye[0]) / eye[2]), float((space.y - eye[1]) / eye[2])

    def sizes(self, found: list[Candidate], pose: Pose) -> Array:
        """Return height and base of a figure (mm) and how far each candidate leans a mm up: (n, 3)."""
        tall, wide = self._silhouettes.height, self._silhouettes.base
        return np.array([(tall, wide, hypot(*self.lean(candidate.space, pose))) for candidate in found])

    def templates(self, lean: tuple[float, float]) -> Array:
        """Return every stance's silhouette as a row."""
        return self._silhouettes.templates(lean)

    def window(self, space: MatSpace, lean: tuple[float, float], reach: int) -> tuple[tuple[int, int], Offset]:
        """Return the corner of a space's window in the padded evidence, and the rounding error (pixels)."""
        shift = self._silhouettes.middle(lean)
        side = SIDE + 2 * reach
        u = (space.x + shift[0] - self._frame.left) * self._scale + self._pad - side / 2
        v = (self._frame.far - space.y - shift[1]) * self._scale + self._pad - side / 2
        left, top = round(u), round(v)
        return (left, top), (left - u, top - v)

    def fit(
        self,
        layer: Array,
        space: MatSpace,
        player: int,
        lean: tuple[float, float],
        where: tuple[tuple[int, int], Offset],
        aside: Offset = (0.0, 0.0),
    ) -> Candidate:
        """Fit every stance to a window of one colour's evidence, around the expected foot of the figure."""
        templates = self._silhouettes.templates(lean)
        corner, rest = where
        patches = windows(layer).reshape(len(self._steps), -1)
        foot = (self._steps + rest) * (PIXEL_MM, -PIXEL_MM)
        cost = WANDER_COST * (foot[:, 0] ** 2 + foot[:, 1] ** 2) / (2 * WANDER_MM**2)
        scores = patches @ templates.T
        scores -= cost[:, None]
        where_best, best = scores.argmax(axis=0), scores.max(axis=0)
        lying = 1 + int(best[1:].argmax())
        least = best[0] + LYING_LEAD * float(templates[0].sum())
        stance = lying if best[lying] > least else 0
        index = int(where_best[stance])
        patch, shape, ring = patches[index], templates[stance], self._silhouettes.ring(lean, stance)
        for_it = np.maximum(patch, 0)
        step, area = self._steps[index] + REACH, max(float(shape.sum()), 1.0)  # a silhouette may be out of its window
        return Candidate(
            space=space,
            player=player,
            stance=stance,
            foot=(float(foot[index, 0]) + aside[0], float(foot[index, 1]) + aside[1]),
            score=float(best[stance]),
            standing=float(best[0]),
            lying=float(best[lying]),
            cover=float(shape[patch > 0].sum()) / area,
            area=area,
            ring=float((patch[ring] > 0).mean()) if ring.any() else 0.0,
            crowd=float(np.maximum(layer, 0).sum() - shape @ for_it) / area,
            claimed=0.0,
            rival=0.0,
            corner=(corner[0] + int(step[0]), corner[1] + int(step[1])),
            aside=aside,
        )


def windows(layer: Array) -> Array:
    """Return what a silhouette covers at each place in a layer: a view, made faster than numpy's own does."""
    down, right = layer.strides
    shape = (layer.shape[0] - SIDE + 1, layer.shape[1] - SIDE + 1, SIDE, SIDE)
    return np.ndarray(shape, layer.dtype, layer, strides=(down, right, down, right))
