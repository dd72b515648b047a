"""The owner's cards as forms: the fields of each kind, from a record and back to one."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

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
class FormField:
    """A field of a kind."""

    key: str
    kind: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FilledField:
    """A field with what is in it."""

    key: str
    label: str
    kind: str
    value: str
    options: tuple[tuple[str, bool], ...] = ()


def _of(words: type[StrEnum]) -> tuple[str, ...]:
    return tuple(one.value for one in words)


_NAME: Final = (FormField("id", TEXT), FormField("name", TEXT))
_END: Final = (FormField("count", NUMBER), FormField("note", TEXT))
KINDS: Final[dict[str, tuple[FormField, ...]]] = {
    "agenda": (
        *_NAME, FormField("min_players", NUMBER), FormField("base", NUMBER), FormField("faction", PICK, _of(Faction)),
        FormField("activates", LINES), FormField("bonuses", LINES), *_END,
    ),
    "enemy": (
        *_NAME, FormField("type", PICK, _of(EnemyType)), FormField("level", EITHER),
        FormField("areas", MANY, _of(Area)), FormField("abilities", MANY, _of(Ability)), *_END,
    ),
    "card": (
        *_NAME, FormField("deck", PICK, _of(CardDeck)), FormField("kind", PICK, _of(CardKind)),
        FormField("cost", NUMBER), FormField("value", NUMBER), FormField("letters", TEXT), FormField("ranged", TICK),
        FormField("armor", NUMBER), FormField("abilities", LINES), FormField("effects", LINES),
        FormField("unexhaust_price", NUMBER), FormField("stay_if", TEXT), FormField("recruit_if", TEXT), *_END,
    ),
    "perk": (*_NAME, FormField("letters", TEXT), FormField("effects", LINES), FormField("inside_action", TICK), *_END),
    "survivor": (
        *_NAME, FormField("letter", TEXT), FormField("hp_max", NUMBER), FormField("start_card", TEXT),
        FormField("start_traits", MANY, _of(Trait)), FormField("note", TEXT),
    ),
    HEAD: (
        *(FormField(die, TEXT) for die in DICE), FormField("settings.influence", NUMBERS),
        *(FormField(f"settings.{key}", NUMBER) for key in (
            "hp_max", "rads_max", "agenda_limit", "inventory_limit", "shop_size", "camp_heal", "start_caps", "actions",
        )),
        FormField("settings.special_supply", NUMBERS), FormField("settings.solo_substitute_space", TEXT),
        FormField("settings.locked_traits", MANY, _of(Trait)),
    ),
}  # fmt: skip
"""Kinds with a form of fields; the others, whose cards have parts of their own, are written as TOML."""
ALL: Final = (*loader.FILES, HEAD)


def fields(kind: str, record: Mapping[str, object]) -> list[FilledField]:
    """The form of a record; none for kinds that are written as TOML."""
    return [_field(asked, record) for asked in KINDS.get(kind, ())]


def _field(asked: FormField, record: Mapping[str, object]) -> FilledField:
    value = _found(asked.key, record)
    label = asked.key.removeprefix(SETTINGS)
    if asked.kind == PICK:
        return FilledField(asked.key, label, PICK, "", tuple((one, one == value) for one in ("", *asked.options)))
    if asked.kind == MANY:
        chosen = value if isinstance(value, list) else []
        return FilledField(asked.key, label, MANY, "", tuple((one, one in chosen) for one in asked.options))
    if asked.kind == TICK:
        return FilledField(asked.key, label, TICK, "on" if value else "")
    if isinstance(value, list):
        return FilledField(asked.key, label, asked.kind, ("\n" if asked.kind == LINES else " ").join(map(str, value)))
    return FilledField(asked.key, label, asked.kind, "" if value is None else str(value))


def _found(key: str, record: Mapping[str, object]) -> object:
    if key in DICE:
        dice, place = record.get("dice"), DICE.index(key)
        return dice[place] if isinstance(dice, list) and place < len(dice) else None
    if key.startswith(SETTINGS):
        settings = record.get("settings")
        return settings.get(key.removeprefix(SETTINGS)) if isinstance(settings, dict) else None
    return record.get(key)


def record_of(kind: str, form: Mapping[str, str], lists: Mapping[str, list[str]]) -> dict[str, object]:
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


def _read(asked: FormField, form: Mapping[str, str], lists: Mapping[str, list[str]]) -> object:
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


def _toml(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        raise Refusal("malformed", None, f"That is no TOML: {error}", field="toml") from error


def text_of(record: Mapping[str, object]) -> str:
    """A record as TOML, for kinds without a form of fields."""
    return loader.written(record)


def title(record: Mapping[str, object]) -> str:
    """How a record is listed."""
    number = f"{record['number']} " if record.get("number") else ""
    return f"{number}{record.get('name') or record.get('id') or ''}".strip() or "?"


def copied(kind: str, record: Mapping[str, object], all_of_kind: list[dict[str, object]]) -> dict[str, object]:
    """The same once more, with an id of its own."""
    if kind == "quest":
        return {**record, "number": max(int(str(one.get("number", 0))) for one in all_of_kind) + 1}
    taken = {one.get("id") for one in all_of_kind}
    base = str(record.get("id", kind))
    return {**record, "id": next(f"{base}-{number}" for number in range(2, 1000) if f"{base}-{number}" not in taken)}
