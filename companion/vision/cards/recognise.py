"""Name cards without a readable tag by their pictures, or report that something unknown lies there."""

from copy import copy
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.camera.top_view import ViewFrame
from companion.vision.cards.card_match import BlockMatcher, CardArt, Match
from companion.vision.cards.card_match_fine import FineMatch
from companion.vision.cards.partial_deck import FineMatchers
from companion.vision.cards.placing import CardPlacement
from companion.vision.places import Slot
from companion.vision.profile import Profile

SCALE = 0.5  # pixels a millimetre: fine enough for a card, coarse enough for a sleeve that lies askew
REACH_ROOM, REACH_THREAT = 2, 4
REACH_FINELY = 6  # pixels of the view
ASKEW = (-4.0, 0.0, 4.0)  # degrees that a threat may lie turned
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

    def within(self, frame: ViewFrame) -> "Recogniser":
        """Return the same recogniser for another frame."""
        other = copy(self)
        other._frame = frame  # noqa: SLF001 - of the same class
        return other

    def shrink(self, view: Array) -> Array:
        """Return the small view that pictures are compared in."""
        factor = self._frame.scale / SCALE
        size = (int(self._frame.width / factor), int(self._frame.height / factor))
        return np.asarray(cv2.resize(view, size, interpolation=cv2.INTER_AREA))

    def is_bare(self, small: Array, slot: Slot) -> bool:
        """Return whether a slot shows only the mat: no texture beyond a slope of light."""
        window = self._window(small, slot.x, slot.y, self._profile.card, 0)
        if window is None:
            return True
        rows, columns = window.shape[:2]
        cells = cv2.resize(window, (columns // 4, rows // 4), interpolation=cv2.INTER_AREA).astype(np.float32)
        slope = cv2.blur(cells, (5, 5))
        return float(np.abs(cells - slope).mean()) < BARE

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
        names = [card.name for card in sought.album.cards]
        like = float(max((m.scores[i] for m in (match, *parts) for i, n in enumerate(names) if n == hint), default=0.0))
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
        rivals = zip(scores, cards, strict=True)
        others = [float(s) for s, other in rivals if other.name != card.name and other.name not in sought.placed]
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
