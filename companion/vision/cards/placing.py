"""Place cards by their tags, and check that they lie where this profile's mat has its places."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2
from typing import TYPE_CHECKING

import numpy as np

from companion.vision.arrays import Array, median
from companion.vision.cards.reread import duplicate_tags
from companion.vision.places import ELEVATOR, ROOM_SLOTS

if TYPE_CHECKING:
    from collections.abc import Container

    from companion.vision.camera.pose import Pose
    from companion.vision.cards.tags import Tag
    from companion.vision.places import Slot
    from companion.vision.profile import CardProfile, Profile

INSET = 0.65  # of a sticker's size, from the card's edge to its middle; and one millimetre of margin
MARGIN_MM = 1.0
ACROSS = 0.6  # radians: a card lying across is on its way somewhere


@dataclass(frozen=True, slots=True)
class CardPlacement:
    """A card on the mat: which one, its place (`1:R2` or `1:R2a`), middle in mm and turn in radians."""

    card: CardProfile
    place: str
    slot: str
    x: float
    y: float
    turn: float
    confidence: float
    tag: Array | None = None  # the sticker's corners in mm, clockwise from its top left
    sticker: int = -1  # its number


@dataclass(frozen=True, slots=True)
class Stickers:
    """What the readable stickers of a picture imply for the others: their size, and where on a room and a threat."""

    size: float
    room: tuple[float, float]
    threat: tuple[float, float]


def sticker_size(corners: list[Array], fallback: float) -> float:
    """Measure the stickers: the median of all side lengths, in mm."""
    if not corners:
        return fallback
    quads = np.stack(corners)
    size = float(median(np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).mean(axis=1)))
    return size if 0.5 * fallback < size < 2 * fallback else fallback


def sticker_offset(card: tuple[float, float], size: float) -> tuple[float, float]:
    """Return the offset of a sticker from the middle of its card: it is in the far right corner."""
    inset = size * INSET + MARGIN_MM
    return card[0] / 2 - inset, card[1] / 2 - inset


def place_tags(
    tags: list[Tag],
    pose: Pose,
    profile: Profile,
    size: float | None = None,
    within: Container[str] | None = None,
) -> tuple[list[CardPlacement], set[str]]:
    """Turn the cards' tags into placements; return with them the places that two tags claim.

    Where only some slots are asked for, they are `within`: the other tags tell how large stickers are.
    """
    owners = profile.card_of_tag()
    mine = [tag for tag in tags if tag.id in owners and owners[tag.id].kind != "item"]
    grounds = list(pose.ground(np.concatenate([tag.outer for tag in mine])).reshape(-1, 4, 2)) if mine else []
    size = size or sticker_size(grounds, profile.card_tag)
    found: list[CardPlacement] = []
    doubted: set[str] = set()
    for tag, ground, slot in zip(mine, grounds, _nearest(grounds, profile), strict=True):
        if within is not None and slot.name not in within:
            continue
        placement = _place(owners[tag.id], tag, ground, size, slot, profile)
        if placement is not None:
            found.append(placement)
    twice = duplicate_tags(mine)
    doubted |= {p.place for p in found if p.sticker in twice}
    places = [p.place for p in found]
    doubted |= {place for place in places if places.count(place) > 1}
    return [p for p in found if p.place not in doubted], doubted


def learn_stickers(placements: list[CardPlacement], profile: Profile) -> Stickers:
    """Measure where stickers are, relative to the middle of a slot and of a threat's half of it."""
    marks = [p for p in placements if p.tag is not None]
    size = sticker_size([p.tag for p in marks if p.tag is not None], profile.card_tag)
    slots = {slot.name: slot for slot in profile.slots}
    rooms = [
        p.tag.mean(axis=0) - (slots[p.slot].x, slots[p.slot].y)
        for p in marks
        if p.card.kind == "room" and p.tag is not None
    ]
    room = sticker_offset(profile.card, size)
    if len(rooms) > 3:  # noqa: PLR2004 - enough for a middle value
        room = tuple(median(np.array(rooms), axis=0).tolist())
    return Stickers(size, room, sticker_offset(profile.threat, size))


def _nearest(grounds: list[Array], profile: Profile) -> list[Slot]:
    """Return the slot whose middle is nearest to each of some tags."""
    if not grounds:
        return []
    slots = np.array([(slot.x, slot.y) for slot in profile.slots])
    off = np.stack(grounds).mean(axis=1)[:, None] - slots
    return [profile.slots[index] for index in (off**2).sum(axis=2).argmin(axis=1)]


def _place(
    card: CardProfile, tag: Tag, ground: Array, size: float, slot: Slot, profile: Profile
) -> CardPlacement | None:
    middle = ground.mean(axis=0)
    reach_x, reach_y = profile.card[0] / 2 + profile.gap, profile.card[1] / 2 + profile.gap
    if abs(middle[0] - slot.x) > reach_x or abs(middle[1] - slot.y) > reach_y:
        return None
    if slot.is_elevator != (card.kind == "elevator"):
        return None
    top = ground[1] - ground[0] + ground[2] - ground[3]
    turn = atan2(top[1], top[0])
    if abs(turn) > ACROSS:
        return None
    width, height = profile.threat if card.kind == "threat" else profile.card
    dx, dy = sticker_offset((width, height), size)
    cos, sin = np.cos(turn), np.sin(turn)
    x, y = middle[0] - (dx * cos - dy * sin), middle[1] - (dx * sin + dy * cos)
    place = slot.name
    if card.kind == "threat":
        place += "a" if x < slot.x else "b"
    return CardPlacement(card, place, slot.name, float(x), float(y), float(turn), tag.score, ground, tag.id)


ENOUGH, MANY = 4, 12  # cards: fewer decide nothing; and to detect a drift
ASKEW, SHIFTED = 15.0, 10.0  # mm: how far one card may be off its place, and how far the middle one
DRIFT, SIGNIFICANT = 7.0, 6.0  # mm from the middle of the vault to its edge; and standard errors
ASTRAY = 0.33  # of the cards
MISPLACED, BEYOND = 3, 2  # cards on places where only others belong; and above or below the vault, a lift among them


@dataclass(frozen=True, slots=True)
class CardOffsets:
    """Cards by their stickers: column and level of the nearest place, also beyond the vault, and mm off it: (n, 2)."""

    places: Array
    off: Array
    lifts: Array
    levels: int

    @property
    def inside(self) -> Array:
        """Which of them lie in the vault."""
        return np.asarray(((self.places >= 0) & (self.places < (len(ROOM_SLOTS), self.levels))).all(axis=1))


def mat_fits(tags: list[Tag], pose: Pose, profile: Profile) -> bool:
    """Return whether a profile can be that of this table; with few stickers in sight it can.

    Cards are laid down loosely, off by a centimetre and more, and their stickers are glued askew; but most of them lie
    near their places, as far off on the left as on the right, and the elevators lie in their column.
    """
    owners = profile.card_of_tag()
    mine = [tag for tag in tags if tag.id in owners and owners[tag.id].kind in {"room", "elevator"}]
    if len(mine) < ENOUGH:
        return True
    laid = _located(mine, pose, profile)
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


def _located(tags: list[Tag], pose: Pose, profile: Profile) -> CardOffsets:
    """Locate rooms and elevators that lie upright by their stickers."""
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
    return CardOffsets(places.astype(int), (steps - places) * pitch, lifts[upright], profile.levels)


def _drifts(off: Array, places: Array, half: float) -> bool:
    """Return whether cards are off the more, the farther out they lie: the mat has another size than the profile's."""
    spread = float(np.std(places)) if len(places) else 0.0
    if len(off) < MANY or spread == 0:
        return False
    slope = float(np.cov(places, off, bias=True)[0, 1]) / spread**2
    noise = float(np.std(off - slope * places)) / np.sqrt(1 - 2 / len(off))
    error = noise / (spread * np.sqrt(len(off)))
    return abs(slope) * half > DRIFT and abs(slope) > SIGNIFICANT * error


def _is_moved(laid: CardOffsets, inside: Array) -> bool:
    """Return whether cards lie on places, but in other columns or on other levels than the profile's."""
    near = (np.abs(laid.off) < SHIFTED).all(axis=1)
    middle = laid.places[:, 0] == ELEVATOR
    wrong = near & inside & (middle != laid.lifts)
    right = near & inside & middle & laid.lifts
    beyond = near & (laid.places[:, 0] >= 0) & (laid.places[:, 0] < len(ROOM_SLOTS)) & ~inside
    beyond &= (laid.places[:, 1] >= -1) & (laid.places[:, 1] <= laid.levels)
    above_or_below = beyond.sum() >= BEYOND and bool((beyond & middle & laid.lifts).any())
    return bool(wrong.sum() >= MISPLACED and wrong.sum() > right.sum()) or above_or_below
