"""A card as rows of icons to tap: what stands in each part, what it may become, and what is wrong with it in words."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from companion.cards import editing
from companion.cards.assemble import PARAMETERS, Needed
from companion.cards.corrections import SIDES
from companion.cards.effects import Letter
from companion.cards.item_effects import Action, Counted, ItemFamily
from companion.cards.notation import NotationError
from web.pages.cards.taps import LINES, PICKS, SPACES, may_lack, names_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.cards.corrections import Sheet
    from companion.cards.effects import PrintedIcon
    from companion.cards.pack import Fault
    from web.base.words import Words

NUMBERS: Final = {"copies": (0, 99)}
A_FIGURE: Final = (1, 10)
"""From where to where a number of an effect goes."""
MINUS: Final = "\N{MINUS SIGN}"
LONGEST: Final = 105
"""How long a text may be for another icon to be offered: a field takes 120 letters."""
SIGN_OF: Final[Mapping[str, Mapping[str, str]]] = {
    "kind": {ItemFamily.OTHER: "item"},
    "effect": {
        "roll_bonus": "fight",
        "reroll": "again",
        "letter": "train",
        "exchange": "both",
        "action": "ready",
        "score_per": "happiness",
    },
    "letter": {Needed.OF_THE_THREAT: "fight"},
    "action": {Action.SWAP: "both", Action.DISCOUNT: "price"},
    "counted": {
        Counted.WEAPONS: "weapon",
        Counted.OUTFITS: "outfit",
        Counted.PETS: "pet",
        Counted.ROOMS: "room",
        Counted.DWELLERS: "people",
    },
}
"""The sign of an option, where it has another name."""


@dataclass(frozen=True, slots=True)
class EditorButton:
    """Something to tap: what it sends, what it shows, and what a screen reader says."""

    id: str
    tap: str
    label: str
    sign: str = ""
    text: str = ""
    pressed: bool | None = None


@dataclass(frozen=True, slots=True)
class Chip:
    """One icon that stands there, with the buttons that change it."""

    id: str
    label: str
    icons: tuple[PrintedIcon, ...] = ()
    number: int | None = None
    less: EditorButton | None = None
    more: EditorButton | None = None
    drop: EditorButton | None = None
    letters: tuple[EditorButton, ...] = ()
    halves: tuple[tuple[EditorButton, ...], ...] = ()
    """The buttons of an exchange, left and right of its arrows: one fewer, the next resource, one more."""


@dataclass(frozen=True, slots=True)
class EditorRow:
    id: str
    title: str
    empty: str
    chips: tuple[Chip, ...]
    palette: tuple[EditorButton, ...]


@dataclass(slots=True)
class EditorPart:
    """A field of the card; `rows` is empty where its text is not understood."""

    name: str
    title: str
    fault: str = ""
    rows: list[EditorRow] = field(default_factory=list)
    circle: list[EditorButton] = field(default_factory=list)
    choices: list[EditorButton] = field(default_factory=list)
    number: Chip | None = None
    absence: EditorButton | None = None
    said: str = ""


def parts_of(words: Words, sheet: Sheet, faults: Sequence[Fault]) -> list[EditorPart]:
    """Return the parts of a card in the order in which they are printed."""
    found = {fault.key: fault_text(words, fault) for fault in reversed(faults)}
    effect = str(sheet.fields.get("effect", ""))
    lacking = {name for name in PARAMETERS.get(effect, {}) if may_lack(effect, name)} | {"build"}
    made = [_part(words, name, sheet.fields.get(name, ""), may_go=name in lacking) for name in names_of(sheet)]
    for part in made:
        part.fault = found.get(part.name, "")
    return made


def _part(words: Words, name: str, value: object, *, may_go: bool) -> EditorPart:
    part = EditorPart(name, words.text(f"sheet_{name}"))
    try:
        if name in SPACES:
            _space(words, part, str(value))
        elif name in LINES:
            _line(words, part, str(value), may_go=may_go)
        elif name in PICKS:
            part.choices = _choices(words, name, str(value))
            part.said = next((one.label for one in part.choices if one.pressed), "")
        else:
            part.number = _number(words, name, value)
            part.said = str(value)
    except NotationError:
        part.choices = [
            EditorButton(f"{name}-clear", f"{name} clear", words.text("card_anew"), text=words.text("card_anew"))
        ]
    return part


def _space(words: Words, part: EditorPart, text: str) -> None:
    rows = editing.rows_of(text)
    if part.name in SIDES:
        ask = "no" if rows else "yes"
        label = words.text("card_no_space")
        part.absence = EditorButton(
            f"{part.name}-space", f"{part.name} space {ask}", label, text=label, pressed=rows is None
        )
    if rows is None:
        part.said = words.text("card_no_space")
        return
    open_ = len(text) < LONGEST
    for row, empty in ((editing.COST, words.text("free")), (editing.REWARD, words.text("sheet_empty"))):
        part.rows.append(_row(words, (part.name, row), words.text(row), rows.row(row), empty=empty, more=open_))
    letters = [
        EditorButton(
            f"{part.name}-letter-{letter}",
            f"{part.name} letter {'' if rows.letter == letter else letter}".rstrip(),
            words.text(f"letter_{letter}"),
            text=letter,
            pressed=rows.letter == letter,
        )
        for letter in Letter
    ]
    marks = [("linked", "linked", rows.linked), ("injured", "heal", rows.injured_only)]
    part.circle = letters + [
        EditorButton(
            f"{part.name}-{mark}",
            f"{part.name} {mark} {'no' if is_so else 'yes'}",
            words.text("icon_linked" if mark == "linked" else "icon_injured_only"),
            sign=sign,
            pressed=is_so,
        )
        for mark, sign, is_so in marks
    ]
    circle = [one.label for one in part.circle if one.pressed]
    part.said = ", ".join([f"{row.title} {_said(row)}" for row in part.rows] + circle)


def _said(row: EditorRow) -> str:
    return ", ".join(chip.label for chip in row.chips) or row.empty


def _line(words: Words, part: EditorPart, text: str, *, may_go: bool) -> None:
    row = LINES[part.name]
    tokens = editing.line_of(row, text)
    empty = words.text("free" if row == editing.BUILD else "sheet_empty")
    made = _row(words, (part.name, row), part.title, tokens, empty=empty, more=len(text) < LONGEST)
    part.rows.append(made if may_go else replace(made, chips=tuple(replace(chip, drop=None) for chip in made.chips)))
    part.said = _said(part.rows[0])


def _row(
    words: Words, place: tuple[str, str], title: str, tokens: Sequence[str], *, empty: str, more: bool
) -> EditorRow:
    name, row = place
    is_space = name in SPACES
    way = row if is_space else editing.ONE
    chips = tuple(_chip(words, place, number, token) for number, token in enumerate(tokens))
    has_fight = any(map(editing.fight_of, tokens))
    palette = tuple(
        EditorButton(
            f"{name}-{row}-add-{number}",
            f"{name} {way} add {token}",
            words.text("card_add", what=_label(words, row, token)),
            sign="fight" if editing.fight_of(token) else _sign(row, token),
        )
        for number, token in enumerate(editing.PALETTES[row] if more else ())
        if not (has_fight and editing.fight_of(token))
    )
    return EditorRow(f"{name}-{row}", title, empty, chips, palette)


def _sign(row: str, token: str) -> str:
    icons = editing.printed(row, token)
    return "both" if len(icons) > 1 else icons[0].sign


def _chip(words: Words, place: tuple[str, str], number: int, token: str) -> Chip:
    name, row = place
    way = row if name in SPACES else editing.ONE
    label = _label(words, row, token)
    id_ = f"{name}-{row}-{number}"
    made = {
        change.how: EditorButton(
            f"{id_}-{change.how}",
            f"{name} {way} put {number} {change.token}",
            words.text("card_becomes", what=label, then=_label(words, row, change.token)),
            text=change.how
            if len(change.how) == 1
            else words.text("card_any")
            if change.how == editing.ANY_LETTER
            else "",
            pressed=change.token == token if len(change.how) == 1 or change.how == editing.ANY_LETTER else None,
        )
        for change in editing.changes(row, token)
    }
    drop = EditorButton(f"{id_}-drop", f"{name} {way} drop {number}", words.text("card_drop", what=label))
    halves = [_half(token, made, side) for side in ("left", "right")]
    return Chip(
        id_,
        label,
        () if all(halves) else editing.printed(row, token),
        editing.fight_of(token) or None,
        made.get("less"),
        made.get("more"),
        drop,
        tuple(one for one in made.values() if one.pressed is not None),
        tuple(halves) if all(halves) else (),
    )


def _half(token: str, made: Mapping[str, EditorButton], side: str) -> tuple[EditorButton, ...]:
    """Return the buttons of one half of an exchange, each with what it does: a step, or the resource that it shows."""
    amount, resource = _parted(token.split("<->")[side == "right"]) if "<->" in token else ("", "")
    shown = (("less", MINUS, ""), ("other", "" if amount == "1" else amount, resource), ("more", "+", ""))
    return tuple(
        replace(made[f"{side}-{how}"], text=text, sign=sign) for how, text, sign in shown if f"{side}-{how}" in made
    )


def _parted(half: str) -> tuple[str, str]:
    return half[:-1], _sign(editing.ONE, half)


def _label(words: Words, row: str, token: str) -> str:
    if number := editing.fight_of(token):
        return words.text("fight_n", n=number)
    return " ".join(_icon_label(words, icon) for icon in editing.printed(row, token))


def _icon_label(words: Words, icon: PrintedIcon) -> str:
    said = words.text(f"icon_{icon.sign.replace('-', '_')}")
    return " ".join(part for part in (str(icon.amount) if icon.amount > 1 else "", said, icon.sign_letter) if part)


def _choices(words: Words, name: str, value: str) -> list[EditorButton]:
    found = []
    for option in PICKS[name]:
        letter = option if name == "letter" and len(option) == 1 else ""
        sign = "" if letter else SIGN_OF.get(name, {}).get(option, str(option))
        label = words.text(f"letter_{letter}") if letter else option_text(words, name, str(option))
        found.append(
            EditorButton(
                f"{name}-{option}", f"{name} set {option}", label, sign=sign, text=letter, pressed=option == value
            )
        )
    return found


def option_text(words: Words, name: str, option: str) -> str:
    """Return what an option of a field is called."""
    if name == "counted":
        return words.text(f"counted_{option}")
    if name == "letter":
        return option if len(option) == 1 else words.text("sheet_letter_of_threat")
    return words.text(f"sheet_{name}_{option}")


def _number(words: Words, name: str, value: object) -> Chip:
    lowest, highest = NUMBERS.get(name, A_FIGURE)
    number = value if isinstance(value, int) and lowest <= value <= highest else None
    label = words.text(f"sheet_{name}")
    low = lowest if number is None else number - 1
    high = lowest if number is None else number + 1
    steps = [
        EditorButton(f"{name}-{how}", f"{name} set {step}", words.text("card_becomes", what=label, then=str(step)))
        if lowest <= step <= highest
        else None
        for how, step in (("less", low), ("more", high))
    ]
    return Chip(name, label, number=number, less=steps[0], more=steps[1])


def fault_text(words: Words, fault: Fault) -> str:
    """Return what is wrong with a part, in words."""
    if fault.code == "notation" and not fault.piece:
        return words.text("fault_ends")
    return words.text(f"fault_{fault.code or 'value'}", piece=fault.piece)
