"""The words of the card notation and what they mean, and the tokens of a text, each with its column."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, TypeVar

from companion.cards.effects import (
    Build,
    Exchange,
    FirstPlayer,
    Gain,
    GainAny,
    Happiness,
    Heal,
    Injure,
    Letter,
    NewDweller,
    Pay,
    PayAny,
    PayItem,
    PayRoom,
    Ready,
    Refresh,
    Resource,
    Space,
    TakeItem,
    Track,
    Train,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

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
    """An error in the notation: its column (from 1), what was found there and what was expected.

    `code` tells apart what people are told in words of their own (`fault_<code>` of the pages).
    """

    def __init__(self, text: str, column: int, found: str, expected: str, code: str = "notation") -> None:
        super().__init__(text, column, found, expected)
        self.text = text
        self.column = column
        self.found = found
        self.expected = expected
        self.code = code

    def __str__(self) -> str:
        return f"column {self.column}: found {self.found}, expected {self.expected}\n{self.caret()}"

    def caret(self) -> str:
        """Return the text with a caret below the column."""
        line = "".join(character if character.isprintable() else " " for character in self.text)
        return f"  {line}\n  {' ' * (self.column - 1)}^"


class TokenKind(Enum):
    NUMBER = auto()
    WORD = auto()
    SIGN = auto()
    OTHER = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class NotationToken:
    """A piece of the text; `glued` when no blank separates it from the piece before."""

    kind: TokenKind
    text: str
    column: int
    glued: bool = False

    def __str__(self) -> str:
        return "the end" if self.kind is TokenKind.END else repr(self.text)


_TOKEN = re.compile(
    r"(?P<NUMBER>[0-9]+)|(?P<WORD>[A-Za-z]+(?:-[A-Za-z]+)*)|(?P<SIGN><->|->|[?:(),])|(?P<BLANK>[ \t]+)|(?P<OTHER>.)",
    re.DOTALL,
)


def tokens(text: str) -> Iterator[NotationToken]:
    """Tokenize a text, with an END at its end; what belongs to no word is a token too, for the parser to refuse."""
    glued = False
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "BLANK":
            glued = False
            continue
        yield NotationToken(TokenKind[str(match.lastgroup)], match.group(), match.start() + 1, glued)
        glued = True
    yield NotationToken(TokenKind.END, "", len(text) + 1, glued)


HIGHEST_AMOUNT: Final = 18  # what a tracker holds: three tracks of six (C3)
FIGHTS: Final = range(2, 13)

_A_COST: Final = "a cost (2W, 1?, item, injure, pay-room)"
_A_REWARD: Final = (
    "a reward (2W, 1?, 1H, 1W<->2F, dweller, first, item, build, train, train:S, heal, ready, refresh:items)"
)
_RESOURCE_COST: Final = "resources (2W, 1?)"
_LETTER: Final = f"one of the letters {', '.join(Letter)}"
_END: Final = ""

Icon = TypeVar("Icon")


class Parser:
    """Recursive descent over one text; every method leaves the parser behind what it has read.

    A loose one takes icons that do not go together (B2), as they are while somebody lays them side by side.
    """

    def __init__(self, text: str, *, loose: bool = False) -> None:
        self._text = text
        self._loose = loose
        self._tokens = list(tokens(text))
        self._at = 0

    @property
    def _next(self) -> NotationToken:
        return self._tokens[self._at]

    def _take(self) -> NotationToken:
        token = self._next
        self._at += token.kind is not TokenKind.END
        return token

    def _take_if(self, text: str) -> bool:
        return self._next.text == text and self._take() is not None

    def _refuse(self, token: NotationToken, expected: str, code: str = "notation") -> NotationError:
        return NotationError(self._text, token.column, str(token), expected, code)

    def _need(self, text: str, expected: str) -> None:
        if not self._take_if(text):
            raise self._refuse(self._next, expected)

    def end(self) -> None:
        self._need(_END, "the end")

    def _icons(self, icon: Callable[[str], Icon], expected: str, stops: tuple[str, ...], stop: str) -> tuple[Icon, ...]:
        """Parse one icon or more, with blanks between them, up to one of the stops."""
        icons = [self._icon(icon, expected)]
        while self._next.text not in stops:
            icons.append(self._icon(icon, f"{expected} or {stop}"))
        return tuple(icons)

    def _icon(self, icon: Callable[[str], Icon], expected: str) -> Icon:
        glued = self._next.glued and self._next.kind is not TokenKind.END
        if glued and self._tokens[self._at - 1].text != "->":
            raise self._refuse(self._next, "a blank before the next icon")
        return icon(expected)

    # --- the sentence

    def side(self) -> Space | None:
        """A space, or `none` where a room has none (V2)."""
        if not self._take_if("none"):
            return self.space()
        self.end()
        return None

    def space(self) -> Space:
        """`cost -> reward (notes)`."""
        fight, cost = self._cost_side()
        self._need("->", "'->'")
        reward = () if self._take_if("nothing") else self._icons(self._reward, _A_REWARD, ("(", _END), "notes")
        self._check_pay_room(cost, reward)
        letter, linked, injured_only = self._notes() if self._take_if("(") else (None, False, False)
        self.end()
        return Space(cost, reward, letter, linked, injured_only, fight)

    def _cost_side(self) -> tuple[int | None, tuple[CostIcon, ...]]:
        if self._take_if("free"):
            return None, ()
        fight = self._fight() if self._take_if("fight") else None
        if fight is not None and self._next.text == "->":
            return fight, ()
        return fight, self._icons(self._cost, _A_COST, ("->",), "'->'")

    def _fight(self) -> int:
        number = self._argument("':' and a number from 2 to 12")
        if number.text not in map(str, FIGHTS):
            raise self._refuse(number, "a fight from 2 to 12", "fight")
        return int(number.text)

    def _check_pay_room(self, cost: tuple[CostIcon, ...], reward: tuple[RewardIcon, ...]) -> None:
        """Check that the price of a room belongs to one build (B2)."""
        if PayRoom() not in cost or self._loose:
            return
        marks = [token for token in self._tokens if token.text == "pay-room"]
        if Build() not in reward:
            raise self._refuse(marks[0], "pay-room only where the reward has a build", "pay_room")
        if len(marks) > 1:
            raise self._refuse(marks[1], "pay-room once", "pay_room_twice")

    # --- icons

    def _cost(self, expected: str) -> CostIcon:
        if self._next.text in COSTS:
            return COSTS[self._take().text]
        return self._resource(expected)

    def _resource(self, expected: str) -> Pay | PayAny:
        amount, unit = self._counted(expected, ("W", "F", "E", "?"))
        return PayAny(amount) if unit == "?" else Pay(RESOURCES[unit], amount)

    def build_cost(self) -> tuple[CostIcon, ...]:
        if self._take_if("free"):
            return ()
        return self._icons(self._resource, _RESOURCE_COST, (_END,), "the end")

    def pay(self) -> Pay:
        amount, unit = self._counted("one resource (2W)", ("W", "F", "E"))
        return Pay(RESOURCES[unit], amount)

    def _reward(self, expected: str) -> RewardIcon:
        if self._next.text in REWARDS:
            return REWARDS[self._take().text]
        if self._take_if("train"):
            return Train(self._letter(self._argument(_LETTER)) if self._next.text == ":" else None)
        if self._take_if("refresh"):
            return Refresh(self._track(self._argument("':items' or ':rooms'")))
        amount, unit = self._counted(expected, ("W", "F", "E", "?", "H"))
        if unit == "?":
            return GainAny(amount)
        if unit == "H":
            return Happiness(amount)
        if self._take_if("<->"):
            return self._exchange(Pay(RESOURCES[unit], amount))
        return Gain(RESOURCES[unit], amount)

    def _exchange(self, left: Pay) -> Exchange:
        start = self._next
        right = self.pay()
        if right.resource is left.resource:
            raise self._refuse(start, "another resource than on the left of '<->'", "same_resource")
        return Exchange(left, right)

    # --- parts of icons

    def _counted(self, expected: str, units: tuple[str, ...]) -> tuple[int, str]:
        amount = self._take()
        if amount.kind is not TokenKind.NUMBER:
            raise self._refuse(amount, expected)
        if amount.text not in map(str, range(1, HIGHEST_AMOUNT + 1)):
            raise self._refuse(amount, f"an amount from 1 to {HIGHEST_AMOUNT}", "amount")
        unit = self._take()
        if not unit.glued or unit.text not in units:
            raise self._refuse(unit, f"one of {', '.join(units)} right behind the amount")
        return int(amount.text), unit.text

    def _argument(self, expected: str) -> NotationToken:
        colon = self._take()
        if not colon.glued or colon.text != ":":
            raise self._refuse(colon, expected)
        if not self._next.glued:
            raise self._refuse(self._next, expected)
        return self._take()

    def _letter(self, token: NotationToken) -> Letter:
        if token.text not in Letter.__members__:
            raise self._refuse(token, _LETTER)
        return Letter(token.text)

    def _track(self, token: NotationToken) -> Track:
        if token.text not in list(Track):
            raise self._refuse(token, "items or rooms")
        return Track(token.text)

    # --- notes

    def _notes(self) -> tuple[Letter | None, bool, bool]:
        letter, said = None, set[str]()
        while True:
            note = self._take()
            if note.text not in ("letter", "linked", "injured"):
                raise self._refuse(note, "a note (linked, injured only, letter S)")
            if note.text in said:
                raise self._refuse(note, "each note once")
            said.add(note.text)
            if note.text == "letter":
                letter = self._letter(self._take())
            if note.text == "injured":
                self._need("only", "'only'")
            if self._take_if(")"):
                return letter, "linked" in said, "injured" in said
            self._need(",", "',' or ')'")
