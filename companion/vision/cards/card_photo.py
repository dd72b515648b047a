"""A card on a photo taken by hand: found by its outline, rectified, and named by photos that were taken before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.vision.cards.card_match import describe

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from companion.vision.arrays import Array

SIZE: Final = (160, 240)
"""Pixels of a rectified card; it is compared at a quarter of that."""
LARGEST: Final = 1600
"""Pixels of a photo's longer side that are looked at."""
WORKED: Final = 320
LEAST: Final = 0.12
"""Of the photo that a card fills at least."""
FILLED: Final = 0.8
"""Of its rectangle that an outline fills at least."""
LONG, SHORT = 1.9, 1.15
"""Longer to shorter side of a card, at most and at least."""
RIM: Final = 0.06
OFF: Final = 16.0
"""Distance in Lab from the table, measured at the rim of the photo."""
ALIKE: Final = 1.78
"""How similar a photo of the same card is at least, of 2 at most: strange ones reached 1.74 of drawn photos."""
LEAD: Final = 0.1
"""By how much it is more similar than any other card."""


@dataclass(frozen=True, slots=True)
class CardNamed:
    """The card of a photo, how similar it is, and its lead over the next one."""

    card: str
    score: float
    lead: float

    @property
    def is_sure(self) -> bool:
        return self.score >= ALIKE and self.lead >= LEAD


def read_photo(content: bytes) -> Array | None:
    """Return a photo, or None for bytes that are no picture."""
    if not content:
        return None
    picture = cv2.imdecode(np.frombuffer(content, dtype=np.uint8), cv2.IMREAD_COLOR)
    if picture is None or min(picture.shape[:2]) < WORKED // 8:
        return None
    scale = LARGEST / max(picture.shape[:2])
    return np.asarray(picture if scale >= 1 else cv2.resize(picture, None, fx=scale, fy=scale))


def write_photo(card: Array) -> bytes:
    return bytes(cv2.imencode(".jpg", card, [cv2.IMWRITE_JPEG_QUALITY, 88])[1])


def cards_in(photo: Array) -> list[Array]:
    """Return what may be the card on a photo, rectified and standing on its shorter side, the likeliest first.

    The last one is the photo itself: somebody may have filled it with the card.
    """
    scale = WORKED / max(photo.shape[:2])
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    found = [_rectified(photo, corners / scale) for mask in _masks(small) for corners in _quads(mask)]
    height, width = photo.shape[:2]
    whole = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    return [*found, _rectified(photo, whole)]


def _masks(small: Array) -> Iterator[Array]:
    """Yield what is something else than the table: by its colour, then by its edges."""
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.5).astype(np.float32) / 255, cv2.COLOR_BGR2LAB)
    edge = max(2, round(RIM * min(small.shape[:2])))
    rim = np.ones(small.shape[:2], dtype=bool)
    rim[edge:-edge, edge:-edge] = False
    spread = np.median(np.linalg.norm(lab[rim] - np.median(lab[rim], axis=0), axis=1))
    strange = np.linalg.norm(lab - np.median(lab[rim], axis=0), axis=2) > max(OFF, 3 * float(spread))
    yield _closed(strange.astype(np.uint8))
    grey = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.0), cv2.COLOR_BGR2GRAY)
    middle = float(np.median(grey))
    yield _closed((cv2.Canny(grey, 0.5 * middle, 1.2 * middle) > 0).astype(np.uint8))


def _closed(mask: Array) -> Array:
    return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8)))


def _quads(mask: Array) -> Iterator[Array]:
    """Yield the corners of outlines that may be a card, the largest first."""
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for contour in sorted(contours, key=cv2.contourArea, reverse=True)[:2]:
        hull = cv2.convexHull(contour)
        area = cv2.contourArea(hull)
        if area < LEAST * mask.size:
            return
        corners = _corners(hull)
        sides = [float(np.linalg.norm(corners[one] - corners[one - 1])) for one in range(4)]
        long, short = max(sides[0] + sides[2], sides[1] + sides[3]), min(sides[0] + sides[2], sides[1] + sides[3])
        if short > 0 and SHORT <= long / short <= LONG and area >= FILLED * cv2.contourArea(corners):
            yield corners


def _corners(hull: Array) -> Array:
    """Return the four corners of an outline, or of the rectangle around it where it has not four."""
    length = cv2.arcLength(hull, closed=True)
    for share in (0.02, 0.04, 0.06, 0.08):
        found = cv2.approxPolyDP(hull, share * length, closed=True)
        if len(found) == 4:  # noqa: PLR2004 - a card has four corners
            return np.asarray(found.reshape(4, 2), dtype=np.float32)
    return np.asarray(cv2.boxPoints(cv2.minAreaRect(hull)), dtype=np.float32)


def _rectified(photo: Array, corners: Array) -> Array:
    """Return the card between four corners, standing on its shorter side."""
    middle = corners.mean(axis=0)
    around = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    ring = corners[np.argsort(around)].astype(np.float32)
    if np.linalg.norm(ring[1] - ring[0]) > np.linalg.norm(ring[2] - ring[1]):
        ring = np.roll(ring, 1, axis=0)
    width, height = SIZE
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    return np.asarray(cv2.warpPerspective(photo, cv2.getPerspectiveTransform(ring, flat), SIZE))


class CardAlbum:
    """Photos of cards by their names, several of a card at most."""

    def __init__(self, photos: Mapping[str, Sequence[Array]]) -> None:
        self._names = [name for name, pictures in photos.items() for _ in pictures]
        rows = [describe(picture) for pictures in photos.values() for picture in pictures]
        self._rows = np.stack(rows) if rows else np.zeros((0, 1), dtype=np.float32)

    def name(self, photo: Array) -> tuple[CardNamed | None, Array]:
        """Return the card that is most like what a photo shows, and that rectified as the enrolled one stands."""
        shown = cards_in(photo)
        best: CardNamed | None = None
        picture = shown[0]
        for card in shown if self._names else ():
            for way in (card, np.ascontiguousarray(card[::-1, ::-1])):
                found = self._named(self._rows @ describe(way))
                if best is None or found.score > best.score:
                    best, picture = found, way
        return best, picture

    def _named(self, scores: Array) -> CardNamed:
        place = int(scores.argmax())
        name, score = self._names[place], float(scores[place])
        others = [float(one) for one, other in zip(scores, self._names, strict=True) if other != name]
        return CardNamed(name, score, score - max(others, default=0.0))
