"""A form of corrections as the `set` of the contract: only what was changed is in it, lists are whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.shelter.house_rules import NAMES
from companion.games.shelter.words import COLOURS, LETTERS, RESOURCES
from companion.refusal import Refusal
from web.base.words import plain
from web.pages.correct.view import GAME, NUMBER, PICK, STEPS, TICK, TRACKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from web.base.words import Words
    from web.pages.cards.view import Cards
    from web.pages.correct.view import Field, Part


LONGEST = 9


def sent(part: Part, form: Mapping[str, Any]) -> dict[str, str]:
    """What the fields have been set to; a field that was not sent is as it was, but for ticks."""
    values = {}
    for group in part.groups:
        for field in group.fields:
            raw = str(form.get(field.name, "" if field.kind == TICK else field.value)).strip()
            values[field.name] = _checked(field, raw)
    return values


def _checked(field: Field, raw: str) -> str:
    known = {value for value, _ in field.options} | {field.value}
    if field.kind in (NUMBER, STEPS) and not (raw.isdecimal() and raw.isascii() and len(raw) <= LONGEST):
        raise Refusal("malformed", None, f"{field.label} is a whole number.", field=field.name)
    if field.kind == PICK and raw not in known:
        raise Refusal("malformed", None, f"{field.label} is one of those listed.", field=field.name)
    return ("on" if raw else "") if field.kind == TICK else raw


def correction(part: Part, values: Mapping[str, str]) -> dict[str, Any]:
    """The set; empty where nothing was changed."""
    before = part.values
    changed = {name for name, value in values.items() if before.get(name) != value}
    if part.key == GAME:
        return _game(values, changed)
    if part.key == TRACKS:
        return _tracks(values, changed)
    board = _player(values, changed) if part.key in COLOURS else None
    if board is None:
        return _level(part.key, values, changed)
    return {"players": {part.key: board}} if board else {}


def _game(values: Mapping[str, str], changed: set[str]) -> dict[str, Any]:
    made: dict[str, Any] = {name: values[name] for name in ("phase", "first") if name in changed}
    if "round" in changed:
        made["round"] = int(values["round"])
    if "turn" in changed:
        made["turn"] = values["turn"] or None
    if "last_round" in changed:
        made["last_round"] = bool(values["last_round"])
    if "drop" in changed:
        made["pending"] = []
    rules = {name: bool(values[f"rule_{name}"]) for name in NAMES if f"rule_{name}" in changed}
    return {**made, "options": {"house_rules": rules}} if rules else made


def _tracks(values: Mapping[str, str], changed: set[str]) -> dict[str, Any]:
    rows = {}
    for track in ("items", "rooms"):
        names = [name for name in values if name.startswith(f"{track}_")]
        if changed & set(names):
            rows[track] = [values[name] for name in names if values[name]]
    return {"tracks": rows} if rows else {}


def _player(values: Mapping[str, str], changed: set[str]) -> dict[str, Any]:
    board: dict[str, Any] = {name: int(values[name]) for name in ("happiness", "arriving") if name in changed}
    if "name" in changed:
        board["name"] = values["name"] or None
    cubes = {name: int(values[name]) for name in RESOURCES if name in changed}
    if cubes:
        board["resources"] = cubes
    if "passed" in changed:
        board["passed"] = bool(values["passed"])
    if changed & {"plain", "injured", *(f"letter_{letter}" for letter in LETTERS)}:
        trained = [values[f"letter_{letter}"] for letter in LETTERS if values[f"letter_{letter}"]]
        board["available"] = ["plain"] * int(values["plain"]) + ["injured"] * int(values["injured"]) + trained
    if any(name.startswith(("item_", "spent_")) for name in changed):
        board["items"] = _items(values)
    return board


def _items(values: Mapping[str, str]) -> list[dict[str, Any]]:
    held = [(name.removeprefix("item_"), card) for name, card in values.items() if name.startswith("item_") and card]
    return [{"id": card, "exhausted": bool(values.get(f"spent_{at}"))} for at, card in held]


def _level(level: str, values: Mapping[str, str], changed: set[str]) -> dict[str, Any]:
    rooms: dict[str, Any] = {}
    made: dict[str, Any] = {}
    for name in values:
        if name not in changed:
            continue
        what, _, where = name.partition("_")
        if what == "room":
            rooms[where] = values[name] or None
        elif what == "threat":
            made.setdefault("threats", {})[where] = values[name] or None
        else:
            made.setdefault("placed", {})[where] = _standing(values[name])
    return {"levels": {level: {"rooms": rooms}}, **made} if rooms else made


def _standing(value: str) -> dict[str, Any] | None:
    if not value:
        return None
    by, *dwellers = value.split(" ")
    return {"by": by, "dwellers": dwellers}


def why(words: Words, state: dict[str, Any], cards: Cards, refusal: Refusal) -> str:
    """One sentence."""
    for key in (f"cannot_{refusal.code}", f"cannot_{refusal.clause}"):
        if words.has(key):
            return words.text(key)
    return plain(words, state, cards, refusal)
