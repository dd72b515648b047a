"""Estimate the light on each card: the gain, tint and veil under which its picture looks as seen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.vision.arrays import Array, median, median_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.vision.camera.top_view import ViewFrame, ViewPart
    from companion.vision.places import MatSpace

ROUNDS = 5
SURFACE_ROUNDS = 8
FIRST_GAIN = 0.85
DARK = 0.012  # linear light: noise of a dark pixel
SHARE = 0.12  # of a pixel's light: what edges, texture and JPEG may be off
DAZZLED = 0.93  # linear light: above it a pixel is no evidence
CLOSE = 2.0  # scaled distance up to which a pixel is explained
LINEAR = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)
GAIN_TERMS, VEIL_TERMS = 3, 6
TERMS = GAIN_TERMS + VEIL_TERMS
RIDGE = np.diag([0.02, 0.5, 0.5, 0.05, 0.3, 0.3, 0.3, 0.3, 0.3]).astype(np.float32)
HOLD = np.eye(1, TERMS, dtype=np.float32)[0] * RIDGE[0, 0]
POWERS = [(total - down, down) for total in range(5) for down in range(total + 1)]  # of x and y; a veil has the first


def _products() -> Array:
    """Return the sum that each product of two terms belongs to: of the art's square, then the art, then neither."""
    of_term = [POWERS[index] for index in (*range(GAIN_TERMS), *range(VEIL_TERMS))]
    found = np.zeros((TERMS, TERMS), dtype=np.int64)
    for one, (right, down) in enumerate(of_term):
        for other, (across, along) in enumerate(of_term):
            veils = (one >= GAIN_TERMS) + (other >= GAIN_TERMS)
            found[one, other] = veils * len(POWERS) + POWERS.index((right + across, down + along))
    return found


PRODUCTS = _products()


def in_linear_light(picture: Array) -> Array:
    """Return a picture of bytes in linear light, or several (n, h, w, 3)."""
    if not picture.size:
        return np.zeros(picture.shape, dtype=np.float32)
    rows = picture if picture.ndim <= 3 else picture.reshape(-1, *picture.shape[2:])  # noqa: PLR2004 - one picture
    return np.asarray(cv2.LUT(rows, LINEAR)).reshape(picture.shape)


@dataclass(frozen=True, slots=True)
class CardLight:
    """For each card: planes of gain and veil (n, 3 channels, 9 terms), and which sampled pixels they explain."""

    terms: Array
    explained: Array


@lru_cache(maxsize=4)
def basis(height: int, width: int, stride: int = 1) -> Array:
    """Return 1, x, y and their products for every `stride`-th pixel, from -1 to 1: (rows, columns, 6)."""
    rows = np.arange(0, height, stride) / max(height - 1, 1) * 2 - 1
    columns = np.arange(0, width, stride) / max(width - 1, 1) * 2 - 1
    x, y = np.meshgrid(columns, rows)
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1).astype(np.float32)


@lru_cache(maxsize=4)
def planes(height: int, width: int) -> Array:
    """Return 1, x and y alone for every pixel."""
    return np.ascontiguousarray(basis(height, width)[..., :GAIN_TERMS])


def fit(seen: Array, expected: Array, mine: Array, flat: Array, rounds: int = ROUNDS) -> CardLight:
    """Fit gain and veil of many cards at once, robustly: what covers a card does not pull.

    `seen` and `expected` are windows (n, h, w, 3) in linear light, `mine` (n, h, w) masks where the card is on top,
    `flat` is the basis of the windows.
    """
    n = len(mine)
    if n == 0:
        return CardLight(initial_terms(0), np.zeros(mine.shape, dtype=bool))
    flat = flat.reshape(-1, VEIL_TERMS)
    art = np.ascontiguousarray(expected.reshape(n, -1, 3).transpose(0, 2, 1)).reshape(3 * n, -1)
    light = np.ascontiguousarray(seen.reshape(n, -1, 3).transpose(0, 2, 1)).reshape(3 * n, -1)
    usable = np.repeat(mine.reshape(n, -1), 3, axis=0) & (light < DAZZLED)
    terms = initial_terms(n).reshape(3 * n, TERMS)
    terms[:, GAIN_TERMS] = median_of((light - art * FIRST_GAIN)[:, ::3], usable[:, ::3])
    across, along = ([part**0, part, part * part, part**3, part**4] for part in (flat[:, 1], flat[:, 2]))
    powers = np.stack([across[right] * along[down] for right, down in POWERS], axis=-1)
    far = np.zeros((n, 1, art.shape[1]), dtype=np.float32)
    for turn in range(rounds + 1):
        tell = art * (terms[:, :GAIN_TERMS] @ flat[:, :GAIN_TERMS].T) + terms[:, GAIN_TERMS:] @ flat.T
        scale = (DARK + SHARE * np.maximum(tell, 0)) * max(1.0, 3.0 - turn)
        far = (((light - tell) / scale) ** 2).reshape(n, 3, -1).mean(axis=1, keepdims=True)
        if turn == rounds:
            break
        weight = np.where(usable, (DARK / ((1 + far) * scale.reshape(n, 3, -1))).reshape(usable.shape) ** 2, 0)
        terms = _solved(art, light, weight, powers, terms)
    near = (far[:, 0] < CLOSE**2).reshape(mine.shape) & mine
    return CardLight(terms.reshape(n, 3, TERMS), near)


def _solved(art: Array, light: Array, weight: Array, powers: Array, terms: Array) -> Array:
    """Solve for the terms under given weights (rows of pixels).

    Every product of two terms is one of powers of x and y, of the art or its square: these few sums make all of them.
    """
    shine = weight * art
    sums = np.concatenate([(shine * art) @ powers, shine @ powers, weight @ powers], axis=1)
    told = np.concatenate([(shine * light) @ powers[:, :GAIN_TERMS], (weight * light) @ powers[:, :VEIL_TERMS]], axis=1)
    pull = told + terms[:, :1] * HOLD
    return np.asarray(np.linalg.solve(sums[:, PRODUCTS] + RIDGE, pull[..., None])[..., 0], dtype=np.float32)


def initial_terms(count: int) -> Array:
    """Return the terms to start from: no veil, a little less than full light."""
    terms = np.zeros((count, 3, TERMS), dtype=np.float32)
    terms[:, :, 0] = FIRST_GAIN
    return terms


@lru_cache(maxsize=4)
def surface(height: int, width: int) -> Array:
    """Return the terms of a smooth surface over a grid: (height, width, 10)."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / max(width - 1, 1) * 2 - 1, y / max(height - 1, 1) * 2 - 1
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3], axis=-1)


def fit_surface(points: Array, colours: Array) -> Array:
    """Fit a smooth surface (terms, 3) to colours (n, 3) at points (n, terms), robustly."""
    terms = np.zeros((points.shape[1], 3), dtype=np.float32)
    terms[0] = median(colours, axis=0)
    hold = np.eye(points.shape[1], dtype=np.float32) * 0.5
    for turn in range(SURFACE_ROUNDS):
        told = points @ terms
        scale = (DARK + SHARE * np.maximum(told, 0)) * max(1.0, 5.0 - turn)
        off = (((colours - told) / scale) ** 2).mean(axis=1, keepdims=True)
        weight = 1 / (1 + off) ** 2
        weighted = points * weight
        terms = terms + np.linalg.solve(weighted.T @ points + hold, weighted.T @ (colours - told))
    return terms.astype(np.float32)


KEPT = 4  # pixels of a view to one of what is kept


@dataclass(frozen=True, slots=True)
class Gain:
    """The light on every pixel of a view; where it is interpolated, its rows are made when wanted: all are large."""

    kept: Array
    """Every pixel, or as many columns as the view has between which rows are interpolated."""
    down: Array | None = None
    """How much each row has of each one kept."""

    @classmethod
    def between(cls, grid: Array, bend: Array, size: tuple[int, int]) -> Gain:
        """Interpolate a grid over a view of some width and height; `bend` leads from the view's pixels to the grid."""
        right = _weights(bend[0, 0] * np.arange(size[0]) + bend[0, 2], grid.shape[1])
        down = _weights(bend[1, 1] * np.arange(size[1]) + bend[1, 2], grid.shape[0])
        return cls(np.asarray(right @ grid), down)

    def rows(self, rows: slice) -> Array:
        return self.kept[rows] if self.down is None else self._drawn(self.down[rows], self.kept)

    def whole(self) -> Array:
        return self.rows(slice(None))

    def at(self, row: int, column: int) -> Array:
        """Return the light on one pixel; the nearest one's beyond the view."""
        height, width = len(self.kept if self.down is None else self.down), self.kept.shape[1]
        row, column = min(max(row, 0), height - 1), min(max(column, 0), width - 1)
        return np.asarray(self.kept[row, column] if self.down is None else self.down[row] @ self.kept[:, column])

    def every(self, stride: int, first: int) -> Array:
        """Return every so manieth pixel, across and down."""
        if self.down is None:
            return self.kept[first::stride, first::stride]
        return self._drawn(self.down[first::stride], self.kept[:, first::stride])

    def thinned(self) -> Array:
        """Return the same at a quarter of the size."""
        if self.down is None or min(len(self.down), self.kept.shape[1]) < KEPT:
            return _thinned(self.whole())
        right, down = self.kept.shape[1] // KEPT * KEPT, len(self.down) // KEPT * KEPT
        one, other = (self._drawn(self.down[at:down:KEPT], self.kept[:, at:right:KEPT]) for at in (1, 2))
        return np.asarray((one + other) / 2)

    @staticmethod
    def _drawn(down: Array, across: Array) -> Array:
        return np.asarray((down @ across.reshape(len(across), -1)).reshape(-1, *across.shape[1:]))


def _weights(at: Array, count: int) -> Array:
    """Return the share of each of some points at 0, 1, 2 in every place between them; beyond, of the outermost."""
    away = np.abs(np.clip(at, 0, count - 1)[:, None] - np.arange(count))
    return np.asarray(np.maximum(1 - away, 0), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The bare mat as it should look (or the light on its picture), and the light everywhere: in linear light."""

    mat: Array
    gain: Array
    mat_known: bool = True

    @classmethod
    def small(cls, mat: Array, gain: Gain, mat_known: bool) -> Surroundings:
        """Return what a view has at a quarter of the size: it is so smooth that two points determine sixteen."""
        return cls(_thinned(mat), gain.thinned(), mat_known)

    def part(self, whole: ViewFrame, part: ViewPart) -> Surroundings:
        """Crop a part out of what was kept small, at the part's own size."""
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
        return Surroundings(np.asarray(mat), np.asarray(gain), self.mat_known)


def _thinned(smooth: Array) -> Array:
    """Downsample by four; each sample lies between two pixels."""
    height, width = (side // KEPT * KEPT for side in smooth.shape[:2])
    if not height or not width:
        return np.asarray(smooth[:1, :1])
    inner = smooth[:height, :width]
    return np.asarray((inner[1::KEPT, 1::KEPT] + inner[2::KEPT, 2::KEPT]) / 2)


WHITE = 0.75  # in linear light
HALF_MM = 12.0
SOME = 0.5
STEP = 3  # pixels: it is a share that is wanted


def glares(seen: Array, spaces: Iterable[MatSpace], frame: ViewFrame) -> dict[str, float]:
    """Return the share of white pixels of the spaces that are mostly white; `seen` is a view in linear light."""
    shares = {space.name: _share(seen, space, frame) for space in spaces}
    return {name: share for name, share in shares.items() if share > SOME}


def _share(seen: Array, space: MatSpace, frame: ViewFrame) -> float:
    x, y = space.x, space.y
    corners = frame.pixels(np.array([[x - HALF_MM, y + HALF_MM], [x + HALF_MM, y - HALF_MM]]))
    (left, top), (right, low) = np.maximum(corners, 0).astype(int)
    part = seen[top:low:STEP, left:right:STEP]
    return float((part.sum(axis=2) > 3 * WHITE).mean()) if part.size else 0.0
