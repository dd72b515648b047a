"""The eyes of one table: everything made once from a profile, and a look at one picture."""

import time
from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision import light
from companion.vision.arrays import Array
from companion.vision.art import load_art
from companion.vision.expected import Painter, stickers
from companion.vision.placing import Placement, place_tags
from companion.vision.pose import Pose, find_pose
from companion.vision.profile import Profile
from companion.vision.recognise import Guess, Recogniser
from companion.vision.scene import Scene, SceneBuilder
from companion.vision.tags import Tag, TagFinder
from companion.vision.view import frame_of, look_down, sight_lines

SCALE = 1.25
ROOM_SCORE, LIFT_SCORE, THREAT_SCORE, THREAT_MARGIN = 0.57, 0.5, 0.5, 0.02
SURE_MARGIN = 0.04
LEAD = 1.15


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

    def sight(self, picture: Array) -> Sight | None:
        """See which cards lie where; None when the table is not in view."""
        tags = self._finder.find(np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)))
        pose = find_pose(tags, self.profile, (picture.shape[1], picture.shape[0]))
        if pose is None:
            return None
        view = look_down(picture, sight_lines(pose, self._frame))
        seen = np.asarray(cv2.LUT(view, light.LINEAR))
        small = self._recogniser.shrink(view)
        placements, doubted = place_tags(tags, pose, self.profile)
        bare, unknown = self._rooms(small, seen, placements, doubted)
        unknown |= self._threats(small, seen, placements, doubted)
        scene = self._builder.build(pose, seen, placements)
        return Sight(pose, tags, view, scene, doubted, bare, unknown)

    def _rooms(self, small: Array, seen: Array, placements: list[Placement], doubted: set[str]) -> tuple[set[str], set[str]]:
        """Name rooms by picture where no tag did; returns the bare slots and the unknown ones."""
        bare, unknown, guesses = set(), set(), []
        taken = {p.place for p in placements if p.card.kind != "threat"}
        for slot in self.profile.slots:
            if slot.name in taken or slot.name in doubted:
                continue
            if self._recogniser.is_bare(small, slot):
                bare.add(slot.name)
                continue
            guess = self._recogniser.room(small, slot)
            if guess is not None and guess.score > (LIFT_SCORE if slot.is_elevator else ROOM_SCORE):
                guesses.append(guess)
            else:
                unknown.add(slot.name)
        for guess in self._settle(seen, guesses):
            if guess.margin > 0:
                placements.append(guess.placement)
            else:
                unknown.add(guess.placement.place)
        return bare, unknown

    def _settle(self, seen: Array, guesses: list[Guess]) -> list[Guess]:
        """Let look-alike cards compete for how much of the picture each explains."""
        close = [g for g in guesses if g.margin < SURE_MARGIN and g.rival is not None]
        if not close:
            return guesses
        first = self._shares(seen, [g.placement for g in close])
        second = self._shares(seen, [g.rival for g in close if g.rival is not None])
        settled = [g for g in guesses if g.margin >= SURE_MARGIN or g.rival is None]
        for guess, mine, other in zip(close, first, second, strict=True):
            clear = mine > other * LEAD or (guess.margin > SURE_MARGIN / 2 and mine > other)
            settled.append(Guess(guess.placement, guess.score, guess.margin if clear else 0.0, guess.rival))
        return settled

    def _shares(self, seen: Array, placements: list[Placement]) -> list[float]:
        """Say how much of each card its picture explains."""
        fitted = self._builder.fit(seen, placements)[2]
        return [float(part.sum()) for part in fitted.explained]

    def _threats(self, small: Array, seen: Array, placements: list[Placement], doubted: set[str]) -> set[str]:
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
