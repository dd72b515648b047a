"""Read pictures of one table: everything computed once from a profile, whole looks, and looks at what changed."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.vision.arrays import quantile
from companion.vision.camera.by_cards import CardsPose
from companion.vision.camera.pose import Pose, find_pose
from companion.vision.camera.top_view import Crop, SightLines, ViewFrame, frame_of, look_down, part_of, sight_lines
from companion.vision.cards.card_match import load_art
from companion.vision.cards.card_reader import CardFindings, CardReader, CardView
from companion.vision.cards.placing import Stickers, mat_fits
from companion.vision.cards.recognise import FineMatchers, PartialDeckCheck, Recogniser
from companion.vision.cards.reread import Rereader, StickerPlaces
from companion.vision.cards.tags import Tag, TagFinder, add_tags
from companion.vision.cards.tracks import Tracks
from companion.vision.figures.crops import layers
from companion.vision.figures.evidence import Evidence, load_odds
from companion.vision.figures.figure_finder import PIXEL_MM, SIDE, FigureFinder, Silhouettes
from companion.vision.figures.memory import KINDS, NOTHING, Answer, Answers, FigureMemory, KnownLook, LastLooks
from companion.vision.figures.pairs import PairFinder
from companion.vision.figures.verdict import FigureClassifier, FigureVerdict
from companion.vision.places import Slot, is_on_a_track
from companion.vision.reading import MAYBE, VisionReading, assemble, lost, merge
from companion.vision.scene import light
from companion.vision.scene.cover import Cover, find_cover
from companion.vision.scene.expected import ExpectedPainter, stickers
from companion.vision.scene.light import Surroundings, glares
from companion.vision.scene.mat import MatPicture, load_mat
from companion.vision.scene.scene import STRIDE, ExplainedView, SceneBuilder

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.profile import Profile

MOSTLY, AS_KNOWN = 0.9, 0.8  # of an empty place that looks as it looked before, but for wear: its strangeness
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
    memory: FigureMemory
    answers: Answers
    mat: tuple[MatPicture, ViewFrame] | None
    """The picture of the empty mat, and its frame."""


@dataclass(frozen=True, slots=True)
class RegionResult:
    """What a region shows; the scene, which is large, is kept only on request."""

    scene: ExplainedView | None
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
        self._mat = tools.mat[0].part(tools.mat[1], frame) if tools.mat else None
        self.builder = SceneBuilder(tools.profile, frame, slots, tools.painter, self._mat)
        self.recogniser = tools.recogniser.within(frame)
        self._reader = CardReader(tools.profile, self.builder, self.recogniser, tools.rereader, tools.closer)
        self.evidence = tools.evidence
        self.figures = FigureFinder(frame, tools.silhouettes)
        self.judge = FigureClassifier(self.figures, tools.memory, tools.answers)
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
        things: Array | None = None,
    ) -> RegionResult:
        """Read a picture, given in grey as the camera gave it and in colour from above.

        `outside` are slots that the picture does not show whole; `known` is what an earlier whole look learned, where
        only a part is read.
        """
        grey, above = picture
        seen = light.in_linear_light(above)
        mat = None if self._mat is None else self.recogniser.shrink(self._mat.picture)
        view = CardView(grey, pose, seen, above, self.recogniser.shrink(above), mat)
        cards = self._reader.read(tags, view, outside, known[0] if known else None)
        fitted = cards.fitted or self.builder.fit(seen, cards.placements)
        spaces = [space for space in self._spaces if space.slot not in cards.bare | outside]
        white = glares(seen, spaces, self.frame)
        del view, seen  # large, and of no more use: a small Pi has little memory
        scene = self.builder.build(pose, above, fitted, cards.bare, known[1] if known else None)
        cards.fitted = None
        del fitted
        cover = find_cover(scene, self.frame, self._marks, self._within() if known else None, things)
        odds = self.evidence.odds(scene)
        half = self.figures.shrink(odds)
        if _is_colourless(above):
            return RegionResult(scene, cards, cover, (), scene.veiled | {space.name for space in spaces})
        found = self.figures.settle(self.figures.candidates(half, pose, spaces), pose)
        view_of = layers(odds, scene, above, self.frame, pose, self._height)
        verdicts = self.judge.judge(found, scene, cover, view_of)
        only = None if scene.mat_known else self.figures.on_cards(scene.expected.owner)
        verdicts = [v for v in verdicts if v.figure < MAYBE or not self.figures.is_stick(half, v.candidate, pose, only)]
        verdicts = self.pairs.settle(verdicts, half, scene, cover, view_of)
        hidden = scene.veiled | {space.name for space in self._spaces if space.slot in outside}
        if self._mat is not None and scene.on_mat is not None and not cover.hand:
            self._learn_mat(self._mat, scene, scene.on_mat, cards.bare - scene.veiled - outside)
        return RegionResult(scene, cards, cover, tuple(verdicts), hidden, scene.around, white)

    def _learn_mat(self, mat: MatPicture, scene: ExplainedView, lit: Array, empty: set[str]) -> None:
        """Keep the last look of every empty place: what comes to lie there is told against it."""
        for name in empty:
            (x, y), window = self.builder.windows.corners[name], self.builder.windows
            strange = window.of(scene.strange, name)[::STRIDE, ::STRIDE]
            if float(quantile(strange.ravel(), MOSTLY)) > AS_KNOWN:  # a shadow lies there
                continue
            mat.learn(slice(max(0, y), y + window.height), slice(max(0, x), x + window.width), scene.above, lit)

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


SCALE = 1.25
KEPT_REGIONS = 16
FEW_TAGS = 3


@dataclass(frozen=True, slots=True)
class LookResult:
    """The reading of one picture, and what it was made from (None when the table was not found)."""

    reading: VisionReading
    tags: tuple[Tag, ...] = ()
    pose: Pose | None = None
    lines: SightLines | None = field(default=None, repr=False)
    found: RegionResult | None = field(default=None, repr=False)
    misfit: bool = False
    """Whether the table was not found because the cards do not lie where the profile has its places."""


class TableReader:
    """Reads pictures of one table; `keep_scenes` for those who want to know how a reading came about."""

    def __init__(self, profile: Profile, *, keep_scenes: bool = False) -> None:
        self.profile = profile
        self._keep_scenes = keep_scenes
        ids = tuple(tag.id for tag in profile.mat_tags) + tuple(profile.card_of_tag())
        self.finder = TagFinder(profile.dictionary, ids)
        self.frame = frame_of(profile, SCALE)
        arts, self.faults = load_art(profile, SCALE)
        pictures: dict[str, Array] = {}
        for art in arts:
            pictures.setdefault(art.card.name, art.picture)
        drawn = stickers(profile.dictionary, ids)
        self._mat = load_mat(profile, self.frame)
        self._tools = RegionTools(
            profile=profile,
            painter=ExpectedPainter(profile, pictures, drawn),
            recogniser=Recogniser(profile, self.frame, arts, FineMatchers(profile, self.frame, arts, drawn)),
            closer=PartialDeckCheck(profile, arts),
            rereader=Rereader(profile, self.finder),
            evidence=Evidence(profile.colours, load_odds()),
            silhouettes=Silhouettes(profile.figure_height, profile.figure_base, PIXEL_MM, SIDE),
            memory=FigureMemory(profile.figure_memory),
            answers=Answers(),
            mat=None if self._mat is None else (self._mat, self.frame),
        )
        self.whole = Region(self._tools, self.frame, list(profile.slots))
        self._by_cards = None if profile.mat_tags else CardsPose(profile, arts)
        self._stood: Pose | None = None
        self._tracks = Tracks(profile, arts)
        self._places = StickerPlaces(profile)
        self._parts: dict[tuple[str, ...], Region] = {}
        self._looks = LastLooks()

    @property
    def said(self) -> tuple[KnownLook, ...]:
        """What people said of figures that were in doubt."""
        return self._tools.memory.said

    def learn(self, space: str, player: str, pose: str) -> Answer | None:
        """Learn what was in doubt in the latest look at a space, a figure in a pose or `nothing`.

        What was said holds on this space as long as it looks the same, and is an example for what looks like it
        elsewhere where that makes nothing worse. None where there is nothing to learn.
        """
        seen, kind, colours = self._looks.at(space), KINDS.index(pose), list(self.profile.colours)
        memory, answers = self._tools.memory, self._tools.answers
        if seen is None or (kind != NOTHING and player not in colours):
            return None
        whose, known = seen.player if kind == NOTHING else colours.index(player), answers.at(space)
        if not memory.speaks_not_against(seen, kind, whose):
            return None
        if known is not None and (known.kind, known.player) == (kind, whose) and known.is_of(seen):
            return None
        others, look = self._looks.elsewhere(space), None
        if whose == seen.player:
            look = memory.learn(seen, colours[whose], kind, others)
        answer = Answer(space, seen, kind, whose, look)
        answers.hold(answer)
        return answer

    def forget(self, answer: Answer) -> bool:
        """Forget an answer and what was learned from it; return whether the example was still known."""
        self._tools.answers.drop(answer)
        return answer.look is not None and self._tools.memory.forget(answer.look)

    def _note(self, found: RegionResult, slots: list[Slot]) -> None:
        """Keep what was seen of figures, unless a hand is over them."""
        if not found.cover.hand:
            names = {slot.name for slot in slots}
            self._looks.note(found.verdicts, names)
            self._tools.answers.look(self._looks, names)

    def look(self, picture: Array, image: str = "", things: Array | None = None) -> LookResult:
        """Read one picture (BGR, 8 bit); what lies where there are `things` is no hand."""
        start = time.perf_counter()
        found = self._look(picture, image, things)
        return replace(found, reading=replace(found.reading, ms=_since(start)))

    def look_again(
        self, picture: Array, before: LookResult, changed: set[str], image: str = "", things: Array | None = None
    ) -> LookResult:
        """Read only some slots, or the tracks, of a picture, taken with the camera where it was before."""
        slots = self._slots(changed)
        if before.pose is None or len(slots) * 2 > len(self.profile.slots):
            return self.look(picture, image, things)
        start = time.perf_counter()
        crop = self._crop(before, slots)
        tags = self._tags_again(picture, before, before.pose, crop, changed)
        twins = set().union(*(self._places.of_twins(seen, before.pose) for seen in (before.tags, tags)))
        if twins - changed:
            changed, slots = changed | twins, self._slots(changed | twins)
            crop = self._crop(before, slots)
        reading = None if before.reading.hand else before.reading
        if slots:
            reading = self._slots_again(picture, before, crop, slots, tags)
        if reading is None:
            return self.look(picture, image, things)
        if any(is_on_a_track(place) for place in changed):
            reading = self._with_tracks(reading, picture, before.pose, tags, before.found)
        return replace(before, tags=tags, reading=replace(reading, image=image, ms=_since(start)))

    def _slots(self, names: set[str]) -> list[Slot]:
        return [slot for slot in self.profile.slots if slot.name in names]

    def _crop(self, before: LookResult, slots: list[Slot]) -> Crop | None:
        """Return the part of a picture that shows some slots."""
        if not slots or before.lines is None:
            return None
        return before.lines.crop(part_of(self.frame, self.profile, slots))

    def _tags_again(
        self, picture: Array, before: LookResult, pose: Pose, crop: Crop | None, changed: set[str]
    ) -> tuple[Tag, ...]:
        """Find the tags where something has changed, and keep those that the look before saw elsewhere."""
        on_tracks = any(is_on_a_track(place) for place in changed)
        parts = [(crop.rows, crop.columns) if crop else None, self._tracks.around(pose, picture) if on_tracks else None]
        tags: list[Tag] = []
        for rows, columns in filter(None, parts):
            grey = np.asarray(cv2.cvtColor(picture[rows, columns], cv2.COLOR_BGR2GRAY))
            found = self.finder.find(grey, max(picture.shape[:2]))
            tags = add_tags(tags, [tag.shifted(columns.start, rows.start) for tag in found])
        return tuple(add_tags(tags, self._places.elsewhere(before.tags, pose, changed)))

    def _slots_again(
        self, picture: Array, before: LookResult, crop: Crop | None, slots: list[Slot], tags: tuple[Tag, ...]
    ) -> VisionReading | None:
        """Read some slots again; None where that takes a whole look."""
        if crop is None or before.found is None or before.found.around is None or before.pose is None:
            return None
        (left, top), part = crop.corner, crop.part
        near = picture[crop.rows, crop.columns]
        views = np.asarray(cv2.cvtColor(near, cv2.COLOR_BGR2GRAY)), crop.look_down(near)
        known = (before.found.cards.stickers, before.found.around.part(self.frame, part))
        pose = before.pose.shifted(-left, -top)
        shifted = [tag.shifted(-left, -top) for tag in tags]
        region = self._part(slots, part.frame)
        found = region.read(views, pose, shifted, self._outside(pose, near, slots), known)
        if found.cover.hand:  # an arm, or something large that only a whole look can tell from one
            return None
        self._note(found, slots)
        fresh = assemble(self.profile, part.frame, found, "", slots)
        return merge(before.reading, fresh, {slot.name for slot in slots})

    def _with_tracks(
        self, reading: VisionReading, picture: Array, pose: Pose, tags: tuple[Tag, ...], found: RegionResult | None
    ) -> VisionReading:
        """Put what the tracks show into a reading; `found` says what a hand is over."""

        def covered(middle: tuple[float, float]) -> bool:
            return found is not None and found.cover.reaches(middle, self.profile.card, self.frame)

        tracks, unsure = self._tracks.read(picture, pose, tags, covered)
        rest = {place for place in reading.unsure if not is_on_a_track(place)}
        return replace(reading, tracks=tracks, unsure=tuple(sorted(rest | unsure)))

    def _part(self, slots: list[Slot], frame: ViewFrame) -> Region:
        key = tuple(slot.name for slot in slots)
        if key not in self._parts:
            if len(self._parts) >= KEPT_REGIONS:
                self._parts.clear()
            self._parts[key] = Region(self._tools, frame, slots)
        return self._parts[key]

    def _outside(self, pose: Pose, picture: Array, slots: list[Slot]) -> set[str]:
        """Return the slots that a picture does not show whole."""
        half_x, half_y = self.profile.card[0] / 2, self.profile.card[1] / 2
        reach = np.array([[-half_x, -half_y, 0], [half_x, -half_y, 0], [-half_x, half_y, 0], [half_x, half_y, 0]])
        corners = np.array([[slot.x, slot.y, 0.0] for slot in slots])[:, None, :] + reach
        points = pose.project(corners.reshape(-1, 3)).reshape(len(slots), -1, 2)
        limit = np.array([picture.shape[1], picture.shape[0]]) - 1
        whole: Array = np.asarray(((points >= 0) & (points <= limit)).all(axis=(1, 2)))
        return {slot.name for slot, shown in zip(slots, whole, strict=True) if not shown}

    def _look(self, picture: Array, image: str, things: Array | None) -> LookResult:
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY))
        size = (picture.shape[1], picture.shape[0])
        tags = self.finder.find(grey)
        pose = find_pose(tags, self.profile, size)
        if pose is None or pose.tags < FEW_TAGS:
            more = self.finder.find(grey, thorough=True)
            better = find_pose(more, self.profile, size)
            tags, pose = (more, better) if better is not None else (tags, pose)
        if pose is None and self._by_cards is not None and self._by_cards.can:
            pose = self._stood = self._by_cards.find(picture, self._stood)
        if pose is None:
            return LookResult(lost(image), tuple(tags))
        if not mat_fits(tags, pose, self.profile):
            return LookResult(lost(image), tuple(tags), misfit=True)
        lines = sight_lines(pose, self.frame)
        slots = list(self.profile.slots)
        views = grey, look_down(picture, lines.maps())
        found = self.whole.read(views, pose, tags, self._outside(pose, picture, slots), things=things)
        self._note(found, slots)
        reading = assemble(self.profile, self.frame, found, image, slots)
        reading = self._with_tracks(reading, picture, pose, tuple(tags), found)
        return LookResult(reading, tuple(tags), pose, lines, found if self._keep_scenes else replace(found, scene=None))


def _since(start: float) -> float:
    return (time.perf_counter() - start) * 1000
