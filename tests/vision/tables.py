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


def draw_table(cards: dict[str, int], *, stickers: bool = True, view=None, mat_tags=range(6), colour=(96, 80, 70)):
    """Draw a table with rooms (`{"2:R1": 3}`) as a camera would see it."""
    rotation, shift = view or camera()
    flat = np.full((430 * PX, 740 * PX, 3), colour, dtype=np.uint8)

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
