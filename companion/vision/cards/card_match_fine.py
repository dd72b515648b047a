"""Identify a card from its visible blocks when the coarse match (`card_match.py`) is ambiguous.

The coarse match takes the best blocks of a card for all of it. Here every block is evidence, weighted by what it
shows above the noise floor: little in a glare, much where a title is plain. Each pair of cards is compared over the
blocks that one of the two explains; what covers the others says nothing. First all cards are compared coarsely, then
the likeliest at the full resolution of the view from above.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import radians, sqrt

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.cards.card_match import CardArt
from companion.vision.profile import CardProfile

BLOCK, INSET = 5, 1  # pixels of the coarse look; the edge is left out: a dark mat around white is like a printed border
NOISE, MODEL = 4.0, 0.12
"""Noise floor, what no picture explains: grey levels squared of a pixel, and a share of the contrast."""
EXPLAINS, WELL = 0.6, 0.7  # how like a block has to be for the card to explain it
RUNNERS, LIKELIEST = 16, 8
HOPELESS = 0.5  # strength of the coarse look below which the sharp one finds nothing either
NEAR = 3  # pixels of the view around where the coarse look put the card
SLACK = 1  # pixels that a block may lie off its card: sleeves curl and turn
AROUND = np.mgrid[-SLACK : SLACK + 1, -SLACK : SLACK + 1].reshape(2, -1, 1)
BLUR = 0.8
BESIDE = 2.0  # pixels of the view by which a block's middle has to lie clear of a card on top
FAINT = 2.0  # grey levels: a picture's block with less contrast than this is ignored


@dataclass(frozen=True, slots=True)
class FineMatch:
    """The best card, its lead in evidence, the share of the evidence it explains; its offset in pixels and radians."""

    card: CardProfile
    lead: float
    explained: float
    shift: tuple[float, float]
    turn: float

    @property
    def strength(self) -> float:
        """How strong the evidence is: the lead, weighted by the share of what is seen that the card explains."""
        return self.lead * self.explained


@dataclass(frozen=True, slots=True)
class Grid:
    """How a card is cut into square blocks: how many, how large, and where the first one begins."""

    columns: int
    rows: int
    block: int
    left: int
    top: int

    def within(self, window: Array, reach: int) -> Array:
        """Crop all blocks and `reach` around them out of a window that has as much margin around the card."""
        height, width = self.rows * self.block + 2 * reach, self.columns * self.block + 2 * reach
        return window[self.top : self.top + height, self.left : self.left + width]


@dataclass(frozen=True, slots=True)
class BlockLikeness:
    """Per page and block the similarity and its weight; per page the total and the shift that it was reached at."""

    likes: Array
    weights: Array
    totals: Array
    shifts: Array

    def leads(self, pages: Array, blocks: Array) -> Array:
        """Return how much more of the evidence each of some pages explains than each other one."""
        likes, weights = self.likes[pages], self.weights[pages] * blocks
        told = np.maximum(likes[:, None], likes[None]) > EXPLAINS
        squares = likes * likes
        return np.asarray(((weights[:, None] + weights[None]) / 2 * told * (squares[:, None] - squares[None])).sum(2))

    def explained(self, page: int, blocks: Array) -> float:
        """Return the share of the evidence that a page explains."""
        weights = self.weights[page] * blocks
        return float((weights * (self.likes[page] > WELL)).sum() / max(float(weights.sum()), 1e-6))


class FineMatcher:
    """Pictures of cards of one size, compared by everything they show."""

    def __init__(self, arts: list[CardArt]) -> None:
        self.cards = [art.card for art in arts]
        self.pictures = [art.picture for art in arts]
        shape = arts[0].picture.shape
        self._coarse, self._sharp = _grid(shape, 1), _grid(shape, 2)
        self._pages = _pages([_half(_smooth(picture)) for picture in self.pictures], self._coarse)

    def read(
        self, window: Array, reach: int, hidden: Array, placed: frozenset[str], turns: tuple[float, ...] = (0.0,)
    ) -> FineMatch | None:
        """Name the card in a window of the view, `reach` pixels larger on every side, turned by some degrees.

        `hidden` marks blocks (rows, columns) that something known lies on; `placed` are cards whose every copy lies
        elsewhere.
        """
        blocks = ~hidden.ravel()
        if not blocks.any():
            return None
        uprights = [_smooth(_turned(window, -turn)) for turn in turns]
        looks = [_compare_blocks(_half(upright), reach // 2, self._coarse, self._pages) for upright in uprights]
        which = int(np.argmax([look.totals.max() for look in looks]))
        rough = looks[which]
        runners = np.argsort(-rough.totals)[:RUNNERS]
        leads = self._least(rough.leads(runners, blocks), runners)
        likeliest = runners[np.argsort(-leads)[:LIKELIEST]]
        if leads.max() * rough.explained(int(likeliest[0]), blocks) < HOPELESS:
            return None
        corner = np.clip(reach + 2 * rough.shifts[likeliest[0]] - NEAR, 0, 2 * (reach - NEAR))
        pages = _pages([_smooth(self.pictures[page]) for page in likeliest], self._sharp)
        sharp = _compare_blocks(uprights[which][corner[1] :, corner[0] :], NEAR, self._sharp, pages)
        leads = sharp.leads(np.arange(len(likeliest)), blocks)
        best = int(self._least(leads, likeliest).argmax())
        card = self.cards[likeliest[best]]
        if card.name in placed:
            return None
        lead = float(self._least(leads, likeliest, placed)[best])
        right, down = (float(step) for step in corner + sharp.shifts[best] + NEAR - reach)
        return FineMatch(card, lead, sharp.explained(best, blocks), (right, down), radians(turns[which]))

    def under(self, middles: list[Array], half: Array) -> Array:
        """Return which blocks lie under smaller cards, by their middles and half their size in pixels of the view."""
        grid = self._sharp
        across = grid.left + (np.arange(grid.columns) + 0.5) * grid.block
        along = grid.top + (np.arange(grid.rows) + 0.5) * grid.block
        hidden = np.zeros((grid.rows, grid.columns), dtype=bool)
        for middle in middles:
            over = np.abs(along - middle[1])[:, None] < half[1] + BESIDE, np.abs(across - middle[0]) < half[0] + BESIDE
            hidden |= over[0] & over[1]
        return hidden

    def _least(self, leads: Array, pages: Array, placed: frozenset[str] = frozenset()) -> Array:
        """Return the lead of each page over the closest one of another card that may lie here."""
        names = [self.cards[page].name for page in pages]
        rivals = np.array([[mine != other and other not in placed for other in names] for mine in names])
        least = np.where(rivals, leads, np.inf).min(axis=1)
        return np.where(np.isinf(least), 0.0, least)


def _compare_blocks(window: Array, reach: int, grid: Grid, pages: Array) -> BlockLikeness:
    """Compare every block with those of all pages, at every shift; each page keeps the shift that explains most."""
    side, values = 2 * reach + 1, pages.shape[1]
    cut = _cut(grid.within(window, reach), grid, side)
    plain = cut @ _light(grid.block)
    energy = np.maximum(np.einsum("bsv,bsv->bs", cut, cut) - np.einsum("bsv,bsv->bs", plain, plain), 0)
    likes = np.maximum(cut @ pages / np.sqrt(np.maximum(energy, 1.0))[..., None], 0)
    weights = energy / (energy * MODEL + NOISE * values)
    totals = np.einsum("bsp,bs->sp", likes * likes, weights)
    best = totals.argmax(axis=0)
    down, right = np.divmod(best, side)
    near = np.clip(down + AROUND[0], 0, side - 1) * side + np.clip(right + AROUND[1], 0, side - 1)
    mine = likes[:, near, np.arange(len(best))].max(axis=1).T
    shifts = np.stack([right, down], axis=1) - reach
    return BlockLikeness(mine, weights[:, best].T, totals.max(axis=0), shifts)


def _grid(shape: tuple[int, ...], scale: int) -> Grid:
    """Lay as many blocks over a picture of this shape as fit, from its top and in the middle."""
    block, inset = BLOCK * scale, INSET * scale
    height, width = (side * scale // 2 for side in shape[:2])
    columns, rows = (max(0, side - 2 * inset) // block for side in (width, height))
    return Grid(columns, rows, block, (width - columns * block) // 2, inset)


def _pages(pictures: list[Array], grid: Grid) -> Array:
    """Describe pictures: blocks of unit length, invariant to light, (blocks, values, pages)."""
    cut = np.stack([_cut(grid.within(picture, 0), grid, 1)[:, 0] for picture in pictures], axis=-1)
    light = _light(grid.block)
    cut = cut - light @ (light.T @ cut)
    length = np.linalg.norm(cut, axis=1, keepdims=True)
    return np.ascontiguousarray(cut / np.maximum(length, FAINT * sqrt(cut.shape[1])))


@lru_cache(maxsize=2)
def _light(block: int) -> Array:
    """Return what light may do to a block, in each colour: (values, 3), or with slopes (values, 9).

    Shadows and hands are slopes, but so are many pictures; at full resolution slopes are therefore removed. Few coarse
    pixels hold too little without them.
    """
    steps = np.arange(block) - (block - 1) / 2
    planes = np.stack([np.ones((block, block)), *np.meshgrid(steps, steps)]).reshape(3, -1)
    planes = planes if block > BLOCK else planes[:1]
    planes /= np.linalg.norm(planes, axis=1, keepdims=True)
    return np.kron(planes.T, np.eye(3)).astype(np.float32)


def _cut(window: Array, grid: Grid, side: int) -> Array:
    """Cut a window into blocks at every shift: (blocks, shifts, values)."""
    window = np.ascontiguousarray(window)
    down, right, colour = window.strides
    shape = (grid.rows, grid.columns, side, side, grid.block, grid.block * 3)
    strides = (grid.block * down, grid.block * right, down, right, down, colour)
    every = np.lib.stride_tricks.as_strided(window, shape, strides, writeable=False)
    return every.reshape(grid.rows * grid.columns, side * side, grid.block * grid.block * 3)


def _smooth(picture: Array) -> Array:
    return np.asarray(cv2.GaussianBlur(picture.astype(np.float32), (0, 0), BLUR))


def _half(picture: Array) -> Array:
    return np.asarray(cv2.resize(picture, (picture.shape[1] // 2, picture.shape[0] // 2), interpolation=cv2.INTER_AREA))


def _turned(window: Array, degrees: float) -> Array:
    """Rotate a window around its middle, counter-clockwise."""
    if not degrees:
        return window
    height, width = window.shape[:2]
    bend = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), degrees, 1.0)
    return np.asarray(cv2.warpAffine(window, bend, (width, height), borderMode=cv2.BORDER_REPLICATE))
