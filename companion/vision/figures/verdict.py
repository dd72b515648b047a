"""Classify figure candidates: what is measured of each, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import hypot
from typing import TYPE_CHECKING

import numpy as np

from companion.vision.figures.crops import Layers, crop, likeness_of_card
from companion.vision.figures.figure_finder import PIXEL_MM, REACH, SIDE, WANDER_MM, Candidate, FigureFinder
from companion.vision.figures.memory import LYING, NOTHING, SAID_SURE, CropSeen
from companion.vision.figures.network import CLEAR, load_net

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.figures.memory import Answers, FigureMemory
    from companion.vision.scene.cover import Cover
    from companion.vision.scene.scene import ExplainedView

SURE, SURE_BLIND, UNSEEN, COVERED = 0.66, 0.75, 0.4, 0.5
SURE_UNDER_HAND, SURE_BESIDE_HAND = 0.9, 0.8  # for what something wide touches, and for what lies clear of it
SURE_POSE, SURE_POSE_TOUCHED, TOUCHED = 0.65, 0.9, 0.05
NEVER = 1.0
MAYBE, CARDS_OWN = 0.1, 0.86
"""Where a figure is likely at all, but not clear: how like the card's own picture it must be to be taken for that."""
FULL_SCORE = 400.0
CROWDED = 8.0


@dataclass(frozen=True, slots=True)
class FigureVerdict:
    """How likely a candidate is a figure at all, and how likely its pose is right."""

    candidate: Candidate
    figure: float
    pose: float
    lying: bool
    covered: float  # how much of it lies under something wider than a figure
    unseen: float  # how much of it lies where nothing is known to compare with
    hand: bool = False  # whether a hand is over the table: what a finger makes of a card may look like a figure
    on_card: bool = False  # whether the card's own picture, moved a little, looks like what is seen
    unknown: bool = False  # whether neither a card nor the mat is known there: a cloth's dots may look like figures
    seen: CropSeen | None = field(default=None, repr=False, compare=False)  # what the network alone made of it

    @property
    def sure(self) -> bool:
        """Whether this is enough to report a figure."""
        figure, pose = self.least
        return self.pose > pose and self.figure > figure

    @property
    def least(self) -> tuple[float, float]:
        """The thresholds for a figure, and for its pose, to be reported."""
        figure = SURE_BLIND if self.unseen > UNSEEN or self.covered > COVERED else SURE
        if self.unknown:
            figure = NEVER
        elif self.on_card:
            figure = CLEAR
        elif self.hand:
            figure = SURE_UNDER_HAND if self.covered > TOUCHED else max(figure, SURE_BESIDE_HAND)
        return figure, SURE_POSE_TOUCHED if self.covered > TOUCHED else SURE_POSE


class FigureClassifier:
    def __init__(
        self, finder: FigureFinder, memory: FigureMemory | None = None, answers: Answers | None = None
    ) -> None:
        """`memory` knows the table's own figures, `answers` what people said of spaces."""
        self._finder, self._net, self._memory, self._answers = finder, load_net(), memory, answers

    def judge(self, found: list[Candidate], scene: ExplainedView, cover: Cover, view: Layers) -> list[FigureVerdict]:
        """Classify every candidate, and keep the likeliest of each space."""
        if not found:
            return []
        verdicts: dict[str, FigureVerdict] = {}
        for verdict in self.each(found, scene, cover, [crop(candidate, view) for candidate in found]):
            name = verdict.candidate.space.name
            if name not in verdicts or verdict.figure > verdicts[name].figure:
                verdicts[name] = verdict
        return [self._as_said(verdict) for verdict in verdicts.values()]

    def _as_said(self, verdict: FigureVerdict) -> FigureVerdict:
        """Return what a person said of a space that still looks as it did then."""
        answer = None if self._answers is None else self._answers.at(verdict.candidate.space.name)
        if answer is None or verdict.seen is None or not answer.is_of(verdict.seen):
            return verdict
        if answer.kind == NOTHING:
            return replace(verdict, figure=1 - SAID_SURE)
        candidate = replace(verdict.candidate, player=answer.player)
        return replace(verdict, candidate=candidate, figure=SAID_SURE, pose=SAID_SURE, lying=answer.kind == LYING)

    def each(
        self, found: list[Candidate], scene: ExplainedView, cover: Cover, crops: list[Array]
    ) -> list[FigureVerdict]:
        """Classify each of some candidates by its crop."""
        if not found:
            return []
        values = self.measure(found, scene, cover)
        verdicts = []
        sizes = self._finder.sizes(found, scene.pose)
        alone, features = self._net.answer_with_features(np.stack(crops), values, sizes)
        told = alone if self._memory is None else self._memory.settle(alone, features)
        looks = [CropSeen(one.player, *both) for one, *both in zip(found, alone, features, strict=True)]
        for candidate, value, seen, cut, (nothing, stands, lies) in zip(
            found, values, looks, crops, told.tolist(), strict=True
        ):
            on_card = MAYBE < 1 - nothing < CLEAR and likeness_of_card(cut) > CARDS_OWN
            pose = max(stands, lies) / max(stands + lies, 1e-6)
            under, unseen = float(value[6]), float(value[7])
            unknown = not scene.mat_known and not scene.explained.keys() & {candidate.space.name, candidate.space.slot}
            how = (1 - nothing, pose, lies > stands, under, unseen, cover.hand, on_card, unknown, seen)
            verdicts.append(FigureVerdict(candidate, *how))
        return verdicts

    def measure(self, found: list[Candidate], scene: ExplainedView, cover: Cover) -> Array:
        """Compute the network's inputs beside the crops: (n, measures)."""
        blind, strange = scene.shrunk(self._finder.size)
        return np.stack([self._measure(candidate, scene, cover, blind, strange) for candidate in found])

    def _measure(self, candidate: Candidate, scene: ExplainedView, cover: Cover, blind: Array, strange: Array) -> Array:
        pad = SIDE + 2 * REACH
        corner = (candidate.corner[0] - pad, candidate.corner[1] - pad)
        shape = self._finder.shape(candidate, scene.pose)
        part = (slice(max(0, corner[1]), max(0, corner[1] + SIDE)), slice(max(0, corner[0]), max(0, corner[0] + SIDE)))
        unseen, odd = blind[part], strange[part]
        inside = shape[max(0, -corner[1]) :, max(0, -corner[0]) :][: odd.shape[0], : odd.shape[1]] > 0.5  # noqa: PLR2004
        space = candidate.space
        known = scene.explained.get(space.name, scene.explained.get(space.slot, 0.0))
        return np.array(
            [
                candidate.score / candidate.area,
                min(candidate.score, FULL_SCORE) / 100,
                candidate.cover,
                candidate.ring,
                candidate.claimed,
                max(candidate.rival, -1.0),
                cover.share(shape, corner, PIXEL_MM),
                float(unseen.mean()) if unseen.size else 0.0,
                known,
                hypot(*np.subtract(candidate.foot, candidate.aside)) / WANDER_MM,
                float(candidate.is_lying),
                abs(candidate.standing - candidate.lying) / candidate.area,
                float(space.name in scene.explained),
                float(odd[inside].mean()) if inside.any() else 0.0,
                min(candidate.crowd, CROWDED),
                (candidate.lying - candidate.standing) / candidate.area,
                hypot(*self._finder.lean(space, scene.pose)),
            ]
        )
