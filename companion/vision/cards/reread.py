"""Read stickers that the detector missed where they must be: glare and figures leave enough of a tag."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from companion.vision.cards.tags import Tag, TagFinder

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.cards.placing import Stickers
    from companion.vision.places import Slot
    from companion.vision.profile import Profile

STEP_MM = 1.0
HINTS = {"room": (0.5, 0.05), "elevator": (0.5, 0.05), "threat": (0.45, 0.04)}  # least score and lead
FAR = "far"  # where a sticker is looked for that is not where it should be
FAR_SCORE = 0.88  # many places tried: something is like a tag at one of them by chance
ONLY_TURNED = np.array([0.0, 0.0, 1.0])
STICKER_KINDS = ("room", "elevator", "threat")


@dataclass(frozen=True, slots=True)
class RereadTag:
    """A tag read again: certain by itself (`sure`), `firm` unless a picture contradicts it, or one it must confirm."""

    tag: Tag
    sure: bool
    firm: bool


class Rereader:
    """Reads single stickers at known places."""

    def __init__(self, profile: Profile, finder: TagFinder) -> None:
        self._profile, self._finder = profile, finder
        owners = profile.card_of_tag()
        kinds = [owners[int(i)].kind if int(i) in owners else "" for i in finder.ids]
        self._among = {kind: np.array([k == kind for k in kinds], dtype=bool) for kind in STICKER_KINDS}
        self._tries = {
            "room": _tries(3, (0.0,)),
            "elevator": _tries(3, (0.0,)),
            "threat": _tries(5, (-0.14, 0.0, 0.14)),
            FAR: _tries(6, (-0.2, 0.0, 0.2), 1.6),
        }
        steps = np.arange(finder.bits + 4) - (finder.bits + 3) / 2
        self._steps = np.stack(np.meshgrid(steps, -steps), axis=-1).reshape(-1, 2)

    def room(self, grey: Array, pose: Pose, slot: Slot, stickers: Stickers) -> RereadTag | None:
        """Read the sticker of the room (or elevator) that lies in a slot."""
        kind = "elevator" if slot.is_elevator else "room"
        return self._near(grey, pose, (slot.x + stickers.room[0], slot.y + stickers.room[1]), kind, stickers.size)

    def threat(
        self, grey: Array, pose: Pose, slot: Slot, side: str, stickers: Stickers, *, askew: bool = False
    ) -> RereadTag | None:
        """Read the sticker of a threat on one side of a slot; one laid `askew` is searched for farther away."""
        x = slot.x + self._profile.space_offsets[side][0] + stickers.threat[0]
        y = slot.y - (self._profile.card[1] - self._profile.threat[1]) / 2 + stickers.threat[1]
        found = self._near(grey, pose, (x, y), "threat", stickers.size)
        if not askew or (found is not None and found.sure):
            return found
        far = self._near(grey, pose, (x, y), "threat", stickers.size, FAR)
        return far if far is not None and far.sure and far.tag.score > FAR_SCORE else found

    def _near(
        self, grey: Array, pose: Pose, middle: tuple[float, float], kind: str, size: float, reach: str = ""
    ) -> RereadTag | None:
        cell = size / (self._finder.bits + 2)
        marks = np.array([middle, (middle[0] + cell, middle[1]), (middle[0], middle[1] + cell)])
        there = pose.project(np.c_[marks, np.zeros(3)])
        slope = there[1:] - there[0]
        tries = self._tries[reach or kind]
        turned = there[0] + _moved(self._steps, tries[0] * ONLY_TURNED, cell) @ slope
        shifted = (tries[:, 0, :2] / cell @ slope).T.astype(np.float32)
        points = shifted[..., None, None] + np.ascontiguousarray(turned.transpose(2, 0, 1), dtype=np.float32)[:, None]
        found = self._finder.read_near(grey, points.reshape(2, -1, turned.shape[1]), self._among[kind])
        least = HINTS[kind]
        if found is None or found.score < least[0] or found.lead < least[1]:
            return None
        half = (self._finder.bits + 2) / 2
        square = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
        corners = there[0] + _moved(square, tries.reshape(-1, 3)[[found.where]], cell)[0] @ slope
        return RereadTag(Tag(found.id, corners.astype(np.float32), found.score, drawn=True), found.sure, found.firm)


def _tries(reach: int, turns: tuple[float, ...], step: float = STEP_MM) -> Array:
    """Return the shifts in mm to try, each at every turn: (shifts, turns, 3)."""
    steps = np.arange(-reach, reach + 1) * step
    return np.stack(np.meshgrid(steps, steps, turns), axis=-1).reshape(-1, len(turns), 3)


def _moved(cells: Array, tries: Array, cell: float) -> Array:
    """Turn and shift cells (m, 2) by each try: (n, m, 2), in cells."""
    cos, sin = np.cos(tries[:, 2]), np.sin(tries[:, 2])
    turn = np.stack([np.stack([cos, sin], axis=-1), np.stack([-sin, cos], axis=-1)], axis=-2)
    return np.asarray(cells @ turn + tries[:, None, :2] / cell)


class StickerPlaces:
    """The slots of the vault and the places of the tracks, and which stickers lie there."""

    def __init__(self, profile: Profile) -> None:
        self._owners = profile.card_of_tag()
        spots = {slot.name: (slot.x, slot.y) for slot in profile.slots}
        for track, row in profile.tracks.items():
            spots |= {f"{track}:{index}": middle for index, middle in enumerate(row)}
        self._names, self._middles = list(spots), np.array(list(spots.values()))
        self._reach = np.array(profile.card) / 2 + profile.gap

    def of_twins(self, tags: tuple[Tag, ...], pose: Pose) -> set[str]:
        """Return the places of stickers that are seen more than once."""
        twins = duplicate_tags(tags)
        return set().union(*self._of([tag for tag in tags if tag.id in twins], pose))

    def elsewhere(self, tags: tuple[Tag, ...], pose: Pose, changed: set[str]) -> list[Tag]:
        """Return the mat's tags, and the stickers at places where nothing has changed: they still lie there."""
        on_cards = [tag for tag in tags if tag.id in self._owners]
        moved = {
            id(tag)
            for tag, places in zip(on_cards, self._of(on_cards, pose), strict=True)
            if not places or places & changed
        }
        return [tag for tag in tags if id(tag) not in moved]

    def _of(self, tags: list[Tag], pose: Pose) -> list[set[str]]:
        """Return the places that each tag lies at; two where a slot and a track's place overlap."""
        if not tags:
            return []
        off = np.abs(self._middles - pose.ground(np.stack([tag.centre for tag in tags]))[:, None])
        return [{self._names[place] for place in np.flatnonzero(at)} for at in (off <= self._reach).all(axis=2)]


def duplicate_tags(tags: tuple[Tag, ...] | list[Tag]) -> set[int]:
    """Return which tags are seen more than once."""
    return {number for number, count in Counter(tag.id for tag in tags).items() if count > 1}
