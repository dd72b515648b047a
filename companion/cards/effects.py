"""The icons of the cards, a closed set of costs and rewards, and how each is printed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, NotRequired, TypedDict, assert_never

if TYPE_CHECKING:
    from collections.abc import Iterable


class Resource(StrEnum):
    """The three resources (C3). Happiness is not one."""

    WATER = "water"
    FOOD = "food"
    ENERGY = "energy"


class Letter(StrEnum):
    """What a dweller can be trained in, in the order of the tracker's slots."""

    S = "S"
    P = "P"
    E = "E"
    C = "C"
    I = "I"  # noqa: E741 - the letter of the game
    A = "A"
    L = "L"


class Track(StrEnum):
    """The two rows of three cards that can be refreshed."""

    ITEMS = "items"
    ROOMS = "rooms"


# --- icons that stand in a cost ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pay:
    resource: Resource
    amount: int = 1


@dataclass(frozen=True, slots=True)
class PayAny:
    """The '?' icon in a cost: a resource of the player's choice, chosen icon by icon (Q2)."""

    amount: int = 1


@dataclass(frozen=True, slots=True)
class PayItem:
    """An item in a cost: one of the player's items goes to the discards (I4)."""


@dataclass(frozen=True, slots=True)
class Injure:
    """The injury icon: the dweller placed here becomes injured (J1)."""


@dataclass(frozen=True, slots=True)
class PayRoom:
    """Pay the cost printed on the room that is going to be built (B2)."""


CostIcon = Pay | PayAny | PayItem | Injure | PayRoom

# --- icons that stand in a reward -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Gain:
    """Gain cubes of one resource (Q1)."""

    resource: Resource
    amount: int = 1


@dataclass(frozen=True, slots=True)
class GainAny:
    """The '?' icon in a reward (Q2)."""

    amount: int = 1


@dataclass(frozen=True, slots=True)
class Happiness:
    """Gain happiness (H1)."""

    amount: int = 1


@dataclass(frozen=True, slots=True)
class NewDweller:
    """A dweller from the box, standing on the icon until the recall (N1)."""


@dataclass(frozen=True, slots=True)
class FirstPlayer:
    """The first player token (F1)."""


@dataclass(frozen=True, slots=True)
class TakeItem:
    """An item of choice from the item track (I1)."""


@dataclass(frozen=True, slots=True)
class Build:
    """A room of choice from the room track, built on one's own level (B1)."""


@dataclass(frozen=True, slots=True)
class Train:
    """Training at the recall: in the icon's letter, or in one of the player's choice (A1)."""

    letter: Letter | None = None


@dataclass(frozen=True, slots=True)
class Heal:
    """The dweller on the space is uninjured again (J3)."""


@dataclass(frozen=True, slots=True)
class Ready:
    """An exhausted item becomes ready (I3)."""


@dataclass(frozen=True, slots=True)
class Refresh:
    """All cards of a track are discarded and three new ones dealt (K1)."""

    track: Track


@dataclass(frozen=True, slots=True)
class Exchange:
    """A two-sided icon: pay one side to gain the other, in either direction (Q4)."""

    left: Pay
    right: Pay


IconButBuild = (
    Gain | GainAny | Happiness | NewDweller | FirstPlayer | TakeItem | Train | Heal | Ready | Refresh | Exchange
)
RewardIcon = IconButBuild | Build


@dataclass(frozen=True, slots=True)
class Space:
    """One space: `cost -> reward`, with what is printed in its circle."""

    cost: tuple[CostIcon, ...] = ()
    reward: tuple[RewardIcon, ...] = ()
    letter: Letter | None = None
    linked: bool = False
    injured_only: bool = False
    fight: int | None = None


# --- how icons are printed --------------------------------------------------------------------------------------------

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

    @property
    def sign(self) -> str:
        """The sign that is drawn: each track has one of its own."""
        return f"{self.name}-{ROOMS}" if self.letter == ROOMS else self.name

    @property
    def sign_letter(self) -> str:
        """The letter beside the sign."""
        return "" if self.letter == ROOMS else self.letter

    def as_json(self) -> IconJson:
        told: IconJson = {"icon": self.name, "amount": self.amount}
        if self.letter:
            told["letter"] = self.letter
        return told


BOTH: Final = PrintedIcon("both")
_NAMES: Final[dict[type, str]] = {
    PayItem: "item",
    TakeItem: "item",
    Injure: "injured",
    PayRoom: "price",
    NewDweller: "dweller",
    FirstPlayer: "first",
    Build: "build",
    Heal: "heal",
    Ready: "ready",
}


def icons_of(printed: Iterable[CostIcon | RewardIcon]) -> tuple[PrintedIcon, ...]:
    """Return the icons of a cost or a reward, from left to right."""
    return tuple(icon for one in printed for icon in _icons(one))


def _icons(printed: CostIcon | RewardIcon) -> tuple[PrintedIcon, ...]:
    match printed:
        case Pay() | Gain():
            return (PrintedIcon(printed.resource.value, printed.amount),)
        case PayAny() | GainAny():
            return (PrintedIcon("any", printed.amount),)
        case Happiness():
            return (PrintedIcon("happiness", printed.amount),)
        case Train():
            return (PrintedIcon("train", letter=printed.letter.value if printed.letter else ""),)
        case Refresh():
            return (PrintedIcon("refresh", letter="" if printed.track == Track.ITEMS else ROOMS),)
        case Exchange():
            return (*_icons(printed.left), BOTH, *_icons(printed.right))
        case (
            PayItem() | TakeItem() | Injure() | PayRoom() | NewDweller() | FirstPlayer()
            | Build() | Heal() | Ready()
        ):  # fmt: skip
            return (PrintedIcon(_NAMES[type(printed)]),)
        case _:
            assert_never(printed)
