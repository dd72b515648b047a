"""Confirm rooms named by picture while other cards of the deck have no picture yet.

A card that is not enrolled would be taken for whatever is most similar, and look-alikes are very similar. Compared
block by block at full resolution, a card either matches nearly everywhere, or is another one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.vision.cards.card_match import CardArt, size_mm
from companion.vision.cards.card_match_fine import FineMatcher
from companion.vision.cards.placing import INSET, MARGIN_MM, CardPlacement
from companion.vision.scene.expected import CELL, warp_onto

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.camera.top_view import ViewFrame
    from companion.vision.profile import Profile

BLOCKS = (16, 12)  # of 5 mm: small enough for a single shape, or two letters of a title, to fill one
REACH = 2  # pixels that a block may lie off: sleeves curl
BLUR = 0.8
FLAT, BUSY = 4.0, 12.0  # grey levels: a block with less contrast is ignored, unless the other one has much
ALIKE, SHARE = 0.8, 0.84  # how like a block has to be, and how many of them


class PartialDeckCheck:
    """Knows which rooms are enrolled; once all of them are, there is nothing to confirm."""

    def __init__(self, profile: Profile, arts: list[CardArt]) -> None:
        self._profile = profile
        self._pages: dict[str, list[Array]] = {}
        rooms = {card.name for card in profile.cards.values() if card.kind == "room"}
        enrolled = {art.card.name for art in arts} & rooms
        self.needed = bool(enrolled) and enrolled != rooms
        for art in arts if self.needed else ():
            self._pages.setdefault(art.card.name, []).append(_smooth(art.picture))

    def bears_out(self, seen: Array, placement: CardPlacement, frame: ViewFrame) -> bool:
        """Return whether the card there matches its picture block by block; `seen` is the view in linear light."""
        pages = self._pages.get(placement.card.name, [])
        if placement.tag is not None or placement.card.kind != "room" or not pages:
            return True
        cut = self._cut(seen, placement, frame, pages[0].shape)
        return any((likenesses(cut, page) > ALIKE).mean() > SHARE for page in pages)

    def _cut(self, seen: Array, placement: CardPlacement, frame: ViewFrame, shape: tuple[int, ...]) -> Array:
        """Rectify a card: upright, as large as its page and a little more on every side."""
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
    """Return the similarity of two pictures of a card in every block that has contrast (-1 to 1)."""
    tops, lefts = _edges(page.shape)
    busy, inner = _contrasts(page), _contrasts(np.ascontiguousarray(cut[REACH:-REACH, REACH:-REACH]), REACH)
    likes = [-1.0] * (1 + int(((busy <= FLAT) & (inner > BUSY)).sum()))
    for down, right in np.argwhere(busy > FLAT):
        top, low, left, end = tops[down], tops[down + 1], lefts[right], lefts[right + 1]
        window = cut[top : low + 2 * REACH, left : end + 2 * REACH]
        likes.append(float(cv2.matchTemplate(window, page[top:low, left:end], cv2.TM_CCOEFF_NORMED).max()))
    return np.array(likes)


def _edges(shape: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Return the first row and column of each block, and the end of the last one."""
    (columns, rows), (height, width) = BLOCKS, shape[:2]
    return [n * height // rows for n in range(rows + 1)], [n * width // columns for n in range(columns + 1)]


def _contrasts(picture: Array, inset: int = 0) -> Array:
    """Return the contrast of each block of a picture, `inset` pixels inside it, whatever its colour."""
    tops, lefts = (np.array(edges) for edges in _edges(picture.shape))
    low, end, tops, lefts = tops[1:] - inset, lefts[1:] - inset, tops[:-1] + inset, lefts[:-1] + inset
    sizes = np.outer(low - tops, end - lefts)[..., None]
    mean, power = (
        (sums[np.ix_(low, end)] - sums[np.ix_(tops, end)] - sums[np.ix_(low, lefts)] + sums[np.ix_(tops, lefts)])
        / sizes
        for sums in cv2.integral2(picture, sdepth=cv2.CV_64F, sqdepth=cv2.CV_64F)
    )
    return np.asarray(np.sqrt(np.maximum(power - mean * mean, 0).mean(axis=2)))


def _smooth(picture: Array) -> Array:
    return np.asarray(cv2.GaussianBlur(picture.astype(np.float32), (0, 0), BLUR))


KEPT = 6


class FineMatchers:
    """Fine matchers by kind of card and sticker size, made when first asked for."""

    def __init__(self, profile: Profile, frame: ViewFrame, arts: list[CardArt], drawn: dict[int, Array]) -> None:
        self._profile, self._scale, self._drawn = profile, frame.scale, drawn
        self._arts = {kind: self._whole(arts, kind) for kind in ("room", "threat")}
        self._kept: dict[tuple[str, int], FineMatcher] = {}

    def of(self, kind: str, sticker: float) -> FineMatcher | None:
        """Return the matcher of a kind with stickers of this size (mm, 0: without); None if a picture is missing."""
        if not self._arts[kind]:
            return None
        size = round(sticker)
        if (kind, size) not in self._kept:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            arts = self._arts[kind]
            self._kept[kind, size] = FineMatcher(
                [one for art in arts for one in self._stuck(art, size)] if size else arts
            )
        return self._kept[kind, size]

    def whole(self, kind: str) -> bool:
        """Return whether every card of a kind has a picture."""
        return bool(self._arts[kind])

    def _whole(self, arts: list[CardArt], kind: str) -> list[CardArt]:
        """Return the pictures of a kind, or none if one is missing: what is missing looks like another."""
        chosen = [art for art in arts if art.card.kind == kind]
        cards = {card.name for card in self._profile.cards.values() if card.kind == kind}
        return chosen if {art.card.name for art in chosen} == cards else []

    def _stuck(self, art: CardArt, size: int) -> list[CardArt]:
        """Draw each sticker of a card where it is stuck: in its far right corner."""
        tags = [tag for tag in art.card.tags if tag in self._drawn]
        return [replace(art, picture=self._with(art.picture, self._drawn[tag], size)) for tag in tags] or [art]

    def _with(self, picture: Array, sticker: Array, size: int) -> Array:
        inset, half = (size * INSET + MARGIN_MM) * self._scale, size * self._scale / 2
        cells = len(sticker) // CELL
        half *= cells / (cells - 2)  # its quiet zone
        middle = np.array([picture.shape[1] - inset, inset]) - 0.5
        stuck = picture.copy()
        warp_onto(stuck, sticker, middle + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]))
        return stuck
