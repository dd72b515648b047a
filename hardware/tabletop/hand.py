"""A hand that reaches over the table, from the players' side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from hardware.tabletop.lamp import Lamp
    from hardware.tabletop.optics import Viewpoint

SKIN: Final = np.array((125, 160, 208))
SLEEVE: Final = np.array((120, 105, 95))
HEIGHT: Final = 45.0
SHADOW: Final = 0.55
FINGERS: Final = ((-26, 42), (-9, 60), (9, 62), (26, 48))
"""How far to the side, and how long."""
ARM: Final = (
    ((70.0, -520.0), (24.0, -190.0), 80.0, True),
    ((24.0, -190.0), (4.0, -100.0), 56.0, False),
    ((4.0, -100.0), (0.0, -72.0), 68.0, False),
    ((-34.0, -92.0), (-54.0, -50.0), 20.0, False),
)
"""Sleeve, wrist, palm and thumb: from, to, how thick, and whether it is cloth; from the finger tips, in mm."""


def draw_hand(canvas: Any, tips: tuple[float, float], view: Viewpoint, lamp: Lamp) -> None:
    """Draw it with its shadow; `tips` is the point of the table above which the fingers are."""
    parts = [*ARM, *(((side * 0.9, -60.0), (float(side), float(length) - 62), 17.0, False) for side, length in FINGERS)]
    light = lamp.colour_at(*tips)
    shade = np.zeros(canvas.shape[:2], np.uint8)
    for first, last, thick, _ in parts:
        points = np.array([(tips[0] + x, tips[1] + y, HEIGHT) for x, y in (first, last)])
        _stroke(shade, view.project(lamp.shadows(points)), thick * view.scale_at(*tips), 255)
    dark = cv2.GaussianBlur(shade, (31, 31), 0)[..., None].astype(np.float32) / 255
    canvas[:] = (canvas * (1 - (1 - SHADOW) * dark)).astype(np.uint8)
    for first, last, thick, is_cloth in parts:
        points = np.array([(tips[0] + x, tips[1] + y, HEIGHT) for x, y in (first, last)])
        scale = view.scale_at(tips[0], max(tips[1] + first[1], -400.0), HEIGHT)
        colour = (SLEEVE if is_cloth else SKIN) * light
        _stroke(canvas, view.project(points), thick * scale, tuple(map(float, colour)))


def _stroke(canvas: Any, points: Any, thick: float, colour: Any) -> None:
    (ax, ay), (bx, by) = np.round(points).astype(int).tolist()
    cv2.line(canvas, (ax, ay), (bx, by), colour, max(1, round(thick)), cv2.LINE_AA)
