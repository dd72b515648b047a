"""Learn what the household's own figures look like to the network: cut off the paper and laid on the deck's cards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from calibration.measuring.outline import SCALE as WINDOW_SCALE
from companion.vision.arrays import linear
from companion.vision.camera.top_view import ViewFrame
from companion.vision.cards.card_match import load_art
from companion.vision.figures.crops import crop, layers
from companion.vision.figures.evidence import Evidence, load_odds
from companion.vision.figures.figure_finder import PIXEL_MM, SIDE, FigureFinder, Silhouettes
from companion.vision.figures.memory import LYING, STANDING, FigureMemory, KnownLook
from companion.vision.figures.network import load_net
from companion.vision.figures.verdict import FigureClassifier
from companion.vision.places import MatSpace
from companion.vision.scene import light
from companion.vision.scene.cover import Cover
from companion.vision.scene.expected import Expected
from companion.vision.scene.scene import ExplainedView, strangeness

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.profile import Profile

SCALE: Final = 1.25  # pixels a millimetre of the view that figures are judged in
GROUNDS: Final = 6  # cards that a figure is laid on: every other one teaches, the others judge
SOFT: Final = 0.6  # pixels of a figure's edge
LIT: Final = (0.92, 1.08)  # how the light on a card differs from that on the figure
NOISE: Final = 0.01  # of linear light
SHARE: Final = 0.8  # of a card that its picture explains where a figure stands
COVER_MM: Final = 3.2
LEAST_SEEN: Final = 0.5  # chance of a figure under which what was cut out is no whole figure
SURE: Final = 0.8  # chance of the right pose under which one more picture is asked for
HARM: Final = 0.05  # how much less sure of another figure nothing may become
SOME: Final = 1e-6
PAPER: Final = 0.87  # how much light white paper gives back
SPACE: Final = "1:R1"


@dataclass(frozen=True, slots=True)
class CutFigure:
    """A figure on the sheet: its surroundings from straight above, what of them it covers, and how it stands."""

    patch: Array
    """As the camera saw it, `outline.SCALE` pixels a mm, the place in its middle."""
    mask: Array
    paper: Array
    """Linear light of white paper there (BGR)."""
    pose: Pose
    middle: tuple[float, float]
    player: str
    lying: bool

    @property
    def what(self) -> str:
        return f"{self.player} {'lying' if self.lying else 'standing'}"


@dataclass(frozen=True, slots=True)
class FigureLooks:
    """A figure on several cards: what the network said of each, and what it saw."""

    what: str
    kind: int
    chances: Array
    features: Array

    def sureness(self, memory: FigureMemory, which: slice = slice(None)) -> float:
        """Return the mean chance of the right pose, of what is a figure at all."""
        if not len(self.chances[which]):
            return 0.0
        told = memory.settle(self.chances[which], self.features[which])
        return float((told[:, self.kind] / np.maximum(told[:, STANDING] + told[:, LYING], SOME)).mean())

    def surprise(self, memory: FigureMemory) -> float:
        """Return how little the right pose was expected on the cards that judge: the mean negative logarithm."""
        told = memory.settle(self.chances[1::2], self.features[1::2])
        right = told[:, self.kind] / np.maximum(told[:, STANDING] + told[:, LYING], SOME)
        return float(-np.log(right + SOME).mean()) if len(right) else 0.0

    @property
    def is_whole(self) -> bool:
        """Whether the network sees a figure on most of the cards."""
        return len(self.chances) >= GROUNDS // 2 and float(1 - self.chances[:, 0].mean()) > LEAST_SEEN

    def examples(self) -> list[KnownLook]:
        """Return what is remembered: the cards that teach, which together count as one example."""
        rows = self.features[::2]
        return [KnownLook(tuple(row.tolist()), self.kind, round(1 / len(rows), 3)) for row in rows]


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learned of the figures on some pictures."""

    looks: tuple[KnownLook, ...]
    learned: tuple[str, ...]
    unsure: tuple[str, ...]
    """Figures of which the camera is not sure even so, or that were not seen whole."""
    before: float
    after: float
    """The mean chance of the right pose on the cards that judge, without what was learned and with it."""


def learn(found: Sequence[FigureLooks]) -> Lesson:
    """Take the examples that make poses surer on cards that taught nothing, and no other figure less sure."""
    whole = [one for one in found if one.is_whole]
    taken: list[FigureLooks] = []
    for one in sorted(whole, key=lambda look: -look.surprise(FigureMemory([]))):
        now, then = _memory(taken), _memory([*taken, one])
        better = sum(other.surprise(then) - other.surprise(now) for other in whole) < 0
        if better and all(other.surprise(then) < other.surprise(now) + HARM for other in whole):
            taken.append(one)
    memory, none = _memory(taken), FigureMemory([])
    judged = slice(1, None, 2)
    unsure = [one.what for one in found if not one.is_whole or one.sureness(memory, judged) < SURE]
    return Lesson(
        tuple(look for one in taken for look in one.examples()),
        tuple(dict.fromkeys(one.what for one in taken)),
        tuple(dict.fromkeys(unsure)),
        float(np.mean([one.sureness(none, judged) for one in whole])) if whole else 0.0,
        float(np.mean([one.sureness(memory, judged) for one in whole])) if whole else 0.0,
    )


def _memory(taken: Sequence[FigureLooks]) -> FigureMemory:
    return FigureMemory([look for one in taken for look in one.examples()])


class FigureStage:
    """Lays figures that were cut off the paper on the deck's cards, and asks the network what it sees."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._cards = [art.picture for art in load_art(profile, SCALE)[0]]
        self._evidence = Evidence(profile.colours, load_odds())
        self._silhouettes = Silhouettes(profile.figure_height, profile.figure_base, PIXEL_MM, SIDE)

    def looks(self, figure: CutFigure) -> FigureLooks:
        """Return what the network sees of a figure on several cards; on plain ones where the deck has no pictures."""
        chance = np.random.default_rng([len(figure.what), figure.lying, *figure.what.encode()])
        kind = LYING if figure.lying else STANDING
        found = [laid for _ in range(GROUNDS) if (laid := self._laid(figure, chance)) is not None]
        if not found:
            return FigureLooks(figure.what, kind, np.zeros((0, 3)), np.zeros((0, 1)))
        crops, measures, sizes = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return FigureLooks(figure.what, kind, *load_net().answer_with_features(crops, measures, sizes))

    def _laid(self, figure: CutFigure, chance: np.random.Generator) -> tuple[Array, Array, Array] | None:
        """Lay a figure on one card; return its crop, its measures and its size for the network."""
        size = round(figure.patch.shape[0] / WINDOW_SCALE * SCALE)
        patch = cv2.resize(figure.patch, (size, size), interpolation=cv2.INTER_AREA)
        mask = cv2.resize(figure.mask.astype(np.float32), (size, size), interpolation=cv2.INTER_AREA)
        cover = cv2.GaussianBlur(mask, (0, 0), SOFT)[..., None]
        gain = np.broadcast_to(np.maximum(figure.paper, SOME) / PAPER, patch.shape).astype(np.float32)
        card = self._ground(size, chance)
        shown = light.LINEAR[card] * gain
        lit = linear(patch.reshape(-1, 3)).reshape(patch.shape)
        seen = lit * cover + shown * (1 - cover) * chance.uniform(*LIT)
        seen = np.maximum(seen + chance.normal(0, NOISE, seen.shape), 0).astype(np.float32)
        above = np.searchsorted(light.LINEAR, seen.ravel()).clip(0, 255).astype(np.uint8).reshape(seen.shape)
        half = figure.patch.shape[0] / WINDOW_SCALE / 2
        frame = ViewFrame(figure.middle[0] - half, figure.middle[1] + half, SCALE, size, size)
        scene = ExplainedView(
            pose=figure.pose,
            above=above,
            placements=[],
            expected=Expected(card, np.ones((size, size), dtype=np.uint8)),
            gain=light.Gain(gain),
            around=None,
            on_mat=None,
            strange=strangeness(above, shown.astype(np.float32)),
            blind=np.zeros((size, size), dtype=bool),
            explained={SPACE: SHARE},
        )
        finder = FigureFinder(frame, self._silhouettes)
        odds = self._evidence.odds(scene)
        space = MatSpace(f"{SPACE}a", SPACE, *figure.middle)
        fitted = finder.settle(finder.candidates(finder.shrink(odds), figure.pose, [space]), figure.pose)
        mine = [one for one in fitted if self._evidence.players[one.player] == figure.player]
        if not mine:
            return None
        clear = np.zeros((round(2 * half / COVER_MM) + 1,) * 2, dtype=bool)
        measures = FigureClassifier(finder).measure(mine[:1], scene, Cover(clear, clear, hand=False))
        view = layers(odds, scene, above, frame, figure.pose, self._profile.figure_height)
        return crop(mine[0], view)[None], measures, finder.sizes(mine[:1], figure.pose)

    def _ground(self, size: int, chance: np.random.Generator) -> Array:
        """Return a part of a card as large as the view, or a plain colour."""
        if not self._cards:
            return np.full((size, size, 3), chance.integers(60, 230, 3), dtype=np.uint8)
        card = self._cards[int(chance.integers(len(self._cards)))]
        times = (-(-size // card.shape[0]) + 1, -(-size // card.shape[1]) + 1, 1)
        down, right = (int(chance.integers(side)) for side in card.shape[:2])
        return np.ascontiguousarray(np.tile(card, times)[down : down + size, right : right + size])
