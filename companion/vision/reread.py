"""Reads stickers that no quad was found for, where they must be: glare and figures leave enough of a tag."""

import numpy as np

from companion.vision.arrays import Array
from companion.vision.placing import Stickers
from companion.vision.places import Slot
from companion.vision.pose import Pose
from companion.vision.profile import Profile
from companion.vision.tags import Tag, TagFinder

STEP_MM = 1.0
ROOM_REACH, THREAT_REACH = 3, 6
KIND_OF = {"room": ("room",), "elevator": ("elevator",), "threat": ("threat",)}


class Rereader:
    """Looks for single stickers at known places."""

    def __init__(self, profile: Profile, finder: TagFinder) -> None:
        self._profile, self._finder = profile, finder
        owners = profile.card_of_tag()
        kinds = [owners[int(i)].kind if int(i) in owners else "" for i in finder.ids]
        self._among = {kind: np.array([k == kind for k in kinds], dtype=bool) for kind in KIND_OF}

    def room(self, grey: Array, pose: Pose, slot: Slot, stickers: Stickers) -> Tag | None:
        """Read the sticker of the room (or elevator) that lies in a slot."""
        kind = "elevator" if slot.is_elevator else "room"
        return self._near(grey, pose, (slot.x + stickers.room[0], slot.y + stickers.room[1]), kind, ROOM_REACH, stickers.size)

    def threat(self, grey: Array, pose: Pose, slot: Slot, side: str, stickers: Stickers) -> Tag | None:
        """Read the sticker of a threat on one side of a slot."""
        x = slot.x + self._profile.space_offsets[side][0] + stickers.threat[0]
        y = slot.y - (self._profile.card[1] - self._profile.threat[1]) / 2 + stickers.threat[1]
        return self._near(grey, pose, (x, y), "threat", THREAT_REACH, stickers.size)

    def _near(
        self, grey: Array, pose: Pose, middle: tuple[float, float], kind: str, reach: int, size: float
    ) -> Tag | None:
        cell = size / (self._finder.bits + 2)
        marks = np.array([middle, (middle[0] + cell, middle[1]), (middle[0], middle[1] + cell)])
        there = pose.project(np.c_[marks, np.zeros(3)])
        slope = there[1:] - there[0]
        steps = np.arange(-reach, reach + 1) * (STEP_MM / cell)
        shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        found = self._finder.read_near(grey, there[0] + shifts @ slope, slope, self._among[kind])
        if found is None:
            return None
        where, number, score = found
        half = (self._finder.bits + 2) / 2
        square = np.array([[-half, half], [half, half], [half, -half], [-half, -half]])
        return Tag(number, (there[0] + (shifts[where] + square) @ slope).astype(np.float32), score, drawn=True)
