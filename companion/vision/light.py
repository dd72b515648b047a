"""The light on each card: how its picture must be brightened, tinted and veiled to look as seen."""

from dataclasses import dataclass

import numpy as np

from companion.vision.arrays import Array

ROUNDS = 5
SURFACE_ROUNDS = 8
FIRST_GAIN = 0.85
DARK = 0.012  # linear light: noise of a dark pixel
SHARE = 0.12  # of a pixel's light: what edges, texture and JPEG may be off
DAZZLED = 0.93  # linear light: beyond it a pixel says nothing
CLOSE = 2.0  # scaled distance up to which a pixel is explained
LINEAR = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)
GAIN_TERMS, VEIL_TERMS = 3, 6
TERMS = GAIN_TERMS + VEIL_TERMS
RIDGE = np.diag([0.02, 0.5, 0.5, 0.05, 0.3, 0.3, 0.3, 0.3, 0.3]).astype(np.float32)
HOLD = np.eye(1, TERMS, dtype=np.float32)[0] * RIDGE[0, 0]


@dataclass(frozen=True, slots=True)
class Light:
    """For each card: planes of gain and veil (n, 3 channels, 9 terms), and which sampled pixels they explain."""

    terms: Array
    explained: Array


def basis(height: int, width: int, stride: int = 1) -> Array:
    """Give 1, x, y and their products for every `stride`-th pixel, from -1 to 1: (rows, columns, 6)."""
    rows = np.arange(0, height, stride) / max(height - 1, 1) * 2 - 1
    columns = np.arange(0, width, stride) / max(width - 1, 1) * 2 - 1
    x, y = np.meshgrid(columns, rows)
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1).astype(np.float32)


def fit(seen: Array, expected: Array, mine: Array, flat: Array, rounds: int = ROUNDS) -> Light:
    """Fit gain and veil of many cards at once, robustly: what covers a card does not pull.

    `seen` and `expected` are windows (n, h, w, 3) in linear light, `mine` (n, h, w) where the card is on top, `flat`
    the basis of the windows.
    """
    n = len(mine)
    if n == 0:
        return Light(start(0), np.zeros(mine.shape, dtype=bool))
    bent = flat.reshape(-1, VEIL_TERMS)
    plane = bent[:, :GAIN_TERMS]
    art = np.ascontiguousarray(expected.reshape(n, -1, 3).transpose(0, 2, 1))
    light = np.ascontiguousarray(seen.reshape(n, -1, 3).transpose(0, 2, 1))
    design = np.concatenate([art[..., None] * plane, np.broadcast_to(bent, (*art.shape, VEIL_TERMS))], axis=-1)
    usable = mine.reshape(n, 1, -1) & (light < DAZZLED)
    terms = start(n)
    terms[:, :, GAIN_TERMS] = _typical(light - art * terms[:, :, :1], usable)
    far = np.zeros((n, 1, art.shape[2]), dtype=np.float32)
    for turn in range(rounds + 1):
        tell = np.matmul(design, terms[..., None])[..., 0]
        scale = (DARK + SHARE * np.maximum(tell, 0)) * max(1.0, 3.0 - turn)
        far = (((light - tell) / scale) ** 2).mean(axis=1, keepdims=True)
        if turn == rounds:
            break
        weight = np.where(usable, (DARK / ((1 + far) * scale)) ** 2, 0)
        weighted = (design * weight[..., None]).swapaxes(-1, -2)
        normal = np.matmul(weighted, design) + RIDGE
        pull = np.matmul(weighted, light[..., None])[..., 0] + terms[:, :, :1] * HOLD
        terms = np.linalg.solve(normal, pull[..., None])[..., 0].astype(np.float32)
    near = (far[:, 0] < CLOSE**2).reshape(mine.shape) & mine
    return Light(terms, near)


def _typical(off: Array, usable: Array) -> Array:
    """Give the middle of what is left over on the usable pixels of each card and channel."""
    left = np.where(usable, off, np.nan)
    left[~usable.any(axis=2)] = 0
    return np.asarray(np.nanmedian(left[..., ::3], axis=2))


def start(count: int) -> Array:
    """Give the terms to begin with: no veil, a little less light than full."""
    terms = np.zeros((count, 3, TERMS), dtype=np.float32)
    terms[:, :, 0] = FIRST_GAIN
    return terms


def surface(height: int, width: int) -> Array:
    """Give the terms of a smooth surface over a grid: (height, width, 10)."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = x / max(width - 1, 1) * 2 - 1, y / max(height - 1, 1) * 2 - 1
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y, x**3, x * x * y, x * y * y, y**3], axis=-1)


def fit_surface(points: Array, colours: Array) -> Array:
    """Fit a smooth surface (terms, 3) to colours (n, 3) at points (n, terms), robustly."""
    terms = np.zeros((points.shape[1], 3), dtype=np.float32)
    terms[0] = np.median(colours, axis=0)
    hold = np.eye(points.shape[1], dtype=np.float32) * 0.5
    for turn in range(SURFACE_ROUNDS):
        told = points @ terms
        scale = (DARK + SHARE * np.maximum(told, 0)) * max(1.0, 5.0 - turn)
        off = (((colours - told) / scale) ** 2).mean(axis=1, keepdims=True)
        weight = 1 / (1 + off) ** 2
        weighted = points * weight
        terms = terms + np.linalg.solve(weighted.T @ points + hold, weighted.T @ (colours - told))
    return terms.astype(np.float32)
