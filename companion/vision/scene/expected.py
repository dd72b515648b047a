"""Render what the table should look like from above if only the known cards lay on it, and align cards with it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.vision.cards.card_match import size_mm
from companion.vision.scene import light

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.camera.top_view import ViewFrame
    from companion.vision.cards.placing import CardPlacement
    from companion.vision.profile import CardProfile, Profile

INK, PAPER = 18, 235
CELL = 4  # pixels of a drawn sticker's cell


@dataclass(frozen=True, slots=True)
class Expected:
    """The picture rendered, and for each pixel the number of its placement from 1 (0: none)."""

    picture: Array
    owner: Array


class ExpectedPainter:
    """Draws placements into a view."""

    def __init__(self, profile: Profile, pictures: dict[str, Array], drawn: dict[int, Array]) -> None:
        self._profile, self._pictures = profile, pictures
        self._stickers = drawn
        self._cells = next((len(d) // CELL for d in drawn.values()), 10)

    def knows(self, card: CardProfile) -> bool:
        return card.name in self._pictures

    def paint(self, placements: list[CardPlacement], frame: ViewFrame) -> Expected:
        """Draw rooms, then the threats on them, each with its sticker."""
        shape = (frame.height, frame.width)
        blank = Expected(np.zeros((*shape, 3), dtype=np.uint8), np.zeros(shape, dtype=np.uint8))
        return self.add(blank, placements, 0, frame)

    def add(self, onto: Expected, placements: list[CardPlacement], known: int, frame: ViewFrame) -> Expected:
        """Draw more placements, all of them threats, over the `known` ones that are drawn already."""
        for index in sorted(range(known, len(placements)), key=lambda i: placements[i].card.kind == "threat"):
            self._card(onto, placements[index], index + 1, frame)
        return onto

    def _card(self, onto: Expected, placement: CardPlacement, number: int, frame: ViewFrame) -> None:
        corners = frame.pixels(self._corners(placement))
        picture = self._pictures.get(placement.card.name)
        if picture is not None:
            warp_onto(onto.picture, picture, corners)
            cv2.fillConvexPoly(onto.owner, np.rint(corners).astype(np.int32), number)
        if placement.tag is not None and placement.sticker in self._stickers:
            middle = placement.tag.mean(axis=0)
            quiet = middle + (placement.tag - middle) * (self._cells / (self._cells - 2))
            warp_onto(onto.picture, self._stickers[placement.sticker], frame.pixels(quiet))

    def _corners(self, placement: CardPlacement) -> Array:
        width, height = size_mm(placement.card, self._profile)
        half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * (width / 2, height / 2)
        cos, sin = np.cos(placement.turn), np.sin(placement.turn)
        return np.asarray(half @ np.array([[cos, sin], [-sin, cos]]) + (placement.x, placement.y))


def warp_onto(canvas: Array, picture: Array, corners: Array) -> None:
    """Warp a picture so that its corners come to lie on these pixels."""
    rows, columns = picture.shape[:2]
    low = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(corners.max(axis=0)).astype(int) + 1, (canvas.shape[1], canvas.shape[0]))
    if (high - low).min() < 1:
        return
    source = np.array([[-0.5, -0.5], [columns - 0.5, -0.5], [-0.5, rows - 0.5]], dtype=np.float32)
    bend = cv2.getAffineTransform(source, (corners[[0, 1, 3]] - low).astype(np.float32))
    patch = canvas[low[1] : high[1], low[0] : high[0]]
    cv2.warpAffine(
        picture,
        bend,
        (patch.shape[1], patch.shape[0]),
        dst=patch,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_TRANSPARENT,
    )


def stickers(dictionary: str, ids: tuple[int, ...]) -> dict[int, Array]:
    """Draw every tag as printed, with its quiet zone."""
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{dictionary}"))
    cells = known.markerSize + 2
    found = {}
    for tag in ids:
        if tag >= len(known.bytesList):
            continue
        paper = np.full((cells + 2, cells + 2), 255, dtype=np.uint8)
        paper[1:-1, 1:-1] = cv2.aruco.generateImageMarker(known, tag, cells)
        large = cv2.resize(paper, None, fx=CELL, fy=CELL, interpolation=cv2.INTER_NEAREST)
        found[tag] = np.asarray(cv2.cvtColor(np.clip(large, INK, PAPER), cv2.COLOR_GRAY2BGR))
    return found


FARTHEST_MM = 3.0
STEEPEST = 0.06
HOLD = np.diag([1.0, 1.0, 1000.0]).astype(np.float32)


def alignment_steps(seen: Array, told: Array, mine: Array) -> Array:
    """Return how far each card lies from where it was drawn: (n, 3) of pixels right, pixels down and radians.

    `seen` and `told` are grey windows (n, h, w) in linear light, `mine` masks where the card is on top. Pixels that
    something covers do not pull.
    """
    height, width = told.shape[1:]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    around = (x - width / 2, y - height / 2)
    return np.stack([_step(*card, around) for card in zip(seen, told, mine, strict=True)])


def _step(seen: Array, told: Array, mine: Array, around: tuple[Array, Array]) -> Array:
    """Measure the step of one card: its data fits into the processor's cache."""
    right, down = _slopes(told)
    slope = -np.stack([right, down, down * around[0] - right * around[1]]).reshape(3, -1)
    scale = light.DARK + light.SHARE * np.maximum(told, 0)
    off = seen - told
    reach = off / (scale + np.abs(right) + np.abs(down))  # an edge one pixel off is not strange
    weight = np.where(mine & (seen < light.DAZZLED), 1 / ((1 + reach * reach) * scale) ** 2, 0).ravel()
    weighted = slope * weight
    return np.asarray(np.linalg.solve(weighted @ slope.T + HOLD, weighted @ off.ravel()))


def _slopes(told: Array) -> tuple[Array, Array]:
    """Return the gradients, right and down; a card may reach beyond its window."""
    right, down = (
        np.asarray(cv2.Sobel(told, cv2.CV_32F, *way, ksize=1, scale=0.5, borderType=cv2.BORDER_REPLICATE))
        for way in ((1, 0), (0, 1))
    )
    right[:, [0, -1]] *= 2
    down[[0, -1]] *= 2
    return right, down


def nudge(placement: CardPlacement, step: Array, scale: float, middle: tuple[float, float]) -> CardPlacement:
    """Move a placement by a step that was measured around the middle of its window (mm)."""
    turn = float(np.clip(-step[2], -STEEPEST, STEEPEST))
    right, up = (float(np.clip(v / scale, -FARTHEST_MM, FARTHEST_MM)) for v in (step[0], -step[1]))
    off_x, off_y = placement.x - middle[0], placement.y - middle[1]
    return replace(
        placement, x=placement.x + right - off_y * turn, y=placement.y + up + off_x * turn, turn=placement.turn + turn
    )
