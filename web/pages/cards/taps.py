"""What a tap on the page of a card does to the card's fields, and what of them can be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.cards import editing
from companion.cards.assemble import PARAMETERS, Needed, moment_of, parameters, read_card
from companion.cards.corrections import SIDES
from companion.cards.effects import Letter, Pay
from companion.cards.item_effects import EFFECTS, Action, Counted, ItemFamily, Use
from companion.cards.notation import NO_SPACE, NotationError
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.cards.corrections import Sheet, Values
    from companion.cards.pack import ItemCard, RoomCard, ThreatCard

SPACES: Final = (*SIDES, "space")
LINES: Final = {"build": editing.BUILD, "pay": editing.ONE, "gain": editing.ONE}
"""What is one row of icons, by the field of the card."""
PICKS: Final[Mapping[str, Iterable[str]]] = {
    "kind": ItemFamily,
    "effect": EFFECTS,
    "use": Use,
    "letter": (*Letter, Needed.OF_THE_THREAT),
    "action": Action,
    "counted": Counted,
}
FIRST: Final[Values] = {
    "pay": "1W",
    "gain": "1F",
    "action": Action.READY.value,
    "counted": Counted.WATER.value,
    "letter": Letter.S.value,
    "bonus": 1,
    "amount": 1,
    "per": 1,
    "happiness": 1,
}
"""What an effect begins with that was chosen anew."""


def names_of(sheet: Sheet) -> list[str]:
    """Return the fields to edit; of an item those that its effect has."""
    values = sheet.fields
    if sheet.kind == "item":
        effect = str(values.get("effect", ""))
        return ["kind", "effect", *parameters(effect, str(values.get("action", ""))), "use", "copies"]
    return {"top": ["left", "right"], "room": ["build", *SIDES, "copies"], "threat": ["space", "copies"]}[sheet.kind]


def tapped(sheet: Sheet, tap: str) -> Values:
    """Return the fields of a card after one tap; Refusal for what no button says."""
    name, _, rest = tap.partition(" ")
    act, _, more = rest.partition(" ")
    values = dict(sheet.fields)
    if name not in names_of(sheet):
        raise _malformed()
    if act == "clear":
        values[name] = {"build": "free", **FIRST}.get(name, "free -> nothing")
    elif name in SPACES or (name in LINES and act == editing.ONE):
        values[name] = _tapped_icons(name, str(values.get(name, NO_SPACE if name in SPACES else "")), act, more)
        if not values[name]:
            del values[name]
    elif name in PICKS and act == "set" and any(more == option for option in PICKS[name]):
        values[name] = more
        return values if name == "kind" else _whole(values)
    elif name not in PICKS and name not in LINES and act == "set" and more.isascii() and more.isdecimal():
        values[name] = int(more[:4])
    else:
        raise _malformed()
    return values


def _tapped_icons(name: str, text: str, act: str, rest: str) -> str:
    what, _, token = rest.partition(" ")
    try:
        if name in SPACES:
            return editing.tapped_space(text, act, rest)
        tokens = editing.tapped(LINES[name], editing.line_of(LINES[name], text), what, token)
    except NotationError as error:  # the page offers no icons of a text that is not understood
        raise _malformed() from error
    return editing.line_text(LINES[name], tokens)


def _whole(values: Values) -> Values:
    """Return an item's fields with all that its effect needs, and nothing else of an effect."""
    effect, action = str(values.get("effect", "")), str(values.get("action", FIRST["action"]))
    names = parameters(effect, action)
    made = {name: value for name, value in values.items() if name in {"copies", "kind", "effect", "use"}}
    uses = [use.value for use in EFFECTS[effect].uses]
    made["use"] = made["use"] if made.get("use") in uses else uses[0]
    made["when"] = moment_of(effect, action)
    return made | {
        name: values.get(name, FIRST[name]) for name in names if name in values or not may_lack(effect, name)
    }


def may_lack(effect: str, name: str) -> bool:
    """Return whether an effect does without one of its fields."""
    return PARAMETERS[effect][name] == (Pay | None)


def _malformed() -> Refusal:
    return Refusal("malformed", None, "There is no such button on the page of a card.", field="tap")


# --- what is drawn ----------------------------------------------------------------------------------------------------


def drawable(sheet: Sheet, known: Sheet) -> RoomCard | ThreatCard | ItemCard:
    """Return the card as it is edited; a part that is not understood is drawn as it counts now."""
    card, faults = read_card(sheet.kind, sheet.id, sheet.fields)
    if card is None:
        wrong = {fault.key: known.fields[fault.key] for fault in faults if fault.key in known.fields}
        card, _ = read_card(sheet.kind, sheet.id, {**sheet.fields, **wrong})
    if card is None:
        card, _ = read_card(sheet.kind, sheet.id, known.fields)
    if card is None:
        raise Refusal("no_such_card", None, "This card cannot be drawn.", card=sheet.id)
    return card
