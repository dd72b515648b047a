"""The notation of the cards: one line of text a space, read and written.

side   = space | "none"
space  = cost "->" reward [ "(" note { "," note } ")" ]
cost   = "free" | [ "fight:9" ] { "2W" | "3?" | "item" | "injure" | "pay-room" }
reward = "nothing" | { "2W" | "3?" | "1H" | "1W<->2F" | "dweller" | "first" | "item" | "build"
         | "train" | "train:S" | "heal" | "ready" | "refresh:items" | "refresh:rooms" }
note   = "linked" | "injured only" | "letter S"
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from companion.cards.effects import (
    Build,
    Exchange,
    FirstPlayer,
    Gain,
    GainAny,
    Happiness,
    Heal,
    Injure,
    NewDweller,
    Pay,
    PayAny,
    PayItem,
    PayRoom,
    Ready,
    Refresh,
    Space,
    TakeItem,
    Train,
)
from companion.cards.parser import COSTS, REWARDS, SIGNS, NotationError, Parser

if TYPE_CHECKING:
    from companion.cards.effects import CostIcon, RewardIcon

__all__ = [
    "NO_SPACE",
    "NotationError",
    "parse_cost",
    "parse_loosely",
    "parse_pay",
    "parse_side",
    "parse_space",
    "print_cost",
    "print_side",
    "print_space",
]

NO_SPACE: Final = "none"
"""What a room has on the side where it has no space (V2)."""


def parse_space(text: str) -> Space:
    """Parse a space, or raise NotationError."""
    return Parser(text).space()


def parse_side(text: str) -> Space | None:
    """Parse one side of a room: its space, or None where it says `none`."""
    return Parser(text).side()


def parse_loosely(text: str) -> Space | None:
    """Parse one side of a room whose icons need not go together yet."""
    return Parser(text, loose=True).side()


def parse_cost(text: str) -> tuple[CostIcon, ...]:
    """Parse a room's build cost: resources alone."""
    parser = Parser(text)
    cost = parser.build_cost()
    parser.end()
    return cost


def parse_pay(text: str) -> Pay:
    parser = Parser(text)
    pay = parser.pay()
    parser.end()
    return pay


def print_space(space: Space) -> str:
    """Return the canonical notation of a space."""
    cost = [_cost_text(icon) for icon in space.cost]
    if space.fight is not None:
        cost.insert(0, f"fight:{space.fight}")
    reward = [_reward_text(icon) for icon in space.reward]
    notes = ["linked"] * space.linked + ["injured only"] * space.injured_only
    if space.letter:
        notes.append(f"letter {space.letter}")
    line = f"{' '.join(cost) or 'free'} -> {' '.join(reward) or 'nothing'}"
    return f"{line} ({', '.join(notes)})" if notes else line


def print_side(side: Space | None) -> str:
    return NO_SPACE if side is None else print_space(side)


def print_cost(cost: tuple[CostIcon, ...]) -> str:
    return " ".join(map(_cost_text, cost)) or "free"


def _cost_text(icon: CostIcon) -> str:
    match icon:
        case Pay(resource, amount):
            return f"{amount}{SIGNS[resource]}"
        case PayAny(amount):
            return f"{amount}?"
        case PayItem() | Injure() | PayRoom():
            return next(word for word, meant in COSTS.items() if meant == icon)
        case _:
            assert_never(icon)


def _reward_text(icon: RewardIcon) -> str:
    match icon:
        case Gain(resource, amount):
            return f"{amount}{SIGNS[resource]}"
        case GainAny(amount):
            return f"{amount}?"
        case Happiness(amount):
            return f"{amount}H"
        case Train(letter):
            return f"train:{letter}" if letter else "train"
        case Refresh(track):
            return f"refresh:{track}"
        case Exchange(left, right):
            return f"{_cost_text(left)}<->{_cost_text(right)}"
        case NewDweller() | FirstPlayer() | TakeItem() | Build() | Heal() | Ready():
            return next(word for word, meant in REWARDS.items() if meant == icon)
        case _:
            assert_never(icon)
