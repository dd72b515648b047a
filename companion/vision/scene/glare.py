"""How much of what surrounds a space is white with light: nothing but a lamp in a sleeve is, no hand and no cup."""

from collections.abc import Iterable

import numpy as np

from companion.vision.arrays import Array
from companion.vision.camera.view import Frame
from companion.vision.places import Space

WHITE = 0.75  # in linear light
HALF_MM = 12.0
SOME = 0.5
STEP = 3  # pixels: it is a share that is wanted


def glares(seen: Array, spaces: Iterable[Space], frame: Frame) -> dict[str, float]:
    """List the spaces that are mostly white with their shares; `seen` is a view from above in linear light."""
    shares = {space.name: _share(seen, space, frame) for space in spaces}
    return {name: share for name, share in shares.items() if share > SOME}


def _share(seen: Array, space: Space, frame: Frame) -> float:
    x, y = space.x, space.y
    corners = frame.pixels(np.array([[x - HALF_MM, y + HALF_MM], [x + HALF_MM, y - HALF_MM]]))
    (left, top), (right, low) = np.maximum(corners, 0).astype(int)
    part = seen[top:low:STEP, left:right:STEP]
    return float((part.sum(axis=2) > 3 * WHITE).mean()) if part.size else 0.0
