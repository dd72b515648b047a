"""Name cards without a readable tag by their pictures, also from a half enrolled deck, or report something unknown."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.vision.cards.card_match import BlockMatcher, CardArt, Match, size_mm
from companion.vision.cards.card_match_fine import FineMatch, FineMatcher
from companion.vision.cards.placing import INSET, MARGIN_MM, CardPlacement
from companion.vision.scene.expected import CELL, warp_onto

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.camera.top_view import ViewFrame
    from companion.vision.places import Slot
    from companion.vision.profile import Profile

BLOCKS = (16, 12)  # of 5 mm: small enough for a single shape, or two letters of a title, to fill one
REACH = 2  # pixels that a block may lie off: sleeves curl
BLUR = 0.8
FLAT, BUSY = 4.0, 12.0  # grey levels: a block with less contrast is ignored, unless the other one has much
ALIKE, SHARE = 0.8, 0.84  # how like a block has to be, and how many of them


class PartialDeckCheck:
    """Knows which rooms are enrolled; once all of them are, there is nothing to confirm.

    A card that is not enrolled would be taken for whatever is most similar, and look-alikes are very similar. Compared
    block by block at full resolution, a card either matches nearly everywhere, or is another one.
    """

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


SCALE = 0.5  # pixels a millimetre: fine enough for a card, coarse enough for a sleeve that lies askew
REACH_ROOM, REACH_THREAT = 2, 4
REACH_FINELY = 6  # pixels of the view
ASKEW = (-4.0, 0.0, 4.0)  # degrees that a threat may lie turned
AROUND, RIM = (5, 5), np.ones((3, 3), dtype=np.uint8)  # cells: of a slope of light, and beside a cell
ASIDE = 0.15  # of a cell of 8 mm: what the mat's picture may lie off
BARE = 2.2  # grey levels of texture up to which a slot is bare mat


@dataclass(frozen=True, slots=True)
class Guess:
    """The best card for a picture: its score, and its lead over the next other card."""

    placement: CardPlacement
    score: float
    margin: float
    half_hidden: bool = False
    hinted: float = 0.0  # the score of the card that was asked about

    @property
    def sure(self) -> bool:
        """Whether a whole card is similar enough to name it."""
        if self.half_hidden:
            return (self.score > 0.7 and self.margin > 0.018) or (self.score > 0.58 and self.margin > 0.05)  # noqa: PLR2004
        return (self.score > 0.65 and self.margin > 0.015) or (self.score > 0.52 and self.margin > 0.035)  # noqa: PLR2004

    @property
    def sure_half(self) -> bool:
        """Whether half a card is similar enough to name it."""
        return self.score > 0.66 and self.margin > 0.05  # noqa: PLR2004

    @property
    def clear_threat(self) -> bool:
        """Whether a small card is similar enough by itself."""
        return (self.score > 0.77 and self.margin > 0.06) or (self.score > 0.68 and self.margin > 0.15)  # noqa: PLR2004

    @property
    def sure_threat(self) -> bool:
        """Whether a small card is similar enough to weigh it against the bare room."""
        likely = (self.score > 0.82 and self.margin > 0.04) or (self.score > 0.5 and self.margin > 0.1)  # noqa: PLR2004
        return likely or self.clear_threat


@dataclass(frozen=True, slots=True)
class _Sought:
    """What to look for: pictures, around which middle, of what size, how far off; place and slot; cards to exclude."""

    album: BlockMatcher
    middle: tuple[float, float]
    size: tuple[float, float]
    reach: int
    names: tuple[str, str]
    placed: frozenset[str]


class Recogniser:
    """Compares places of the view with the pictures of a profile."""

    def __init__(self, profile: Profile, frame: ViewFrame, arts: list[CardArt], decks: FineMatchers) -> None:
        self._profile, self._frame = profile, frame
        self._rooms = _album(arts, "room", profile.card, (4, 4))
        self._lifts = _album(arts, "elevator", profile.card, (4, 4))
        self._threats = _album(arts, "threat", profile.threat, (3, 4))
        self._decks = decks

    def within(self, frame: ViewFrame) -> Recogniser:
        """Return the same recogniser for another frame."""
        other = copy(self)
        other._frame = frame  # noqa: SLF001 - of the same class
        return other

    def shrink(self, view: Array) -> Array:
        """Return the small view that pictures are compared in."""
        factor = self._frame.scale / SCALE
        size = (int(self._frame.width / factor), int(self._frame.height / factor))
        return np.asarray(cv2.resize(view, size, interpolation=cv2.INTER_AREA))

    def is_bare(self, small: Array, slot: Slot, mat: Array | None = None) -> bool:
        """Return whether a slot shows only the mat: no texture but the mat's own (`mat`), and a slope of light."""
        window = self._window(small, slot.x, slot.y, self._profile.card, 0)
        if window is None:
            return True
        cells = _cells(window)
        own = None if mat is None else self._window(mat, slot.x, slot.y, self._profile.card, 0)
        if own is None or not own.any(axis=2).all():
            return float(np.abs(cells - cv2.blur(cells, AROUND)).mean()) < BARE
        under = _cells(own) + 1
        lit = cv2.blur(cells, AROUND) / cv2.blur(under, AROUND)
        told = under * lit
        off = np.abs(cells - told) - ASIDE * (cv2.dilate(told, RIM) - cv2.erode(told, RIM))
        return float(np.maximum(off, 0).mean()) < BARE

    def room(
        self, small: Array, slot: Slot, hidden: str = "", placed: frozenset[str] = frozenset(), hint: str = ""
    ) -> Guess | None:
        """Name the room or elevator in a slot.

        `hidden` is the side that a threat lies on; `placed` are cards whose every copy lies elsewhere; `hint` is a
        card that something else suggests: its similarity is returned too.
        """
        album = self._lifts if slot.is_elevator else self._rooms
        sought = _Sought(album, (slot.x, slot.y), self._profile.card, REACH_ROOM, (slot.name, slot.name), placed)
        return self._best(small, sought, hidden, hint)

    def threat(self, small: Array, slot: Slot, side: str, placed: frozenset[str] = frozenset()) -> Guess | None:
        """Name the threat on one side of a room; `placed` are cards whose every copy lies elsewhere."""
        dx, _ = self._profile.space_offsets[side]
        near = (slot.x + dx, slot.y - (self._profile.card[1] - self._profile.threat[1]) / 2)
        sought = _Sought(self._threats, near, self._profile.threat, REACH_THREAT, (slot.name + side, slot.name), placed)
        return self._best(small, sought)

    def knows_every(self, kind: str) -> bool:
        """Return whether every card of a kind has a picture."""
        return self._decks.whole(kind)

    def finely(
        self, above: Array, slot: Slot, side: str, placed: frozenset[str], threats: list[CardPlacement], sticker: float
    ) -> tuple[FineMatch, CardPlacement] | None:
        """Run the fine match on a room in a slot, or on the threat on a side of it.

        `placed` are cards whose every copy lies elsewhere, `threats` the ones known to lie on the room; `sticker` is
        the size of stickers in mm, 0 where there are none.
        """
        fine = self._decks.of("threat" if side else "room", sticker)
        if fine is None:
            return None
        size, x, y = self._profile.card, slot.x, slot.y
        if side:
            size = self._profile.threat
            x, y = x + self._profile.space_offsets[side][0], y - (self._profile.card[1] - size[1]) / 2
        scale, reach = self._frame.scale, REACH_FINELY
        left = round((x - size[0] / 2 - self._frame.left) * scale) - reach
        top = round((self._frame.far - y - size[1] / 2) * scale) - reach
        width, height = (round(mm * scale) + 2 * reach for mm in size)
        if min(left, top) < 0 or left + width > above.shape[1] or top + height > above.shape[0]:
            return None
        corner = (self._frame.left + (left + reach) / scale, self._frame.far - (top + reach) / scale)
        half = np.array(self._profile.threat) / 2
        hidden = fine.under([scale * np.array([t.x - corner[0], corner[1] - t.y]) for t in threats], scale * half)
        window = above[top : top + height, left : left + width]
        found = fine.read(window, reach, hidden, placed, ASKEW if side else (0.0,))
        if found is None:
            return None
        x, y = corner[0] + found.shift[0] / scale + size[0] / 2, corner[1] - found.shift[1] / scale - size[1] / 2
        return found, CardPlacement(
            found.card, slot.name + side, slot.name, x, y, found.turn, found.strength / (1 + found.strength)
        )

    def _best(self, small: Array, sought: _Sought, hidden: str = "", hint: str = "") -> Guess | None:
        size = sought.size
        window = self._window(small, *sought.middle, size, sought.reach)
        if window is None or not sought.album.cards:
            return None
        corner = self._corner(*sought.middle, size, 0)
        base = (self._frame.left + corner[0] / SCALE + size[0] / 2, self._frame.far - corner[1] / SCALE - size[1] / 2)
        likeness = sought.album.compare(window, sought.reach)
        match = likeness.whole()
        whole = self._guess(sought, match, base)
        if whole.sure and not hidden and not hint:
            return whole
        parts = likeness.halves()
        hinted = [index for index, name in enumerate(sought.album.names) if name == hint]
        like = max((float(m.scores[index]) for m in (match, *parts) for index in hinted), default=0.0)
        return _likeliest(
            replace(whole, hinted=like),
            [replace(self._guess(sought, part, base), hinted=like) for part in parts],
            hidden,
        )

    def _guess(self, sought: _Sought, match: Match, base: tuple[float, float]) -> Guess:
        cards, names = sought.album.cards, sought.names
        scores, shifts = match.scores, match.shifts
        best = int(scores.argmax())
        card = cards[best]
        rivals = zip(scores.tolist(), sought.album.names, strict=True)
        others = [other for other, name in rivals if name != card.name and name not in sought.placed]
        x, y = base[0] + shifts[best][0] / SCALE, base[1] - shifts[best][1] / SCALE
        score = float(scores[best])
        lead = 0.0 if card.name in sought.placed else score - max(others, default=-1.0)
        return Guess(CardPlacement(card, names[0], names[1], x, y, 0.0, score), score, lead)

    def _corner(self, x: float, y: float, size: tuple[float, float], reach: int) -> tuple[int, int]:
        left = round((x - size[0] / 2 - self._frame.left) * SCALE) - reach
        top = round((self._frame.far - y - size[1] / 2) * SCALE) - reach
        return left, top

    def _window(self, small: Array, x: float, y: float, size: tuple[float, float], reach: int) -> Array | None:
        left, top = self._corner(x, y, size, reach)
        width, height = (round(mm * SCALE) + 2 * reach for mm in size)
        if left < 0 or top < 0 or left + width > small.shape[1] or top + height > small.shape[0]:
            return None
        return small[top : top + height, left : left + width]


def _cells(window: Array) -> Array:
    rows, columns = window.shape[:2]
    return cv2.resize(window, (columns // 4, rows // 4), interpolation=cv2.INTER_AREA).astype(np.float32)


def _likeliest(whole: Guess, halves: list[Guess], hidden: str) -> Guess:
    """Choose between a whole card and its halves: the one that is not hidden, or one that alone is certain."""
    if hidden and halves:
        return replace(halves["ba".index(hidden)], half_hidden=True)
    if whole.sure or not any(half.sure_half for half in halves):
        return whole
    return max(halves, key=lambda half: half.margin)


def _album(arts: list[CardArt], kind: str, size: tuple[float, float], blocks: tuple[int, int]) -> BlockMatcher:
    pixels = (round(size[0] * SCALE), round(size[1] * SCALE))
    chosen = [(art.card, art.picture) for art in arts if art.card.kind == kind]
    return BlockMatcher(chosen, pixels, blocks, 0.6, halves=kind == "room")
