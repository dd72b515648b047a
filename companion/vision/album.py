"""Knows cards by their pictures: aligned dense descriptors, compared block by block so that a part may be hidden."""

from dataclasses import dataclass

import cv2
import numpy as np

from companion.vision.arrays import Array
from companion.vision.profile import Card

FLAT = 7.0  # grey levels: a block with less contrast than this says nothing


@dataclass(frozen=True, slots=True)
class Likeness:
    """How like each card of an album a patch is, best first: card, score, shift in pixels (right, down)."""

    card: Card
    score: float
    shift: tuple[int, int]


class Album:
    """Pictures of one size cut into blocks, each normalised by itself."""

    def __init__(self, arts: list[tuple[Card, Array]], size: tuple[int, int], blocks: tuple[int, int], keep: float) -> None:
        self.size, self._blocks = size, blocks
        self.cards = [card for card, _ in arts]
        self._keep = max(1, round(keep * blocks[0] * blocks[1]))
        smalls = [cv2.resize(art, size, interpolation=cv2.INTER_AREA) for _, art in arts]
        self._pages = self._describe(np.stack(smalls))[0] if smalls else np.zeros((0, 1, 1), np.float32)
        self._by_block = np.ascontiguousarray(self._pages.transpose(1, 2, 0))

    def _describe(self, patches: Array) -> tuple[Array, Array]:
        """Cut patches (n, h, w, 3) into blocks of zero mean and unit length (n, blocks, values); also their contrast."""
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

    def compare(self, window: Array, reach: int) -> tuple[Array, Array, Array]:
        """Compare a window, `reach` pixels larger on every side, at every shift.

        Returns the trimmed score of each page, its best shift (right, down), and the scores of its blocks there.
        """
        width, height = self.size
        steps = [(dx, dy) for dy in range(2 * reach + 1) for dx in range(2 * reach + 1)]
        patches = np.stack([window[dy : dy + height, dx : dx + width] for dx, dy in steps])
        blocks, _ = self._describe(patches)
        likes = np.matmul(np.ascontiguousarray(blocks.transpose(1, 0, 2)), self._by_block)  # (blocks, shifts, pages)
        ranked = -np.partition(-likes, self._keep - 1, axis=0)[: self._keep]
        scores = ranked.mean(axis=0)
        best = scores.argmax(axis=0)
        pages = np.arange(scores.shape[1])
        shifts = np.array(steps)[best] - reach
        return scores[best, pages], shifts, likes[:, best, pages]
