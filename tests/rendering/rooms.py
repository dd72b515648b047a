"""Rooms as light comes from them: windows, blinds, lamps, televisions and walls, all round; a lamp above the table."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from tests.rendering import pictures

HEIGHT, WIDTH = 128, 256
MIRRORED_AT, MIRRORED_SIZE, MIRRORED_LIGHT = 1200.0, 400.0, 3.0 * np.array([1.35, 1.0, 0.8])  # a lamp: mm, mm


@dataclass(frozen=True)
class Room:
    """Light from all sides (a panorama, linear), and one lamp: its middle (mm), its side (mm), its light."""

    panorama: np.ndarray
    lamp: tuple
    size: float
    light: np.ndarray


def warmth(kelvin):
    """Return the colour of a glowing thing, green 1."""
    part = (kelvin - 2700) / (6500 - 2700)
    return np.array([1.75 - 0.78 * part, 1.0, 0.42 + 0.62 * part])


def make_room(rng):
    """Furnish a room at random."""
    up = np.linspace(np.pi / 2, -np.pi / 2, HEIGHT)[:, None, None]
    wall, ceiling, floor = (pictures.colour(rng, 60, 250, rng.uniform(0.3, 0.9)) / 255 for _ in range(3))
    mix = 1 / (1 + np.exp(-(up - rng.uniform(0.4, 0.9)) * 9))
    picture = (wall * (1 - mix) + ceiling * mix) * rng.uniform(0.05, 0.5)
    picture = np.where(up < -0.1, floor * 0.12, picture) * np.ones((HEIGHT, WIDTH, 1))
    picture *= np.exp(0.35 * pictures.clouds(rng, HEIGHT, WIDTH, 1.0, 1))
    for _ in range(rng.integers(3, 14)):  # furniture, pictures on the wall
        _rectangle(rng, picture, pictures.colour(rng) / 255 * rng.uniform(0.02, 0.4), (-0.3, 0.7), 0.25)
    evening = rng.random() < 0.4
    for _ in range(0 if evening else rng.integers(1, 4)):
        light = warmth(rng.uniform(5200, 8500)) * np.exp(rng.uniform(np.log(2), np.log(25)))
        blinds = int(rng.integers(4, 12)) if rng.random() < 0.3 else 0
        _rectangle(rng, picture, light, (0.15, 0.8), 0.5, blinds)
    lamps = rng.integers(1, 4) if evening else rng.integers(0, 2)
    for _ in range(lamps):
        light = warmth(rng.uniform(2500, 5000)) * np.exp(rng.uniform(np.log(20), np.log(250)))
        at = (int(rng.integers(0, WIDTH)), int(rng.uniform(0.05, 0.45) * HEIGHT))
        spot = np.zeros((HEIGHT, WIDTH), dtype=np.float32)
        cv2.circle(spot, at, int(rng.integers(2, 8)), 1.0, -1)
        picture += cv2.GaussianBlur(spot, (0, 0), 1.0)[..., None] * light
    if rng.random() < 0.15:  # a television
        _rectangle(rng, picture, pictures.colour(rng, 120, 250) / 255 * rng.uniform(2, 8), (0.0, 0.35), 0.3)
    kelvin = rng.uniform(2500, 5500)
    bright = float(rng.choice([0.0, 1.0], p=[0.4, 0.6]) if not evening else 1.0)
    size = float(rng.uniform(60, 420))
    at = (float(rng.normal(0, 450)), float(rng.normal(100, 450)), float(rng.uniform(900, 1900)))
    light = warmth(kelvin) * bright * rng.uniform(0.4, 1.8) * (at[2] / size) ** 2
    mean = picture.mean()
    return Room((picture / mean * 0.6).astype(np.float32), at, size, light)


def mirrored(room, eye, at):
    """Return the room with its lamp moved to where a mirror at a point of the table shows it to a camera (`eye`)."""
    middle = np.array([*at, 0.0])
    way = (middle - eye) / eye[2] * (1, 1, -1)
    lamp = middle + way * MIRRORED_AT
    light = MIRRORED_LIGHT * (MIRRORED_AT / MIRRORED_SIZE) ** 2
    return replace(room, lamp=tuple(float(v) for v in lamp), size=MIRRORED_SIZE, light=light)


def _rectangle(rng, picture, light, heights, most, blinds=0):
    """Paint something rectangular onto the panorama, between two elevations (radians)."""
    wide, tall = rng.uniform(0.1, most), rng.uniform(0.15, most + 0.2)
    low = rng.uniform(*heights)
    top, bottom = (int((np.pi / 2 - angle) / np.pi * HEIGHT) for angle in (low + tall, low))
    left = int(rng.integers(0, WIDTH))
    columns = np.arange(left, left + max(2, int(wide / (2 * np.pi) * WIDTH * 2))) % WIDTH
    part = np.ix_(np.arange(max(top, 0), max(bottom, top + 2, 2)), columns)
    picture[part] = light
    if blinds:
        rows = part[0].ravel()
        picture[np.ix_(rows[np.arange(len(rows)) % max(2, 24 // blinds) == 0], columns)] = light * 0.05
