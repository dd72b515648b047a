"""Dice drawn as boxes before a known camera: upper faces with pips, and the sides that the camera sees, with theirs."""

import cv2
import numpy as np

from hardware.tabletop.simulated_dice import PATTERNS

from . import tables

SIDE = 16.0
MIDDLE = (174.0, -191.0)
MATRIX = np.array([[tables.FOCAL, 0, tables.SIZE[0] / 2], [0, tables.FOCAL, tables.SIZE[1] / 2], [0, 0, 1]])
PAINTS = (((240, 240, 235), (25, 25, 25)), ((40, 35, 170), (235, 235, 235)), ((40, 40, 40), (230, 230, 230)))
SHARPER = 2


def project(points, view, zoom):
    rotation, shift = view
    seen = (zoom * MATRIX) @ (rotation @ np.asarray(points, dtype=float).T + np.reshape(shift, (3, 1)))
    return (seen[:2] / seen[2]).T


def throw(picture, view, dice, paint=0, *, light=1.0):
    """Draw dice, each a value with its middle (mm) and turn, onto a picture."""
    large = cv2.resize(picture, None, fx=SHARPER, fy=SHARPER, interpolation=cv2.INTER_LINEAR)
    eye = -view[0].T @ np.reshape(view[1], 3)
    for value, x, y, turn in sorted(dice, key=lambda die: -np.hypot(die[1] - eye[0], die[2] - eye[1])):
        _die(large, view, value, (x, y), turn, PAINTS[paint], light)
    return cv2.resize(large, (picture.shape[1], picture.shape[0]), interpolation=cv2.INTER_AREA)


def _die(large, view, value, at, turn, paint, light):
    body, pip = (tuple(int(v * light) for v in colour) for colour in paint)
    cos, sin = np.cos(turn), np.sin(turn)
    spin = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    half = SIDE / 2
    middle = np.array([at[0], at[1], half])
    eye = -view[0].T @ np.reshape(view[1], 3)
    others = [n for n in range(1, 7) if n not in (value, 7 - value)]
    sides = [((1, 0, 0), others[0]), ((-1, 0, 0), 7 - others[0]), ((0, 1, 0), others[1]), ((0, -1, 0), 7 - others[1])]
    for normal, number in [*sides, ((0, 0, 1), value)]:
        out = spin @ np.array(normal, dtype=float)
        if out @ (eye - middle - out * half) <= 0:
            continue
        across = spin @ (np.array([0, 1, 0]) if normal[0] else np.array([1, 0, 0]))
        along = np.cross(out, across)
        shade = 1.0 if normal[2] else 0.72
        corners = [middle + half * (out + a * across + b * along) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        _fill(large, view, corners, body, shade)
        for u, v in PATTERNS[number]:
            spot = middle + half * out + SIDE * 0.27 * (u * across + v * along)
            ring = [spot + 1.6 * (np.cos(t) * across + np.sin(t) * along) for t in np.linspace(0, 2 * np.pi, 20)]
            _fill(large, view, ring, pip, shade)


def _fill(large, view, points, colour, shade):
    ring = project(points, view, 1.0) * SHARPER
    cv2.fillPoly(large, [np.rint(ring).astype(np.int32)], tuple(int(v * shade) for v in colour), cv2.LINE_AA)


def random_throw(chance):
    """Two values, places that do not touch within the corner, and turns."""
    while True:
        places = chance.uniform(-11, 11, (2, 2)) + MIDDLE
        if np.abs(places[0] - places[1]).max() > SIDE * 1.25:
            return [(int(chance.integers(1, 7)), *place, chance.uniform(0, 2 * np.pi)) for place in places]
