"""V.A.T.S. dice: what a face shows, and what it is worth against an enemy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland import notation

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Enemy
    from web.base.words import Words

AREAS: Final = ("head", "body", "arms", "legs")


@dataclass(frozen=True, slots=True)
class Shown:
    """A face, or an enemy's chart: its filled areas, its bullets, and the same in words."""

    areas: tuple[str, ...]
    hits: int
    words: str
    match: bool = False
    """Whether it hits the enemy that is fought."""
    none: bool = False


def face(words: Words, name: str | None, enemy: Enemy | None = None) -> Shown:
    """A face by its name."""
    if name is None:
        return Shown((), 0, words.text("wdie_none"), none=True)
    read = notation.face(name)
    filled = tuple(area for area in AREAS if area in read.areas)
    match = enemy is not None and bool(read.areas & enemy.areas)
    return Shown(filled, read.hits, _told(words, filled, read.hits), match)


def chart(words: Words, enemy: Enemy) -> Shown:
    """Where an enemy is vulnerable."""
    filled = tuple(area for area in AREAS if area in enemy.areas)
    return Shown(filled, 0, _told(words, filled, 0))


def _told(words: Words, areas: tuple[str, ...], hits: int) -> str:
    parts = [words.text(f"warea_{area}") for area in areas]
    return ", ".join([*parts, *([words.count("whits", hits)] if hits else [])]) or words.text("wdie_blank")
