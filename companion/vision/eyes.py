"""The eyes of one table: everything made once from a profile, and a look at one picture."""

import time
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.vision import light
from companion.vision.arrays import Array
from companion.vision.art import load_art
from companion.vision.cards import CardReader, Cards, View
from companion.vision.evidence import Evidence, load_odds
from companion.vision.expected import Painter, stickers
from companion.vision.figures import FigureFinder
from companion.vision.hands import Cover, find_cover
from companion.vision.pose import Pose, find_pose
from companion.vision.profile import Profile
from companion.vision.reading import Dweller, Reading, Seen, lost
from companion.vision.recognise import Recogniser
from companion.vision.reread import Rereader
from companion.vision.scene import Scene, SceneBuilder
from companion.vision.tags import Tag, TagFinder
from companion.vision.verdict import Judge, Verdict
from companion.vision.view import frame_of, look_down, sight_lines

SCALE = 1.25
MAYBE = 0.1
HIDDEN = 0.35


@dataclass(frozen=True, slots=True)
class Look:
    """One picture looked at: the reading, and what it was made from (None when the table was not found)."""

    reading: Reading
    pose: Pose | None = None
    tags: tuple[Tag, ...] = ()
    scene: Scene | None = None
    cards: Cards | None = None
    cover: Cover | None = None
    verdicts: tuple[Verdict, ...] = ()


class Eyes:
    """Looks at pictures of one table."""

    def __init__(self, profile: Profile) -> None:
        self.profile = profile
        ids = tuple(tag.id for tag in profile.mat_tags) + tuple(profile.card_of_tag())
        self.finder = TagFinder(profile.dictionary, ids)
        self.frame = frame_of(profile, SCALE)
        arts, self.faults = load_art(profile, SCALE)
        pictures: dict[str, Array] = {}
        for art in arts:
            pictures.setdefault(art.card.name, art.picture)
        painter = Painter(profile, self.frame, stickers(profile.dictionary, ids))
        self.builder = SceneBuilder(profile, self.frame, painter, pictures)
        self.recogniser = Recogniser(profile, self.frame, arts)
        self._reader = CardReader(profile, self.builder, self.recogniser, Rereader(profile, self.finder))
        self.evidence = Evidence(profile.colours, load_odds())
        self.figures = FigureFinder(profile, self.frame)
        self._judge = Judge(self.frame, self.figures)

    def look(self, picture: Array, image: str = "") -> Look:
        """Read one picture (BGR, 8 bit)."""
        start = time.perf_counter()
        found = self._look(picture, image)
        ms = (time.perf_counter() - start) * 1000
        return replace(found, reading=replace(found.reading, ms=ms))

    def _look(self, picture: Array, image: str) -> Look:
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
        tags = self.finder.find(grey)
        pose = find_pose(tags, self.profile, (picture.shape[1], picture.shape[0]))
        if pose is None:
            return Look(lost(image), tags=tuple(tags))
        above = look_down(picture, sight_lines(pose, self.frame))
        seen = np.asarray(cv2.LUT(above, light.LINEAR))
        cards = self._reader.read(tags, View(grey, pose, seen, self.recogniser.shrink(above)))
        fitted = cards.fitted or self.builder.fit(seen, cards.placements)
        scene = self.builder.build(pose, seen, fitted, cards.bare)
        cover = find_cover(scene, self.frame)
        half = self.figures.shrink(self.evidence.odds(scene))
        spaces = [space for space in self.profile.spaces if space.slot not in cards.bare]
        found = self.figures.settle(self.figures.candidates(half, pose, spaces), half, pose)
        verdicts = self._judge.judge(found, scene, cover, half)
        reading = self._assemble(image, cards, cover, verdicts)
        return Look(reading, pose, tuple(tags), scene, cards, cover, tuple(verdicts))

    def _assemble(self, image: str, cards: Cards, cover: Cover, verdicts: list[Verdict]) -> Reading:
        dwellers = tuple(sorted(map(self._dweller, [v for v in verdicts if v.sure]), key=lambda d: d.space))
        held = {dweller.space for dweller in dwellers}
        unsure = set(cards.unknown) | set(cards.doubted)
        unsure |= {v.candidate.space.name for v in verdicts if v.figure > MAYBE and not v.sure}
        unsure |= self._covered(cards, cover)
        return Reading(
            image=image,
            table="found",
            hand=cover.hand,
            rooms={p.place: Seen(p.card.name, p.confidence) for p in cards.placements if p.card.kind != "threat"},
            threats={p.place: Seen(p.card.name, p.confidence) for p in cards.placements if p.card.kind == "threat"},
            dwellers=dwellers,
            unsure=tuple(sorted(unsure - held)),
        )

    def _dweller(self, verdict: Verdict) -> Dweller:
        candidate = verdict.candidate
        pose = "lying" if candidate.is_lying else "standing"
        return Dweller(
            candidate.space.name, self.evidence.players[candidate.player], pose, min(verdict.figure, verdict.pose)
        )

    def _covered(self, cards: Cards, cover: Cover) -> set[str]:
        """List the spaces, and the slots without a known room, that something hides."""
        base = self.profile.figure_base / 2
        half_x, half_y = self.profile.card[0] / 2, self.profile.card[1] / 2
        hidden = {
            space.name
            for space in self.profile.spaces
            if space.slot not in cards.bare and cover.around(space.x, space.y, base, base, self.frame) > HIDDEN
        }
        return hidden | {
            slot.name
            for slot in self.profile.slots
            if slot.name in cards.bare and cover.around(slot.x, slot.y, half_x, half_y, self.frame) > HIDDEN
        }
