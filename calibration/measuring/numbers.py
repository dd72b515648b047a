"""Reads the numbers of the columns off the red-backed rooms, by how the printed ones look. Doubt is no number."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from calibration.measuring.measures import grey_of, scale_at
from calibration.measuring.outline import above
from companion.pieces.drawing.raster import Piece, rasterised
from companion.pieces.kinds.cards import NUMBER, NUMBER_AT, draw_number

if TYPE_CHECKING:
    from companion.pieces.drawing.pen import Pen
    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.places import Slot

NUMBERS: Final = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
SCALE: Final = 5.0
"""Pixels a millimetre that numbers are compared at."""
EDGE: Final = 0.6
"""Of the card around a number that is compared with it (mm)."""
ASTRAY: Final = 4.0
"""How far a card may lie from its place (mm)."""
TURNS: Final = (-3.0, -1.5, 0.0, 1.5, 3.0)
"""Degrees that it may lie askew."""
SOFT: Final = 0.62
"""How many of its own pixels a camera blurs over."""
PLAIN: Final = 0.07
"""Of its brightness: a place with less contrast has nothing printed on it."""
BOXED: Final = 0.6
"""How like a number in its box a place must be; only then the number itself is looked at."""
INSIDE: Final = 1.15
"""From the box's edge to where only the number is (mm)."""
NEAR: Final = 0.45
"""How far the box may be misjudged (mm)."""
KEPT: Final = 8
"""Pictures that count: a hand that has gone is forgotten."""
LIKE, LEAD = 0.86, 0.03
"""How like a number must be, and how much more than the next."""


@dataclass
class Place:
    """What one place was seen as in the last pictures."""

    likes: deque[Array | None] = field(default_factory=lambda: deque(maxlen=KEPT))
    plain: deque[bool] = field(default_factory=lambda: deque(maxlen=KEPT))

    def add(self, seen: Seen) -> None:
        """One picture more."""
        self.plain.append(seen.plain)
        self.likes.append(seen.likes)

    @property
    def known(self) -> bool:
        """Whether there is an answer."""
        return self.is_bare or self._lead()[1] > LEAD

    @property
    def number(self) -> int | None:
        """The number, or None where none is printed; only where it is known."""
        return None if self.is_bare else self._lead()[0]

    @property
    def is_bare(self) -> bool:
        """Whether every picture shows nothing there."""
        return bool(self.plain) and all(self.plain)

    def _lead(self) -> tuple[int, float]:
        """The likeliest number, and how far it leads; most pictures must show a box."""
        boxed = [likes for likes in self.likes if likes is not None]
        if len(boxed) <= len(self.likes) / 2:
            return 0, 0.0
        mean = np.mean(boxed, axis=0)
        second, best = np.sort(mean)[-2:]
        return NUMBERS[int(mean.argmax())], float(best - second) if best > LIKE else 0.0


@dataclass(frozen=True, slots=True)
class Seen:
    """What a place is in one picture: how like each number (None: no box is there), and whether it is plain."""

    likes: Array | None
    plain: bool


def look(picture: Array, pose: Pose, slot: Slot, side: str) -> Seen | None:
    """What the place on one side of a room is; None where the picture does not show it."""
    reach = NUMBER / 2 + EDGE + ASTRAY
    x, y = slot.x + NUMBER_AT[0] * (1 if side == "b" else -1), slot.y + NUMBER_AT[1]
    ring = np.array([(x - reach, y + reach), (x + reach, y + reach), (x + reach, y - reach), (x - reach, y - reach)])
    window = above(grey_of(picture), pose, ring, (2 * reach, 2 * reach), SCALE)
    if window is None:
        return None
    forms = _forms(round(SOFT * SCALE / scale_at(pose, x, y), 1))
    rim = round((ASTRAY - 1) * SCALE)
    inner = cv2.GaussianBlur(window, (0, 0), SCALE / 3)[rim:-rim, rim:-rim].astype(float)
    return Seen(_likes(window, forms), bool(inner.std() < PLAIN * inner.mean()))


def _likes(window: Array, forms: tuple[tuple[Array, ...], ...]) -> Array | None:
    """First where the box is and how it lies, then what is in it."""
    found = [(*_found(window, form), turn) for number in forms for turn, form in enumerate(number)]
    boxed, (left, top), turn = max(found, key=lambda one: one[0])
    if boxed < BOXED:
        return None
    inset, near = round((EDGE + INSIDE) * SCALE), round(NEAR * SCALE)
    side = forms[0][turn].shape[0] - 2 * inset
    rows, columns = (slice(start + inset - near, start + inset + side + near) for start in (top, left))
    part = window[rows, columns]
    return np.array([_found(part, number[turn][inset:-inset, inset:-inset])[0] for number in forms])


def _found(window: Array, form: Array) -> tuple[float, tuple[int, int]]:
    """How like a form the likeliest part of a window is, and where it begins."""
    _, like, _, where = cv2.minMaxLoc(cv2.matchTemplate(window, form, cv2.TM_CCOEFF_NORMED))
    return float(like), (int(where[0]), int(where[1]))


@cache
def _forms(soft: float) -> tuple[tuple[Array, ...], ...]:
    """Every number as a camera sees it, lying straight and a little askew."""
    side = NUMBER + 2 * EDGE
    pieces = [
        Piece(str(number), "number", (side, side), partial(_on, (side / 2, side / 2), number)) for number in NUMBERS
    ]
    return tuple(tuple(_turned(grey_of(flat), turn, soft) for turn in TURNS) for flat in rasterised(pieces, SCALE))


def _on(middle: tuple[float, float], number: int, pen: Pen) -> None:
    pen.box(0, 0, 2 * middle[0], 2 * middle[1], fill="#dcd9d2")
    draw_number(pen, middle, number)


def _turned(flat: Array, turn: float, soft: float) -> Array:
    rows, columns = flat.shape
    bend = cv2.getRotationMatrix2D((columns / 2 - 0.5, rows / 2 - 0.5), turn, 1.0)
    askew = cv2.warpAffine(flat, bend, (columns, rows), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.GaussianBlur(askew, (0, 0), soft))
