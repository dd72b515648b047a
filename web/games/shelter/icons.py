"""Printed icons as pictograms: which one, how many, and with which letter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from companion.cards import effects as fx

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Icon:
    """One pictogram."""

    name: str
    amount: int = 1
    letter: str = ""

    def as_json(self) -> dict[str, Any]:
        """For a preview."""
        told: dict[str, Any] = {"icon": self.name, "amount": self.amount}
        return {**told, "letter": self.letter} if self.letter else told


BOTH = Icon("both")


def icons_of(printed: Iterable[object]) -> tuple[Icon, ...]:
    """The pictograms of a cost or a reward, from left to right."""
    return tuple(icon for one in printed for icon in _icons(one))


@singledispatch
def _icons(printed: object) -> tuple[Icon, ...]:
    """Icons that stand for themselves are named by their kind."""
    return (Icon(_NAMES[type(printed)]),)


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
def _(printed: fx.Pay) -> tuple[Icon, ...]:
    return (Icon(printed.resource.value, printed.amount),)


@_icons.register
def _(printed: fx.Gain) -> tuple[Icon, ...]:
    return (Icon(printed.resource.value, printed.amount),)


@_icons.register
def _(printed: fx.PayAny) -> tuple[Icon, ...]:
    return (Icon("any", printed.amount),)


@_icons.register
def _(printed: fx.GainAny) -> tuple[Icon, ...]:
    return (Icon("any", printed.amount),)


@_icons.register
def _(printed: fx.Happiness) -> tuple[Icon, ...]:
    return (Icon("happiness", printed.amount),)


@_icons.register
def _(printed: fx.Train) -> tuple[Icon, ...]:
    return (Icon("train", letter=printed.letter.value if printed.letter else ""),)


@_icons.register
def _(printed: fx.Refresh) -> tuple[Icon, ...]:
    return (Icon("refresh", letter="" if printed.track == fx.Track.ITEMS else "rooms"),)


@_icons.register
def _(printed: fx.Exchange) -> tuple[Icon, ...]:
    return (*_icons(printed.left), BOTH, *_icons(printed.right))
