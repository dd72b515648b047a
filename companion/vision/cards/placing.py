"""Which card lies where: from tags seen to placements on the mat."""

from dataclasses import dataclass
from math import atan2

import numpy as np

from companion.vision.arrays import Array, median
from companion.vision.camera.pose import Pose
from companion.vision.cards.reread import doubled
from companion.vision.cards.tags import Tag
from companion.vision.profile import Card, Profile

INSET = 0.65  # of a sticker's size, from the card's edge to its middle; and one millimetre of margin
MARGIN_MM = 1.0
ACROSS = 0.6  # radians: a card lying across is on its way somewhere


@dataclass(frozen=True, slots=True)
class Placement:
    """A card on the mat: which one, its place (`1:R2` or `1:R2a`), middle in mm and turn in radians."""

    card: Card
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
    """What the readable stickers of a picture tell of the others: their size, and where on a room and a threat."""

    size: float
    room: tuple[float, float]
    threat: tuple[float, float]


def sticker_size(corners: list[Array], fallback: float) -> float:
    """Measure the stickers: the middle of all side lengths, in mm."""
    if not corners:
        return fallback
    sides = [float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean()) for quad in corners]
    size = float(median(np.array(sides)))
    return size if 0.5 * fallback < size < 2 * fallback else fallback


def sticker_offset(card: tuple[float, float], size: float) -> tuple[float, float]:
    """Say where a sticker's middle should be, seen from that of its card: in the far right corner."""
    inset = size * INSET + MARGIN_MM
    return card[0] / 2 - inset, card[1] / 2 - inset


def place_tags(
    tags: list[Tag], pose: Pose, profile: Profile, size: float | None = None
) -> tuple[list[Placement], set[str]]:
    """Turn the cards' tags into placements; also the places where one tag is claimed twice."""
    owners = profile.card_of_tag()
    mine = [tag for tag in tags if tag.id in owners and owners[tag.id].kind != "item"]
    grounds = [pose.ground(tag.outer) for tag in mine]
    size = size or sticker_size(grounds, profile.card_tag)
    found: list[Placement] = []
    doubted: set[str] = set()
    for tag, ground in zip(mine, grounds, strict=True):
        placement = _place(owners[tag.id], tag, ground, size, profile)
        if placement is not None:
            found.append(placement)
    twice = doubled(mine)
    doubted |= {p.place for p in found if p.sticker in twice}
    places = [p.place for p in found]
    doubted |= {place for place in places if places.count(place) > 1}
    return [p for p in found if p.place not in doubted], doubted


def learn_stickers(placements: list[Placement], profile: Profile) -> Stickers:
    """Measure where stickers are, seen from the middle of a slot and of a threat's half of it."""
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


def _place(card: Card, tag: Tag, ground: Array, size: float, profile: Profile) -> Placement | None:
    middle = ground.mean(axis=0)
    slot = min(profile.slots, key=lambda s: (s.x - middle[0]) ** 2 + (s.y - middle[1]) ** 2)
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
    return Placement(card, place, slot.name, float(x), float(y), float(turn), tag.score, ground, tag.id)
