"""The owner's own cards as forms: typed in, copied, taken away and brought back; every fault is told."""

from __future__ import annotations

import threading
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from flask import Response, redirect, render_template, request, url_for

from companion.cards.pack import PackFaults
from companion.cards.wasteland import loader
from companion.cards.wasteland.words import Ability, Area, CardDeck, CardKind, EnemyType, Faction, Trait
from companion.refusal import Refusal
from companion.table.outside import read_number
from companion.table.session.intents import EditCards
from web.base.request import context, current, head, reader, speaker, the_host
from web.games.wasteland.map import tile_form
from web.games.wasteland.own_packs import MINE, Packs

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import StrEnum

    from flask.typing import ResponseReturnValue


TEXT, NUMBER, EITHER, NUMBERS, LINES, PICK, MANY, TICK = (
    "text", "number", "either", "numbers", "lines", "pick", "many", "tick",
)  # fmt: skip
HEAD: Final = "head"
DICE: Final = ("dice_1", "dice_2", "dice_3")
SETTINGS: Final = "settings."


@dataclass(frozen=True, slots=True)
class CardField:
    key: str
    kind: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FilledField:
    key: str
    label: str
    kind: str
    value: str
    options: tuple[tuple[str, bool], ...] = ()


def _of(words: type[StrEnum]) -> tuple[str, ...]:
    return tuple(one.value for one in words)


_NAME: Final = (CardField("id", TEXT), CardField("name", TEXT))
_END: Final = (CardField("count", NUMBER), CardField("note", TEXT))
KINDS: Final[dict[str, tuple[CardField, ...]]] = {
    "agenda": (
        *_NAME, CardField("min_players", NUMBER), CardField("base", NUMBER), CardField("faction", PICK, _of(Faction)),
        CardField("activates", LINES), CardField("bonuses", LINES), *_END,
    ),
    "enemy": (
        *_NAME, CardField("type", PICK, _of(EnemyType)), CardField("level", EITHER),
        CardField("areas", MANY, _of(Area)), CardField("abilities", MANY, _of(Ability)), *_END,
    ),
    "card": (
        *_NAME, CardField("deck", PICK, _of(CardDeck)), CardField("kind", PICK, _of(CardKind)),
        CardField("cost", NUMBER), CardField("value", NUMBER), CardField("letters", TEXT), CardField("ranged", TICK),
        CardField("armor", NUMBER), CardField("abilities", LINES), CardField("effects", LINES),
        CardField("unexhaust_price", NUMBER), CardField("stay_if", TEXT), CardField("recruit_if", TEXT), *_END,
    ),
    "perk": (*_NAME, CardField("letters", TEXT), CardField("effects", LINES), CardField("inside_action", TICK), *_END),
    "survivor": (
        *_NAME, CardField("letter", TEXT), CardField("hp_max", NUMBER), CardField("start_card", TEXT),
        CardField("start_traits", MANY, _of(Trait)), CardField("note", TEXT),
    ),
    HEAD: (
        *(CardField(die, TEXT) for die in DICE), CardField("settings.influence", NUMBERS),
        *(CardField(f"settings.{key}", NUMBER) for key in (
            "hp_max", "rads_max", "agenda_limit", "inventory_limit", "shop_size", "camp_heal", "start_caps", "actions",
        )),
        CardField("settings.special_supply", NUMBERS), CardField("settings.solo_substitute_space", TEXT),
        CardField("settings.locked_traits", MANY, _of(Trait)),
    ),
}  # fmt: skip
"""Kinds with a form of fields; the others, whose cards have parts of their own, are written as TOML."""
ALL: Final = (*loader.FILES, HEAD)


def fields(kind: str, record: Mapping[str, object]) -> list[FilledField]:
    """Return the form of a record; none for kinds that are written as TOML."""
    return [_field(asked, record) for asked in KINDS.get(kind, ())]


def _field(asked: CardField, record: Mapping[str, object]) -> FilledField:
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
    """Read a record from its form; what was left empty is left out, and the loader says what is missing."""
    if kind == tile_form.KIND and "pattern" in form:
        return tile_form.tile_of(form)
    if kind not in KINDS:
        return _toml(str(form.get("toml", "")))
    read = {asked.key: _read(asked, form, lists) for asked in KINDS[kind]}
    given = {key: value for key, value in read.items() if value not in ("", None, [], False)}
    if kind != HEAD:
        return given
    settings = {key.removeprefix(SETTINGS): value for key, value in given.items() if key.startswith(SETTINGS)}
    dice = [str(given[die]).split() for die in DICE if die in given]
    return {**({"dice": dice} if dice else {}), **({"settings": settings} if settings else {})}


def _read(asked: CardField, form: Mapping[str, str], lists: Mapping[str, list[str]]) -> object:
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
    """Return a number, or anything else as it was written, for the loader to complain about."""
    plain = raw.removeprefix("-")
    return int(raw) if plain.isdecimal() and plain.isascii() and len(plain) < 10 else raw  # noqa: PLR2004


def _toml(text: str) -> dict[str, object]:
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except (ValueError, RecursionError) as error:
        raise Refusal("malformed", None, f"That is no TOML: {error}", field="toml") from error


def text_of(record: Mapping[str, object]) -> str:
    """Return a record as TOML, for kinds without a form of fields."""
    return loader.written(record)


def title(record: Mapping[str, object]) -> str:
    number = f"{record['number']} " if record.get("number") else ""
    return f"{number}{record.get('name') or record.get('id') or ''}".strip() or "?"


def copy_of(kind: str, record: Mapping[str, object], all_of_kind: list[dict[str, object]]) -> dict[str, object]:
    """Return the record with an id of its own."""
    if kind == "quest":
        return {**record, "number": max(int(str(one.get("number", 0))) for one in all_of_kind) + 1}
    taken = {one.get("id") for one in all_of_kind}
    base = str(record.get("id", kind))
    number = next(str(number) for number in range(2, 1000) if f"{base}-{number}" not in taken)
    copied = tile_form.copied(record, number) if kind == tile_form.KIND else record
    return {**copied, "id": f"{base}-{number}"}


NEW = "new"
_writing = threading.Lock()


def index() -> ResponseReturnValue:
    """List all cards by their kinds."""
    if not speaker().host:
        return redirect(url_for("host.page"), 303)
    return _index([])


def _index(faults: list[str], text: str = "") -> ResponseReturnValue:
    packs, damage = Packs(context().folder), []
    try:
        data = packs.data()
    except PackFaults as found:
        data, damage = {}, [str(fault) for fault in found.faults]
        text = text or packs.text()
    kinds = [(kind, [title(record) for record in data.get(kind, [])]) for kind in loader.FILES]
    page = _page(
        "wasteland/cards.html",
        kinds=kinds,
        has_own=bool(data),
        damage=damage,
        faults=faults,
        text=text,
        dice=data.get("dice"),
    )
    return page, 409 if faults else 200


def _page(template: str, **shown: object) -> str:
    return render_template(template, head=head(), **shown)


def begin() -> ResponseReturnValue:
    """Start from a copy of one of our own packs."""
    the_host()
    Packs(context().folder).begin(request.form.get("pack", "homemade"))
    return redirect(url_for("wasteland.card_routes-index"), 303)


def export() -> ResponseReturnValue:
    """Send all of them as one file."""
    the_host()
    return Response(_own_text(), mimetype="application/toml", headers={"Content-Disposition": "attachment"})


def _data() -> dict[str, Any]:
    """Return the tables of the owner's own pack, or refuse where they cannot be read."""
    try:
        return Packs(context().folder).data()
    except PackFaults as faults:
        raise Refusal("pack_faults", None, str(faults), faults=[str(fault) for fault in faults.faults]) from faults


def _own_text() -> str:
    data = _data()
    if not data:
        raise Refusal("no_such_pack", None, "There are no cards of your own yet.")
    return loader.written(data)


def bring() -> ResponseReturnValue:
    """Take a whole pack; the old one stays unless the new one can be played with."""
    the_host()
    file = request.files.get("file")
    text = file.read().decode("utf-8-sig", "replace") if file else request.form.get("toml", "")
    return _kept(text) or redirect(url_for("wasteland.card_routes-index"), 303)


def _kept(text: str) -> ResponseReturnValue | None:
    """Keep the pack and use it in the game that plays it, or return a page of what is wrong with it."""
    packs = Packs(context().folder)
    faults = packs.keep(text)
    if faults:
        return _index([str(fault) for fault in faults], text)
    if current().state.get("options", {}).get("pack") == MINE:
        with suppress(Refusal):  # other cards than the game began with: they are for the next one
            context().do(EditCards(packs.place(MINE), speaker=speaker()))
    return None


def form(kind: str, place: str) -> ResponseReturnValue:
    the_host()
    return _form(kind, place, _record(kind, place), [])


def _form(kind: str, place: str, record: dict[str, object], faults: list[str]) -> ResponseReturnValue:
    shown = fields(kind, record)
    tile = tile_form.tile_form(reader().words, record) if kind == tile_form.KIND else None
    text = "" if shown or tile else text_of(record)
    page = _page("wasteland/card.html", kind=kind, place=place, fields=shown, text=text, faults=faults,
                 title=title(record), tile=tile)  # fmt: skip
    return page, 409 if faults else 200


def _record(kind: str, place: str) -> dict[str, object]:
    data = _data()
    if kind == HEAD:
        return {key: value for key, value in data.items() if key not in loader.FILES}
    if kind in loader.FILES and place == NEW:
        return {}
    rows = data.get(kind, [])
    nth = read_number(place, "place") if kind in loader.FILES else None
    if nth is None or nth >= len(rows):
        raise Refusal("no_such_card", None, "There is no such card.")
    found: dict[str, object] = rows[nth]
    return found


def save(kind: str, place: str) -> ResponseReturnValue:
    the_host()
    with _writing:
        _record(kind, place)
        record = record_of(kind, request.form, {key: request.form.getlist(key) for key in request.form})
        data = _data()
        if kind == HEAD:
            tables = {key: value for key, value in data.items() if key in loader.FILES}
            data = {"id": MINE, "verified": data.get("verified", False), **record, **tables}
        elif place == NEW:
            data[kind] = [*data.get(kind, []), record]
        else:
            data[kind][int(place)] = record
        refused = _kept(loader.written(data))
    if refused is not None:
        return _form(kind, place, record, _faults(data))
    return redirect(url_for("wasteland.card_routes-index") + f"#k-{kind}", 303)


def _faults(data: dict[str, object]) -> list[str]:
    """Return faults without line numbers: a form has none."""
    faults = loader.read("", loader.written(data).encode())[1]
    return [str(fault).partition(": ")[2] for fault in faults]


def copy(kind: str, place: str) -> ResponseReturnValue:
    """Copy a card, to be changed."""
    the_host()
    with _writing:
        record = _record(kind, place)
        data = _data()
        data[kind].append(copy_of(kind, record, data[kind]))
        refused = _kept(loader.written(data))
    return refused or redirect(url_for("wasteland.card_routes-form", kind=kind, place=len(data[kind]) - 1), 303)


def delete(kind: str, place: str) -> ResponseReturnValue:
    """Delete a card unless another one refers to it."""
    the_host()
    with _writing:
        _record(kind, place)
        data = _data()
        del data[kind][int(place)]
        if not data[kind]:
            del data[kind]
        refused = _kept(loader.written(data))
    return refused or redirect(url_for("wasteland.card_routes-index") + f"#k-{kind}", 303)
