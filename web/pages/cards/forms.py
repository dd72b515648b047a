"""The cards as an owner corrects them: what is printed, as fields of a form, and a form as fields of a card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.cards.assemble import EFFECT_FIELDS, WHOLE, moment_of, parameters
from companion.cards.corrections import FIELDS, SIDES
from companion.cards.notation import NO_SPACE
from companion.languages import catalogues
from web.games.forms import NUMBER, PICK, TEXT, TICK, FormField, FormGroup
from web.games.shelter.cards import sentence
from web.pages.cards.editor import option_text
from web.pages.cards.taps import PICKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.cards.corrections import Corrections, Sheet
    from companion.cards.effects import PrintedIcon
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, Printed

WHOLE_FIELDS: Final = WHOLE | {"copies"}
NEVER_EMPTY: Final = ("kind", "effect", "use")
LONGEST: Final = 120
SECTIONS: Final = ("top", "room", "threat", "item")


@dataclass(frozen=True, slots=True)
class CardRow:
    id: str
    name: str
    copies: int
    price: tuple[PrintedIcon, ...]
    spaces: tuple[Printed, ...]
    text: str
    confirmed: bool
    corrected: bool


def sections(words: Words, corrections: Corrections, cards: PackCards) -> list[tuple[str, list[CardRow]]]:
    found: dict[str, list[CardRow]] = {kind: [] for kind in SECTIONS}
    for sheet in corrections.sheets:
        found[sheet.kind].append(_row(words, sheet, cards))
    return list(found.items())


def _row(words: Words, sheet: Sheet, cards: PackCards) -> CardRow:
    return CardRow(
        id=sheet.id,
        name=cards.name(sheet.id, words.language),
        copies=int(str(sheet.fields.get("copies", 1))),
        price=cards.price(sheet.id),
        spaces=cards.spaces(sheet.id),
        text=sentence(words, cards, sheet.id) if sheet.kind == "item" else "",
        confirmed=sheet.confirmed,
        corrected=sheet.corrected,
    )


def form(words: Words, corrections: Corrections, sheet: Sheet) -> list[FormGroup]:
    printed = [_field(words, name, sheet.fields.get(name, "")) for name in FIELDS[sheet.kind] if name != "when"]
    names = [
        FormField(f"name_{language}", catalogues.language(language).name, TEXT, corrections.name(language, sheet.id))
        for language in catalogues.codes()
    ]
    ticked = FormField("confirmed", words.text("card_compared"), TICK, "on" if sheet.confirmed else "")
    return [FormGroup("", printed), FormGroup(words.text("sheet_names"), names), FormGroup("", [ticked])]


def _field(words: Words, name: str, value: Any) -> FormField:
    label = words.text(f"sheet_{name}")
    if name in PICKS:
        known = [(str(one), option_text(words, name, str(one))) for one in PICKS[name]]
        empty = [] if name in NEVER_EMPTY else [("", words.text("sheet_empty"))]
        return FormField(name, label, PICK, str(value), (*empty, *known))
    return FormField(name, label, NUMBER if name == "copies" else TEXT, str(value))


def read(sheet: Sheet, sent: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of a card out of a form; what makes no sense is told when the pack is read with it."""
    effect = sent.get("effect", "")
    wanted = {"effect", "use", *parameters(effect, sent.get("action", ""))}
    names = [name for name in FIELDS[sheet.kind] if name in wanted or name not in EFFECT_FIELDS]
    found: dict[str, str | int] = {name: NO_SPACE for name in names if name in SIDES}
    found |= {name: _value(name, str(sent.get(name, ""))) for name in names if str(sent.get(name, "")).strip()}
    if effect and sheet.kind == "item":
        found["when"] = moment_of(effect, sent.get("action", ""))
    return {name: found[name] for name in FIELDS[sheet.kind] if name in found}


def one_line(raw: str) -> str:
    """Return what somebody has typed as one line, and not too long."""
    return " ".join(raw.split())[:LONGEST]


def _value(name: str, raw: str) -> str | int:
    text = one_line(raw)
    return int(text) if name in WHOLE_FIELDS and text.isascii() and text.isdecimal() else text
