"""The form of a card: its fields and parts with what stands in them, read back from what a browser sends."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland import notation
from companion.cards.wasteland.words import LETTERS as SPECIAL
from web.games.wasteland.map import tile_form
from web.games.wasteland.owner import note_lines
from web.games.wasteland.owner.schema import (
    BOX,
    CONDITION,
    DICE,
    EITHER,
    HEAD,
    KINDS,
    LETTERS,
    MANY,
    NOTED,
    NUMBER,
    NUMBERS,
    PARTS,
    PICK,
    SETTINGS,
    SPACES,
    TICK,
    CardField,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from web.base.words import Words
    from web.games.wasteland.names import Names
    from web.games.wasteland.owner.note_lines import LineChip
    from web.games.wasteland.owner.schema import CardPart

Record = dict[str, object]
COUNT: Final = "count-of"
TAP: Final = "tap"
MOST_PARTS: Final = 30
_PLACED: Final = re.compile(r"(?P<type>\S+) at (?P<at>.+)")
_ABILITY: Final = re.compile(r"(?P<timing>[a-z-]+)(?P<prices>[^:]*):(?P<effects>.*)")
_BONUS: Final = re.compile(r"(?P<pays>[0-9]+)\s*:\s*(?P<when>[^/]*?)\s*(/(?P<group>.*))?")


@dataclass(frozen=True, slots=True)
class FilledField:
    """A field with what stands in it; `name` is what the browser sends it as."""

    name: str
    key: str
    label: str
    kind: str
    value: str
    options: tuple[tuple[str, str, bool], ...] = ()
    """Each with its words, and whether it is chosen."""
    chips: tuple[LineChip, ...] = ()
    palette: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class FilledPart:
    """The parts of one kind, and the name under which one more is added."""

    key: str
    rows: list[tuple[str, list[FilledField]]] = field(default_factory=list)


def fields(words: Words, names: Names, kind: str, record: Mapping[str, object]) -> list[FilledField]:
    """Return the fields of a record; none for a tile, which has a picture."""
    return [_filled(words, names, one, one.key, _found(one.key, record)) for one in KINDS.get(kind, ())]


def parts(words: Words, names: Names, kind: str, record: Mapping[str, object]) -> list[FilledPart]:
    """Return the parts of a record, each with its fields."""
    found = []
    for part in PARTS.get(kind, ()):
        filled = FilledPart(part.key)
        for nth, row in enumerate(_rows(part, record)):
            here = f"{part.key}.{nth}"
            made = [_filled(words, names, one, f"{here}.{one.key}", row.get(one.key)) for one in part.fields]
            filled.rows.append((here, made))
        found.append(filled)
    return found


def _filled(words: Words, names: Names, asked: CardField, name: str, value: object) -> FilledField:
    label = asked.key.removeprefix(SETTINGS).removeprefix(BOX).replace("-", "_")
    options: tuple[tuple[str, str, bool], ...] = ()
    text = "" if value is None or isinstance(value, list) else str(value)
    if asked.kind == PICK:
        options = tuple((one, _word(words, asked, one), one == (value or "")) for one in ("", *asked.options))
    elif asked.kind == MANY:
        chosen = value if isinstance(value, list) else []
        options = tuple((one, _word(words, asked, one), one in chosen) for one in asked.options)
    elif asked.kind == LETTERS:
        options = tuple((one, one, one in text) for one in SPECIAL)
    elif asked.kind == TICK:
        text = "on" if value else ""
    elif isinstance(value, list):
        text = ("\n" if asked.kind == SPACES else " ").join(map(str, value))
    if asked.kind not in NOTED:
        return FilledField(name, asked.key, label, asked.kind, text, options)
    lines = [str(one) for one in value] if isinstance(value, list) else [str(value)] if value else []
    chips = tuple(note_lines.chips(words, names, asked.kind, lines))
    return FilledField(
        name, asked.key, label, "lines", "", (), chips, tuple(note_lines.palette(words, names, asked.kind))
    )


def _word(words: Words, asked: CardField, one: str) -> str:
    key = f"{asked.words}{one.replace('-', '_')}"
    return words.text(key) if one and words.has(key) else one


def _found(key: str, record: Mapping[str, object]) -> object:
    if key in DICE:
        dice, place = record.get("dice"), DICE.index(key)
        return dice[place] if isinstance(dice, list) and place < len(dice) else None
    for table in (SETTINGS, BOX):
        if key.startswith(table):
            inside = record.get(table.removesuffix("."))
            return inside.get(key.removeprefix(table)) if isinstance(inside, dict) else None
    return record.get(key)


# --- parts that are written as one line -------------------------------------------------------------------------------


def _rows(part: CardPart, record: Mapping[str, object]) -> list[Record]:
    raw = record.get(part.key)
    return [_row(part.key, one) for one in raw] if isinstance(raw, list) else []


def _row(key: str, raw: object) -> Record:
    """Return a part as fields; several are written as one line."""
    if isinstance(raw, dict):
        return dict(raw)
    text = str(raw)
    if key == "enemies" and (match := _PLACED.fullmatch(text)):
        return dict(match.groupdict())
    if key == "bonuses" and (match := _BONUS.fullmatch(text)):
        return {**match.groupdict(), "group": (match["group"] or "").strip()}
    if key == "abilities" and (match := _ABILITY.fullmatch(text)):
        prices = [one.strip() for one in match["prices"].split(",") if one.strip()]
        caps = next((one.removeprefix("caps ") for one in prices if one.startswith("caps ")), None)
        price = next((one for one in prices if not one.startswith("caps ")), "")
        effects = [one.strip() for one in match["effects"].split(";") if one.strip()]
        return {"timing": match["timing"], "price": price, "caps": caps, "effects": effects}
    return {}


def _written(key: str, row: Record) -> object:
    """Return a part as it is written in a pack."""
    if key == "enemies":
        return f"{row.get('type', '')} at {notation.space_id(str(row.get('at', '')))}"
    if key == "bonuses":
        group = f" /{row['group']}" if row.get("group") else ""
        return f"{row.get('pays', '')}: {row.get('when', '')}{group}"
    if key == "abilities":
        prices = [str(row["price"])] if row.get("price") else []
        prices += [f"caps {row['caps']}"] if row.get("caps") else []
        effects = row.get("effects")
        done = "; ".join(map(str, effects)) if isinstance(effects, list) else ""
        return f"{', '.join([str(row.get('timing', '')), *prices])}: {done}"
    if key == "track":
        return {name: row.get(name) or 0 for name in ("X", "Y")}
    return row


# --- what a browser sends ---------------------------------------------------------------------------------------------


def record_of(kind: str, form: Mapping[str, str], lists: Mapping[str, list[str]]) -> Record:
    """Read a record from its form; what was left empty is left out, and the loader says what is missing."""
    if kind == tile_form.KIND:
        return tile_form.tile_of(form)
    given = _read_all(KINDS[kind], "", form, lists)
    for part in PARTS.get(kind, ()):
        count = _number(form.get(f"{COUNT}.{part.key}", "0"))
        rows = [
            _read_all(part.fields, f"{part.key}.{nth}.", form, lists)
            for nth in range(min(count, MOST_PARTS) if isinstance(count, int) else 0)
        ]
        if part.key in ("objective", "option"):
            rows = [_with_results(part.key, row) for row in rows]
        if rows:
            given[part.key] = [_written(part.key, row) for row in rows]
    if kind == "scenario":
        layout = [one for one in lists.get("layout", []) if one]
        given |= {"layout": layout} if layout else {}
        given.setdefault("track", [])
    return _head(given) if kind == HEAD else given


def _with_results(key: str, row: Record) -> Record:
    """An objective needs its list of results, be it empty."""
    return {**row, "results": row.get("results", [])} if key == "objective" else row


def _head(given: Record) -> Record:
    found: Record = {}
    dice = [str(given[die]).split() for die in DICE if die in given]
    if dice:
        found["dice"] = dice
    for table in (SETTINGS, BOX):
        inside = {key.removeprefix(table): value for key, value in given.items() if key.startswith(table)}
        if inside:
            found[table.removesuffix(".")] = inside
    return found


def _read_all(
    asked: Sequence[CardField], before: str, form: Mapping[str, str], lists: Mapping[str, list[str]]
) -> Record:
    read = {one.key: _read(one, f"{before}{one.key}", form, lists) for one in asked}
    return {key: value for key, value in read.items() if value not in ("", None, [], False)}


def _read(asked: CardField, name: str, form: Mapping[str, str], lists: Mapping[str, list[str]]) -> object:
    raw = str(form.get(name, "")).strip()
    if asked.kind in NOTED:
        lines = _lines(name, form, lists)
        return (lines[0] if lines else None) if asked.kind == CONDITION else lines
    if asked.kind == TICK:
        return bool(raw)
    if asked.kind == MANY:
        return [one for one in lists.get(name, []) if one in asked.options]
    if asked.kind == LETTERS:
        return "".join(one for one in SPECIAL if one in lists.get(name, []))
    if asked.kind == SPACES:
        lines = [line.strip() for line in raw.splitlines() if line.strip()]
        return lines if asked.key == "setup_notes" else [notation.space_id(line) for line in lines]
    if asked.kind == NUMBERS:
        return [_number(one) for one in raw.replace(",", " ").split()]
    if asked.kind in (NUMBER, EITHER):
        return _number(raw) if raw else None
    return raw


def _lines(name: str, form: Mapping[str, str], lists: Mapping[str, list[str]]) -> list[str]:
    """Return the lines of a field with what was typed into them."""
    found = []
    for nth, line in enumerate(lists.get(name, [])):
        text = form.get(f"{name}#{nth}")
        found.append(line if text is None else note_lines.typed(line, text))
    return [line for line in found if line.strip()]


def _number(raw: str) -> int | str:
    """Return a number, or anything else as it was written, for the loader to complain about."""
    plain = raw.removeprefix("-")
    return int(raw) if plain.isdecimal() and plain.isascii() and len(plain) < 10 else raw  # noqa: PLR2004


def tapped(kind: str, record: Record, tap: str) -> Record:
    """Return a record after a tap on one of its buttons: `option.0.results add xp 1`, `option add`."""
    name, _, act = tap.partition(" ")
    act, _, rest = act.partition(" ")
    part = next((one for one in PARTS.get(kind, ()) if one.key == name.partition(".")[0]), None)
    if kind == "scenario" and name == "layout":
        return {**record, "layout": laid(record.get("layout"), act, rest)}
    if part is None:
        asked = next((one for one in KINDS.get(kind, ()) if one.key == name and one.kind in NOTED), None)
        return record if asked is None else {**record, name: _changed(asked, record.get(name), act, rest)}
    rows = _rows(part, record)
    if act == "add" and "." not in name and len(rows) < MOST_PARTS:
        rows.append(dict(rows[-1]) if part.key == "track" and rows else _first(part))
        return {**record, part.key: [_written(part.key, row) for row in rows]}
    place, _, key = name.removeprefix(f"{part.key}.").partition(".")
    if not (place.isascii() and place.isdecimal() and int(place) < len(rows)):
        return record
    if act == "drop" and not key:
        del rows[int(place)]
    asked = next((one for one in part.fields if one.key == key and one.kind in NOTED), None)
    if asked is not None:
        rows[int(place)][key] = _changed(asked, rows[int(place)].get(key), act, rest)
    return {**record, part.key: [_written(part.key, row) for row in rows]}


def _first(part: CardPart) -> Record:
    """Return a part as it begins."""
    return {one.key: one.options[0] for one in part.fields if one.kind == PICK and one.key in ("timing", "type")}


def _changed(asked: CardField, value: object, act: str, rest: str) -> object:
    lines = [str(one) for one in value] if isinstance(value, list) else [str(value)] if value else []
    found = note_lines.tapped(asked.kind, lines, act, rest)
    return (found[0] if found else "") if asked.kind == CONDITION else found


# --- the layout of a scenario -----------------------------------------------------------------------------------------

COLUMNS, ROWS = 8, 7
_PLACE: Final = re.compile(r"(?P<tile>\S+) at (?P<column>[0-9]{1,2}) (?P<row>[0-9]{1,2})")


def places(value: object) -> dict[tuple[int, int], str]:
    """Return what lies at each column and row of a layout."""
    found = {}
    for one in value if isinstance(value, list) else []:
        match = _PLACE.fullmatch(str(one))
        if match:
            found[int(match["column"]), int(match["row"])] = match["tile"]
    return found


def laid(value: object, tile: str, place: str) -> list[str]:
    """Return a layout with this tile at a place; `-` takes away what lies there."""
    found = places(value)
    column, _, row = place.partition(" ")
    if not (column.isascii() and column.isdecimal() and row.isascii() and row.isdecimal()):
        return [f"{one} at {left} {down}" for (left, down), one in found.items()]
    at = int(column), int(row)
    found.pop(at, None)
    if tile != "-" and at[0] < COLUMNS and at[1] < ROWS:
        found[at] = tile
    return [f"{one} at {column} {row}" for (column, row), one in found.items()]


def grid(record: Mapping[str, object]) -> list[list[str]]:
    """Return the rows of the layout's form, each with what lies in its columns."""
    found = places(record.get("layout"))
    return [[found.get((column, row), "") for column in range(COLUMNS)] for row in range(ROWS)]
