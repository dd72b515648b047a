"""The words of the card notation and what they mean, and the tokens of a text, each with its column."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from companion.cards.effects import (
    Build,
    FirstPlayer,
    Heal,
    Injure,
    NewDweller,
    PayItem,
    PayRoom,
    Ready,
    Resource,
    TakeItem,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from companion.cards.effects import CostIcon, RewardIcon

RESOURCES: Final[Mapping[str, Resource]] = {"W": Resource.WATER, "F": Resource.FOOD, "E": Resource.ENERGY}
SIGNS: Final[Mapping[Resource, str]] = {resource: sign for sign, resource in RESOURCES.items()}
COSTS: Final[Mapping[str, CostIcon]] = {"item": PayItem(), "injure": Injure(), "pay-room": PayRoom()}
REWARDS: Final[Mapping[str, RewardIcon]] = {
    "dweller": NewDweller(),
    "first": FirstPlayer(),
    "item": TakeItem(),
    "build": Build(),
    "heal": Heal(),
    "ready": Ready(),
}


class NotationError(ValueError):
    """A line of notation that says nothing: its column (from 1), what was found there and what was expected."""

    def __init__(self, text: str, column: int, found: str, expected: str) -> None:
        super().__init__(text, column, found, expected)
        self.text = text
        self.column = column
        self.found = found
        self.expected = expected

    def __str__(self) -> str:
        return f"column {self.column}: found {self.found}, expected {self.expected}\n{self.caret()}"

    def caret(self) -> str:
        """The text, with a caret below the column that is meant."""
        line = "".join(character if character.isprintable() else " " for character in self.text)
        return f"  {line}\n  {' ' * (self.column - 1)}^"


class Kind(Enum):
    """What a token is made of."""

    NUMBER = auto()
    WORD = auto()
    SIGN = auto()
    OTHER = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text; `glued` when no blank separates it from the piece before."""

    kind: Kind
    text: str
    column: int
    glued: bool = False

    def __str__(self) -> str:
        return "the end" if self.kind is Kind.END else repr(self.text)


_TOKEN = re.compile(
    r"(?P<NUMBER>[0-9]+)|(?P<WORD>[A-Za-z]+(?:-[A-Za-z]+)*)|(?P<SIGN><->|->|[?:(),])|(?P<BLANK>[ \t]+)|(?P<OTHER>.)",
    re.DOTALL,
)


def tokens(text: str) -> Iterator[Token]:
    """The tokens of a text, ended by an END; what belongs to no word is a token too, for the parser to refuse."""
    glued = False
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "BLANK":
            glued = False
            continue
        yield Token(Kind[str(match.lastgroup)], match.group(), match.start() + 1, glued)
        glued = True
    yield Token(Kind.END, "", len(text) + 1, glued)
