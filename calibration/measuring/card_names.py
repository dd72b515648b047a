"""Enrol cards that lie on the mat with stickers: two pictures of a card that agree show that nothing lies on it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from calibration.measuring.outline import CROP, above
from companion.vision.cards.card_match import WholeCardMatcher, describe, load_art, size_mm
from companion.vision.cards.placing import place_tags

if TYPE_CHECKING:
    from collections.abc import Iterable

    from calibration.measuring.measures import Located
    from calibration.measuring.title_reader import TitleGuess
    from companion.vision.arrays import Array
    from companion.vision.camera.pose import Pose
    from companion.vision.cards.card_match import CardArt
    from companion.vision.cards.placing import CardPlacement
    from companion.vision.profile import Profile


BLOCKS: Final = (5, 4)
CELLS: Final = (60, 40)  # pixels a card is compared at
PLAIN: Final = 4.0  # grey levels: a block with less contrast has nothing on it
FAINT: Final = 0.035  # of white: a block with less contrast shows nothing of its card
AGREE: Final = 0.7  # correlation from which on two blocks show the same
STEPS: Final = 2  # pixels one may lie off
KEPT: Final = 8


@dataclass
class LyingCards:
    """Pictures of the cards on the mat, until two of a card agree that nothing lies on it."""

    _crops: dict[str, list[Array]] = field(default_factory=dict)

    def see(self, picture: Array, located: Located, pose: Pose, profile: Profile, wanted: set[str]) -> dict[str, Array]:
        """Take in a picture of the table; return the cards that are settled with it."""
        found, _ = place_tags(list(located.tags), pose, profile)
        under = {placement.slot for placement in found if placement.card.kind == "threat"}
        settled = {}
        for placement in found:
            card = placement.card
            if card.name not in wanted or (card.kind != "threat" and placement.slot in under):
                continue
            taken = above(picture, pose, corners_of(placement, profile), size_mm(card, profile), CROP)
            if taken is None:
                continue
            before = self._crops.setdefault(card.name, [])
            if any(pictures_agree(taken, other) for other in before):
                settled[card.name] = taken
                del self._crops[card.name]
            else:
                before.append(taken)
                del before[:-KEPT]
        return settled

    @property
    def open(self) -> int:
        """Cards that were seen and are not settled."""
        return len(self._crops)


def corners_of(placement: CardPlacement, profile: Profile) -> Array:
    """Return a card's corners on the table, clockwise from its top left."""
    half = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * np.array(size_mm(placement.card, profile)) / 2
    cos, sin = np.cos(placement.turn), np.sin(placement.turn)
    return np.asarray(half @ np.array([[cos, sin], [-sin, cos]]) + (placement.x, placement.y))


def pictures_agree(one: Array, other: Array) -> bool:
    """Return whether two pictures of a card agree everywhere: what lay on one would not lie on the other."""
    if one.shape != other.shape:
        return False
    first, second = _small(one), _small(other)
    height, width = first.shape[:2]
    best = 0.0
    for dx in range(-STEPS, STEPS + 1):
        for dy in range(-STEPS, STEPS + 1):
            a = first[max(0, dy) : height + min(0, dy), max(0, dx) : width + min(0, dx)]
            b = second[max(0, -dy) : height + min(0, -dy), max(0, -dx) : width + min(0, -dx)]
            best = max(best, _least(a, b))
    return best > AGREE


def blank_share(picture: Array) -> float:
    """Return the share of a card's picture that has no detail: glare on a glossy card, or an empty sleeve."""
    small = _small(picture)
    least = FAINT * float(np.percentile(small, 97))
    columns, rows = BLOCKS if small.shape[1] > small.shape[0] else BLOCKS[::-1]
    tall, wide = small.shape[0] // rows, small.shape[1] // columns
    blocks = small[: tall * rows, : wide * columns].reshape(rows, tall, columns, wide, 3)
    deep = np.sqrt(blocks.var(axis=(1, 3)).mean(axis=-1))
    return float((deep < least).mean())


def _small(picture: Array) -> Array:
    size = CELLS if picture.shape[1] > picture.shape[0] else CELLS[::-1]
    return cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32)


def _least(a: Array, b: Array) -> float:
    """Return the correlation of the block that agrees least; plain blocks agree if both are plain."""
    columns, rows = BLOCKS if a.shape[1] > a.shape[0] else BLOCKS[::-1]
    tall, wide = a.shape[0] // rows, a.shape[1] // columns
    cut = [
        part[: tall * rows, : wide * columns].reshape(rows, tall, columns, wide, 3).transpose(0, 2, 1, 3, 4)
        for part in (a, b)
    ]
    flat = [part.reshape(rows * columns, -1, 3) for part in cut]
    flat = [(part - part.mean(axis=1, keepdims=True)).reshape(rows * columns, -1) for part in flat]
    deep = [part.std(axis=1) for part in flat]
    both = (flat[0] * flat[1]).mean(axis=1) / np.maximum(deep[0] * deep[1], 1e-6)
    plain = np.maximum(deep[0], deep[1]) < PLAIN
    return float(np.where(plain, 1.0, both).min())


SCALE: Final = 1.25
SCORE, LEAD = 1.3, 0.08  # from where on a picture names its card by itself
OFFERED: Final = 4
SAME: Final = 1.93  # similarity of two pictures of one card that nobody has touched


@dataclass(frozen=True, slots=True)
class CardGuess:
    """The likeliest card, how it was named and how surely, what else it may be, and whether it lies head down."""

    card: str
    by: str
    sure: bool
    offered: tuple[str, ...] = ()
    head_down: bool = False
    score: float = 0.0
    title: TitleGuess | None = None
    """What was read, where the card was named by its title."""

    def doubted(self, *, doubted: bool = True) -> CardGuess:
        return replace(self, sure=not doubted)


class CardNamer:
    """Names cards by the pictures of a profile."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        arts, _ = load_art(profile, SCALE)
        self._by_size: dict[tuple[float, float], list[CardArt]] = {}
        for art in arts:
            self._by_size.setdefault(size_mm(art.card, profile), []).append(art)
        self._galleries = {
            size: WholeCardMatcher([(art.card, art.picture) for art in found]) for size, found in self._by_size.items()
        }

    def by_sticker(self, numbers: Iterable[int]) -> CardGuess | None:
        """Return the card of a sticker on it; None for stickers of two different cards."""
        owners = self._profile.card_of_tag()
        cards = {owners[number].name for number in numbers if number in owners}
        return CardGuess(cards.pop(), "sticker", sure=True) if len(cards) == 1 else None

    def by_file(self, label: str) -> CardGuess | None:
        """Return the card that a file is named after: `garden.jpg`, `garden.2.jpg`, `garden-lamp.jpg`."""
        stem = label.rsplit(".", 1)[0].lower()
        whole = [card for card in self._profile.cards if re.fullmatch(rf"{re.escape(card)}([-._ ]\w+)?", stem)]
        return CardGuess(max(whole, key=len), "file", sure=True) if whole else None

    def by_picture(self, picture: Array, size: tuple[float, float]) -> CardGuess | None:
        """Return the card that a picture shows, either way up."""
        gallery = self._galleries.get(size)
        if gallery is None:
            return None
        ways = [(gallery.name(way), way) for way in (picture, picture[::-1, ::-1])]
        (named, way), head_down = max(
            ((way, number == 1) for number, way in enumerate(ways)), key=lambda one: one[0][0].score if one[0][0] else 0
        )
        if named is None:
            return None
        sure = named.score > SCORE and named.margin > LEAD
        return CardGuess(named.card.name, "picture", sure, self._likely(way, size), head_down, named.score)

    def _likely(self, picture: Array, size: tuple[float, float]) -> tuple[str, ...]:
        here = describe(picture)
        ranked = sorted(self._by_size[size], key=lambda art: -float(describe(art.picture) @ here))
        return tuple(dict.fromkeys(art.card.name for art in ranked))[:OFFERED]


def same_card(one: Array, other: Array) -> bool:
    """Return whether two pictures show the same card, lying as it lay."""
    return one.shape == other.shape and bool(float(np.dot(describe(one), describe(other))) > SAME)
