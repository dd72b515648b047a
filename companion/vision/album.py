"""Knows cards by their pictures: aligned dense descriptors, compared block by block so that a part may be hidden."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.profile import Card

HALF_KEEP = 0.75
DAZZLED = 250
FLAT = 7.0  # grey levels: a block with less contrast than this says nothing


@dataclass(frozen=True, slots=True)
class Match:
    """How like each page a patch is, and at which shift in pixels (right, down)."""

    scores: Array
    shifts: Array


class Album:
    """Pictures of one size cut into blocks, each normalised by itself."""

    def __init__(
        self,
        arts: list[tuple[Card, Array]],
        size: tuple[int, int],
        blocks: tuple[int, int],
        keep: float,
        *,
        halves: bool,
    ) -> None:
        self.size, self._blocks = size, blocks
        self.cards = [card for card, _ in arts]
        column = np.tile(np.arange(blocks[0]), blocks[1])
        whole, left = np.ones(len(column), dtype=bool), column < blocks[0] / 2
        self._parts = [(whole, keep), (left, HALF_KEEP), (~left, HALF_KEEP)] if halves else [(whole, keep)]
        smalls = [cv2.resize(art, size, interpolation=cv2.INTER_AREA) for _, art in arts]
        self._pages = self._describe(np.stack(smalls))[0] if smalls else np.zeros((0, 1, 1), np.float32)
        self._by_block = np.ascontiguousarray(self._pages.transpose(1, 2, 0))

    def _describe(self, patches: Array) -> tuple[Array, Array]:
        """Cut patches (n, h, w, 3) into normalised blocks (n, blocks, values); also gives their contrast."""
        columns, rows = self._blocks
        n, height, width = patches.shape[:3]
        tall, wide = height // rows, width // columns
        cut = patches[:, : tall * rows, : wide * columns].astype(np.float32)
        cut = cut.reshape(n, rows, tall, columns, wide, 3).transpose(0, 1, 3, 5, 2, 4).reshape(n, rows * columns, 3, -1)
        cut = cut - cut.mean(axis=3, keepdims=True)
        cut = cut.reshape(n, rows * columns, -1)
        length = np.linalg.norm(cut, axis=2, keepdims=True)
        contrast = length[..., 0] / np.sqrt(cut.shape[2])
        return cut / np.maximum(length, FLAT * np.sqrt(cut.shape[2]) / 2), contrast

    def _dazzled(self, patch: Array) -> Array:
        """Say which blocks are mostly blown out."""
        columns, rows = self._blocks
        tall, wide = patch.shape[0] // rows, patch.shape[1] // columns
        blown = (patch[: tall * rows, : wide * columns] >= DAZZLED).all(axis=2)
        return np.asarray(blown.reshape(rows, tall, columns, wide).mean(axis=(1, 3)).ravel() > 0.5)  # noqa: PLR2004 - most

    def compare(self, window: Array, reach: int) -> list[Match]:
        """Compare a window, `reach` pixels larger on every side, at every shift: by all blocks, by each half.

        A half speaks for itself where a smaller card lies on the other.
        """
        width, height = self.size
        steps = [(dx, dy) for dy in range(2 * reach + 1) for dx in range(2 * reach + 1)]
        patches = np.stack([window[dy : dy + height, dx : dx + width] for dx, dy in steps])
        blocks, contrast = self._describe(patches)
        likes = np.matmul(np.ascontiguousarray(blocks.transpose(1, 0, 2)), self._by_block)  # (blocks, shifts, pages)
        middle = len(steps) // 2
        likes[contrast[middle] < FLAT / 2] = 0.0
        if self._dazzled(patches[middle]).mean() > 0.8:  # noqa: PLR2004 - nearly all of the card is blown out
            likes *= 0.0
        shifts = np.array(steps) - reach
        return [_match(likes[part], max(1, round(keep * part.sum())), shifts) for part, keep in self._parts]


def _match(likes: Array, keep: int, shifts: Array) -> Match:
    """Average the best blocks at every shift and take the best shift of each page."""
    ranked = np.partition(likes, len(likes) - keep, axis=0)[len(likes) - keep :]
    scores = ranked.mean(axis=0)
    best = scores.argmax(axis=0)
    return Match(scores[best, np.arange(scores.shape[1])], shifts[best])
