"""Which card is this? By its sticker, by the name of its file, else by the pictures that are known already."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from companion.vision.cards.art import load_art, size_mm
from companion.vision.cards.gallery import Gallery, describe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.vision.arrays import Array
    from companion.vision.cards.art import Art
    from companion.vision.profile import Profile

SCALE: Final = 1.25
SCORE, LEAD = 1.3, 0.08  # from where on a picture names its card by itself
OFFERED: Final = 4
SAME: Final = 1.93  # likeness of two pictures of one card that nobody has touched


@dataclass(frozen=True, slots=True)
class Name:
    """The likeliest card, how it was known and how surely, what else it may be, and whether it lies head down."""

    card: str
    by: str
    sure: bool
    offered: tuple[str, ...] = ()
    head_down: bool = False


class Namer:
    """Knows the pictures of a profile."""

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        arts, _ = load_art(profile, SCALE)
        self._by_size: dict[tuple[float, float], list[Art]] = {}
        for art in arts:
            self._by_size.setdefault(size_mm(art.card, profile), []).append(art)
        self._galleries = {
            size: Gallery([(art.card, art.picture) for art in found]) for size, found in self._by_size.items()
        }

    def by_sticker(self, numbers: Iterable[int]) -> Name | None:
        """The card of a sticker on it; two of different cards tell nothing."""
        owners = self._profile.card_of_tag()
        cards = {owners[number].name for number in numbers if number in owners}
        return Name(cards.pop(), "sticker", sure=True) if len(cards) == 1 else None

    def by_file(self, label: str) -> Name | None:
        """The card that a file is called after: `garden.jpg`, `garden.2.jpg`, `garden-lamp.jpg`."""
        stem = label.rsplit(".", 1)[0].lower()
        whole = [card for card in self._profile.cards if re.fullmatch(rf"{re.escape(card)}([-._ ]\w+)?", stem)]
        return Name(max(whole, key=len), "file", sure=True) if whole else None

    def by_picture(self, picture: Array, size: tuple[float, float]) -> Name | None:
        """The card that a picture shows, either way up."""
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
        return Name(named.card.name, "picture", sure, self._likely(way, size), head_down)

    def _likely(self, picture: Array, size: tuple[float, float]) -> tuple[str, ...]:
        here = describe(picture)
        ranked = sorted(self._by_size[size], key=lambda art: -float(describe(art.picture) @ here))
        return tuple(dict.fromkeys(art.card.name for art in ranked))[:OFFERED]


def same(one: Array, other: Array) -> bool:
    """Whether two pictures show the same card, lying as it lay."""
    return one.shape == other.shape and bool(float(np.dot(describe(one), describe(other))) > SAME)
