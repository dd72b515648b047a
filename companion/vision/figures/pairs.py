"""Find two figures on one space: side by side where a space takes two, or where somebody put one too many."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot

import numpy as np

from companion.vision.arrays import Array
from companion.vision.camera.pose import Pose
from companion.vision.figures.crops import CROP_SIDE as CROP
from companion.vision.figures.crops import Layers, crop
from companion.vision.figures.figure_finder import PIXEL_MM, REACH, SIDE, Candidate, FigureFinder, windows
from companion.vision.figures.verdict import TOUCHED, FigureClassifier, FigureVerdict
from companion.vision.places import MatSpace
from companion.vision.scene.cover import Cover
from companion.vision.scene.scene import ExplainedView

WIDE = 14  # pixels of the half-size picture around a space's middle
COARSE = 2
CROWD = 1.4  # evidence beside the first figure, in silhouettes, below which no second one is searched for
TRIES, NEAR = 4, 3  # silhouettes tried for the first of two, and how far apart
APART = (0.9, 1.75)  # of a base, between the feet of two figures
OFF_CENTRE = 12.0  # mm: how far the middle between them may be from that of their space
FARTHEST = 24.0  # mm from the middle of its space: a foot beyond that stands on the next one
GAIN, DENSE = 1.15, 0.8  # what two must explain beyond one, and each of them, per pixel of a silhouette
RING = 0.7  # of what is around each may speak for it too
SURE, SURE_OTHER = 0.98, 0.95
"""Thresholds of a figure: two are reported where both are this likely, of one colour and of two; halves reach .97."""
MAYBE, LIKELY = 0.1, 0.5  # of a figure: what is thought of at all, and what keeps others from its evidence
INSIDE = 0.5
PAD = SIDE + 2 * REACH
Placed = tuple[Candidate, Array]


class PairFinder:
    """Looks again where one figure does not explain all of the evidence."""

    def __init__(self, finder: FigureFinder, judge: FigureClassifier) -> None:
        self._finder, self._judge = finder, judge
        self._apart = (APART[0] * finder.base, APART[1] * finder.base)
        steps = np.arange(-WIDE, WIDE + 1, COARSE)
        self._steps = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)

    def settle(
        self, verdicts: list[FigureVerdict], half: Array, scene: ExplainedView, cover: Cover, view: Layers
    ) -> list[FigureVerdict]:
        """Replace one verdict by two wherever two figures explain a space better and look like figures.

        Not with a hand over the table: a finger beside a figure looks like a second one, and nothing counts until it
        has gone.
        """
        if cover.hand:
            return verdicts
        members = self.members(verdicts, half, scene.pose)
        pairs = [members[k : k + 2] for k in range(0, len(members), 2)]
        # The first of two is a figure already: the other one is judged first, and it alone where that settles it.
        seconds = self._told(pairs, 1, scene, cover, view)
        open_pairs = [(two, told) for two, told in zip(pairs, seconds, strict=True) if _is_one(two, told)]
        firsts = self._told([two for two, _ in open_pairs], 0, scene, cover, view)
        told = [[first, second] for first, (_, second) in zip(firsts, open_pairs, strict=True)]
        likeliest = sorted(filter(_are_two, told), key=lambda two: min(v.figure for v in two))
        sure = {two[0].candidate.space.name: two for two in likeliest}
        return [v for v in verdicts if v.candidate.space.name not in sure] + [v for two in sure.values() for v in two]

    def _told(
        self, pairs: list[list[Candidate]], which: int, scene: ExplainedView, cover: Cover, view: Layers
    ) -> list[FigureVerdict]:
        """Classify the first or the second figure of each of some pairs."""
        mine = [two[which] for two in pairs]
        crops = [self._crop(two[which], two[1 - which], view) for two in pairs]
        # Two figures are as wide as a hand, and cover nothing but their space.
        return [replace(verdict, covered=0.0) for verdict in self._judge.each(mine, scene, cover, crops)]

    def members(self, verdicts: list[FigureVerdict], half: Array, pose: Pose) -> list[Candidate]:
        """Return the figures of every possible pair, one after the other: of one colour, and of two."""
        firsts = [v.candidate for v in verdicts if v.figure > MAYBE]
        likely = [v.candidate for v in verdicts if v.figure > LIKELY]
        shapes = [(first, self._finder.shape(first, pose) > INSIDE) for first in likely]
        found: list[Candidate] = []
        for first in firsts:
            free = _Evidence(half, [(c, s) for c, s in shapes if c.space.name != first.space.name])
            found += [*(self._alike(first, free, pose) or []), *(self._unlike(first, free, pose) or [])]
        return found

    def crops(self, members: list[Candidate], view: Layers, side: int = CROP) -> list[Array]:
        """Crop each member of some pairs, without what belongs to the other one."""
        return [self._crop(one, members[k ^ 1], view, side) for k, one in enumerate(members)]

    def _crop(self, one: Candidate, other: Candidate, view: Layers, side: int = CROP) -> Array:
        return crop(one, view, side, self._mask(other, view))

    # --- two of one colour ----------------------------------------------------------------------------------------

    def _alike(self, first: Candidate, free: "_Evidence", pose: Pose) -> list[Candidate] | None:
        """Find the two silhouettes of one colour that together explain most, if that is much more than one does."""
        if first.crowd < CROWD:
            return None
        space, lean = first.space, self._finder.lean(first.space, pose)
        templates = self._finder.templates(lean)
        corner, rest = self._finder.window(space, lean, WIDE)
        layer = free.window(corner, SIDE + 2 * WIDE, first.player)
        left = layer.copy()
        _subtract(left, np.subtract(first.corner, corner), _shape(templates[first.stance]))
        if np.maximum(left, 0).sum() < GAIN * float(templates[0].sum()):
            return None
        best, chosen = 0.0, None
        scores = _patches(layer) @ templates.T
        for index, stance in self._starts(scores):
            left = layer.copy()
            _subtract(left, self._steps[index] + WIDE, _shape(templates[stance]))
            others = np.flatnonzero(self._together(self._steps[index]))
            if not len(others):
                continue
            second = _patches(left, others) @ templates.T
            where, how = np.unravel_index(int(second.argmax()), second.shape)
            total = float(scores[index, stance] + second[where, how])
            if total > best:
                best, chosen = total, (index, stance, int(others[where]), int(how))
        if chosen is None:
            return None
        feet = (self._steps[[chosen[0], chosen[2]]] + rest) * (PIXEL_MM, -PIXEL_MM)
        stances = (chosen[1], chosen[3])
        members = [_Member(first.player, (float(x), float(y)), how) for (x, y), how in zip(feet, stances, strict=True)]
        found = self._refit(members, space, free, pose)
        least = max(first.standing, first.lying) + GAIN * float(templates[0].sum())
        return found if found and sum(candidate.score for candidate in found) > least else None

    def _starts(self, scores: Array) -> list[tuple[int, int]]:
        """Return places and stances to try for the first of two: the best of each kind, apart from each other."""
        side, found = round(len(scores) ** 0.5), []
        lying = scores[:, 1:].argmax(axis=1) + 1
        for stances in (np.zeros_like(lying), lying):
            left = scores[np.arange(len(scores)), stances].reshape(side, side).copy()
            for _ in range(TRIES):
                index = int(left.argmax())
                row, column = divmod(index, side)
                if left[row, column] <= 0:
                    break
                found.append((index, int(stances[index])))
                left[max(0, row - NEAR + 1) : row + NEAR, max(0, column - NEAR + 1) : column + NEAR] = 0
        return found

    def _together(self, first: Array) -> Array:
        """Mark where the second may be, relative to the middle of the space, as the first one is."""
        between = np.linalg.norm(self._steps - first, axis=1) * PIXEL_MM
        middle = np.linalg.norm((self._steps + first) / 2, axis=1) * PIXEL_MM
        return np.asarray((between > self._apart[0]) & (between < self._apart[1]) & (middle < OFF_CENTRE))

    # --- two colours ----------------------------------------------------------------------------------------------

    def _unlike(self, first: Candidate, free: "_Evidence", pose: Pose) -> list[Candidate] | None:
        """Find the likeliest figure of another colour beside the first one."""
        space, lean = first.space, self._finder.lean(first.space, pose)
        templates = self._finder.templates(lean)
        corner, rest = self._finder.window(space, lean, WIDE)
        near = np.flatnonzero(self._together(np.divide(first.foot, (PIXEL_MM, -PIXEL_MM)) - rest))
        shape = self._finder.shape(first, pose) > INSIDE
        best: tuple[float, _Member] | None = None
        for player in range(free.half.shape[2]):
            if player == first.player or not len(near):
                continue
            layer = free.window(corner, SIDE + 2 * WIDE, player)
            _subtract(layer, np.subtract(first.corner, corner), shape)
            if np.maximum(layer, 0).sum() < DENSE * first.area:
                continue
            scores = _patches(layer, near) @ templates.T
            where, stance = np.unravel_index(int(scores.argmax()), scores.shape)
            foot = (self._steps[near[where]] + rest) * (PIXEL_MM, -PIXEL_MM)
            score = float(scores[where, stance])
            if best is None or score > best[0]:
                best = (score, _Member(player, (float(foot[0]), float(foot[1])), int(stance)))
        if best is None:
            return None
        return self._refit([_Member(first.player, first.foot, first.stance), best[1]], space, free, pose)

    # --- both -----------------------------------------------------------------------------------------------------

    def _refit(
        self, members: list["_Member"], space: MatSpace, free: "_Evidence", pose: Pose
    ) -> list[Candidate] | None:
        """Fit each of two again to what the other leaves; None where one of them has too little evidence."""
        lean = self._finder.lean(space, pose)
        templates = self._finder.templates(lean)
        found = []
        for mine, other in zip(members, members[::-1], strict=True):
            where = self._finder.window(_beside(space, mine.foot), lean, REACH)
            its = self._finder.window(_beside(space, other.foot), lean, REACH)[0]
            layer = free.window(where[0], SIDE + 2 * REACH, mine.player)
            _subtract(
                layer, (its[0] - where[0][0] + REACH, its[1] - where[0][1] + REACH), _shape(templates[other.stance])
            )
            found.append(self._finder.fit(layer, space, mine.player, lean, where, mine.foot))
            if not _is_enough(found[-1]):
                return None
        return found if self._likely(found) else None

    def _likely(self, found: list[Candidate]) -> bool:
        """Return whether these may be two figures: apart, around their space's middle, each with enough evidence."""
        one, other = found
        apart = hypot(one.foot[0] - other.foot[0], one.foot[1] - other.foot[1])
        off = hypot(one.foot[0] + other.foot[0], one.foot[1] + other.foot[1]) / 2
        return self._apart[0] < apart < self._apart[1] and off < OFF_CENTRE and all(map(_is_enough, found))

    def _mask(self, candidate: Candidate, view: Layers) -> Array:
        """Mark the pixels of a view that a candidate covers."""
        shape = self._finder.shape(candidate, view.pose) > INSIDE
        mask = np.zeros((view.frame.height, view.frame.width), dtype=bool)
        (right, left), (down, top) = (
            _within(wide, small, corner - PAD)
            for wide, small, corner in zip(mask.shape[::-1], self._finder.size, candidate.corner, strict=True)
        )
        mask[top : top + len(down), left : left + len(right)] = shape[np.ix_(down, right)]
        return mask


def _within(wide: int, small: int, corner: int) -> tuple[Array, int]:
    """Return which pixel of a silhouette each pixel of a view shows, along one side, and the first that shows one."""
    at = (np.arange(wide) * (small / wide)).astype(int) - corner
    shown = np.flatnonzero((at >= 0) & (at < SIDE))
    return at[shown], int(shown[0]) if len(shown) else 0


@dataclass(frozen=True, slots=True)
class _Member:
    """One of two figures on a space: its colour, its foot from the middle of the space (mm), and its pose."""

    player: int
    foot: tuple[float, float]
    stance: int


@dataclass(frozen=True, slots=True)
class _Evidence:
    """The evidence for figures, without what belongs to those on other spaces."""

    half: Array
    others: list[Placed]

    def window(self, corner: tuple[int, int], side: int, player: int) -> Array:
        """Crop a window of one colour."""
        layer = self.half[corner[1] : corner[1] + side, corner[0] : corner[0] + side, player].copy()
        for other, shape in self.others:
            off = other.corner[0] - corner[0], other.corner[1] - corner[1]
            if min(off) > -SIDE and max(off) < side:
                _subtract(layer, off, shape)
        return np.asarray(layer)


def _are_two(two: list[FigureVerdict]) -> bool:
    """Return whether both of two are likely enough to be reported."""
    return all(_is_one([v.candidate for v in two], verdict) for verdict in two)


def _is_one(two: list[Candidate], verdict: FigureVerdict) -> bool:
    """Return whether one of two is likely enough."""
    alike = two[0].player == two[1].player
    return verdict.figure > (SURE if alike else SURE_OTHER) and verdict.covered <= TOUCHED


def _is_enough(one: Candidate) -> bool:
    """Return whether one of two has enough evidence of its own, on its own space."""
    return one.score / one.area > DENSE and one.ring < RING and hypot(*one.foot) < FARTHEST


def _patches(layer: Array, some: Array | None = None) -> Array:
    """Return a row of pixels for every position that a silhouette may have, or for some of them."""
    places = windows(layer)[::COARSE, ::COARSE]
    chosen = places if some is None else places[np.divmod(some, places.shape[1])]
    return np.asarray(chosen.reshape(-1, SIDE * SIDE))


def _shape(template: Array) -> Array:
    return np.asarray(template.reshape(SIDE, SIDE) > INSIDE)


def _square(corner: tuple[int, int]) -> tuple[slice, slice]:
    return slice(corner[1], corner[1] + SIDE), slice(corner[0], corner[0] + SIDE)


def _subtract(layer: Array, corner: Sequence[int] | Array, shape: Array) -> None:
    """Subtract the evidence for a silhouette from a layer, where the two overlap."""
    left, top = int(corner[0]), int(corner[1])
    rows, columns = slice(max(0, top), max(0, top + SIDE)), slice(max(0, left), max(0, left + SIDE))
    part = layer[rows, columns]
    if part.size:
        mine = shape[max(0, -top) :, max(0, -left) :][: part.shape[0], : part.shape[1]]
        part[mine] = np.minimum(part[mine], 0)


def _beside(space: MatSpace, foot: tuple[float, float]) -> MatSpace:
    return replace(space, x=space.x + foot[0], y=space.y + foot[1])
