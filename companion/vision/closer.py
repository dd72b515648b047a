"""Looks closer at rooms that a picture named, while others of the deck have no picture yet.

What is not enrolled would be taken for whatever comes nearest, and its look-alikes come very near. Close by, block by
block, a card is either itself nearly everywhere, or another one.
"""

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.art import Art, size_mm
from companion.vision.placing import Placement
from companion.vision.profile import Profile
from companion.vision.view import Frame

BLOCKS = (8, 6)
REACH = 2  # pixels that a block may lie off: sleeves curl
BLUR = 0.8
FLAT, BUSY = 4.0, 12.0  # grey levels: a block with less contrast says nothing, unless the other one has much
ALIKE, SHARE = 0.85, 0.63  # how like a block has to be, and how many of them


class Closer:
    """Knows which rooms are enrolled; with all of them there is nothing to look closer at."""

    def __init__(self, profile: Profile, arts: list[Art]) -> None:
        self._profile = profile
        self._pages: dict[str, list[Array]] = {}
        rooms = {card.name for card in profile.cards.values() if card.kind == "room"}
        enrolled = {art.card.name for art in arts} & rooms
        self.needed = bool(enrolled) and enrolled != rooms
        for art in arts if self.needed else ():
            self._pages.setdefault(art.card.name, []).append(_smooth(art.picture))

    def bears_out(self, seen: Array, placement: Placement, frame: Frame) -> bool:
        """Whether what lies there is this card from close by; `seen` is the view in linear light."""
        pages = self._pages.get(placement.card.name, [])
        if placement.tag is not None or placement.card.kind != "room" or not pages:
            return True
        cut = self._cut(seen, placement, frame, pages[0].shape)
        return any((likenesses(cut, page) > ALIKE).mean() > SHARE for page in pages)

    def _cut(self, seen: Array, placement: Placement, frame: Frame, shape: tuple[int, ...]) -> Array:
        """The card as it lies, upright, as large as its page and a little more on every side."""
        half = np.array([[-1, 1], [1, 1], [-1, -1]]) * np.array(size_mm(placement.card, self._profile)) / 2
        cos, sin = np.cos(placement.turn), np.sin(placement.turn)
        corners = frame.pixels(half @ np.array([[cos, sin], [-sin, cos]]) + (placement.x, placement.y))
        rows, columns = shape[:2]
        page = np.array([[0, 0], [columns, 0], [0, rows]]) + REACH - 0.5
        bend = cv2.getAffineTransform(corners.astype(np.float32), page.astype(np.float32))
        size = (columns + 2 * REACH, rows + 2 * REACH)
        seen = cv2.warpAffine(seen, bend, size, flags=cv2.INTER_LINEAR)
        return _smooth(255 * np.clip(seen, 0, 1) ** np.float32(1 / 2.2))


def likenesses(cut: Array, page: Array) -> Array:
    """How like two pictures of a card are in every block that shows something (-1 to 1)."""
    (columns, rows), (height, width), likes = BLOCKS, page.shape[:2], [-1.0]
    for down in range(rows):
        for right in range(columns):
            top, low = down * height // rows, (down + 1) * height // rows
            left, end = right * width // columns, (right + 1) * width // columns
            block = page[top:low, left:end]
            window = cut[top : low + 2 * REACH, left : end + 2 * REACH]
            if _contrast(block) > FLAT:
                likes.append(float(cv2.matchTemplate(window, block, cv2.TM_CCOEFF_NORMED).max()))
            elif _contrast(window[2 * REACH : -2 * REACH, 2 * REACH : -2 * REACH]) > BUSY:
                likes.append(-1.0)
    return np.array(likes)


def _contrast(block: Array) -> float:
    return float((block - block.mean(axis=(0, 1))).std())


def _smooth(picture: Array) -> Array:
    return np.asarray(cv2.GaussianBlur(picture.astype(np.float32), (0, 0), BLUR))
