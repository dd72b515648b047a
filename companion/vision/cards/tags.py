"""Detect tags: OpenCV's quads, and those it cannot decode read again in linear light."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from companion.vision.arrays import Array, median, quantile

REREAD_SCORE = 0.72
REREAD_MARGIN = 0.18
KEPT_DETECTORS = 64
SMALLEST = 48  # pixels: below this a picture shows no table
CAREFUL_TRIES = 8
NEAR_SCORE, NEAR_LEAD = 0.75, 0.15
FIRM_SCORE, FIRM_LEAD = 0.62, 0.1
MIN_CONTRAST = 0.004
LINEAR = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)


SHRINK_PX = 0.9


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag in the picture: id and corners in pixels, clockwise from its own top left."""

    id: int
    corners: Array
    score: float = 1.0
    drawn: bool = False  # its corners were laid over the picture, not found in it

    @property
    def outer(self) -> Array:
        """The corners moved outwards by what threshold and bloom eat off a black square."""
        around = self.corners.astype(np.float64)
        if self.drawn:
            return around
        spokes = around - self.centre
        reach = np.sqrt(spokes[:, :1] ** 2 + spokes[:, 1:] ** 2)
        return np.asarray(around + spokes / np.maximum(reach, 1.0) * SHRINK_PX * 1.41)

    @property
    def centre(self) -> Array:
        """The middle, which bloom does not move as it moves the corners."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.corners.tolist()  # of so few numbers numpy makes much ado
        across, along = (cx - ax, cy - ay), (dx - bx, dy - by)
        cross = across[0] * along[1] - across[1] * along[0]
        if abs(cross) < 1e-6:  # noqa: PLR2004 - a quad without area
            return np.asarray(self.corners.mean(axis=0))
        reach = ((bx - ax) * along[1] - (by - ay) * along[0]) / cross
        return np.array([ax + reach * across[0], ay + reach * across[1]])

    def shifted(self, x: float, y: float) -> "Tag":
        """Return the tag for a crop of the picture that begins at another pixel."""
        return Tag(self.id, self.corners + np.array([x, y], dtype=self.corners.dtype), self.score, self.drawn)


@dataclass(frozen=True, slots=True)
class LikelyTag:
    """The likeliest tag at a place: the try that fitted, its id and score, and its lead over the next id."""

    where: int
    id: int
    score: float
    lead: float
    firm: bool  # whether the cells taken as they are, without black and white known, name the same tag clearly

    @property
    def sure(self) -> bool:
        """Whether this alone identifies the tag."""
        return self.score > NEAR_SCORE and self.lead > NEAR_LEAD


class TagFinder:
    """Finds the tags of a whitelist, of one dictionary."""

    def __init__(self, dictionary: str, ids: tuple[int, ...]) -> None:
        known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{dictionary}"))
        self.ids = np.array(sorted(i for i in ids if i < len(known.bytesList)), dtype=np.int64)
        self.bits = known.markerSize
        rows = np.ascontiguousarray(known.bytesList[self.ids]) if len(self.ids) else known.bytesList[:1]
        self._dictionary = cv2.aruco.Dictionary(rows, known.markerSize, known.maxCorrectionBits)
        self._codes = _codes(known, self.ids)
        self._detectors: dict[tuple[int, int, bool], cv2.aruco.ArucoDetector] = {}

    def find(self, grey: Array, width: int = 0, *, thorough: bool = False) -> list[Tag]:
        """Find every tag of the whitelist in a grey picture, or in a part of one that is `width` pixels wide.

        Thorough: with three thresholds instead of one, for twice the time.
        """
        if min(grey.shape[:2]) < SMALLEST:
            return []
        if not len(self.ids):
            return []
        corners, rows, rejected = self._detector(
            max(grey.shape[:2]), width or max(grey.shape[:2]), thorough
        ).detectMarkers(grey)
        found = []
        if rows is not None:
            found = [Tag(int(self.ids[int(row)]), quad[0]) for quad, row in zip(corners, rows.ravel(), strict=True)]
        quads = [quad[0] for quad in rejected]
        return add_tags(found, self.read_quads(grey, quads))

    def read_quads(self, grey: Array, quads: list[Array]) -> list[Tag]:
        """Decode quads by correlation in linear light, with a plane of white and one of black fitted to each."""
        if not quads:
            return []
        cells = sample_cells(grey, np.stack(quads).astype(np.float32), self.bits)
        soft, contrast = soft_bits(cells)
        scores = np.einsum("qb,rnb->qrn", soft, self._codes)
        flat = scores.reshape(len(quads), -1)
        order = np.argsort(flat, axis=1)
        found = []
        for index, quad in enumerate(quads):
            best = int(order[index, -1])
            turn, row = divmod(best, len(self.ids))
            rivals = scores[index].max(axis=0)
            rivals[row] = -1
            margin = flat[index, best] - rivals.max() if len(self.ids) > 1 else 1.0
            if flat[index, best] > REREAD_SCORE and margin > REREAD_MARGIN and contrast[index] > MIN_CONTRAST:
                found.append(Tag(int(self.ids[row]), np.roll(quad, turn, axis=0), float(flat[index, best])))
        return found

    def read_near(self, grey: Array, points: Array, among: Array) -> LikelyTag | None:
        """Read one upright tag that must be near, tried with its cells at several places.

        `points` are these in pixels: right, then down, (2, n, cells). `among` says which ids of the whitelist may lie
        there. All tries are compared by their inner cells alone.
        """
        if not among.any():
            return None
        side = self.bits + 4
        points, rows = points.reshape(2, -1, side, side), np.flatnonzero(among)
        plain = _plain_bits(_sampled(grey, points[..., 2:-2, 2:-2])) @ self._codes[0][rows].T
        rough = plain.max(axis=1)
        tries = np.argpartition(-rough, min(CAREFUL_TRIES, len(rough) - 1))[:CAREFUL_TRIES]
        cells = _sampled(grey, points[:, tries])
        soft, contrast = soft_bits(cells)
        scores = soft @ self._codes[0][rows].T
        scores[contrast < MIN_CONTRAST] = -1
        (best, row, score, lead), (_, same, likeness, clear) = _leader(scores), _leader(plain[tries])
        firm = row == same and (score + likeness) / 2 > FIRM_SCORE and min(lead, clear) > FIRM_LEAD
        return LikelyTag(int(tries[best]), int(self.ids[rows[row]]), score, lead, firm)

    def _detector(self, largest: int, width: int, thorough: bool) -> cv2.aruco.ArucoDetector:
        key = (largest, width, thorough)
        if key not in self._detectors:
            options = cv2.aruco.DetectorParameters()
            window = 13 if width < 2000 else 17  # noqa: PLR2004 - a tag's black border must fit inside it
            options.adaptiveThreshWinSizeMin = 3 if thorough else window
            options.adaptiveThreshWinSizeMax = window + 10 if thorough else window
            options.minMarkerPerimeterRate = 0.03 * width / largest
            options.maxMarkerPerimeterRate = max(0.5, 0.5 * width / largest)
            options.perspectiveRemovePixelPerCell = 8
            options.perspectiveRemoveIgnoredMarginPerCell = 0.4
            if len(self._detectors) > KEPT_DETECTORS:
                self._detectors.clear()
            self._detectors[key] = cv2.aruco.ArucoDetector(self._dictionary, options)
        return self._detectors[key]


def _leader(scores: Array) -> tuple[int, int, float, float]:
    """Return the best of scores (tries, ids): its try and id, the score, and the lead over the next id in any try."""
    best, row = divmod(int(scores.argmax()), scores.shape[1])
    others = np.delete(scores, row, axis=1)
    score = float(scores[best, row])
    return best, row, score, score - float(others.max(initial=-1.0))


def add_tags(found: list[Tag], more: list[Tag]) -> list[Tag]:
    """Add more tags to those found, each of them once."""
    return found + [tag for tag in more if not _already(tag, found)]


def _already(tag: Tag, found: list[Tag]) -> bool:
    alike = [other for other in found if other.id == tag.id]
    if not alike:
        return False
    size = float(np.linalg.norm(tag.corners[0] - tag.corners[2]))
    return any(np.linalg.norm(other.centre - tag.centre) < size / 2 for other in alike)


def _codes(known: cv2.aruco.Dictionary, ids: Array) -> Array:
    """Return the ±1 code of each id in four turns, each with zero mean and unit length: (4, ids, bits)."""
    side = known.markerSize + 2
    rows = []
    for tag in ids:
        picture = cv2.aruco.generateImageMarker(known, int(tag), side)
        rows.append(picture[1:-1, 1:-1].astype(np.float32) / 127.5 - 1)
    turns = np.array([[np.rot90(row, turn).ravel() for row in rows] for turn in range(4)], dtype=np.float32)
    if turns.size == 0:
        return turns
    return np.asarray(turns / np.linalg.norm(turns, axis=2, keepdims=True))


def sample_cells(grey: Array, quads: Array, bits: int) -> Array:
    """Sample the middle of each cell by the homography of its quad, in linear light: (quads, side, side).

    A ring of quiet zone is included.
    """
    inner, side = bits + 2, bits + 4
    steps = (np.arange(side) - 0.5) / inner
    across, along = np.meshgrid(steps, steps)
    grid = np.stack([across, along, np.ones_like(across)], axis=-1).reshape(-1, 3)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=np.float32)
    points = np.empty((2, len(quads), side * side), dtype=np.float32)
    for index, quad in enumerate(quads):
        bend = cv2.getPerspectiveTransform(square, quad)
        flat = grid @ bend.T
        points[:, index] = (flat[:, :2] / flat[:, 2:]).T
    return _sampled(grey, points.reshape(2, -1, side, side))


def _sampled(grey: Array, points: Array) -> Array:
    """Return the linear light at points (2, n, rows, columns) of a grey picture."""
    right, down = points.reshape(*points.shape[:2], -1)
    values = cv2.remap(grey, right, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(cv2.LUT(values, LINEAR)).reshape(points.shape[1:])


def soft_bits(cells: Array) -> tuple[Array, Array]:
    """Scale each inner cell between local black (the border) and white (the quiet zone), from -1 to 1, to unit length.

    Light blooms from white into black and never the other way, so the threshold between the two is low.
    """
    side = cells.shape[1]
    black, white = _plane(cells, 1, side - 1), _plane(cells, 0, side)
    contrast = median((white - black).reshape(len(cells), -1))
    inner = slice(2, side - 2)
    span = np.maximum(white - black, 1e-4)[:, inner, inner]
    level = (cells[:, inner, inner] - black[:, inner, inner]) / span
    soft = np.clip((level - 0.42) * 4, -1, 1).reshape(len(cells), -1)
    return soft / np.maximum(np.linalg.norm(soft, axis=1, keepdims=True), 1e-6), contrast


def _plain_bits(cells: Array) -> Array:
    """Normalise inner cells by their own mean and deviation: good enough to choose the likely tries."""
    inner = cells.reshape(len(cells), -1)
    inner = inner - inner.mean(axis=1, keepdims=True)
    return np.asarray(inner / np.maximum(np.linalg.norm(inner, axis=1, keepdims=True), 1e-6))


def _plane(cells: Array, low: int, high: int) -> Array:
    """Fit a plane through the ring of cells whose outer edge is `low` and `high`, without the farthest fifth."""
    ring, everywhere, rough, squares = _ring(cells.shape[1], low, high)
    basis, values = everywhere[ring], cells[:, ring]
    plane = values @ rough
    off = np.abs(values - plane @ basis.T)
    weights = (off <= quantile(off, 0.8)[:, None]).astype(np.float32)
    normal = (weights @ squares).reshape(-1, 3, 3)
    plane = np.linalg.solve(normal + np.eye(3) * 1e-6, ((weights * values) @ basis)[..., None])[..., 0]
    return np.asarray(plane @ everywhere.reshape(-1, 3).T).reshape(cells.shape)


@lru_cache(maxsize=8)
def _ring(side: int, low: int, high: int) -> tuple[Array, Array, Array, Array]:
    """Return the mask of a ring of cells, the terms of a plane over all cells, its fit, and their products."""
    ring = np.zeros((side, side), dtype=bool)
    ring[low:high, low:high] = True
    ring[low + 1 : high - 1, low + 1 : high - 1] = False
    rows, columns = np.mgrid[0:side, 0:side].astype(np.float32)
    everywhere = np.stack([np.ones_like(rows), rows - side / 2, columns - side / 2], axis=-1)
    basis = everywhere[ring]
    squares = (basis[:, :, None] * basis[:, None, :]).reshape(len(basis), -1)
    return ring, everywhere, np.linalg.pinv(basis).T.astype(np.float32), squares
