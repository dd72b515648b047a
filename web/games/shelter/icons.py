"""Printed icons as pictograms: which one, how many, and with which letter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import TYPE_CHECKING, NotRequired, TypedDict

from companion.cards import effects as fx

if TYPE_CHECKING:
    from collections.abc import Iterable

    from web.base.words import Words
    from web.games.shelter.cards import PackCards, VaultState


class IconJson(TypedDict):
    icon: str
    amount: int
    letter: NotRequired[str]


@dataclass(frozen=True, slots=True)
class PrintedIcon:
    name: str
    amount: int = 1
    letter: str = ""

    def as_json(self) -> IconJson:
        told: IconJson = {"icon": self.name, "amount": self.amount}
        if self.letter:
            told["letter"] = self.letter
        return told


BOTH = PrintedIcon("both")


def icons_of(printed: Iterable[object]) -> tuple[PrintedIcon, ...]:
    """Return the pictograms of a cost or a reward, from left to right."""
    return tuple(icon for one in printed for icon in _icons(one))


@singledispatch
def _icons(printed: object) -> tuple[PrintedIcon, ...]:
    """Return the pictogram of an icon that is named by its kind."""
    return (PrintedIcon(_NAMES[type(printed)]),)


_NAMES: dict[type, str] = {
    fx.PayItem: "item",
    fx.Injure: "injured",
    fx.PayRoom: "price",
    fx.NewDweller: "dweller",
    fx.FirstPlayer: "first",
    fx.TakeItem: "item",
    fx.Build: "build",
    fx.Heal: "heal",
    fx.Ready: "ready",
}


@_icons.register
def _(printed: fx.Pay) -> tuple[PrintedIcon, ...]:
    return (PrintedIcon(printed.resource.value, printed.amount),)


@_icons.register
def _(printed: fx.Gain) -> tuple[PrintedIcon, ...]:
    return (PrintedIcon(printed.resource.value, printed.amount),)


@_icons.register
def _(printed: fx.PayAny) -> tuple[PrintedIcon, ...]:
    return (PrintedIcon("any", printed.amount),)


@_icons.register
def _(printed: fx.GainAny) -> tuple[PrintedIcon, ...]:
    return (PrintedIcon("any", printed.amount),)


@_icons.register
def _(printed: fx.Happiness) -> tuple[PrintedIcon, ...]:
    return (PrintedIcon("happiness", printed.amount),)


@_icons.register
def _(printed: fx.Train) -> tuple[PrintedIcon, ...]:
    return (PrintedIcon("train", letter=printed.letter.value if printed.letter else ""),)


@_icons.register
def _(printed: fx.Refresh) -> tuple[PrintedIcon, ...]:
    return (PrintedIcon("refresh", letter="" if printed.track == fx.Track.ITEMS else "rooms"),)


@_icons.register
def _(printed: fx.Exchange) -> tuple[PrintedIcon, ...]:
    return (*_icons(printed.left), BOTH, *_icons(printed.right))


def sentence(words: Words, cards: PackCards, item: str) -> str:
    """Return the effect of an item, and what becomes of the card."""
    card = cards.items.get(item)
    if card is None:
        return words.text("item_unknown")
    effect = card.effect
    told = _effect(words, effect)
    if isinstance(effect, fx.ScorePer):
        return told
    return f"{told} {words.text(f'use_{effect.use.value}')}"


def _effect(words: Words, effect: fx.ItemEffect) -> str:
    match effect:
        case fx.RollBonus():
            return words.text("effect_bonus", n=effect.bonus)
        case fx.Reroll():
            return words.text("effect_reroll")
        case fx.CountsAsTrained(letter=None):
            return words.text("effect_any_letter")
        case fx.CountsAsTrained():
            return words.text("effect_letter", letter=effect.letter)
        case fx.ExchangeOnce(pay=pay, gain=gain):
            paid = words.text(f"resource_{pay.resource.value}")
            gained = words.text(f"resource_{gain.resource.value}")
            return words.text("effect_exchange", pay=pay.amount, paid=paid, gain=gain.amount, gained=gained)
        case fx.Act():
            return words.text(f"effect_{effect.action.value}")
        case fx.ScorePer():
            counted = words.text(f"counted_{effect.counted.value}")
            key = "effect_score" if effect.per > 1 else "effect_score_each"
            return words.text(key, n=effect.happiness, per=effect.per, counted=counted)


def rooms_of(state: VaultState, level: str) -> dict[str, str]:
    """Return the rooms of a level by their columns; none of a level that is not there."""
    found = state["levels"].get(level)
    return found["rooms"] if found else {}


def room_name(words: Words, state: VaultState, cards: PackCards, space: str) -> str:
    """Return the room (or elevator) that a space belongs to."""
    level, slot = space.split(":")
    room = rooms_of(state, level).get(slot[:2])
    return cards.name("elevator" if slot == "E" or room is None else room, words.language)


def space_name(words: Words, state: VaultState, cards: PackCards, space: str) -> str:
    """Return what one says of a space: the threat on it, else the room."""
    threat = state["threats"].get(space)
    if threat is not None:
        return card_name(words, cards, threat)
    return room_name(words, state, cards, space)


def card_name(words: Words, cards: PackCards, card: str) -> str:
    """Return a card's name; one that nobody has told is unknown."""
    return words.text("card_unknown") if card == "unknown" else cards.name(card, words.language)


def side_name(words: Words, space: str) -> str:
    """Return left or right; nothing for an elevator."""
    return "" if space.endswith("E") else words.text("side_left" if space.endswith("a") else "side_right")
