"""Names a whole card by its pictures where nothing hides it: gradients (HOG) and colour, in any light.

Three pictures a card, taken in different light, name it far better than one.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.profile import Card
from companion.vision.ranks import quantile

WIDTH, HEIGHT = 40, 60
CELL, BINS = 5, 8
WHITE_PART = 0.85  # of the pixels are darker than what is taken for white
COLOUR_BLUR = 1.5
TINY = 1e-6


@dataclass(frozen=True, slots=True)
class Named:
    """The likeliest card, its likeness up to 2, and its lead over the next other card: none where there is no other."""

    card: Card
    score: float
    margin: float


class Gallery:
    """Enrolled pictures of cards."""

    def __init__(self, enrolled: list[tuple[Card, Array]]) -> None:
        self._cards = [card for card, _ in enrolled]
        rows = [describe(picture) for _, picture in enrolled]
        self._rows = np.stack(rows) if rows else np.zeros((0, 1), dtype=np.float32)

    def name(self, picture: Array, *, either_way_up: bool = False) -> Named | None:
        """Name the card that a picture shows from edge to edge."""
        if not self._cards:
            return None
        ways = [picture, picture[::-1, ::-1]] if either_way_up else [picture]
        scores = np.max([self._rows @ describe(way) for way in ways], axis=0)
        best = int(scores.argmax())
        card = self._cards[best]
        others = [float(s) for s, other in zip(scores, self._cards, strict=True) if other.name != card.name]
        score = float(scores[best])
        return Named(card, score, score - max(others, default=score))


def describe(picture: Array) -> Array:
    """Describe a picture of a card: gradients by cell and direction, then colours; each part of unit length."""
    small = cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).astype(np.float32)
    white = quantile(small.reshape(-1, 3), WHITE_PART, axis=0)
    lab = cv2.cvtColor(np.clip(small / np.maximum(white, 1), 0, 1).astype(np.float32), cv2.COLOR_BGR2LAB)
    colours = cv2.GaussianBlur(np.ascontiguousarray(lab[..., 1:]), (0, 0), COLOUR_BLUR)
    return np.concatenate([_unit(_gradients(np.ascontiguousarray(lab[..., 0]))), _unit(colours.ravel())])


def _gradients(light: Array) -> Array:
    """Sum gradients by cell and direction, each shared between the two nearest directions."""
    across = cv2.Sobel(light, cv2.CV_32F, 1, 0, ksize=1)
    along = cv2.Sobel(light, cv2.CV_32F, 0, 1, ksize=1)
    length = np.hypot(across, along)
    direction = (np.arctan2(along, across) % np.pi) / np.pi * BINS
    first = np.floor(direction).astype(int) % BINS
    part = direction - np.floor(direction)
    size = (WIDTH // CELL, HEIGHT // CELL)
    layers = []
    for index in range(BINS):
        share = length * ((first == index) * (1 - part) + ((first + 1) % BINS == index) * part)
        layers.append(cv2.resize(share.astype(np.float32), size, interpolation=cv2.INTER_AREA))
    return np.asarray(np.sqrt(np.stack(layers, axis=-1)).ravel())


def _unit(values: Array) -> Array:
    return np.asarray(values / (np.linalg.norm(values) + TINY), dtype=np.float32)
