"""Printed icons by their names, for pages and for sheets: which picture, how many, and with which letter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NotRequired, TypedDict, assert_never

from companion.cards import effects as fx

if TYPE_CHECKING:
    from collections.abc import Iterable

ROOMS: Final = "rooms"
"""In place of a letter: what is refreshed is the track of rooms."""


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


BOTH: Final = PrintedIcon("both")
_NAMES: Final[dict[type, str]] = {
    fx.PayItem: "item",
    fx.TakeItem: "item",
    fx.Injure: "injured",
    fx.PayRoom: "price",
    fx.NewDweller: "dweller",
    fx.FirstPlayer: "first",
    fx.Build: "build",
    fx.Heal: "heal",
    fx.Ready: "ready",
}


def icons_of(printed: Iterable[fx.CostIcon | fx.RewardIcon]) -> tuple[PrintedIcon, ...]:
    """Return the icons of a cost or a reward, from left to right."""
    return tuple(icon for one in printed for icon in _icons(one))


def _icons(printed: fx.CostIcon | fx.RewardIcon) -> tuple[PrintedIcon, ...]:
    match printed:
        case fx.Pay() | fx.Gain():
            return (PrintedIcon(printed.resource.value, printed.amount),)
        case fx.PayAny() | fx.GainAny():
            return (PrintedIcon("any", printed.amount),)
        case fx.Happiness():
            return (PrintedIcon("happiness", printed.amount),)
        case fx.Train():
            return (PrintedIcon("train", letter=printed.letter.value if printed.letter else ""),)
        case fx.Refresh():
            return (PrintedIcon("refresh", letter="" if printed.track == fx.Track.ITEMS else ROOMS),)
        case fx.Exchange():
            return (*_icons(printed.left), BOTH, *_icons(printed.right))
        case (
            fx.PayItem() | fx.TakeItem() | fx.Injure() | fx.PayRoom() | fx.NewDweller() | fx.FirstPlayer()
            | fx.Build() | fx.Heal() | fx.Ready()
        ):  # fmt: skip
            return (PrintedIcon(_NAMES[type(printed)]),)
        case _:
            assert_never(printed)
