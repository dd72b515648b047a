"""Flat papers on a table before a known camera, and round figures that stand and lie on them."""

import cv2
import numpy as np

from companion.cards.loader import builtin
from companion.pieces.drawing.raster import render
from companion.pieces.sheets.all_pieces import PrintedBox
from tests.vision import tables

FOCAL, SIZE = tables.FOCAL, tables.SIZE
MATRIX = np.array([[FOCAL, 0, SIZE[0] / 2], [0, FOCAL, SIZE[1] / 2], [0, 0, 1]])
PX = 4
TABLE = (95, 110, 125)


def paper(name: str) -> np.ndarray:
    """A printed paper by its id, at PX pixels a millimetre, and its size."""
    box = PrintedBox(builtin("homemade"), "en", "http://table.local/")
    piece = next(piece for piece in box.pieces("tags") if piece.id == name)
    return next(render([piece], PX)), piece.size


def facing(eye, target=(0.0, 0.0, 0.0), spin: float = 0.0):
    """A camera at a place (mm) that looks at a target: rotation and shift."""
    eye = np.array(eye, dtype=float)
    ahead = np.array(target) - eye
    ahead /= np.linalg.norm(ahead)
    right = np.array([np.cos(spin), np.sin(spin), 0.0])
    right -= ahead * (right @ ahead)
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    return rotation, -rotation @ eye


def shown(flat: np.ndarray, size_mm, view, *, seed: int = 1, ground=TABLE) -> np.ndarray:
    """The picture of a flat paper whose middle is the origin."""
    rotation, shift = view
    width, height = size_mm
    to_mm = np.array([[width / flat.shape[1], 0, -width / 2], [0, -height / flat.shape[0], height / 2], [0, 0, 1]])
    bend = MATRIX @ np.column_stack([rotation[:, 0], rotation[:, 1], shift]) @ to_mm
    picture = cv2.warpPerspective(flat, bend, SIZE, flags=cv2.INTER_AREA, borderValue=ground)
    return noisy(picture, seed)


def noisy(picture: np.ndarray, seed: int = 1, by: float = 2.0) -> np.ndarray:
    return np.clip(picture + np.random.default_rng(seed).normal(0, by, picture.shape), 0, 255).astype(np.uint8)


def pixel(view, point) -> np.ndarray:
    rotation, shift = view
    seen = MATRIX @ (rotation @ np.array(point, dtype=float) + shift)
    return seen[:2] / seen[2]


def stand(picture: np.ndarray, view, at, rgb, *, lying: bool = False, size=(30.0, 12.0)) -> None:
    """Draw a figure of a height and a base in mm: balls from its foot to its head, darker at the sides."""
    tall, half = size[0], size[1] / 2
    for shade, wide in ((0.62, 1.0), (0.75, 0.75), (0.85, 0.4)):
        for up in np.linspace(half, tall - half, 12):
            point = (at[0] + up - tall / 2, at[1], half) if lying else (at[0], at[1], up)
            radius = np.linalg.norm(pixel(view, point) - pixel(view, (point[0] + half, point[1], point[2]))) * wide
            light = (np.array(rgb[::-1]) / 255) ** 2.2 * shade
            colour = tuple(int(v) for v in 255 * light ** (1 / 2.2))
            cv2.circle(picture, tuple(int(v) for v in pixel(view, point)), round(radius), colour, -1, cv2.LINE_AA)


def stand_slim(picture: np.ndarray, view, at, rgb, *, lying: bool = False) -> None:
    """Draw a figure of 30 mm that is only two legs, with paper between and around them."""
    colour = tuple(int(part * 0.75) for part in rgb[::-1])
    wide = np.linalg.norm(pixel(view, (*at, 0.0)) - pixel(view, (at[0] + 2.0, at[1], 0.0)))
    for side in (-6.0, 6.0):
        ends = (
            ((at[0] - 14, at[1] + side, 2.0), (at[0] + 14, at[1] + side, 2.0))
            if lying
            else ((at[0] + side, at[1], 0.0), (at[0] + side, at[1], 28.0))
        )
        first, last = (tuple(int(v) for v in pixel(view, end)) for end in ends)
        cv2.line(picture, first, last, colour, round(wide), cv2.LINE_AA)


def card_at(picture_of_card: np.ndarray, *, turn: float = 0.0, tag: int | None = None, on=None) -> np.ndarray:
    """The mat with one card on its middle; `on` puts something over the flat mat."""
    flat = np.full((430 * PX, 740 * PX, 3), (96, 80, 70), dtype=np.uint8)
    for number, x, y in tables.MAT_TAGS:
        _put(flat, _tag(number, 32), x, y, 0)
    if picture_of_card is not None:
        card = finer(picture_of_card)
        if tag is not None:
            mark = _tag(tag, 18)
            left = card.shape[1] - mark.shape[1] - 4
            card[4 : 4 + mark.shape[0], left : left + mark.shape[1]] = mark
        _put(flat, card, 0, 0, turn)
    if on is not None:
        on(flat)
    return shown(flat, (740, 430), tables.camera(), ground=(120, 130, 140))


def _tag(number: int, size_mm: float) -> np.ndarray:
    return finer(tables.tag(number, size_mm))


def finer(picture: np.ndarray) -> np.ndarray:
    return cv2.resize(picture, None, fx=PX / tables.PX, fy=PX / tables.PX, interpolation=cv2.INTER_AREA)


def _put(flat: np.ndarray, piece: np.ndarray, x: float, y: float, turn: float) -> None:
    rows, columns = piece.shape[:2]
    bend = cv2.getRotationMatrix2D((columns / 2, rows / 2), turn, 1.0)
    bend[:, 2] += ((x + 370) * PX - columns / 2, (215 - y) * PX - rows / 2)
    size = (flat.shape[1], flat.shape[0])
    cv2.warpAffine(piece, bend, size, dst=flat, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT)
