"""The eyes of one table: everything made once from a profile, and a look at one picture."""

import time
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision import light
from companion.vision.arrays import Array
from companion.vision.art import load_art
from companion.vision.expected import Painter, stickers
from companion.vision.placing import Placement, Stickers, learn_stickers, place_tags
from companion.vision.places import Slot
from companion.vision.pose import Pose, find_pose
from companion.vision.profile import Profile
from companion.vision.recognise import Guess, Recogniser
from companion.vision.reread import Rereader
from companion.vision.scene import Scene, SceneBuilder
from companion.vision.tags import Tag, TagFinder
from companion.vision.view import frame_of, look_down, sight_lines

SCALE = 1.25
LIFT_SCORE, THREAT_SCORE, THREAT_MARGIN = 0.5, 0.5, 0.02


@dataclass(frozen=True, slots=True)
class Sight:
    """What one picture gave before figures: pose, tags, cards, doubts and the scene they make."""

    pose: Pose
    tags: list[Tag]
    view: Array
    scene: Scene
    doubted: set[str]
    bare: set[str]
    unknown: set[str]


class Eyes:
    """Looks at pictures of one table."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        ids = tuple(tag.id for tag in self.profile.mat_tags) + tuple(self.profile.card_of_tag())
        self._finder = TagFinder(self.profile.dictionary, ids)
        self._frame = frame_of(self.profile, SCALE)
        arts, self.faults = load_art(self.profile, SCALE)
        pictures: dict[str, Array] = {}
        for art in arts:
            pictures.setdefault(art.card.name, art.picture)
        painter = Painter(self.profile, self._frame, stickers(self.profile.dictionary, ids))
        self._builder = SceneBuilder(self.profile, self._frame, painter, pictures)
        self._recogniser = Recogniser(self.profile, self._frame, arts)
        self._rereader = Rereader(self.profile, self._finder)

    def sight(self, picture: Array) -> Sight | None:
        """See which cards lie where; None when the table is not in view."""
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
        tags = self._finder.find(grey)
        pose = find_pose(tags, self.profile, (picture.shape[1], picture.shape[0]))
        if pose is None:
            return None
        view = look_down(picture, sight_lines(pose, self._frame))
        seen = np.asarray(cv2.LUT(view, light.LINEAR))
        small = self._recogniser.shrink(view)
        placements, doubted = place_tags(tags, pose, self.profile)
        stickers = learn_stickers(placements, self.profile)
        open_slots, bare = self._open_slots(small, placements, doubted)
        if any(p.tag is not None for p in placements):
            more = [self._rereader.room(grey, pose, slot, stickers) for slot in open_slots]
            placements += [p for p in place_tags([t for t in more if t], pose, self.profile, stickers.size)[0]]
        unknown = self._rooms(small, open_slots, placements)
        unknown |= self._threats(small, seen, placements, doubted, (grey, pose, stickers))
        scene = self._builder.build(pose, seen, placements)
        return Sight(pose, tags, view, scene, doubted, bare, unknown)

    def _open_slots(self, small: Array, placements: list[Placement], doubted: set[str]) -> tuple[list[Slot], set[str]]:
        """Sort slots without a room into those with something in them and bare ones."""
        taken = {p.place for p in placements if p.card.kind != "threat"} | doubted
        left = [slot for slot in self.profile.slots if slot.name not in taken]
        bare = {slot.name for slot in left if self._recogniser.is_bare(small, slot)}
        return [slot for slot in left if slot.name not in bare], bare

    def _rooms(self, small: Array, open_slots: list[Slot], placements: list[Placement]) -> set[str]:
        """Name rooms by picture where no tag did; returns the slots that stay unknown."""
        unknown = set()
        taken = {p.place for p in placements if p.card.kind != "threat"}
        for slot in open_slots:
            if slot.name in taken:
                continue
            guess = self._recogniser.room(small, slot)
            if guess is not None and (guess.score > LIFT_SCORE if slot.is_elevator else guess.sure or guess.sure_half):
                placements.append(guess.placement)
            else:
                unknown.add(slot.name)
        return unknown

    def _threats(self, small: Array, seen: Array, placements: list[Placement], doubted: set[str], where: tuple[Array, Pose, Stickers]) -> set[str]:
        """Look for threats without a readable tag where a room's picture does not explain what is seen."""
        rooms = [p for p in placements if p.card.kind == "room"]
        taken = {p.place for p in placements if p.card.kind == "threat"} | doubted
        guesses = []
        for placement, near in zip(rooms, self._builder.fit(seen, rooms)[2].explained, strict=True):
            slot = self._builder.slots[placement.slot]
            for side in ("a", "b"):
                footprint = self._builder.footprint(slot, side)
                if slot.name + side in taken or near[footprint].mean() > 0.5:  # noqa: PLR2004 - mostly as expected
                    continue
                tag = self._rereader.threat(where[0], where[1], slot, side, where[2])
                if tag is not None:
                    placements += place_tags([tag], where[1], self.profile, where[2].size)[0]
                    continue
                guess = self._recogniser.threat(small, slot, side)
                if guess is not None and guess.score > THREAT_SCORE and guess.margin > THREAT_MARGIN:
                    guesses.append((guess, float(near[footprint].mean())))
        return self._accept_threats(seen, placements, guesses)

    def _accept_threats(self, seen: Array, placements: list[Placement], guesses: list[tuple[Guess, float]]) -> set[str]:
        trial = [guess.placement for guess, _ in guesses]
        if not trial:
            return set()
        expected, _, fitted = self._builder.fit(seen, trial)
        unknown = set()
        for index, (guess, before) in enumerate(guesses):
            near, mine = fitted.explained[index], (expected.owner == index + 1).sum() / self._builder.stride**2
            after = float(near.sum() / max(mine, 1))
            if after > before + 0.2:  # noqa: PLR2004 - clearly better than the bare room
                placements.append(guess.placement)
        return unknown
