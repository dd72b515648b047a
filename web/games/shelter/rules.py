"""What an icon or a card of Fallout Shelter does, in plain words: one sheet for each, and the list of them all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from web.games.shelter.cards import sentence, side_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.cards.effects import PrintedIcon
    from web.base.words import Words
    from web.games.shelter.cards import PackCards, Printed

ICONS: Final = (
    *("water", "food", "energy", "any", "happiness", "item", "build", "price", "dweller", "train", "first"),
    *("injured", "heal", "ready", "refresh", "refresh-rooms", "both", "fight", "linked", "injured_only", "letter"),
)
ANY_COLOUR: Final = ""
"""In place of a colour whose elevator differs from the others."""
SHAPES: Final = {"injured_only": "heal", "letter": "train"}
"""Icons that share their drawing with another."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One sentence about one icon; `shape` is how it is drawn."""

    name: str
    shape: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Explained:
    """One space of a card, with the rules that it takes."""

    side: str
    printed: Printed
    rules: list[Rule]


@dataclass(slots=True)
class RuleSheet:
    title: str
    text: str
    shape: str = ""
    price: tuple[PrintedIcon, ...] = ()
    spaces: list[Explained] = field(default_factory=list)


def icon_rule(words: Words, name: str) -> Rule:
    key = name.replace("-", "_")
    return Rule(name, SHAPES.get(name, name), words.text(f"icon_{key}"), words.text(f"rule_{key}"))


def sheet(words: Words, cards: PackCards, key: str) -> RuleSheet | None:
    """Return the sheet of an icon (`i-water`) or of a card of the pack; None for anything else."""
    name = key.removeprefix("i-")
    if key.startswith("i-") and name in ICONS:
        rule = icon_rule(words, name)
        return RuleSheet(rule.title, rule.text, rule.shape)
    title = cards.name(key, words.language)
    if key in cards.items:
        return RuleSheet(title, f"{sentence(words, cards, key)} {words.text('rule_exhausts')}")
    if key in cards.threats:
        return RuleSheet(title, words.text("rule_threat"), spaces=[_explained(words, "", cards.threat(key))])
    if key in cards.rooms:
        sides = cards.room_sides(key).items()
        spaces = [_explained(words, side_name(words, f":{side}"), one) for side, one in sides]
        return RuleSheet(title, words.text("rule_room"), price=cards.price(key), spaces=spaces)
    if key == "elevator":
        shown = [_explained(words, "", cards.elevator(ANY_COLOUR))]
        shown += [_explained(words, words.text(f"colour_{one}"), cards.elevator(one)) for one in cards.pack.elevators]
        return RuleSheet(title, words.text("rule_elevator"), spaces=shown)
    return None


def kinds(words: Words, cards: PackCards) -> dict[str, list[tuple[str, str]]]:
    """Return every card by its kind, as key and name, in the order of the reader's alphabet."""
    found: dict[str, Iterable[str]] = {"items": cards.items, "rooms": cards.rooms, "threats": cards.threats}
    return {
        kind: sorted(((key, cards.name(key, words.language)) for key in known), key=lambda one: one[1])
        for kind, known in found.items()
    }


def _explained(words: Words, side: str, printed: Printed) -> Explained:
    names = dict.fromkeys(_names(printed))
    return Explained(side, printed, [icon_rule(words, name) for name in names])


def _names(printed: Printed) -> Iterable[str]:
    """Yield the icons of a space, each under the name of its rule."""
    if printed.fight:
        yield "fight"
    for icon in (*printed.cost, *printed.reward):
        yield icon.sign
    if printed.letter:
        yield "letter"
    if printed.linked:
        yield "linked"
    if printed.injured_only:
        yield "injured_only"
