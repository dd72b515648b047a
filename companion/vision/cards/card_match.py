"""Match cards by their pictures: aligned dense descriptors, compared block by block because a part may be hidden."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.vision.arrays import Array, quantile

if TYPE_CHECKING:
    from companion.vision.profile import CardProfile, Profile

HALF_KEEP = 0.75
DAZZLED = 250
MOSTLY, NEARLY_ALL = 0.5, 0.8
FLAT = 7.0  # grey levels: a block with less contrast than this is ignored


@dataclass(frozen=True, slots=True)
class Match:
    """The similarity of a patch to each page, and the shift in pixels (right, down) where it is largest."""

    scores: Array
    shifts: Array


@dataclass(frozen=True, slots=True)
class Likeness:
    """The similarity of each block to every page: (blocks, shifts, pages)."""

    likes: Array
    shifts: Array
    parts: list[tuple[Array, float]]

    def whole(self) -> Match:
        return self._of(*self.parts[0])

    def halves(self) -> list[Match]:
        """Match by each half alone: a smaller card may lie on the other one."""
        return [self._of(*part) for part in self.parts[1:]]

    def _of(self, part: Array, keep: float) -> Match:
        return _match(self.likes[part], max(1, round(keep * part.sum())), self.shifts)


class BlockMatcher:
    """Pictures of one size cut into blocks, each normalised by itself."""

    def __init__(
        self,
        arts: list[tuple[CardProfile, Array]],
        size: tuple[int, int],
        blocks: tuple[int, int],
        keep: float,
        *,
        halves: bool,
    ) -> None:
        self.size, self._blocks = size, blocks
        self.cards = [card for card, _ in arts]
        self.names = [card.name for card in self.cards]
        column = np.tile(np.arange(blocks[0]), blocks[1])
        whole, left = np.ones(len(column), dtype=bool), column < blocks[0] / 2
        self._parts = [(whole, keep), (left, HALF_KEEP), (~left, HALF_KEEP)] if halves else [(whole, keep)]
        pages = [cv2.resize(art, size, interpolation=cv2.INTER_AREA) for _, art in arts]
        blocks_of = np.stack([self._describe(page) for page in pages]) if pages else np.zeros((0, 1, 1), np.float32)
        self._by_block = np.ascontiguousarray(blocks_of.transpose(1, 2, 0))

    def _block(self) -> tuple[int, int]:
        """Return width and height of a block in pixels."""
        return self.size[0] // self._blocks[0], self.size[1] // self._blocks[1]

    def _describe(self, page: Array) -> Array:
        """Cut a page into blocks (blocks, values), each without its mean colour and of unit length."""
        cut = self._cut(page.astype(np.float32), 0)[:, 0]
        by_colour = cut.reshape(len(cut), -1, 3)
        cut = (by_colour - by_colour.mean(axis=1, keepdims=True)).reshape(cut.shape)
        length = np.linalg.norm(cut, axis=1, keepdims=True)
        return np.asarray(cut / np.maximum(length, FLAT * sqrt(cut.shape[1]) / 2))

    def _cut(self, window: Array, reach: int) -> Array:
        """Cut a window into blocks at every shift: (blocks, shifts, values)."""
        (columns, rows), (wide, tall), side = self._blocks, self._block(), 2 * reach + 1
        window = np.ascontiguousarray(window)
        down, right, colour = window.strides
        shape = (rows, columns, side, side, tall, wide * 3)
        strides = (tall * down, wide * right, down, right, down, colour)
        every = np.lib.stride_tricks.as_strided(window, shape, strides, writeable=False)
        return every.reshape(rows * columns, side * side, -1)

    def _lengths(self, window: Array, reach: int) -> Array:
        """Return the length of each block at each shift without its mean colour: (blocks, shifts)."""
        (columns, rows), (wide, tall), side = self._blocks, self._block(), 2 * reach + 1
        sums, squares = cv2.integral2(window, sdepth=cv2.CV_64F, sqdepth=cv2.CV_64F)
        last_row, last_column = (rows - 1) * tall + side, (columns - 1) * wide + side
        whole, power = (
            kept[tall:, wide:] - kept[:-tall, wide:] - kept[tall:, :-wide] + kept[:-tall, :-wide]
            for kept in (sums, squares)
        )
        off = (power - whole * whole / (wide * tall)).sum(axis=2)[:last_row, :last_column]
        down, right = off.strides
        shape, strides = (rows, columns, side, side), (tall * down, wide * right, down, right)
        every = np.lib.stride_tricks.as_strided(off, shape, strides, writeable=False).reshape(rows * columns, -1)
        return np.asarray(np.sqrt(np.maximum(every, 0)), dtype=np.float32)

    def _dazzled(self, patch: Array) -> bool:
        """Return whether nearly all blocks are mostly blown out."""
        (columns, rows), (wide, tall) = self._blocks, self._block()
        blown = np.asarray(cv2.inRange(patch, (DAZZLED,) * 3, (255,) * 3))[: tall * rows, : wide * columns] > 0
        if blown.mean() < MOSTLY * NEARLY_ALL:
            return False
        return bool((blown.reshape(rows, tall, columns, wide).mean(axis=(1, 3)) > MOSTLY).mean() > NEARLY_ALL)

    def compare(self, window: Array, reach: int) -> Likeness:
        """Compare a window, `reach` pixels larger on every side, at every shift.

        Pages have zero mean, so the mean of the window need not be subtracted.
        """
        width, height = self.size
        middle = (2 * reach + 1) ** 2 // 2
        lengths = self._lengths(window, reach)
        values = 3 * self._block()[0] * self._block()[1]
        likes = np.matmul(self._cut(window.astype(np.float32), reach), self._by_block)  # (blocks, shifts, pages)
        likes /= np.maximum(lengths, FLAT * sqrt(values) / 2)[..., None]
        likes[lengths[:, middle] < FLAT / 2 * sqrt(values)] = 0.0
        if self._dazzled(window[reach : reach + height, reach : reach + width]):
            likes[:] = 0.0
        steps = np.arange(-reach, reach + 1)
        shifts = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
        return Likeness(likes, shifts, self._parts)


def _match(likes: Array, keep: int, shifts: Array) -> Match:
    """Average the best blocks at every shift and take the best shift of each page."""
    ranked = np.partition(likes, len(likes) - keep, axis=0)[len(likes) - keep :]
    scores = ranked.mean(axis=0)
    best = scores.argmax(axis=0)
    return Match(scores[best, np.arange(scores.shape[1])], shifts[best])


WIDTH, HEIGHT = 40, 60
CELL, BINS = 5, 8
WHITE_PART = 0.85  # of the pixels are darker than what is taken for white
COLOUR_BLUR = 1.5
TINY = 1e-6


@dataclass(frozen=True, slots=True)
class CardMatch:
    """The most similar card, its similarity up to 2, and its lead over the next other card (0 without another)."""

    card: CardProfile
    score: float
    margin: float


class WholeCardMatcher:
    """Enrolled pictures of cards, to name a card that fills a picture."""

    def __init__(self, enrolled: list[tuple[CardProfile, Array]]) -> None:
        self._cards = [card for card, _ in enrolled]
        rows = [describe(picture) for _, picture in enrolled]
        self._rows = np.stack(rows) if rows else np.zeros((0, 1), dtype=np.float32)

    def name(self, picture: Array, *, either_way_up: bool = False) -> CardMatch | None:
        """Name the card that a picture shows from edge to edge."""
        if not self._cards:
            return None
        ways = [picture, picture[::-1, ::-1]] if either_way_up else [picture]
        scores = np.max([self._rows @ describe(way) for way in ways], axis=0)
        best = int(scores.argmax())
        card = self._cards[best]
        others = [float(s) for s, other in zip(scores, self._cards, strict=True) if other.name != card.name]
        score = float(scores[best])
        return CardMatch(card, score, score - max(others, default=score))


def describe(picture: Array) -> Array:
    """Describe a picture of a card: gradients by cell and direction, then colours; each part of unit length."""
    small = cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA).astype(np.float32)
    white = quantile(small.reshape(-1, 3), WHITE_PART, axis=0)
    lab = cv2.cvtColor(np.clip(small / np.maximum(white, 1), 0, 1).astype(np.float32), cv2.COLOR_BGR2LAB)
    colours = cv2.GaussianBlur(np.ascontiguousarray(lab[..., 1:]), (0, 0), COLOUR_BLUR)
    return np.concatenate([_unit(_gradients(np.ascontiguousarray(lab[..., 0]))), _unit(colours.ravel())])


def _gradients(light: Array) -> Array:
    """Sum gradients by cell and direction, each shared between the two nearest directions."""
    across = cv2.Sobel(light, cv2.CV_32F, 1, 0, ksize=1)
    along = cv2.Sobel(light, cv2.CV_32F, 0, 1, ksize=1)
    length = np.hypot(across, along)
    direction = (np.arctan2(along, across) % np.pi) / np.pi * BINS
    first = np.floor(direction).astype(int) % BINS
    part = direction - np.floor(direction)
    size = (WIDTH // CELL, HEIGHT // CELL)
    layers = []
    for index in range(BINS):
        share = length * ((first == index) * (1 - part) + ((first + 1) % BINS == index) * part)
        layers.append(cv2.resize(share.astype(np.float32), size, interpolation=cv2.INTER_AREA))
    return np.asarray(np.sqrt(np.stack(layers, axis=-1)).ravel())


def _unit(values: Array) -> Array:
    return np.asarray(values / (np.linalg.norm(values) + TINY), dtype=np.float32)


@dataclass(frozen=True, slots=True)
class CardArt:
    """One picture of a card, upright, at the scale of the view."""

    card: CardProfile
    picture: Array


def size_mm(card: CardProfile, profile: Profile) -> tuple[float, float]:
    return profile.threat if card.kind == "threat" else profile.card


def load_art(profile: Profile, scale: float) -> tuple[list[CardArt], list[str]]:
    """Load every card's pictures; return with them a fault for each file that is no picture."""
    found, faults = [], []
    for card in profile.cards.values():
        width, height = (max(8, round(mm * scale)) for mm in size_mm(card, profile))
        for path in card.art:
            picture = cv2.imdecode(np.fromfile(path, dtype=np.uint8), cv2.IMREAD_COLOR) if path.stat().st_size else None
            if picture is None:
                faults.append(f"{path}: not a picture that can be read")
                continue
            small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
            found.append(CardArt(card, np.asarray(small)))
    return found, faults
