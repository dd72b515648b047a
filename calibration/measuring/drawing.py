"""Draws what a step sees onto the picture: outlines in its colours, and few words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from calibration.steps.step import Mark
    from companion.vision.arrays import Array

INK: Final = (20, 20, 20)
WIDE: Final = 1100.0
LARGEST: Final = 1280
QUALITY: Final = 75


def drawn(picture: Array, marks: list[Mark]) -> Array:
    """A copy of the picture, no wider than a page needs, with the marks on it."""
    factor = min(1.0, LARGEST / picture.shape[1])
    size = (round(picture.shape[1] * factor), round(picture.shape[0] * factor))
    canvas = np.array(cv2.resize(picture, size, interpolation=cv2.INTER_AREA)) if factor < 1 else picture.copy()
    scale = max(0.6, canvas.shape[1] / WIDE)
    for mark in marks:
        ring = np.rint(mark.points * factor).astype(np.int32).reshape(-1, 1, 2)
        cv2.polylines(canvas, [ring], True, INK, round(4 * scale) + 1, cv2.LINE_AA)
        cv2.polylines(canvas, [ring], True, mark.colour, round(2 * scale), cv2.LINE_AA)
        if mark.label:
            _write(canvas, mark.label, ring.reshape(-1, 2), scale, mark.colour)
    return canvas


def _write(canvas: Array, text: str, ring: Array, scale: float, colour: tuple[int, int, int]) -> None:
    size = 0.55 * scale
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    middle = ring.mean(axis=0)
    x = int(np.clip(middle[0] - width / 2, 0, max(0, canvas.shape[1] - width - 4)))
    y = int(np.clip(middle[1] + height / 2, height + 4, canvas.shape[0] - 4))
    cv2.rectangle(canvas, (x - 3, y - height - 3), (x + width + 3, y + 4), INK, -1)
    cv2.putText(canvas, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, colour, max(1, round(scale)), cv2.LINE_AA)


def jpeg(picture: Array) -> bytes:
    """A picture as a JPEG."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not done:
        raise ValueError("a picture that cannot be a JPEG")
    return bytes(data)
