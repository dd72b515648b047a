"""Readers of the fields that only the wasteland has: letters, faces of dice, enemies, goods."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from companion.cards.fields import UnfitError
from companion.cards.wasteland import notation
from companion.cards.wasteland.words import EncounterIcon, EnemyType
from companion.games import fields
from companion.games.wasteland.box import COLOUR_NUMBER, COLOURS

if TYPE_CHECKING:
    from collections.abc import Callable
    from enum import StrEnum

    from companion.cards.wasteland.types import DieFace, Effect, PlacedEnemy

    Word = TypeVar("Word", bound=StrEnum)

Value = TypeVar("Value")
HIGHEST = 999
DICE = 3


class Goods(NamedTuple):
    """One side of a trade: cards by id, agendas by their place in the hand, Caps."""

    cards: tuple[str, ...] = ()
    agendas: tuple[int, ...] = ()
    caps: int = 0


def number(raw: object, field: str) -> int:
    """Read a number from 1 on, as on a list or a card."""
    return fields.whole(raw, field, 1, 10**6)


def level(raw: object, field: str) -> int:
    """Read a small number from 0 on."""
    return fields.whole(raw, field, 0, HIGHEST)


def colour(raw: object, field: str) -> int:
    if not isinstance(raw, str) or raw not in COLOUR_NUMBER:
        raise fields.malformed(field, raw, "one of " + ", ".join(COLOURS))
    return COLOUR_NUMBER[raw]


def _noted(raw: object, field: str, read: Callable[[object], Value]) -> Value:
    """Read something in the notation of the cards."""
    try:
        return read(raw)
    except UnfitError as unfit:
        raise fields.malformed(field, unfit.found or raw, unfit.expected) from unfit


def results(raw: object, field: str) -> tuple[Effect, ...]:
    """Read results as they are printed: xp 2, caps 3."""
    return _noted(raw, field, notation.lines(notation.effect))


def letters(raw: object, field: str) -> str:
    """Read letters of S.P.E.C.I.A.L."""
    return _noted(raw, field, notation.letters)


def throw(raw: object, field: str) -> tuple[DieFace, ...]:
    """Read dice as they lie, their faces in the notation of the cards."""
    faces = _noted(raw, field, notation.lines(notation.face))
    if not 1 <= len(faces) <= DICE:
        raise fields.malformed(field, raw, "one to three faces")
    return faces


def enemy_icons(raw: object, field: str) -> tuple[PlacedEnemy, ...]:
    return _noted(raw, field, notation.lines(notation.placed))


def placings(raw: object, field: str) -> dict[int, str]:
    """Read spaces by the numbers of enemies."""
    found = {}
    for key, at in fields.an_object(raw, field).items():
        if not key.isdecimal() or len(key) > DICE * 2:
            raise fields.malformed(field, key, "the number of an enemy")
        found[int(key)] = fields.text(at, field)
    return found


def terrain(raw: object, field: str) -> frozenset[str]:
    """Read what the entered space is like (W-MAP-2, W-MAP-3)."""
    kinds = frozenset(fields.texts(raw, field))
    if kinds - {"difficult", "irradiated"}:
        raise fields.malformed(field, raw, "difficult, irradiated or both")
    return kinds


def _one_of(choices: type[Word], raw: object, field: str) -> Word:
    for choice in choices:
        if raw == choice.value:
            return choice
    raise fields.malformed(field, raw, "one of " + ", ".join(choices))


def icon(raw: object, field: str) -> EncounterIcon:
    return _one_of(EncounterIcon, raw, field)


def enemy_type(raw: object, field: str) -> EnemyType:
    return _one_of(EnemyType, raw, field)


def goods(raw: object, field: str) -> Goods:
    found = fields.an_object(raw, field)
    if set(found) - {"cards", "agendas", "caps"}:
        raise fields.malformed(field, raw, "cards, agendas and caps")
    places = [number(one, f"{field}.agendas") for one in fields.a_list(found.get("agendas", []), f"{field}.agendas")]
    return Goods(
        tuple(fields.texts(found.get("cards", []), f"{field}.cards")),
        tuple(places),
        fields.whole(found.get("caps", 0), f"{field}.caps", 0, HIGHEST),
    )
