"""A synthetic table for tests: flat cards and tags drawn through a known camera."""

import json
from pathlib import Path

import cv2
import numpy as np

SIZE = (1200, 900)
FOCAL = 1060.0
MAT_TAGS = [(0, -348, 193), (1, 348, 193), (2, 348, -193), (3, -348, -193), (4, 0, 193), (5, 0, -193)]
CARD, GAP = (88, 63), 4
SLOTS = ("L3", "L2", "L1", "E", "R1", "R2", "R3")
INSET = 18 * 0.65 + 1
PX = 3  # pixels a millimetre of flat pictures


def profile_json(art: list[str]) -> dict:
    rooms = {f"room-{i:02d}": {"kind": "room", "tags": [10 + i], "art": [a]} for i, a in enumerate(art)}
    return {
        "table": {
            "mat": [740, 430],
            "dictionary": "APRILTAG_36h11",
            "mat_tags": [{"id": i, "centre": [x, y], "size": 32} for i, x, y in MAT_TAGS],
            "levels": 5,
            "card": list(CARD),
            "gap": GAP,
            "threat": [40, 56],
            "card_tag": 18,
            "spaces": {"a": [-20.24, -8.82], "b": [20.24, -8.82], "E": [0, -6]},
        },
        "camera": {
            "size": list(SIZE),
            "matrix": [[FOCAL, 0, SIZE[0] / 2], [0, FOCAL, SIZE[1] / 2], [0, 0, 1]],
            "distortion": [0, 0, 0, 0],
        },
        "figures": {
            "height": 30,
            "base": 16,
            "colours": {"red": [196, 28, 34], "blue": [28, 74, 182], "green": [34, 138, 62], "yellow": [236, 188, 30]},
        },
        "cards": rooms,
    }


def art(number: int) -> np.ndarray:
    chance = np.random.default_rng(500 + number)
    picture = np.full((CARD[1] * PX, CARD[0] * PX, 3), chance.integers(60, 200, 3), dtype=np.uint8)
    for _ in range(24):
        x, y = (int(v) for v in chance.integers(0, (CARD[0] * PX, CARD[1] * PX)))
        colour = tuple(int(v) for v in chance.integers(20, 240, 3))
        cv2.rectangle(picture, (x, y), (x + int(chance.integers(6, 60)), y + int(chance.integers(6, 40))), colour, -1)
    return picture


def write_profile(folder: Path, count: int = 6) -> Path:
    names = []
    for number in range(count):
        names.append(f"art/{number}.png")
        (folder / "art").mkdir(exist_ok=True)
        cv2.imwrite(str(folder / names[-1]), art(number))
    path = folder / "profile.json"
    path.write_text(json.dumps(profile_json(names)))
    return path


def tag(number: int, size_mm: float) -> np.ndarray:
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    cells = np.full((10, 10), 235, dtype=np.uint8)
    cells[1:-1, 1:-1] = np.clip(cv2.aruco.generateImageMarker(known, number, 8), 18, 235)
    side = round(size_mm * 1.25 * PX)
    return cv2.cvtColor(cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST), cv2.COLOR_GRAY2BGR)


def camera(height: float = 700.0, tilt: float = 20.0, turn: float = 0.0):
    """The pose of a camera: rotation and shift from the mat."""
    lean = np.radians(tilt)
    eye = np.array([0.0, -height * np.tan(lean), height])
    ahead = -eye / np.linalg.norm(eye)
    right = np.array([np.cos(turn), np.sin(turn), 0.0])
    right -= ahead * (right @ ahead)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    return rotation, -rotation @ eye


def checked_mat() -> np.ndarray:
    """An oilcloth of white and red checks of 14 mm."""
    y, x = np.mgrid[0 : 430 * PX, 0 : 740 * PX] // (14 * PX)
    paints = np.array([(225, 230, 232), (120, 120, 225), (60, 60, 205)], dtype=np.uint8)
    return paints[x % 2 + y % 2]


def dotted_mat(apart: float = 37.0, wide: float = 11.0) -> np.ndarray:
    """A green cloth with rows of yellow dots, as large as figures are from above."""
    y, x = np.mgrid[0 : 430 * PX, 0 : 740 * PX] / PX
    x = x + apart / 2 * (y // apart % 2)
    dots = np.hypot(x % apart - apart / 2, y % apart - apart / 2) < wide
    return np.where(dots[..., None], (30, 188, 236), (120, 170, 110)).astype(np.uint8)


def painted_mat(seed: int = 3) -> np.ndarray:
    """A mat with a picture: strokes and clouds of every colour and size."""
    chance = np.random.default_rng(seed)
    picture = np.zeros((430 * PX, 740 * PX, 3), dtype=np.float32)
    for size, weight in ((160, 60), (40, 60), (10, 45), (4, 25)):
        noise = chance.normal(0, 1, (430 * PX // (size * PX) + 2, 740 * PX // (size * PX) + 2, 3)).astype(np.float32)
        picture += weight * cv2.resize(noise, (740 * PX, 430 * PX), interpolation=cv2.INTER_CUBIC)
    return np.clip(picture + 110, 8, 245).astype(np.uint8)


def wooden_mat(seed: int = 5) -> np.ndarray:
    """Planks of 60 mm with grain along them."""
    chance = np.random.default_rng(seed)
    grain = cv2.resize(chance.normal(0, 1, (430, 24)).astype(np.float32), (740 * PX, 430 * PX))
    planks = np.repeat(chance.uniform(0.7, 1.15, (8, 1)), 60 * PX, axis=0)[: 430 * PX]
    seams = (np.arange(430 * PX) % (60 * PX) < PX)[:, None]
    shade = (planks + 0.16 * grain) * np.where(seams, 0.4, 1.0)
    return np.clip(shade[..., None] * (70, 115, 165), 5, 250).astype(np.uint8)


def lit(picture: np.ndarray, colour=(0.7, 0.82, 0.9), fall: float = 0.35) -> np.ndarray:
    """The picture under another lamp: of another colour, and weaker towards one side."""
    ramp = 1 - fall * np.linspace(0, 1, picture.shape[1])[None, :, None]
    light = (picture / 255.0) ** 2.2 * ramp * np.array(colour)
    return np.clip(light ** (1 / 2.2) * 255, 0, 255).astype(np.uint8)


def draw_table(
    cards: dict[str, int], *, stickers: bool = True, view=None, mat_tags=range(6), colour=(96, 80, 70), mat=None
):
    """Draw a table with rooms (`{"2:R1": 3}`) as a camera would see it; `mat` is a picture of the whole mat."""
    rotation, shift = view or camera()
    flat = np.full((430 * PX, 740 * PX, 3), colour, dtype=np.uint8) if mat is None else mat.copy()

    def put(picture: np.ndarray, x: float, y: float) -> None:
        rows, columns = picture.shape[:2]
        left, top = round((x + 370) * PX - columns / 2), round((215 - y) * PX - rows / 2)
        flat[top : top + rows, left : left + columns] = picture

    for number, x, y in MAT_TAGS:
        if number in mat_tags:
            put(tag(number, 32), x, y)
    for place, number in cards.items():
        level, slot = place.split(":")
        x, y = (SLOTS.index(slot) - 3) * (CARD[0] + GAP), (3 - int(level)) * (CARD[1] + GAP)
        put(art(number), x, y)
        if stickers:
            put(tag(10 + number, 18), x + CARD[0] / 2 - INSET, y + CARD[1] / 2 - INSET)
    matrix = np.array([[FOCAL, 0, SIZE[0] / 2], [0, FOCAL, SIZE[1] / 2], [0, 0, 1]])
    to_mm = np.array([[1 / PX, 0, -370], [0, -1 / PX, 215], [0, 0, 1]])
    bend = matrix @ np.column_stack([rotation[:, 0], rotation[:, 1], shift]) @ to_mm
    picture = cv2.warpPerspective(flat, bend, SIZE, flags=cv2.INTER_AREA, borderValue=(120, 130, 140))
    noise = np.random.default_rng(1).normal(0, 2, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)
