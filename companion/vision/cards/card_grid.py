"""Find all cards that lie side by side on a photograph of any table, and straighten each of them.

Nothing printed is needed: cards are rectangles of one or two known sizes in one plane, and that plane is found with
them, as the one in which most outlines of the photograph are such rectangles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from companion.vision.cards.card_outlines import is_printed, outlines, printed_edges

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from companion.vision.arrays import Array

WORKED: Final = 1600
"""Pixels of the longer side in which outlines are looked for."""
LOOSE, TIGHT = 0.1, 0.045
"""Of a side, that a card's outline may be off: in a plane that one outline tells, and in that of all."""
TRIED: Final = 90
ALIKE: Final = 0.12  # logarithm of sides of outlines that are counted as alike
SLIM: Final = 2.1  # times as long as wide: no card
SAME: Final = 0.45
"""Of the shorter sides of two outlines, within which their middles are too near for two cards."""
MM: Final = 4.0  # pixels a millimetre of a straightened card
SEARCHED: Final = 1.6  # mm to either side of an outline in which its edge is looked for
PROBES: Final = 24
EDGE: Final = 8.0  # distance in Lab that an edge stands out by at most of its places
CLEAR: Final = 0.6  # of how much those of the other cards do
SEEN: Final = 3.0  # distance in Lab, by which a card stands out at all
GAPS: Final = 120  # places without a card that are looked at more closely
COVERED: Final = 3.0  # cards that covering all of the photograph counts for
LARGER: Final = 1.2  # where all cards have one size and shape, they are taken for the first kind
SQUASHED: Final = 1.33  # times that a plane may be seen smaller one way than the other
WEAK: Final = 0.55  # of the contrast that is enough, for one side of a card in a gap
MUCH: Final = 1.5  # the same, from which on a side counts no more
SURELY: Final = 10.0  # what a rectangle is ahead of all that are none


@dataclass(frozen=True, slots=True)
class FoundCard:
    """A card on a photograph: its corners, clockwise from the left end of its upper side, and its size in mm.

    Which of the two ways is up is not known.
    """

    corners: Array
    size: tuple[float, float]

    def straightened(self, photo: Array, scale: float = MM) -> Array:
        width, height = (round(side * scale) for side in self.size)
        flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32) - 0.5
        bend = cv2.getPerspectiveTransform(self.corners.astype(np.float32), flat)
        return np.asarray(cv2.warpPerspective(photo, bend, (width, height), flags=cv2.INTER_LINEAR))

    def holds(self, point: Array) -> bool:
        return cv2.pointPolygonTest(self.corners.astype(np.float32), (float(point[0]), float(point[1])), False) >= 0


def find_cards(photo: Array, sizes: Sequence[tuple[float, float]]) -> list[FoundCard]:
    """Return every card of these sizes (mm) on a photograph, row by row."""
    scale = min(1.0, WORKED / max(photo.shape[:2]))
    small = cv2.resize(photo, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else photo
    print_of = printed_edges(small)
    quads = np.array([quad for quad in outlines(small) if is_printed(print_of, quad)]).reshape(-1, 4, 2)
    plane = _plane(quads, sizes)
    if plane is None:
        return []
    bend, chosen = plane
    chosen = _completed(small, print_of, bend, chosen)
    back = np.linalg.inv(bend)
    found = []
    for corners, size in chosen:
        exact = _sharpened(small, corners, bend, back)
        found.append(FoundCard(exact / scale, size))
    return _in_rows(found)


# --- the plane --------------------------------------------------------------------------------------------------------


_Chosen = list[tuple["Array", tuple[float, float]]]


def _plane(quads: Array, sizes: Sequence[tuple[float, float]]) -> tuple[Array, _Chosen] | None:
    """Return the map from pixels to mm in which most outlines are cards, and these."""
    if not len(quads):
        return None
    best: tuple[float, Array] | None = None
    for index in _spread(quads):
        for size in sizes:
            for turn in (0, 1):
                corners = np.roll(quads[index], -turn, axis=0)
                bend = cv2.getPerspectiveTransform(corners.astype(np.float32), _rectangle(size).astype(np.float32))
                if _is_squashed(bend, corners.mean(axis=0)):
                    continue
                count = _count(quads, bend, sizes) * (LARGER if size == sizes[0] else 1)
                if best is None or count > best[0]:
                    best = (count, bend)
    if best is None:
        return None
    bend = best[1]
    chosen = _cards(quads, bend, sizes, LOOSE)
    for tolerance in (LOOSE, 0.07, TIGHT, TIGHT):
        bend = _refitted(chosen, bend)
        again = _cards(quads, bend, sizes, tolerance)
        if len(again) < len(chosen) and tolerance is not TIGHT:
            break
        chosen = again
    return (bend, chosen) if chosen else None


def _is_squashed(bend: Array, middle: Array) -> bool:
    """Return whether a plane is seen flatter than a camera would: rooms would lie across where they lie upright."""
    near = _mapped(bend, middle + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    sizes = np.linalg.svd(near[1:] - near[0], compute_uv=False)
    return bool(sizes[0] > SQUASHED * sizes[1])


def _count(quads: Array, bend: Array, sizes: Sequence[tuple[float, float]]) -> float:
    """Return about how many cards a plane has, and a little for what they cover: stickers and pictures are smaller."""
    fits = {index for _, index, _, _ in _fitting(_mapped(bend, quads), sizes, LOOSE)}
    if not fits:
        return 0.0
    middles = _mapped(bend, quads[sorted(fits)]).mean(axis=1)
    count = len(np.unique(np.rint(middles / min(min(size) for size in sizes)), axis=0))
    around = float(np.prod(np.ptp(quads.reshape(-1, 2), axis=0)))
    area = float(np.median([cv2.contourArea(quads[index].astype(np.float32)) for index in fits]))
    return count + COVERED * min(1.0, count * area / around)


def _spread(quads: Array) -> Array:
    """Choose outlines to begin with: different ones, those first that have many others' size and shape."""
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    across, along = sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]
    alike = np.log(np.stack([across, along], axis=-1))
    middles = quads.mean(axis=1)
    near = np.abs(alike[:, None] - alike[None]).max(axis=2) < ALIKE
    apart = np.linalg.norm(middles[:, None] - middles[None], axis=2) > 0.2 * across.clip(max=along)[:, None]
    slim = np.maximum(across, along) > SLIM * np.minimum(across, along)
    order = np.argsort(-np.where(slim, 0, (near & apart).sum(axis=1)), kind="stable")
    kept: list[int] = []
    for index in order:
        if not any(np.abs(quads[index] - quads[other]).max() < 4 for other in kept):  # noqa: PLR2004 - pixels
            kept.append(int(index))
        if len(kept) >= TRIED:
            break
    return np.array(kept)


def _rectangle(size: tuple[float, float]) -> Array:
    width, height = size
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float64)


def _mapped(bend: Array, points: Array) -> Array:
    flat = np.c_[points.reshape(-1, 2), np.ones(points.size // 2)] @ bend.T
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((flat[:, :2] / flat[:, 2:]).reshape(points.shape))


def _cards(quads: Array, bend: Array, sizes: Sequence[tuple[float, float]], tolerance: float) -> _Chosen:
    """Return the outlines that are cards in this plane, the outermost of each card, each from its upper left corner."""
    flat = _mapped(bend, quads)
    fits = _fitting(flat, sizes, tolerance)
    chosen: _Chosen = []
    laid: list[tuple[Array, tuple[float, float]]] = []
    for _, index, turn, size in sorted(fits, key=lambda one: -one[0]):
        middle = flat[index].mean(axis=0)
        if all(np.linalg.norm(middle - other) > SAME * (min(size) + min(its)) for other, its in laid):
            laid.append((middle, size))
            chosen.append((np.roll(quads[index], -turn, axis=0), size))
    return chosen


def _fitting(
    flat: Array, sizes: Sequence[tuple[float, float]], tolerance: float
) -> list[tuple[float, int, int, tuple[float, float]]]:
    """Return the outlines (mm) that have a card's size: how long around, which, from which corner on, which size."""
    sides = np.linalg.norm(np.roll(flat, -1, axis=1) - flat, axis=2)
    across = np.linalg.norm(flat[:, 2] - flat[:, 0], axis=1), np.linalg.norm(flat[:, 3] - flat[:, 1], axis=1)
    fits: list[tuple[float, int, int, tuple[float, float]]] = []
    for size in sizes:
        diagonal = float(np.hypot(*size))
        square = (np.abs(across[0] / diagonal - 1) < tolerance) & (np.abs(across[1] / diagonal - 1) < tolerance)
        for turn in (0, 1):
            wanted = np.array([size[turn], size[1 - turn]] * 2)
            good = square & (np.abs(sides / wanted - 1) < tolerance).all(axis=1)
            fits += [(float(sides[index].sum()), int(index), turn, size) for index in np.flatnonzero(good)]
    return fits


def _refitted(chosen: _Chosen, bend: Array) -> Array:
    """Return the plane in which all chosen cards together are rectangles of their sizes."""
    pixels = np.concatenate([corners for corners, _ in chosen])
    goal = np.concatenate([_settled(_mapped(bend, corners), size) for corners, size in chosen])
    found = np.asarray(cv2.findHomography(pixels, goal, cv2.RANSAC, 4.0)[0])
    return found if found.shape == bend.shape else bend


def _settled(flat: Array, size: tuple[float, float]) -> Array:
    """Return the rectangle of a size that lies nearest to four corners."""
    shape = _rectangle(size) - np.array(size) / 2
    middle = flat.mean(axis=0)
    left, _, right = np.linalg.svd(shape.T @ (flat - middle))
    turn = left @ np.diag([1.0, float(np.sign(np.linalg.det(left @ right)))]) @ right
    return np.asarray(shape @ turn + middle)


# --- what is missing --------------------------------------------------------------------------------------------------


def _completed(small: Array, print_of: Array, bend: Array, chosen: _Chosen) -> _Chosen:
    """Add the cards in gaps of the grid: where a neighbour is expected and four edges are."""
    lab = cv2.cvtColor(cv2.GaussianBlur(small, (0, 0), 1.0), cv2.COLOR_BGR2LAB).astype(np.float32)
    back, complete = np.linalg.inv(bend), list(chosen)
    laid = [(_settled(_mapped(bend, corners), size), size) for corners, size in chosen]
    sides = [np.sort(_contrast(lab, ring, np.zeros((1, 2)), back)[0]) for ring, _ in laid]
    enough = max(EDGE, CLEAR * float(np.median([weakest for weakest, *_ in sides])))
    edges = [float(third) for _, _, third, _ in sides]  # a card of the cloth's colour has faint ones
    complete = [one for one, edge in zip(complete, edges, strict=True) if edge > SEEN]
    laid = [one for one, edge in zip(laid, edges, strict=True) if edge > SEEN]
    tried: list[tuple[Array, tuple[float, float]]] = []
    number, sizes = 0, sorted({size for _, size in laid}, reverse=True)
    while number < len(laid) and len(tried) < GAPS:
        ring, size = laid[number]
        number += 1
        for spot, other in _neighbours(laid, ring, size, sizes):
            middle = spot.mean(axis=0)
            if any(np.linalg.norm(middle - one.mean(axis=0)) < SAME * (min(other) + min(its)) for one, its in laid):
                continue
            if any(np.linalg.norm(middle - one) < SAME * min(other) for one, its in tried if its == other):
                continue
            tried.append((middle, other))
            if not is_printed(print_of, _mapped(back, spot)):
                continue
            found = _edged(lab, spot, back, enough, WEAK if other == size else 1.0)
            if found is not None and is_printed(print_of, _mapped(back, found)):
                laid.append((found, other))
                complete.append((_mapped(back, found), other))
    return complete


def _neighbours(
    laid: list[tuple[Array, tuple[float, float]]],
    ring: Array,
    size: tuple[float, float],
    sizes: Sequence[tuple[float, float]],
) -> Iterator[tuple[Array, tuple[float, float]]]:
    """Yield where cards of each size would lie to the four sides of one, as upright as it does."""
    sides = np.stack([ring[1] - ring[0], ring[3] - ring[0]])
    lengths = np.linalg.norm(sides, axis=1)
    ahead = sides / lengths[:, None]
    turned = abs(lengths[0] - size[1]) < abs(lengths[0] - size[0])
    for axis in (0, 1):
        gap = _pitch(laid, sides[axis], size) - lengths[axis]
        for other in sizes:
            wide, tall = other[::-1] if turned else other
            shape = (_rectangle((wide, tall)) - np.array([wide, tall]) / 2) @ ahead
            step = (lengths[axis] + (wide, tall)[axis]) / 2 + gap
            for way in (1, -1):
                yield ring.mean(axis=0) + way * step * ahead[axis] + shape, other


def _pitch(laid: list[tuple[Array, tuple[float, float]]], way: Array, size: tuple[float, float]) -> float:
    """Return how far cards of one size lie from each other that way, as most of them do."""
    side = float(np.linalg.norm(way))
    ahead = way / side
    middles = np.array([ring.mean(axis=0) for ring, other in laid if other == size])
    apart = (middles[:, None] - middles[None]).reshape(-1, 2)
    along, aside = apart @ ahead, np.abs(apart @ np.array([-ahead[1], ahead[0]]))
    near = along[(along > 0.8 * side) & (along < 1.8 * side) & (aside < 0.3 * side)]
    return float(np.median(near)) if len(near) else 1.1 * side


def _edged(lab: Array, ring: Array, back: Array, enough: float, least: float) -> Array | None:
    """Return the rectangle near this one (mm) with an edge on all sides, one as faint as `least`; None without."""
    best: tuple[float, Array] | None = None
    for reach, step, degrees in ((7.0, 2.0, (-2.5, 0.0, 2.5)), (2.0, 1.0, (-1.2, 0.0, 1.2))):
        begun = ring if best is None else best[1]
        steps = np.arange(-reach, reach + 0.1, step)
        moves = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        for turn in np.radians(degrees):
            middle = begun.mean(axis=0)
            turned = (begun - middle) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + middle
            sides = np.sort(_contrast(lab, turned, moves, back), axis=1) / enough
            clear = np.minimum(sides, MUCH).mean(axis=1) + ((sides[:, 0] > least) & (sides[:, 1] > 1)) * SURELY
            at = int(clear.argmax())
            if best is None or clear[at] > best[0]:
                best = (float(clear[at]), turned + moves[at])
    return best[1] if best is not None and best[0] > SURELY else None


def _contrast(lab: Array, ring: Array, moves: Array, back: Array) -> Array:
    """Return for each move of a rectangle how each of its sides stands out: another colour within it than without."""
    inner, told = ring.mean(axis=0), []
    for one, two in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        along = one + (two - one) * np.linspace(0.1, 0.9, 9)[:, None]
        normal = np.array([two[1] - one[1], one[0] - two[0]]) / np.linalg.norm(two - one)
        normal *= np.sign(float((along.mean(axis=0) - inner) @ normal))
        points = np.stack([along + 1.2 * normal, along - 1.2 * normal])[None] + moves[:, None, None]
        x, y = np.moveaxis(np.rint(_mapped(back, points)).astype(int), -1, 0)
        seen = (x >= 0) & (y >= 0) & (x < lab.shape[1]) & (y < lab.shape[0])
        values = lab[np.clip(y, 0, lab.shape[0] - 1), np.clip(x, 0, lab.shape[1] - 1)]
        apart = np.linalg.norm(values[:, 0] - values[:, 1], axis=-1)
        told.append(np.where(seen.all(axis=(1, 2)), np.percentile(apart, 30, axis=1), 0.0))
    return np.stack(told, axis=1)


# --- exact corners ----------------------------------------------------------------------------------------------------


def _sharpened(small: Array, corners: Array, bend: Array, back: Array) -> Array:
    """Return the corners where the lines along the strongest edges meet."""
    flat, middle = _mapped(bend, corners), _mapped(bend, corners).mean(axis=0)
    lines = []
    for one, two in zip(flat, np.roll(flat, -1, axis=0), strict=True):
        share = np.linspace(0.08, 0.92, PROBES)[:, None]
        along = one + (two - one) * share
        normal = np.array([two[1] - one[1], one[0] - two[0]]) / np.linalg.norm(two - one)
        normal *= np.sign(float((along.mean(axis=0) - middle) @ normal))
        steps = np.arange(-SEARCHED, SEARCHED + 0.01, 0.2)
        points = _mapped(back, (along[:, None] + normal * steps[:, None]).reshape(-1, 2)).astype(np.float32)
        probes = cv2.remap(small, points[:, 0].reshape(PROBES, -1), points[:, 1].reshape(PROBES, -1), cv2.INTER_LINEAR)
        slope = np.abs(np.diff(cv2.GaussianBlur(probes.astype(np.float32), (3, 1), 0), axis=1)).sum(axis=2)
        at = steps[slope.argmax(axis=1)] + 0.1
        edge = along + normal * at[:, None]
        weight = slope.max(axis=1)
        lines.append(_line(edge, weight, one, two))
    met = [_crossing(lines[index - 1], lines[index]) for index in range(4)]
    exact = np.array([m if m is not None else corner for m, corner in zip(met, flat, strict=True)])
    exact = np.where(np.linalg.norm(exact - flat, axis=1, keepdims=True) < 2 * SEARCHED, exact, flat)
    return _mapped(back, exact)


def _line(points: Array, weight: Array, one: Array, two: Array) -> tuple[Array, Array]:
    """Return a point and a direction of the line that most points lie on."""
    keep = np.ones(len(points), dtype=bool)
    middle, ahead = (one + two) / 2, two - one
    for limit in (1.0, 0.5, 0.35):
        if keep.sum() < PROBES // 3:
            return (one + two) / 2, two - one
        share = np.where(keep, weight + 1e-6, 0)
        middle = (points * share[:, None]).sum(axis=0) / share.sum()
        spread = ((points - middle) * share[:, None]).T @ (points - middle)
        ahead = np.linalg.eigh(spread)[1][:, 1]
        off = np.abs((points - middle) @ np.array([-ahead[1], ahead[0]]))
        keep = off < max(limit, float(np.median(off)))
    return middle, ahead


def _crossing(one: tuple[Array, Array], two: tuple[Array, Array]) -> Array | None:
    sides = np.stack([one[1], -two[1]], axis=1)
    if abs(np.linalg.det(sides)) < 1e-6:  # noqa: PLR2004 - parallel
        return None
    return np.asarray(one[0] + one[1] * np.linalg.solve(sides, two[0] - one[0])[0])


def _in_rows(found: list[FoundCard]) -> list[FoundCard]:
    """Order cards as they lie: row by row, left to right."""
    left = sorted(found, key=lambda card: float(card.corners[:, 1].mean()))
    rows: list[list[FoundCard]] = []
    for card in left:
        high = float(np.ptp(card.corners[:, 1]))
        if rows and float(card.corners[:, 1].mean()) - float(rows[-1][0].corners[:, 1].mean()) < high / 2:
            rows[-1].append(card)
        else:
            rows.append([card])
    return [card for row in rows for card in sorted(row, key=lambda one: float(one.corners[:, 0].mean()))]
