"""Draws what the table should look like from above, if only the known cards lay on it."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.camera.view import Frame
from companion.vision.cards.art import size_mm
from companion.vision.cards.placing import Placement
from companion.vision.profile import Card, Profile

INK, PAPER = 18, 235
CELL = 4  # pixels of a drawn sticker's cell


@dataclass(frozen=True, slots=True)
class Expected:
    """The picture drawn, and for each pixel the number of its placement from 1 (0: none)."""

    picture: Array
    owner: Array


class Painter:
    """Draws placements into a view."""

    def __init__(self, profile: Profile, pictures: dict[str, Array], drawn: dict[int, Array]) -> None:
        self._profile, self._pictures = profile, pictures
        self._stickers = drawn
        self._cells = next((len(d) // CELL for d in drawn.values()), 10)

    def knows(self, card: Card) -> bool:
        """Say whether a card has a picture."""
        return card.name in self._pictures

    def paint(self, placements: list[Placement], frame: Frame) -> Expected:
        """Draw rooms, then the threats on them, each with its sticker."""
        shape = (frame.height, frame.width)
        blank = Expected(np.zeros((*shape, 3), dtype=np.uint8), np.zeros(shape, dtype=np.uint8))
        return self.add(blank, placements, 0, frame)

    def add(self, onto: Expected, placements: list[Placement], known: int, frame: Frame) -> Expected:
        """Draw more placements over what is drawn already, of which there are `known`; those to come are threats."""
        for index in sorted(range(known, len(placements)), key=lambda i: placements[i].card.kind == "threat"):
            self._card(onto, placements[index], index + 1, frame)
        return onto

    def _card(self, onto: Expected, placement: Placement, number: int, frame: Frame) -> None:
        corners = frame.pixels(self._corners(placement))
        picture = self._pictures.get(placement.card.name)
        if picture is not None:
            warp_onto(onto.picture, picture, corners)
            cv2.fillConvexPoly(onto.owner, np.rint(corners).astype(np.int32), number)
        if placement.tag is not None and placement.sticker in self._stickers:
            middle = placement.tag.mean(axis=0)
            quiet = middle + (placement.tag - middle) * (self._cells / (self._cells - 2))
            warp_onto(onto.picture, self._stickers[placement.sticker], frame.pixels(quiet))

    def _corners(self, placement: Placement) -> Array:
        width, height = size_mm(placement.card, self._profile)
        half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * (width / 2, height / 2)
        cos, sin = np.cos(placement.turn), np.sin(placement.turn)
        return np.asarray(half @ np.array([[cos, sin], [-sin, cos]]) + (placement.x, placement.y))


def warp_onto(canvas: Array, picture: Array, corners: Array) -> None:
    """Draw a picture so that its corners come to lie on these pixels."""
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
