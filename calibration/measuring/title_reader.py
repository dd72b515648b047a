"""Tell titles by the shape of the whole line: how it looks in our own letterings, stretched to the card's line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import resources
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from companion.pieces.drawing.pen import BOLD, PLAIN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from companion.vision.arrays import Array

SCALE: Final = 6.0
"""Pixels a millimetre of a card that is read."""
STROKE: Final = 3.0  # mm that a letter's stroke is thinner than
APART: Final = 2.6  # mm between the letters of a word
WORDS: Final = 7.0  # mm between the words of a line
LOW, HIGH, LONG = 1.7, 9.5, 6.0  # mm: how high a line is, how long at least
INK: Final = 0.3  # of the strongest strokes of a card
FAINT: Final = 14  # grey levels
RIM: Final = 1.0  # mm of a card's edge: its frame is no text
TALL, BROAD = 10.0, 16.0  # mm of a line that is no letter's
LINES: Final = 14
SHAPE: Final = (200, 20)  # pixels that a line is stretched to
SOFT: Final = 1.1
LONGER: Final = 0.3  # logarithm of how much longer for its height a line may be than our own lettering of it
ENOUGH: Final = ((0.92, 0.05), (0.8, 0.1), (0.74, 0.2))
"""How alike a title is, and how far ahead of any other: the less alike the letters, the farther."""
ENOUGH_IN_ITS_ROW: Final = ((0.92, 0.05), (0.8, 0.08), (0.65, 0.12), (0.58, 0.135), (0.5, 0.22))
"""The same for a line in the row where the titles of this deck stand, in lettering like ours: no stray line does."""
ENOUGH_UNFAMILIAR: Final = ((0.92, 0.05), (0.8, 0.1), (0.7, 0.18), (0.6, 0.22))
"""The same in another lettering."""
FAMILIAR: Final = 0.8
"""How alike most titles of a row are, where its lettering is like ours. In another lettering short names look alike."""
LEFT: Final = 0.65
"""How alike the title of a card at least is that is named by what is left of the deck."""
VOTING: Final = (0.6, 0.1)
SAME_ROW: Final = 1.8  # mm between the middles of two titles
FEWEST: Final = 3  # titles in one row, to know it
MOST_LINES: Final = (20, 80)  # percentiles of the upper and lower edges of the lines in a row
BESIDE: Final = 0.5  # mm above and below these
SLIVER: Final = 0.4  # of a row's height: what is lower and touches its edge is a frame's
SLOPES: Final = (0.0, -0.02, 0.02, -0.04, 0.04, -0.06, 0.06)
LEVEL: Final = 1.02
"""How much sharper a line must be that is turned than the same as it was cut out."""
CLOSE: Final = 90  # of 255: what a letter has at least
CLOSER: Final = 24  # of the likeliest are compared moved and stretched as well
SHIFTS: Final = tuple((right, down, wide) for wide in (0.96, 1.0, 1.04) for right in (-4, 0, 4) for down in (-1, 0, 1))


@dataclass(frozen=True, slots=True)
class TitleRow:
    """Where the titles of some cards stand (mm from the upper edge), and whether their lettering is like ours."""

    upper: float
    lower: float
    is_familiar: bool

    def holds(self, line: TitleGuess) -> bool:
        return abs(line.middle - (self.upper + self.lower) / 2) < SAME_ROW


@dataclass(frozen=True, slots=True)
class TitleGuess:
    """The card whose title stands on a picture, the likeliest others, and whether it is sure and stands head down."""

    card: str
    others: tuple[str, ...]
    score: float
    """How alike the shapes are, 1 at most."""
    lead: float
    rivals: tuple[tuple[str, float], ...]
    """All other cards and how much less they are like it."""
    head_down: bool = False
    line: tuple[float, float] = (0.0, 0.0)
    """How far the line's upper and lower edge are from the card's upper edge, in mm."""
    in_row: TitleRow | None = None
    """The row in which it stands with the other titles of the deck."""

    @property
    def sure(self) -> bool:
        return self._is_sure(self.lead)

    def _is_sure(self, lead: float) -> bool:
        steps: tuple[tuple[float, float], ...] = ENOUGH
        if self.in_row is not None:
            steps = ENOUGH_IN_ITS_ROW if self.in_row.is_familiar else ENOUGH_UNFAMILIAR
        alike, ahead = zip(*steps[::-1], strict=True)
        return self.score > alike[0] and lead > float(np.interp(self.score, alike, ahead))

    def without(self, taken: set[str]) -> TitleGuess | None:
        """Return what it says where some cards are known to be others of the deck."""
        left = [(card, behind) for card, behind in ((self.card, 0.0), *self.rivals) if card not in taken]
        if not left:
            return None
        card, lost = left[0]
        rivals = tuple((name, behind - lost) for name, behind in left[1:])
        lead = rivals[0][1] if rivals else 1.0
        others = tuple(name for name, _ in rivals[:3])
        return replace(self, card=card, others=others, score=self.score - lost, lead=lead, rivals=rivals)

    @property
    def middle(self) -> float:
        """How far the middle of the line is from the card's upper edge, in mm."""
        return sum(self.line) / 2


def title_row(read: Iterable[Sequence[TitleGuess]]) -> TitleRow | None:
    """Return the row in which the titles of some cards stand, each given by its lines, the best first.

    None where too few are read well, or they do not agree.
    """
    voting = [lines[0] for lines in read if lines and lines[0].score > VOTING[0] and lines[0].lead > VOTING[1]]
    near = [[line for line in voting if abs(line.middle - one.middle) < SAME_ROW] for one in voting]
    most = max(near, key=len, default=[])
    if len(most) < FEWEST or 2 * len(most) <= len(voting):
        return None
    upper, lower = (float(np.percentile(edges, at)) for edges, at in zip(_edges(most), MOST_LINES, strict=True))
    like_ours = sum(line.score > FAMILIAR for line in most)
    return TitleRow(upper - BESIDE, lower + BESIDE, 2 * like_ours > len(most))


def _edges(lines: Sequence[TitleGuess]) -> tuple[list[float], list[float]]:
    return [line.line[0] for line in lines], [line.line[1] for line in lines]


def in_row(lines: Sequence[TitleGuess], row: TitleRow) -> TitleGuess | None:
    """Return the best of a card's lines in the row of the titles; where none stands there the best of all, unsure."""
    here = [line for line in lines if row.holds(line)]
    if here:
        return replace(max(here, key=lambda line: line.score), in_row=row)
    return replace(lines[0], lead=0.0, rivals=tuple((card, 0.0) for card, _ in lines[0].rivals)) if lines else None


class TitleReader:
    """The titles of one pack's cards, drawn; a card may have several, one a language."""

    def __init__(self, titles: Mapping[str, Sequence[str]]) -> None:
        drawn = [
            (card, ink)
            for card, names in titles.items()
            for name in dict.fromkeys(way for title in names for way in (title, title.upper()) if title.strip())
            for ink in _drawn(name)
        ]
        self.cards = [card for card, _ in drawn]
        self._numbers = {card: number for number, card in enumerate(dict.fromkeys(self.cards))}
        self._owners = np.array([self._numbers[card] for card in self.cards], dtype=int)
        rows = [_shape(ink) for _, ink in drawn]
        self._rows = np.stack(rows) if rows else np.zeros((0, SHAPE[0] * SHAPE[1]), dtype=np.float32)
        self._longs = np.log([ink.shape[1] / ink.shape[0] for _, ink in drawn]) if drawn else np.zeros(0)

    def read(self, card: Array, among: set[str] | None = None, row: TitleRow | None = None) -> list[TitleGuess]:
        """Return what each line on a card's picture (`SCALE` pixels a mm) may say, either way up, the best first.

        With a row nothing else on the card is looked at.
        """
        ways = (card, np.ascontiguousarray(card[::-1, ::-1]))
        seen = [(*line, bool(number)) for number, way in enumerate(ways) for line in lines_of(way, row)]
        if not seen or not len(self._rows):
            return []
        likes = self._rows @ np.stack([_shape(ink) for ink, _, _ in seen]).T
        found = [
            self._line(ink, like, among, head_down=head_down, line=line)
            for (ink, line, head_down), like in zip(seen, likes.T, strict=True)
        ]
        return sorted((line for line in found if line is not None), key=lambda line: -line.score)

    def _line(
        self, ink: Array, all_likes: Array, among: set[str] | None, *, head_down: bool, line: tuple[float, float]
    ) -> TitleGuess | None:
        wanted = np.array([among is None or card in among for card in self._numbers], dtype=bool)
        close = wanted[self._owners] & (np.abs(self._longs - np.log(ink.shape[1] / ink.shape[0])) < LONGER)
        if not close.any():
            return None
        places = np.flatnonzero(close)
        likes = all_likes[places]
        best = np.argsort(-likes)[:CLOSER]
        ways = np.stack([_shape(ink, *shift) for shift in SHIFTS])
        likes[best] = (self._rows[places[best]] @ ways.T).max(axis=1)
        each = np.full(len(self._numbers), -1.0)
        np.maximum.at(each, self._owners[places], likes)
        order = np.argsort(-each)
        names = list(self._numbers)
        behind = tuple((names[int(place)], float(each[order[0]] - each[place])) for place in order[1:])
        others = tuple(name for name, _ in behind[:3])
        lead = behind[0][1] if behind else 1.0
        return TitleGuess(names[int(order[0])], others, float(each[order[0]]), lead, behind, head_down, line)


def _drawn(text: str) -> Iterator[Array]:
    """Yield a title's ink in our letterings, cut close."""
    for font in (BOLD, PLAIN):
        with resources.as_file(resources.files("companion.pieces") / "fonts" / f"{font}.ttf") as path:
            face = ImageFont.truetype(str(path), 40)
        canvas = Image.new("L", (int(face.getlength(text)) + 20, 70))
        ImageDraw.Draw(canvas).text((10, 8), text, fill=255, font=face)
        ink = np.asarray(canvas)
        rows, columns = np.flatnonzero(ink.max(axis=1) > 90), np.flatnonzero(ink.max(axis=0) > 90)  # noqa: PLR2004
        if len(rows):
            yield ink[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _shape(ink: Array, right: int = 0, down: int = 0, wide: float = 1.0) -> Array:
    """Return a line's ink stretched to one size, soft, of mean 0 and length 1; moved or stretched a little more."""
    width, height = SHAPE
    soft = cv2.resize(ink, (max(8, round(width * wide)), height), interpolation=cv2.INTER_AREA).astype(np.float32)
    canvas = np.zeros((height, width), dtype=np.float32)
    left = (width - soft.shape[1]) // 2 + right
    start, end = max(0, left), min(width, left + soft.shape[1])
    top, low = max(0, down), min(height, height + down)
    canvas[top:low, start:end] = soft[top - down : low - down, start - left : end - left]
    smooth = np.asarray(cv2.GaussianBlur(canvas, (0, 0), SOFT))
    smooth = smooth - smooth.mean()
    return np.asarray((smooth / max(1e-6, float(np.linalg.norm(smooth)))).ravel())


def lines_of(card: Array, row: TitleRow | None = None) -> Iterator[tuple[Array, tuple[float, float]]]:
    """Yield what may be lines of text on a card: the ink, cut close, and its upper and lower edge (mm).

    Two lines below each other come also as one. With a row only what stands in it.
    """
    grey = cv2.cvtColor(card, cv2.COLOR_BGR2GRAY)
    for stroke in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        side = round(STROKE * SCALE)
        ink = np.asarray(cv2.morphologyEx(grey, stroke, cv2.getStructuringElement(cv2.MORPH_RECT, (side, side))))
        limit = max(FAINT, INK * float(np.percentile(ink, 99.5)))
        dark = (ink > limit).astype(np.uint8)
        rim = round(RIM * SCALE)
        dark[:rim], dark[-rim:], dark[:, :rim], dark[:, -rim:] = 0, 0, 0, 0
        dark = _without_frames(dark)
        if row is not None:
            dark = _only_in(dark, row)
        boxes = sorted(_boxes(dark), key=lambda one: -one[2] * one[3])[:LINES]
        for box in boxes:
            yield _cut(ink, box), (box[1] / SCALE, (box[1] + box[3]) / SCALE)
        if row is None:
            yield from _two_as_one(ink, boxes)


def _two_as_one(ink: Array, boxes: list[tuple[int, int, int, int]]) -> Iterator[tuple[Array, tuple[float, float]]]:
    """Yield every two lines below each other as one."""
    for x, y, width, height in boxes:
        for left, top, wide, tall in boxes:
            is_below = 0.5 * height < top - y < 1.8 * height and abs(tall - height) < 0.5 * height
            if is_below and left < x + width and x < left + wide:
                upper, lower = _cut(ink, (x, y, width, height)), _cut(ink, (left, top, wide, tall))
                size = (round(lower.shape[1] * upper.shape[0] / lower.shape[0]), upper.shape[0])
                space = np.zeros((upper.shape[0], round(0.35 * height)), dtype=np.uint8)
                yield np.hstack([upper, space, cv2.resize(lower, size)]), (y / SCALE, (top + tall) / SCALE)


def _only_in(dark: Array, row: TitleRow) -> Array:
    """Keep what stands in a row, without the slivers of frames at its edges."""
    top, low = (round(edge * SCALE) for edge in (row.upper, row.lower))
    top, low = max(0, top), min(len(dark), low)
    only = np.zeros_like(dark)
    _, parts, stats, _ = cv2.connectedComponentsWithStats(np.ascontiguousarray(dark[top:low]))
    touches = (stats[:, 1] == 0) | (stats[:, 1] + stats[:, 3] == low - top)
    beside = (stats[:, 0] <= round(2 * RIM * SCALE)) & (stats[:, 0] + stats[:, 2] <= round(2.5 * RIM * SCALE))
    kept = ~(touches & (stats[:, 3] < SLIVER * (low - top))) & ~beside
    kept[0] = False
    only[top:low] = kept[parts]
    return only


def _without_frames(dark: Array) -> Array:
    """Take away lines that are longer than any letter: frames of cards, edges of sleeves and banners."""
    upright = np.asarray(cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((round(TALL * SCALE), 1), np.uint8)))
    across = np.asarray(cv2.morphologyEx(dark, cv2.MORPH_OPEN, np.ones((1, round(BROAD * SCALE)), np.uint8)))
    return np.asarray(cv2.subtract(dark, cv2.dilate(np.maximum(upright, across), np.ones((3, 3), np.uint8))))


def _cut(ink: Array, box: tuple[int, int, int, int]) -> Array:
    """Cut a line out, levelled and close."""
    x, y, width, height = box
    part = ink[y : y + height, x : x + width].astype(np.float32)
    clear = np.clip(part * (255 / max(1.0, float(np.percentile(part, 97)))), 0, 255).astype(np.uint8)
    return _levelled(clear)


def _levelled(line: Array) -> Array:
    """Return a line whose letters stand on one level: where they do, its ink is in the fewest rows."""
    height, width = line.shape
    best, level = 0.0, line
    for slope in SLOPES:
        rise = slope * width / 2
        bend = np.array([[1.0, 0.0, 0.0], [-slope, 1.0, rise]])
        tried = line if slope == 0 else cv2.warpAffine(line, bend, (width, height), flags=cv2.INTER_LINEAR)
        rows = tried.sum(axis=1, dtype=np.float64)
        sharp = float((rows**2).sum()) * (LEVEL if slope == 0 else 1.0)
        if sharp > best:
            best, level = sharp, np.asarray(tried)
    rows = np.flatnonzero(level.max(axis=1) > CLOSE)
    return level[rows[0] : rows[-1] + 1] if len(rows) > height // 2 else level


def _boxes(dark: Array) -> list[tuple[int, int, int, int]]:
    """Return the boxes of lines: words that stand side by side."""
    wide = cv2.getStructuringElement(cv2.MORPH_RECT, (round(APART * SCALE), 1))
    count, _, stats, _ = cv2.connectedComponentsWithStats(cv2.morphologyEx(dark, cv2.MORPH_CLOSE, wide))
    words = [
        (int(x), int(y), int(width), int(height))
        for x, y, width, height, area in stats[1:count]
        if 0.6 * LOW * SCALE < height < HIGH * SCALE and width > 0.5 * height and area > 0.2 * width * height
    ]
    lines: list[tuple[int, int, int, int]] = []
    for word in sorted(words):
        for index, line in enumerate(lines):
            if _one_line(line, word):
                x, y = line[0], min(line[1], word[1])
                low = max(line[1] + line[3], word[1] + word[3])
                lines[index] = (x, y, max(line[0] + line[2], word[0] + word[2]) - x, low - y)
                break
        else:
            lines.append(word)
    return [
        line
        for line in dict.fromkeys([*lines, *words])
        if line[3] > LOW * SCALE and line[2] > LONG * SCALE and line[2] > 1.5 * line[3]
    ]


def _one_line(line: tuple[int, int, int, int], word: tuple[int, int, int, int]) -> bool:
    apart = word[0] - (line[0] + line[2])
    common = min(line[1] + line[3], word[1] + word[3]) - max(line[1], word[1])
    return apart < WORDS * SCALE and common > 0.6 * min(line[3], word[3]) and max(line[3], word[3]) < HIGH * SCALE
