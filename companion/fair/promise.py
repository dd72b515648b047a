"""Rolls and shuffles that follow from a promised secret, the numbers that phones have added, and their place in a game.

`docs/fair.md` describes the same for whoever writes it again in another language.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NotRequired, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.games.chance import Dice
    from companion.games.timeline import ChanceJson

NUMBER: Final = re.compile(r"[0-9a-f]{32}")
"""A number that a phone adds: 16 random bytes in hex."""
SECRET: Final = re.compile(r"[0-9a-f]{64}")
STARTER: Final = "start"
"""Who has added the number of the phone that began the game."""
_WORD: Final = 1 << 32
_WORD_BYTES: Final = 4


class NumberJson(TypedDict):
    """A number as the record holds it, and the seat that has added it."""

    by: str
    number: str


class PromiseJson(TypedDict):
    """`fair` of a game's first entry: the fingerprint that was shown, and the numbers that were there before."""

    promise: str
    numbers: list[NumberJson]
    week: NotRequired[str]
    """The week whose challenge it is: its secret is everybody's, and no phone adds a number."""


class AddedNumber(NamedTuple):
    """A number that was added, and by which seat."""

    by: str
    number: str

    def as_json(self) -> NumberJson:
        return {"by": self.by, "number": self.number}


def new_secret() -> str:
    """Return 32 random bytes in hex."""
    return secrets.token_hex(32)


def promise_of(secret: str) -> str:
    """Return the fingerprint by which a secret is promised."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


class _Words:
    """Random numbers of one roll or shuffle: blocks of HMAC-SHA256, read as words of four bytes."""

    def __init__(self, secret: bytes, about: str) -> None:
        self._secret = secret
        self._about = about
        self._blocks = 0
        self._block = b""

    def below(self, bound: int) -> int:
        """Return a number from 0 to `bound` - 1; words that would favour the small ones are passed over."""
        fair = _WORD - _WORD % bound
        while True:
            if not self._block:
                self._block = hmac.digest(self._secret, f"{self._about}/{self._blocks}".encode(), "sha256")
                self._blocks += 1
            word = int.from_bytes(self._block[:_WORD_BYTES], "big")
            self._block = self._block[_WORD_BYTES:]
            if word < fair:
                return word % bound


class PromisedChance:
    """The chance of a game at a table; what is made again takes the numbers that were there the first time."""

    def __init__(self, secret: str, numbers: Sequence[AddedNumber] = (), week: str = "") -> None:
        self._secret = bytes.fromhex(secret)
        self.promise = promise_of(secret)
        self.week = week
        """The week whose challenge it is; empty for a secret that nobody knows."""
        self.numbers: tuple[AddedNumber, ...] = tuple(numbers)
        self._fallen: dict[int, Dice] = {}
        self._shuffled_with: dict[int, tuple[AddedNumber, ...]] = {}

    def add(self, number: AddedNumber) -> None:
        """Let everything that is not made yet follow from this number too."""
        self.numbers += (number,)

    def note(self, fell: ChanceJson, thrown: Sequence[Any] = ()) -> None:
        """Remember what an entry took; `thrown` are the dice of people that its move has brought."""
        places = [*fell.get("thrown", ()), *fell.get("rolls", ())]
        thrown = thrown[: len(fell.get("thrown", ()))]
        for nth, dice in zip(places, [*thrown, *fell.get("dice", ())], strict=True):
            self._fallen[nth] = tuple(dice)
        for nth in fell.get("shuffles", ()):
            self._shuffled_with.setdefault(nth, self.numbers)

    def roll(self, nth: int) -> Dice:
        return self._fallen.get(nth) or self.rolled(nth)

    def rolled(self, nth: int) -> Dice:
        """Return what the companion rolls, whatever has fallen before."""
        words = self._words("roll", nth, self.numbers)
        return words.below(6) + 1, words.below(6) + 1

    def shuffle(self, nth: int, cards: Sequence[int]) -> list[int]:
        """Return an order of the cards; in which order they are given makes no difference."""
        words = self._words("shuffle", nth, self._shuffled_with.get(nth, self.numbers))
        shuffled = sorted(cards)
        for last in range(len(shuffled) - 1, 0, -1):
            other = words.below(last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return shuffled

    def told_card(self) -> str | None:
        """Nobody tells a computer."""
        return None

    def _words(self, kind: str, nth: int, numbers: Sequence[AddedNumber]) -> _Words:
        added = [f"{by}={number}" for by, number in numbers]
        return _Words(self._secret, "/".join([kind, str(nth), *added]))


def promised(secret: str, promise: PromiseJson) -> PromisedChance:
    """Return the chance of a game that its first entry describes."""
    numbers = [AddedNumber(one["by"], one["number"]) for one in promise["numbers"]]
    return PromisedChance(secret, numbers, promise.get("week", ""))


def is_number(text: object) -> bool:
    """Whether this is a number as phones add it."""
    return isinstance(text, str) and NUMBER.fullmatch(text) is not None


def thrown_of(move: object) -> Sequence[Any]:
    """Return the dice of people that a recorded move has brought."""
    dice = move.get("dice") if isinstance(move, dict) else None
    return dice if isinstance(dice, list) else ()


def note_entry(chance: PromisedChance, kind: str, body: Mapping[str, Any]) -> None:
    """Take what an entry adds to the chance: a number, or what fell."""
    if kind == "number":
        chance.add(AddedNumber(str(body["by"]), str(body["number"])))
    elif "chance" in body:
        chance.note(body["chance"], thrown_of(body.get("move")))
