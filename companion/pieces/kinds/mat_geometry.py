"""Where everything is on the mat, in millimetres: its middle is the origin, x to the right, y away from the players."""

from __future__ import annotations

from typing import Final

from companion.pieces.drawing.tags import side_with_quiet

MAT: Final = (740.0, 430.0)
LEVELS: Final = 5
SLOTS: Final = ("L3", "L2", "L1", "E", "R1", "R2", "R3")
ELEVATOR: Final = 3
CARD: Final = (88.0, 63.0)
GAP: Final = 4.0
THREAT: Final = (40.0, 56.0)
FIGURE_BASE: Final = 17.0
"""The disc that is as large as its foot: what the eyes take for its base."""
MAT_TAG: Final = 32.0
CARD_TAG: Final = 18.0
MAT_TAGS: Final = ((-348.0, 193.0), (348.0, 193.0), (348.0, -193.0), (-348.0, -193.0), (0.0, 193.0), (0.0, -193.0))
"""The middles of the tags 0 to 5."""
SPACES: Final = {"a": (-20.24, -8.82), "b": (20.24, -8.82), "E": (0.0, -6.0)}
"""The spaces, from the middle of their card."""
RING: Final = 9.5
"""The radius of a space's circle."""
THREAT_SPACE: Final = (0.0, -5.0)
"""The circle of a threat, from the middle of its card: it is laid on the space's."""
FIGURE: Final = (30.0, 15.0, 8.0)
"""A paper figure's height, and the sides of its square foot and of its lid."""
TAG_MARGIN: Final = 1.0
DICE: Final = (190.0, -190.5)
"""The middle of the corner for two real dice, between the tags at the players' side."""
DICE_SIZE: Final = (110.0, 44.0)
TRACK: Final = (280.0, 71.0)
"""A strip for the three cards of a track. Both lie at the mat's far edge."""
TRACKS: Final = {"items": (-141.0, MAT[1] / 2 + TRACK[1] / 2), "rooms": (141.0, MAT[1] / 2 + TRACK[1] / 2)}
"""The middles of the strips."""
TRACK_PLACES: Final = 3
TRACK_LOW: Final = 2.0
"""From a strip's edge at the mat to its cards."""


def slot_middle(level: int, column: int) -> tuple[float, float]:
    """The middle of a room: the level from 1, the farthest, and the column from 0, the left one."""
    return (column - ELEVATOR) * (CARD[0] + GAP), ((LEVELS + 1) / 2 - level) * (CARD[1] + GAP)


def track_middle(track: str, number: int) -> tuple[float, float]:
    """The middle of a place of a track, counted from 0, the left one."""
    x, y = TRACKS[track]
    return x + (number - 1) * (CARD[0] + GAP), y - TRACK[1] / 2 + TRACK_LOW + CARD[1] / 2


def tag_middle(size: tuple[float, float]) -> tuple[float, float]:
    """Where a card of a size has its tag, from its lower left corner: top right, with a margin."""
    half = side_with_quiet(CARD_TAG) / 2 + TAG_MARGIN
    return size[0] - half, size[1] - half
