"""Classify figure candidates with small learned networks: crops of three layers, the networks, the verdict."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import hypot
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.vision.figures.evidence import MIDDLE
from companion.vision.figures.figure_finder import PIXEL_MM, REACH, SIDE, WANDER_MM, Candidate, FigureFinder

if TYPE_CHECKING:
    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.camera.top_view import ViewFrame
    from companion.vision.scene.cover import Cover
    from companion.vision.scene.scene import ExplainedView

CROP_SIDE = 32
SPAN = 1.4  # of a figure's height, from edge to edge
HALF_WAY = 0.4  # of a figure's height: what stays in the middle
AGAINST = 40  # log odds of a pixel that shows no figure, as a byte
STRANGENESS_STEPS = 16  # steps of strangeness kept a unit


@dataclass(frozen=True, slots=True)
class Layers:
    """One view, layer by layer: packed odds (h, w, 4), strangeness in bytes, the picture itself (BGR)."""

    odds: Array
    strange: Array
    above: Array
    frame: ViewFrame
    pose: Pose
    height: float  # of a figure, in mm


def layers(odds: Array, strange: Array, above: Array, frame: ViewFrame, pose: Pose, height: float) -> Layers:
    return Layers(odds, np.asarray(cv2.convertScaleAbs(strange, alpha=STRANGENESS_STEPS)), above, frame, pose, height)


def crop(candidate: Candidate, view: Layers, side: int = CROP_SIDE, others: Array | None = None) -> Array:
    """Crop a candidate, `side` pixels wide: (side, side, 3) bytes of odds, strangeness and light.

    `others` marks pixels of the view that belong to figures beside it: they are no evidence for this one.
    """
    space, frame = candidate.space, view.frame
    lean = FigureFinder.lean(space, view.pose)
    middle = np.array([space.x, space.y]) + candidate.foot + np.array(lean) * (view.height * HALF_WAY)
    centre = frame.pixels(middle)
    step = view.height * SPAN / CROP_SIDE * frame.scale
    length = max(hypot(*lean), 1e-6)
    up = np.array([lean[0], -lean[1]]) / length * step
    right = np.array([-up[1], up[0]])
    reach = int(side * step * 0.75) + 2
    left, top = (max(0, int(v) - reach) for v in centre)
    part = (slice(top, max(top + 1, int(centre[1]) + reach)), slice(left, max(left + 1, int(centre[0]) + reach)))
    bend = np.array([[right[0], -up[0], 0.0], [right[1], -up[1], 0.0]])
    bend[:, 2] = centre - (left, top) - bend[:, :2] @ np.full(2, (side - 1) / 2)
    blue, green, red = (view.above[part][..., channel] for channel in range(3))
    light = np.maximum(np.maximum(blue, green), red)
    odds, strange = np.ascontiguousarray(view.odds[part][..., candidate.player]), view.strange[part]
    if others is not None:
        odds, strange = (np.where(others[part], rest, layer) for rest, layer in ((AGAINST, odds), (0, strange)))
    stack = cv2.merge([odds.astype(np.uint8), strange.astype(np.uint8), light])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(stack, bend, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE))


FIRST, STEP, SECOND = 5, 2, 3  # sides of the two layers' windows, and how far the first moves at a time
MOST_SHADE, DARK = 1.5, 6.0
STEADY = 0.5  # scale of the measures beside the pictures
LEAST, MOST = -8.0, 12.0  # of a measure
LIGHT = np.log((np.arange(256) + DARK) / 255).astype(np.float32)
STRANGE = (np.log1p(np.arange(256) / STRANGENESS_STEPS) - 1).astype(np.float32)
ODDS = ((np.arange(256) - MIDDLE) / 60).astype(np.float32)
KINDS = 3  # nothing, standing, lying
LIKELY, LEAST_FIGURE = 0.1, 1e-6  # of a figure: below the first nobody asks for its pose
SETTLED = 0.75  # of a figure's pose: below it those are asked that have learned from many shapes
CLEAR = 0.01  # left of doubt; of 1,694 candidates a mirror then moved none by more than .03


def prepare(crops: Array) -> Array:
    """Convert crops (n, side, side, 3) of bytes to the network's input; light is relative to the figure's own."""
    odds, light = ODDS[crops[..., 0]], LIGHT[crops[..., 2]]
    mine = np.clip((odds + 0.3) * 2, 0, 1) + np.float32(1e-3)
    own = (light * mine).sum(axis=(1, 2), keepdims=True) / mine.sum(axis=(1, 2), keepdims=True)
    shade = np.clip(light - own, -MOST_SHADE, MOST_SHADE)
    return np.stack([odds, STRANGE[crops[..., 1]], shade], axis=-1)


def windows(pictures: Array, side: int, step: int) -> Array:
    """Unfold every window of a layer into a row: (n, rows, columns, side * side * channels)."""
    seen = np.lib.stride_tricks.sliding_window_view(pictures, (side, side), axis=(1, 2))[:, ::step, ::step]
    n, rows, columns = seen.shape[:3]
    return np.ascontiguousarray(seen.transpose(0, 1, 2, 4, 5, 3)).reshape(n, rows, columns, -1)


def pooled(pictures: Array) -> Array:
    n, rows, columns, channels = pictures.shape
    return np.asarray(pictures.reshape(n, rows // 2, 2, columns // 2, 2, channels).max(axis=(2, 4)))


def softmax(drives: Array) -> Array:
    grown = np.exp(drives - drives.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True))


@dataclass(frozen=True, slots=True)
class Net:
    """A network of two convolutions and two dense layers; `middle` and `spread` normalise the measures."""

    weights: dict[str, Array]
    middle: Array
    spread: Array

    def measures(self, values: Array) -> Array:
        """Normalise measures (n, m) as in training."""
        scaled = (np.clip(values, LEAST, MOST) - self.middle) / self.spread
        return np.asarray(scaled * STEADY, dtype=np.float32)

    def answer(self, crops: Array, values: Array) -> Array:
        """Return the probabilities of nothing, standing and lying for crops (n, side, side, 3) with their measures."""
        return Nets((self,)).answer(crops, values)

    def forward(self, seen: Array, measured: Array) -> Array:
        """Run the network on unfolded windows and normalised measures, without mirroring."""
        keep = self.weights
        first = np.maximum(seen @ keep["w1"] + keep["b1"], 0)
        second = np.maximum(windows(first, SECOND, 1) @ keep["w2"] + keep["b2"], 0)
        everything = np.concatenate([pooled(second).reshape(len(seen), -1), measured], axis=1)
        third = np.maximum(everything @ keep["w3"] + keep["b3"], 0)
        return softmax(third @ keep["w4"] + keep["b4"])


@dataclass(frozen=True, slots=True)
class Nets:
    """An ensemble trained in different orders: what one is wrongly sure of the others doubt.

    `poses`, where there are any, have learned from many shapes: they say how a figure stands or lies
    where the others are not sure.
    """

    each: tuple[Net, ...]
    poses: tuple[Net, ...] = ()

    def answer(self, crops: Array, values: Array) -> Array:
        """Return the mean of all networks; crops that are in any doubt are also judged mirrored."""
        if not len(crops):
            return np.zeros((0, KINDS), dtype=np.float32)
        terms = prepare(crops)
        said = self._said(terms, values)
        open_ = np.flatnonzero(~_are_clear(said))
        if len(open_):
            said[open_] = (said[open_] + self._said(terms[open_][:, :, ::-1], values[open_])) / 2
        return said

    def _said(self, terms: Array, values: Array) -> Array:
        seen = windows(terms, FIRST, STEP)
        said = np.asarray(np.mean([net.forward(seen, net.measures(values)) for net in self.each], axis=0))
        figure = 1 - said[:, 0]
        open_ = np.flatnonzero((figure > LIKELY) & (said[:, 1:].max(axis=1) < SETTLED * figure))
        if self.poses and len(open_):
            told = np.mean([net.forward(seen[open_], net.measures(values[open_])) for net in self.poses], axis=0)[:, 1:]
            told = told / np.maximum(told.sum(axis=1, keepdims=True), LEAST_FIGURE)
            sure = told.max(axis=1) >= SETTLED
            said[open_[sure], 1:] = figure[open_[sure], None] * told[sure]
        return said


def _are_clear(said: Array) -> Array:
    """Mark crops that are so clearly nothing, or a figure in one pose, that their mirror image would change nothing."""
    nothing, stands, lies = said.T
    pose = np.maximum(stands, lies) > (1 - 2 * CLEAR) * (stands + lies)
    return np.asarray((nothing > 1 - CLEAR) | ((nothing < CLEAR) & pose))


@cache
def load_nets() -> Nets:
    """Load the trained networks: once for all regions."""
    kept = json.loads(files("companion.vision").joinpath("learned.json").read_text(encoding="utf-8"))
    return Nets(*(tuple(_net(one) for one in kept[name]) for name in ("nets", "poses")))


def _net(kept: dict[str, dict[str, object]]) -> Net:
    weights = {name: unpack(kept[name]) for name in ("w1", "b1", "w2", "b2", "w3", "b3", "w4", "b4")}
    return Net(weights, unpack(kept["middle"]), unpack(kept["spread"]))


def pack(values: Array) -> dict[str, object]:
    """Encode an array in half precision as text."""
    return {
        "shape": list(values.shape),
        "data": base64.b64encode(np.asarray(values, dtype="<f2").tobytes()).decode("ascii"),
    }


def unpack(kept: dict[str, object]) -> Array:
    flat = np.frombuffer(base64.b64decode(str(kept["data"])), dtype="<f2").astype(np.float32)
    shape = kept["shape"]
    if not isinstance(shape, list):
        raise TypeError("learned.json: a shape is a list")
    return flat.reshape([int(side) for side in shape])


SURE, SURE_BLIND, UNSEEN, COVERED = 0.5, 0.75, 0.4, 0.5
SURE_UNDER_HAND, SURE_BESIDE_HAND = 0.9, 0.6  # for what something wide touches, and for what lies clear of it
SURE_POSE, SURE_POSE_TOUCHED, TOUCHED = 0.65, 0.9, 0.05
FULL_SCORE = 400.0
STRANGEST, CROWDED = 10.0, 8.0


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

    @property
    def sure(self) -> bool:
        """Whether this is enough to report a figure."""
        figure, pose = self.least
        return self.pose > pose and self.figure > figure

    @property
    def least(self) -> tuple[float, float]:
        """The thresholds for a figure, and for its pose, to be reported."""
        figure = SURE_BLIND if self.unseen > UNSEEN or self.covered > COVERED else SURE
        if self.hand:
            figure = SURE_UNDER_HAND if self.covered > TOUCHED else max(figure, SURE_BESIDE_HAND)
        return figure, SURE_POSE_TOUCHED if self.covered > TOUCHED else SURE_POSE


class FigureClassifier:
    def __init__(self, finder: FigureFinder) -> None:
        self._finder, self._nets = finder, load_nets()

    def judge(self, found: list[Candidate], scene: ExplainedView, cover: Cover, view: Layers) -> list[FigureVerdict]:
        """Classify every candidate, and keep the likeliest of each space."""
        if not found:
            return []
        verdicts: dict[str, FigureVerdict] = {}
        for verdict in self.each(found, scene, cover, [crop(candidate, view) for candidate in found]):
            name = verdict.candidate.space.name
            if name not in verdicts or verdict.figure > verdicts[name].figure:
                verdicts[name] = verdict
        return list(verdicts.values())

    def each(
        self, found: list[Candidate], scene: ExplainedView, cover: Cover, crops: list[Array]
    ) -> list[FigureVerdict]:
        """Classify each of some candidates by its crop."""
        if not found:
            return []
        values = self.measure(found, scene, cover)
        verdicts = []
        chances = self._nets.answer(np.stack(crops), values)
        for candidate, value, (nothing, stands, lies) in zip(found, values, chances.tolist(), strict=True):
            pose = max(stands, lies) / max(stands + lies, 1e-6)
            under, unseen = float(value[6]), float(value[7])
            verdicts.append(FigureVerdict(candidate, 1 - nothing, pose, lies > stands, under, unseen, cover.hand))
        return verdicts

    def measure(self, found: list[Candidate], scene: ExplainedView, cover: Cover) -> Array:
        """Compute the network's inputs beside the crops: (n, measures)."""
        size = self._finder.size
        blind = cv2.resize(scene.blind.astype(np.float32), size, interpolation=cv2.INTER_AREA)
        strange = cv2.resize(np.minimum(scene.strange, STRANGEST), size, interpolation=cv2.INTER_AREA)
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
