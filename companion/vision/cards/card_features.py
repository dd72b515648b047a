"""Find known cards anywhere in a picture by key points of their pictures, several of one kind too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.vision.arrays import Array
    from companion.vision.cards.card_match import CardArt
    from companion.vision.profile import CardProfile

OF_CARD, OF_PICTURE = 160, 4000
FAINT: Final = 0.015  # contrast of a key point at least
NEAREST: Final = 4  # key points of cards that one of the picture is compared with
CLEAR: Final = 0.86  # of the distance to the nearest one of another card
FEW: Final = 6  # that agree in where a card lies
NEAR_PX: Final = 4.0
COPIES: Final = 6
TRIES: Final = 3
BLOCK: Final = 500


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card that was recognised: its corners in the picture, clockwise from its own upper left, and how surely."""

    card: CardProfile
    corners: Array
    votes: int


class CardFeatures:
    """The key points of all pictures of some cards."""

    def __init__(self, arts: list[CardArt]) -> None:
        finder = cv2.SIFT.create(nfeatures=OF_CARD, contrastThreshold=FAINT)
        self._cards = [art.card for art in arts]
        self._sizes = [(art.picture.shape[1], art.picture.shape[0]) for art in arts]
        rows, points, owners = [], [], []
        for number, art in enumerate(arts):
            found, described = finder.detectAndCompute(cv2.cvtColor(art.picture, cv2.COLOR_BGR2GRAY), None)
            if described is not None:
                rows.append(_rooted(described))
                points.append(np.array([one.pt for one in found], dtype=np.float32))
                owners.append(np.full(len(found), number))
        self._rows = np.concatenate(rows) if rows else np.zeros((0, 128), np.float32)
        self._points = np.concatenate(points) if points else np.zeros((0, 2), np.float32)
        self._owners = np.concatenate(owners) if owners else np.zeros(0, int)
        kinds = {card.name: number for number, card in enumerate(self._cards)}
        self._names = np.array([kinds[self._cards[owner].name] for owner in self._owners], dtype=int)

    def find(self, picture: Array) -> list[SeenCard]:
        """Return the cards that a picture shows."""
        if len(self._rows) < NEAREST:
            return []
        finder = cv2.SIFT.create(nfeatures=OF_PICTURE, contrastThreshold=FAINT)
        found, described = finder.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
        if described is None:
            return []
        here = np.array([one.pt for one in found], dtype=np.float32)
        mine, theirs = self._matches(_rooted(described))
        seen: list[SeenCard] = []
        for owner in np.unique(self._owners[theirs]):
            chosen = self._owners[theirs] == owner
            seen += self._copies(int(owner), self._points[theirs[chosen]], here[mine[chosen]])
        return seen

    def _matches(self, described: Array) -> tuple[Array, Array]:
        """Return the key points of the picture that are one card's rather than any other's, and which they are."""
        mine, theirs = [], []
        for at in range(0, len(described), BLOCK):
            alike = described[at : at + BLOCK] @ self._rows.T
            near = np.argpartition(-alike, NEAREST, axis=1)[:, : NEAREST + 1]
            apart = np.sqrt(np.maximum(2 - 2 * np.take_along_axis(alike, near, axis=1), 0))
            first = apart.argmin(axis=1)
            rows = np.arange(len(near))
            best = near[rows, first]
            others = np.where(self._names[near] != self._names[best][:, None], apart, np.inf).min(axis=1)
            clear = apart[rows, first] < CLEAR * np.minimum(others, 1.0)
            mine.append(at + np.flatnonzero(clear))
            theirs.append(best[clear])
        return np.concatenate(mine), np.concatenate(theirs)

    def _copies(self, owner: int, of_card: Array, here: Array) -> Iterator[SeenCard]:
        """Yield each place where a card lies: what agrees with it is taken away before the next is looked for."""
        width, height = self._sizes[owner]
        page = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
        for _ in range(COPIES):
            if len(here) < FEW:
                return
            bend, agree = cv2.estimateAffine2D(of_card, here, ransacReprojThreshold=NEAR_PX, maxIters=3000)
            inside = np.asarray(agree).ravel() > 0
            if inside.sum() < FEW:
                return
            sides = np.linalg.svd(bend[:, :2], compute_uv=False)
            upright = np.linalg.det(bend[:, :2]) > 0
            spread = np.ptp(of_card[inside], axis=0) / (width, height)
            if upright and sides[0] < TRIES * sides[1] and spread.max() > 0.3:  # noqa: PLR2004 - not one corner of it
                yield SeenCard(self._cards[owner], page @ bend[:, :2].T + bend[:, 2], int(inside.sum()))
            of_card, here = of_card[~inside], here[~inside]


def _rooted(described: Array) -> Array:
    """Return descriptions whose products tell how alike they are: of unit length, the root of each part."""
    return np.asarray(np.sqrt(described / np.maximum(described.sum(axis=1, keepdims=True), 1e-6)))
