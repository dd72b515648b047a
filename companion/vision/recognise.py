"""Names cards without a readable tag by their pictures, or says that something unknown lies there."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.album import Album
from companion.vision.arrays import Array
from companion.vision.art import Art
from companion.vision.placing import Placement
from companion.vision.places import Slot
from companion.vision.profile import Profile
from companion.vision.view import Frame

SCALE = 0.5  # pixels a millimetre: fine enough for a card, coarse enough for a sleeve that lies askew
REACH_ROOM, REACH_THREAT = 2, 4
BARE = 2.2  # grey levels of texture up to which a slot is bare mat


@dataclass(frozen=True, slots=True)
class Guess:
    """What a picture was taken for: score of the best card and lead over the next other card."""

    placement: Placement
    score: float
    margin: float
    rival: Placement | None


class Recogniser:
    """Compares places of the view with the pictures of a profile."""

    def __init__(self, profile: Profile, frame: Frame, arts: list[Art]) -> None:
        self._profile, self._frame = profile, frame
        self._rooms = _album(arts, "room", profile.card, (4, 4))
        self._lifts = _album(arts, "elevator", profile.card, (4, 4))
        self._threats = _album(arts, "threat", profile.threat, (3, 4))

    def shrink(self, view: Array) -> Array:
        """Make the small view that pictures are compared in."""
        factor = self._frame.scale / SCALE
        size = (int(self._frame.width / factor), int(self._frame.height / factor))
        return np.asarray(cv2.resize(view, size, interpolation=cv2.INTER_AREA))

    def is_bare(self, small: Array, slot: Slot) -> bool:
        """Whether a slot shows nothing but mat: no texture in it beyond a slope of light."""
        window = self._window(small, slot.x, slot.y, self._profile.card, 0)
        if window is None:
            return True
        rows, columns = window.shape[:2]
        cells = cv2.resize(window, (columns // 4, rows // 4), interpolation=cv2.INTER_AREA).astype(np.float32)
        slope = cv2.blur(cells, (5, 5))
        return float(np.abs(cells - slope).mean()) < BARE

    def room(self, small: Array, slot: Slot) -> Guess | None:
        """Take the card in a slot for one of the rooms, or the elevator."""
        album = self._lifts if slot.is_elevator else self._rooms
        return self._best(small, album, (slot.x, slot.y), self._profile.card, REACH_ROOM, (slot.name, slot.name))

    def threat(self, small: Array, slot: Slot, side: str) -> Guess | None:
        """Take what lies on one side of a room for one of the threats."""
        dx, _ = self._profile.space_offsets[side]
        near = (slot.x + dx, slot.y - (self._profile.card[1] - self._profile.threat[1]) / 2)
        names = (slot.name + side, slot.name)
        return self._best(small, self._threats, near, self._profile.threat, REACH_THREAT, names)

    def _best(
        self,
        small: Array,
        album: Album,
        middle: tuple[float, float],
        size: tuple[float, float],
        reach: int,
        names: tuple[str, str],
    ) -> Guess | None:
        window = self._window(small, *middle, size, reach)
        if window is None or not album.cards:
            return None
        scores, shifts, _ = album.compare(window, reach)
        best = int(scores.argmax())
        card = album.cards[best]
        corner = self._corner(*middle, size, 0)
        base = (self._frame.left + corner[0] / SCALE + size[0] / 2, self._frame.far - corner[1] / SCALE - size[1] / 2)

        def placed(page: int) -> Placement:
            x, y = base[0] + shifts[page][0] / SCALE, base[1] - shifts[page][1] / SCALE
            return Placement(album.cards[page], names[0], names[1], x, y, 0.0, float(scores[page]))

        second = max((i for i in range(len(scores)) if album.cards[i].name != card.name), key=lambda i: scores[i], default=-1)
        if second < 0:
            return Guess(placed(best), float(scores[best]), 1.0, None)
        return Guess(placed(best), float(scores[best]), float(scores[best] - scores[second]), placed(second))

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


def _album(arts: list[Art], kind: str, size: tuple[float, float], blocks: tuple[int, int]) -> Album:
    pixels = (round(size[0] * SCALE), round(size[1] * SCALE))
    return Album([(art.card, art.picture) for art in arts if art.card.kind == kind], pixels, blocks, 0.6)
