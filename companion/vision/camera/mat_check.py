"""Whether the cards lie where the profile's mat has its places: by the profile of another mat they do not.

Cards are laid anyhow, by a centimetre and more, and their stickers are glued askew; but most of them lie near their
places, as far off on the left as on the right, and the elevators lie in their column.
"""

from dataclasses import dataclass

import numpy as np

from companion.vision.arrays import Array, median
from companion.vision.camera.pose import Pose
from companion.vision.cards.placing import ACROSS, sticker_offset, sticker_size
from companion.vision.cards.tags import Tag
from companion.vision.places import ELEVATOR, ROOM_SLOTS
from companion.vision.profile import Profile

ENOUGH, MANY = 4, 12  # cards: fewer tell nothing; and to tell of a drift
ASKEW, SHIFTED = 15.0, 10.0  # mm: how far one card may be off its place, and how far the middle one
DRIFT, SIGNIFICANT = 7.0, 6.0  # mm from the middle of the vault to its edge; and standard errors
ASTRAY = 0.33  # of the cards
MISPLACED, BEYOND = 3, 2  # cards on places where only others belong; and above or below the vault, a lift among them


@dataclass(frozen=True, slots=True)
class Laid:
    """Cards by their stickers: column and level of the nearest place, also beyond the vault, and mm off it: (n, 2)."""

    places: Array
    off: Array
    lifts: Array
    levels: int

    @property
    def inside(self) -> Array:
        """Which of them lie in the vault."""
        return np.asarray(((self.places >= 0) & (self.places < (len(ROOM_SLOTS), self.levels))).all(axis=1))


def fits(tags: list[Tag], pose: Pose, profile: Profile) -> bool:
    """Whether a profile can be that of this table; with few stickers in sight it can."""
    owners = profile.card_of_tag()
    mine = [tag for tag in tags if tag.id in owners and owners[tag.id].kind in {"room", "elevator"}]
    if len(mine) < ENOUGH:
        return True
    laid = _laid(mine, pose, profile)
    inside = laid.inside
    off, places = laid.off[inside], laid.places[inside]
    if len(off) < ENOUGH:
        return True
    astray = (np.abs(off) > ASKEW).any(axis=1)
    if (astray.sum() >= MISPLACED and astray.mean() > ASTRAY) or np.abs(median(off, axis=0)).max() > SHIFTED:
        return False
    half = (len(ROOM_SLOTS) - 1) / 2, (profile.levels - 1) / 2
    drifts = any(_drifts(off[~astray, axis], places[~astray, axis], half[axis]) for axis in (0, 1))
    return not drifts and not _is_moved(laid, inside)


def _laid(tags: list[Tag], pose: Pose, profile: Profile) -> Laid:
    """Say where rooms and elevators lie, those that lie upright; each sticker is in its card's far right corner."""
    owners = profile.card_of_tag()
    corners = pose.ground(np.concatenate([tag.outer for tag in tags])).reshape(-1, 4, 2)
    lifts = np.array([owners[tag.id].kind == "elevator" for tag in tags], dtype=bool)
    top = corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]
    upright = np.abs(np.arctan2(top[:, 1], top[:, 0])) < ACROSS
    size = sticker_size(list(corners), profile.card_tag)
    pitch = (np.array(profile.card) + profile.gap) * (1, -1)
    steps = (corners.mean(axis=1) - sticker_offset(profile.card, size)) / pitch
    steps = (steps + np.array([len(ROOM_SLOTS) - 1, profile.levels - 1]) / 2)[upright]
    places = np.round(steps)
    return Laid(places.astype(int), (steps - places) * pitch, lifts[upright], profile.levels)


def _drifts(off: Array, places: Array, half: float) -> bool:
    """Whether cards are off the more, the farther out they lie: the mat has another size than the profile's."""
    spread = float(np.std(places)) if len(places) else 0.0
    if len(off) < MANY or spread == 0:
        return False
    slope = float(np.cov(places, off, bias=True)[0, 1]) / spread**2
    noise = float(np.std(off - slope * places)) / np.sqrt(1 - 2 / len(off))
    error = noise / (spread * np.sqrt(len(off)))
    return abs(slope) * half > DRIFT and abs(slope) > SIGNIFICANT * error


def _is_moved(laid: Laid, inside: Array) -> bool:
    """Whether cards lie on places, but on those of other columns or levels than the profile's."""
    near = (np.abs(laid.off) < SHIFTED).all(axis=1)
    middle = laid.places[:, 0] == ELEVATOR
    wrong = near & inside & (middle != laid.lifts)
    right = near & inside & middle & laid.lifts
    beyond = near & (laid.places[:, 0] >= 0) & (laid.places[:, 0] < len(ROOM_SLOTS)) & ~inside
    beyond &= (laid.places[:, 1] >= -1) & (laid.places[:, 1] <= laid.levels)
    above_or_below = beyond.sum() >= BEYOND and bool((beyond & middle & laid.lifts).any())
    return bool(wrong.sum() >= MISPLACED and wrong.sum() > right.sum()) or above_or_below
