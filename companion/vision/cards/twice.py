"""A sticker that is seen at two places names neither: where each lies, also when only a part is looked at again."""

from collections import Counter

import numpy as np

from companion.vision.camera.pose import Pose
from companion.vision.cards.tags import Tag
from companion.vision.profile import Profile


class Places:
    """The slots of the vault and the places of the tracks, and which stickers lie there."""

    def __init__(self, profile: Profile) -> None:
        self._owners = profile.card_of_tag()
        spots = {slot.name: (slot.x, slot.y) for slot in profile.slots}
        for track, row in profile.tracks.items():
            spots |= {f"{track}:{index}": middle for index, middle in enumerate(row)}
        self._names, self._middles = list(spots), np.array(list(spots.values()))
        self._reach = np.array(profile.card) / 2 + profile.gap

    def of_twins(self, tags: tuple[Tag, ...], pose: Pose) -> set[str]:
        """List the places of stickers that are seen more than once."""
        twins = doubled(tags)
        return {place for tag in tags if tag.id in twins for place in self._of(tag, pose)}

    def elsewhere(self, tags: tuple[Tag, ...], pose: Pose, changed: set[str]) -> list[Tag]:
        """List the mat's tags, and the stickers at places where nothing has changed: these still lie there."""
        kept = []
        for tag in tags:
            places = self._of(tag, pose) if tag.id in self._owners else set()
            if tag.id not in self._owners or (places and not places & changed):
                kept.append(tag)
        return kept

    def _of(self, tag: Tag, pose: Pose) -> set[str]:
        """Name the place that a tag lies at; two where a slot and a track's place overlap."""
        off = np.abs(self._middles - pose.ground(tag.centre[None])[0])
        return {self._names[index] for index in np.flatnonzero((off <= self._reach).all(axis=1))}


def doubled(tags: tuple[Tag, ...] | list[Tag]) -> set[int]:
    """Say which tags are seen more than once."""
    return {number for number, count in Counter(tag.id for tag in tags).items() if count > 1}
