"""The owner's cards as forms: the fields of each kind, from a record and back to one."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.cards.wasteland import loader
from companion.cards.wasteland.words import Ability, Area, CardDeck, CardKind, EnemyType, Faction, Trait
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import StrEnum

TEXT, NUMBER, EITHER, NUMBERS, LINES, PICK, MANY, TICK = (
    "text", "number", "either", "numbers", "lines", "pick", "many", "tick",
)  # fmt: skip
HEAD: Final = "head"
DICE: Final = ("dice_1", "dice_2", "dice_3")
SETTINGS: Final = "settings."


@dataclass(frozen=True, slots=True)
class Asked:
    """A field of a kind."""

    key: str
    kind: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """A field with what is in it."""

    key: str
    label: str
    kind: str
    value: str
    options: tuple[tuple[str, bool], ...] = ()


def _of(words: type[StrEnum]) -> tuple[str, ...]:
    return tuple(one.value for one in words)


_NAME: Final = (Asked("id", TEXT), Asked("name", TEXT))
_END: Final = (Asked("count", NUMBER), Asked("note", TEXT))
KINDS: Final[dict[str, tuple[Asked, ...]]] = {
    "agenda": (
        *_NAME, Asked("min_players", NUMBER), Asked("base", NUMBER), Asked("faction", PICK, _of(Faction)),
        Asked("activates", LINES), Asked("bonuses", LINES), *_END,
    ),
    "enemy": (
        *_NAME, Asked("type", PICK, _of(EnemyType)), Asked("level", EITHER), Asked("areas", MANY, _of(Area)),
        Asked("abilities", MANY, _of(Ability)), *_END,
    ),
    "card": (
        *_NAME, Asked("deck", PICK, _of(CardDeck)), Asked("kind", PICK, _of(CardKind)), Asked("cost", NUMBER),
        Asked("value", NUMBER), Asked("letters", TEXT), Asked("ranged", TICK), Asked("armor", NUMBER),
        Asked("abilities", LINES), Asked("effects", LINES), Asked("unexhaust_price", NUMBER), Asked("stay_if", TEXT),
        Asked("recruit_if", TEXT), *_END,
    ),
    "perk": (*_NAME, Asked("letters", TEXT), Asked("effects", LINES), Asked("inside_action", TICK), *_END),
    "survivor": (
        *_NAME, Asked("letter", TEXT), Asked("hp_max", NUMBER), Asked("start_card", TEXT),
        Asked("start_traits", MANY, _of(Trait)), Asked("note", TEXT),
    ),
    HEAD: (
        *(Asked(die, TEXT) for die in DICE), Asked("settings.influence", NUMBERS),
        *(Asked(f"settings.{key}", NUMBER) for key in (
            "hp_max", "rads_max", "agenda_limit", "inventory_limit", "shop_size", "camp_heal", "start_caps", "actions",
        )),
        Asked("settings.special_supply", NUMBERS), Asked("settings.solo_substitute_space", TEXT),
        Asked("settings.locked_traits", MANY, _of(Trait)),
    ),
}  # fmt: skip
"""Kinds with a form of fields; the others, whose cards have parts of their own, are written as TOML."""
ALL: Final = (*loader.FILES, HEAD)


def fields(kind: str, record: Mapping[str, Any]) -> list[Field]:
    """The form of a record; none for kinds that are written as TOML."""
    return [_field(asked, record) for asked in KINDS.get(kind, ())]


def _field(asked: Asked, record: Mapping[str, Any]) -> Field:
    value = _found(asked.key, record)
    label = asked.key.removeprefix(SETTINGS)
    if asked.kind == PICK:
        return Field(asked.key, label, PICK, "", tuple((one, one == value) for one in ("", *asked.options)))
    if asked.kind == MANY:
        chosen = value if isinstance(value, list) else []
        return Field(asked.key, label, MANY, "", tuple((one, one in chosen) for one in asked.options))
    if asked.kind == TICK:
        return Field(asked.key, label, TICK, "on" if value else "")
    if isinstance(value, list):
        return Field(asked.key, label, asked.kind, ("\n" if asked.kind == LINES else " ").join(map(str, value)))
    return Field(asked.key, label, asked.kind, "" if value is None else str(value))


def _found(key: str, record: Mapping[str, Any]) -> Any:
    if key in DICE:
        dice = record.get("dice") or ()
        place = DICE.index(key)
        return dice[place] if place < len(dice) else None
    if key.startswith(SETTINGS):
        return record.get("settings", {}).get(key.removeprefix(SETTINGS))
    return record.get(key)


def record_of(kind: str, form: Mapping[str, Any], lists: Mapping[str, list[str]]) -> dict[str, Any]:
    """A record out of its form; what was left empty is left out, and the loader says what is missing."""
    if kind not in KINDS:
        return _toml(str(form.get("toml", "")))
    read = {asked.key: _read(asked, form, lists) for asked in KINDS[kind]}
    given = {key: value for key, value in read.items() if value not in ("", None, [], False)}
    if kind != HEAD:
        return given
    settings = {key.removeprefix(SETTINGS): value for key, value in given.items() if key.startswith(SETTINGS)}
    dice = [str(given[die]).split() for die in DICE if die in given]
    return {**({"dice": dice} if dice else {}), **({"settings": settings} if settings else {})}


def _read(asked: Asked, form: Mapping[str, Any], lists: Mapping[str, list[str]]) -> Any:
    raw = str(form.get(asked.key, "")).strip()
    match asked.kind:
        case "tick":
            return bool(raw)
        case "many":
            return [one for one in lists.get(asked.key, []) if one in asked.options]
        case "lines":
            return [line.strip() for line in raw.splitlines() if line.strip()]
        case "numbers":
            return [_number(one) for one in raw.split()]
        case "number" | "either":
            return _number(raw) if raw else None
        case _:
            return raw


def _number(raw: str) -> int | str:
    """A number as a number; anything else as it was written, for the loader to complain about."""
    plain = raw.removeprefix("-")
    return int(raw) if plain.isdecimal() and plain.isascii() and len(plain) < 10 else raw  # noqa: PLR2004


def _toml(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        raise Refusal("malformed", None, f"That is no TOML: {error}", field="toml") from error


def text_of(record: Mapping[str, Any]) -> str:
    """A record as TOML, for kinds without a form of fields."""
    return loader.written(record)


def title(record: Mapping[str, Any]) -> str:
    """How a record is listed."""
    number = f"{record['number']} " if record.get("number") else ""
    return f"{number}{record.get('name') or record.get('id') or ''}".strip() or "?"


def copied(kind: str, record: Mapping[str, Any], all_of_kind: list[dict[str, Any]]) -> dict[str, Any]:
    """The same once more, with an id of its own."""
    if kind == "quest":
        return {**record, "number": max(int(one.get("number", 0)) for one in all_of_kind) + 1}
    taken = {one.get("id") for one in all_of_kind}
    base = str(record.get("id", kind))
    return {**record, "id": next(f"{base}-{number}" for number in range(2, 1000) if f"{base}-{number}" not in taken)}
