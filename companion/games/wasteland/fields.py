"""Fields of moves and corrections: each is of its kind, or a refusal that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from companion.cards.fields import UnfitError
from companion.cards.wasteland import notation
from companion.cards.wasteland.words import EnemyType, Icon
from companion.games.wasteland.words import COLOUR_NUMBER, COLOURS
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable
    from enum import StrEnum

    from companion.cards.wasteland.types import Effect, Face, PlacedEnemy

    Word = TypeVar("Word", bound=StrEnum)

Value = TypeVar("Value")
HIGHEST = 999
LONGEST = 60
DICE = 3


class Goods(NamedTuple):
    """One side of a trade: cards by id, agendas by their place in the hand, Caps."""

    cards: tuple[str, ...] = ()
    agendas: tuple[int, ...] = ()
    caps: int = 0


def malformed(field: str, found: object, expected: str) -> Refusal:
    """Something that is not in the shape of the protocol."""
    shown = str(found)[:LONGEST]
    return Refusal("malformed", None, f"{field}: {shown!r} is not {expected}", field=field, found=shown)


def text(raw: Any, field: str) -> str:
    """A short text of one line."""
    if not isinstance(raw, str) or not raw.strip() or len(raw) > LONGEST or not raw.isprintable():
        raise malformed(field, raw, f"a text of one line and {LONGEST} characters at most")
    return raw


def whole(raw: Any, field: str, low: int, high: int, clause: str | None = None) -> int:
    """A whole number; one out of bounds is refused with the clause that it breaks."""
    if not isinstance(raw, int) or isinstance(raw, bool):
        raise malformed(field, raw, "a whole number")
    if not low <= raw <= high:
        raise Refusal("impossible", clause, f"{field} is from {low} to {high}.", field=field, found=str(raw)[:LONGEST])
    return raw


def number(raw: Any, field: str) -> int:
    """A number from 1 on, as on a list or a card."""
    return whole(raw, field, 1, 10**6)


def level(raw: Any, field: str) -> int:
    """A small number from 0 on."""
    return whole(raw, field, 0, HIGHEST)


def flag(raw: Any, field: str) -> bool:
    """True or false."""
    if not isinstance(raw, bool):
        raise malformed(field, raw, "true or false")
    return raw


def by_table(raw: Any, field: str) -> bool:
    """Whether real dice or decks on the table decide, or the companion."""
    if raw not in ("companion", "table"):
        raise malformed(field, raw, "companion or table")
    return bool(raw == "table")


def a_list(raw: Any, field: str) -> list[Any]:
    """A list of something."""
    if not isinstance(raw, list):
        raise malformed(field, raw, "a list")
    return raw


def texts(raw: Any, field: str) -> list[str]:
    """A list of texts."""
    return [text(one, field) for one in a_list(raw, field)]


def an_object(raw: Any, field: str) -> dict[str, Any]:
    """A JSON object."""
    if not isinstance(raw, dict) or not all(isinstance(key, str) for key in raw):
        raise malformed(field, raw, "an object")
    return raw


def colour(raw: Any, field: str) -> int:
    """A colour."""
    if not isinstance(raw, str) or raw not in COLOUR_NUMBER:
        raise malformed(field, raw, "one of " + ", ".join(COLOURS))
    return COLOUR_NUMBER[raw]


def _noted(raw: Any, field: str, read: Callable[[object], Value]) -> Value:
    """Something in the notation of the cards."""
    try:
        return read(raw)
    except UnfitError as unfit:
        raise malformed(field, unfit.found or raw, unfit.expected) from unfit


def results(raw: Any, field: str) -> tuple[Effect, ...]:
    """Results as they are printed: xp 2, caps 3."""
    return _noted(raw, field, notation.lines(notation.effect))


def letters(raw: Any, field: str) -> str:
    """Letters of S.P.E.C.I.A.L."""
    return _noted(raw, field, notation.letters)


def throw(raw: Any, field: str) -> tuple[Face, ...]:
    """Dice as they lie: their faces in the notation of the cards."""
    faces = _noted(raw, field, notation.lines(notation.face))
    if not 1 <= len(faces) <= DICE:
        raise malformed(field, raw, "one to three faces")
    return faces


def enemy_icons(raw: Any, field: str) -> tuple[PlacedEnemy, ...]:
    """Enemy icons with their spaces."""
    return _noted(raw, field, notation.lines(notation.placed))


def placings(raw: Any, field: str) -> dict[int, str]:
    """Spaces by the numbers of enemies."""
    found = {}
    for key, at in an_object(raw, field).items():
        if not key.isdecimal() or len(key) > DICE * 2:
            raise malformed(field, key, "the number of an enemy")
        found[int(key)] = text(at, field)
    return found


def terrain(raw: Any, field: str) -> frozenset[str]:
    """What the entered space is like (W-MAP-2, W-MAP-3)."""
    kinds = frozenset(texts(raw, field))
    if kinds - {"difficult", "irradiated"}:
        raise malformed(field, raw, "difficult, irradiated or both")
    return kinds


def _one_of(choices: type[Word], raw: Any, field: str) -> Word:
    for choice in choices:
        if raw == choice.value:
            return choice
    raise malformed(field, raw, "one of " + ", ".join(choices))


def icon(raw: Any, field: str) -> Icon:
    """An encounter icon."""
    return _one_of(Icon, raw, field)


def enemy_type(raw: Any, field: str) -> EnemyType:
    """A type of enemies."""
    return _one_of(EnemyType, raw, field)


def goods(raw: Any, field: str) -> Goods:
    """One side of a trade."""
    found = an_object(raw, field)
    if set(found) - {"cards", "agendas", "caps"}:
        raise malformed(field, raw, "cards, agendas and caps")
    places = [number(one, f"{field}.agendas") for one in a_list(found.get("agendas", []), f"{field}.agendas")]
    return Goods(
        tuple(texts(found.get("cards", []), f"{field}.cards")),
        tuple(places),
        whole(found.get("caps", 0), f"{field}.caps", 0, HIGHEST),
    )
