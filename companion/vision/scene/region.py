"""Read a part of the table, or all of it: cards, then cover, then figures."""

from dataclasses import dataclass, field

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.camera.pose import Pose
from companion.vision.camera.top_view import ViewFrame
from companion.vision.cards.card_reader import CardFindings, CardReader, CardView
from companion.vision.cards.partial_deck import PartialDeckCheck
from companion.vision.cards.placing import Stickers
from companion.vision.cards.recognise import Recogniser
from companion.vision.cards.reread import Rereader
from companion.vision.cards.tags import Tag
from companion.vision.figures.evidence import Evidence
from companion.vision.figures.figure_finder import FigureFinder, Silhouettes
from companion.vision.figures.pairs import PairFinder
from companion.vision.figures.verdict import FigureClassifier, FigureVerdict, layers
from companion.vision.places import Slot
from companion.vision.profile import Profile
from companion.vision.scene import light
from companion.vision.scene.cover import Cover, find_cover
from companion.vision.scene.expected import ExpectedPainter
from companion.vision.scene.light import Surroundings, glares
from companion.vision.scene.scene import Scene, SceneBuilder

COLOURLESS = 2.0  # grey levels that the channels differ by


@dataclass(frozen=True, slots=True)
class RegionTools:
    """What all regions of one table share."""

    profile: Profile
    painter: ExpectedPainter
    recogniser: Recogniser
    rereader: Rereader
    closer: PartialDeckCheck
    evidence: Evidence
    silhouettes: Silhouettes


@dataclass(frozen=True, slots=True)
class RegionResult:
    """What a region shows; the scene, which is large, is kept only on request."""

    scene: Scene | None
    cards: CardFindings
    cover: Cover
    verdicts: tuple[FigureVerdict, ...]
    unread: frozenset[str] = frozenset()  # places that cannot be judged by this picture
    around: Surroundings | None = None  # small
    glares: dict[str, float] = field(default_factory=dict)  # how white the spaces are that are mostly white


class Region:
    """Some slots in one frame, and what is needed to read them."""

    def __init__(self, tools: RegionTools, frame: ViewFrame, slots: list[Slot]) -> None:
        self.frame = frame
        self.slots = slots
        names = {slot.name for slot in slots}
        self._spaces = [space for space in tools.profile.spaces if space.slot in names]
        self.builder = SceneBuilder(tools.profile, frame, slots, tools.painter)
        self.recogniser = tools.recogniser.within(frame)
        self._reader = CardReader(tools.profile, self.builder, self.recogniser, tools.rereader, tools.closer)
        self.evidence = tools.evidence
        self.figures = FigureFinder(frame, tools.silhouettes)
        self.judge = FigureClassifier(self.figures)
        self.pairs = PairFinder(self.figures, self.judge)
        self._height = tools.profile.figure_height
        self._marks = tools.profile.mat_tags

    def read(
        self,
        picture: tuple[Array, Array],
        pose: Pose,
        tags: list[Tag],
        outside: set[str],
        known: tuple[Stickers | None, Surroundings] | None = None,
    ) -> RegionResult:
        """Read a picture, given in grey as the camera gave it and in colour from above.

        `outside` are slots that the picture does not show whole; `known` is what an earlier whole look learned, where
        only a part is read.
        """
        grey, above = picture
        seen = np.asarray(cv2.LUT(above, light.LINEAR))
        view = CardView(grey, pose, seen, above, self.recogniser.shrink(above))
        cards = self._reader.read(tags, view, outside, known[0] if known else None)
        fitted = cards.fitted or self.builder.fit(seen, cards.placements)
        scene = self.builder.build(pose, seen, fitted, cards.bare, known[1] if known else None)
        cards.fitted = None  # large, and of no more use
        del fitted
        cover = find_cover(scene, self.frame, self._marks, self._within() if known else None)
        odds = self.evidence.odds(scene)
        half = self.figures.shrink(odds)
        spaces = [space for space in self._spaces if space.slot not in cards.bare | outside]
        if _is_colourless(above):
            return RegionResult(scene, cards, cover, (), scene.veiled | {space.name for space in spaces})
        found = self.figures.settle(self.figures.candidates(half, pose, spaces), pose)
        view_of = layers(odds, scene.strange, above, self.frame, pose, self._height)
        verdicts = self.judge.judge(found, scene, cover, view_of)
        verdicts = self.pairs.settle(verdicts, half, scene, cover, view_of)
        hidden = scene.veiled | {space.name for space in self._spaces if space.slot in outside}
        around = None if known else Surroundings(scene.mat, scene.gain).small()
        return RegionResult(scene, cards, cover, tuple(verdicts), hidden, around, glares(seen, spaces, self.frame))

    def _within(self) -> Array:
        """Mark the pixels of the region's slots."""
        inside = np.zeros((self.frame.height, self.frame.width), dtype=bool)
        for slot in self.slots:
            self.builder.windows.of(inside, slot.name)[:] = True
        return inside


def _is_colourless(above: Array) -> bool:
    """Return whether a view has no colours by which to tell players apart."""
    some = above[::8, ::8].astype(np.int16)
    return bool(np.abs(some - some.mean(axis=2, keepdims=True)).mean() < COLOURLESS)
