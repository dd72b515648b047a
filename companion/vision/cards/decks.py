"""The decks as a fine look knows them: every card of a kind, bare or with its sticker on."""

from dataclasses import replace

import numpy as np

from companion.vision.arrays import Array
from companion.vision.camera.view import Frame
from companion.vision.cards.art import Art
from companion.vision.cards.card_match_fine import Fine
from companion.vision.cards.placing import INSET, MARGIN_MM
from companion.vision.profile import Profile
from companion.vision.scene.expected import CELL, warp_onto

KEPT = 6


class Decks:
    """Cards of one kind each, described when somebody first asks."""

    def __init__(self, profile: Profile, frame: Frame, arts: list[Art], drawn: dict[int, Array]) -> None:
        self._profile, self._scale, self._drawn = profile, frame.scale, drawn
        self._arts = {kind: self._whole(arts, kind) for kind in ("room", "threat")}
        self._kept: dict[tuple[str, int], Fine] = {}

    def of(self, kind: str, sticker: float) -> Fine | None:
        """Give a kind, with stickers as large as this (mm, 0: without); None if not every card of it has a picture."""
        if not self._arts[kind]:
            return None
        size = round(sticker)
        if (kind, size) not in self._kept:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            arts = self._arts[kind]
            self._kept[kind, size] = Fine([one for art in arts for one in self._stuck(art, size)] if size else arts)
        return self._kept[kind, size]

    def whole(self, kind: str) -> bool:
        """Say whether every card of a kind has a picture."""
        return bool(self._arts[kind])

    def _whole(self, arts: list[Art], kind: str) -> list[Art]:
        """Give the pictures of a kind, if there is one of every card: what is missing looks like another."""
        chosen = [art for art in arts if art.card.kind == kind]
        cards = {card.name for card in self._profile.cards.values() if card.kind == kind}
        return chosen if {art.card.name for art in chosen} == cards else []

    def _stuck(self, art: Art, size: int) -> list[Art]:
        """Draw each sticker of a card where it is stuck: in its far right corner."""
        tags = [tag for tag in art.card.tags if tag in self._drawn]
        return [replace(art, picture=self._with(art.picture, self._drawn[tag], size)) for tag in tags] or [art]

    def _with(self, picture: Array, sticker: Array, size: int) -> Array:
        inset, half = (size * INSET + MARGIN_MM) * self._scale, size * self._scale / 2
        cells = len(sticker) // CELL
        half *= cells / (cells - 2)  # its quiet zone
        middle = np.array([picture.shape[1] - inset, inset]) - 0.5
        stuck = picture.copy()
        warp_onto(stuck, sticker, middle + half * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]))
        return stuck
