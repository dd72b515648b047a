"""Strict reading of a table's fields: each is of its kind, or a fault at its line."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from companion.cards.effects import Gain, Happiness
from companion.cards.notation import NotationError, parse_cost, parse_pay, parse_side, parse_space
from companion.cards.pack import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.cards.effects import CostIcon, Pay, Space
    from companion.cards.pack import HeadStart, HeadStarts
    from companion.cards.source import SourceField, Table

Value = TypeVar("Value")
Choice = TypeVar("Choice", bound=str)

ROOM_SPACES: Final = 12
ELEVATOR_NUMBER: Final = 7
NO_NUMBER: Final = "-"
_ID: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST_SHOWN: Final = 60
_HIGHEST_SHOWN: Final = 10**18


class UnfitError(ValueError):
    """A value that is not of the kind wanted; `found` only where it says more than the value itself."""

    def __init__(self, expected: str, found: str = "", code: str = "value", piece: str = "") -> None:
        super().__init__(expected, found)
        self.expected = expected
        self.found = found
        self.code = code
        self.piece = piece


@dataclass(slots=True)
class Fields:
    """Takes the fields out of one table and notes what is wrong with them."""

    table: Table
    card: str
    faults: list[Fault]
    taken: set[str] = field(default_factory=set)

    def take(self, key: str, read: Callable[[object], Value]) -> Value | None:
        """Take a field that must be there; None and a fault where it is not or does not fit."""
        self.taken.add(key)
        found = self.table.fields.get(key)
        if found is None:
            self.fault(self.table.line, f"no {key}", f"{key} = ...", key, "missing")
            return None
        try:
            return read(found.raw)
        except UnfitError as unfit:
            self._refuse(key, found, unfit)
        except NotationError as error:
            what = f"{error.found} at column {error.column}"
            self._refuse(key, found, UnfitError(error.expected, what, error.code, error.text[error.column - 1 :]))
        return None

    def maybe(self, key: str, read: Callable[[object], Value]) -> Value | None:
        """Take a field that may be missing."""
        self.taken.add(key)
        return self.take(key, read) if key in self.table.fields else None

    def finish(self) -> None:
        """Report every field that nobody took as a fault."""
        known = ", ".join(sorted(self.taken))
        for key, found in self.table.fields.items():
            if key not in self.taken:
                self.faults.append(Fault(found.file, found.line, self.card, f"an unknown key {key}", f"one of {known}"))

    def fault(self, line: int, found: str, expected: str, key: str = "", code: str = "") -> None:
        self.faults.append(Fault(self.table.file, line, self.card, found, expected, key, code))

    def _refuse(self, key: str, found: SourceField, unfit: UnfitError) -> None:
        value = f"{key} = {shown(found.raw)}"
        text = f"{unfit.found} in {value}" if unfit.found else value
        fault = Fault(found.file, found.line, self.card, text, unfit.expected, key, unfit.code, unfit.piece)
        self.faults.append(fault)


def shown(raw: object) -> str:
    """Return a value as its file would write it, on one line."""
    match raw:
        case str():
            text = json.dumps(raw, ensure_ascii=False)
            return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."
        case bool():
            return str(raw).lower()
        case int() if abs(raw) > _HIGHEST_SHOWN:
            return "a huge number"
        case list():
            return f"[{', '.join(map(shown, raw))}]" if len(raw) <= ROOM_SPACES + 1 else f"a list of {len(raw)}"
        case dict():
            return "a table"
        case _:
            return str(raw)


def text(raw: object) -> str:
    if not isinstance(raw, str) or not raw.strip() or raw != raw.strip() or not raw.isprintable():
        raise UnfitError("a text of one line")
    return raw


def truth(raw: object) -> bool:
    if not isinstance(raw, bool):
        raise UnfitError("true or false")
    return raw


def whole(lowest: int, highest: int) -> Callable[[object], int]:
    def read(raw: object) -> int:
        if isinstance(raw, bool) or not isinstance(raw, int) or not lowest <= raw <= highest:
            expected = f"a whole number from {lowest} to {highest}"
            raise UnfitError(expected, code="number", piece=f"{lowest}-{highest}")
        return raw

    return read


def one_of(*choices: Choice) -> Callable[[object], Choice]:
    def read(raw: object) -> Choice:
        for choice in choices:
            if raw == choice:
                return choice
        raise UnfitError(f"one of {', '.join(choices)}" if len(choices) > 1 else str(choices[0]))

    return read


def card_id(raw: object) -> str:
    if not isinstance(raw, str) or not _ID.fullmatch(raw):
        raise UnfitError("an id in kebab-case (a-z, 0-9 and single hyphens)")
    return raw


def space(raw: object) -> Space:
    return parse_space(_line(raw, "a space in the notation"))


def side(raw: object) -> Space | None:
    """Parse one side of a room; None where it has no space."""
    return parse_side(_line(raw, "a space in the notation"))


def cost(raw: object) -> tuple[CostIcon, ...]:
    return parse_cost(_line(raw, "a build cost in the notation"))


def pay(raw: object) -> Pay:
    return parse_pay(_line(raw, "one resource in the notation"))


def gain(raw: object) -> Gain:
    gained = pay(raw)
    return Gain(gained.resource, gained.amount)


def columns(raw: object) -> tuple[int | None, ...]:
    """Parse the numbers of the twelve room spaces of a level, '-' where a space has none (V2)."""
    expected = f"{ROOM_SPACES} entries, each '{NO_NUMBER}' or a number from 2 to 12 but 7 (the elevator)"
    if not isinstance(raw, list):
        raise UnfitError(expected)
    if len(raw) != ROOM_SPACES:
        raise UnfitError(expected, f"{len(raw)} entries")
    return tuple(_column(number, place, expected) for place, number in enumerate(raw, 1))


def _column(raw: object, place: int, expected: str) -> int | None:
    if raw == NO_NUMBER:
        return None
    if isinstance(raw, bool) or not isinstance(raw, int) or raw not in range(2, 13) or raw == ELEVATOR_NUMBER:
        raise UnfitError(expected, f"{shown(raw)} as entry {place}")
    return raw


PLAYERS: Final = ("2", "3", "4")


MOST_HEAD_STARTS: Final = 12


def head_starts(raw: object) -> dict[int, HeadStarts]:
    """Parse what each begins with, by the number of players: `2 = ["nothing", "2H"]`, or a list of such lists."""
    expected = 'a table by the number of players, each a list in the order of the first turn (2 = ["nothing", "2H"])'
    if not isinstance(raw, dict) or not all(isinstance(starts, list) for starts in raw.values()):
        raise UnfitError(expected)
    found = {}
    for players, starts in raw.items():
        if players not in PLAYERS:
            raise UnfitError("2, 3 or 4 players", f"{shown(players)} players")
        several = starts if any(isinstance(one, list) for one in starts) else [starts]
        if len(several) > MOST_HEAD_STARTS:
            raise UnfitError(f"at most {MOST_HEAD_STARTS} lists to draw from", f"{len(several)}")
        found[int(players)] = tuple(_start_of_everybody(one, int(players)) for one in several)
    return found


def _start_of_everybody(raw: object, players: int) -> tuple[HeadStart, ...]:
    if not isinstance(raw, list):
        raise UnfitError('a list for each start to draw from (["nothing", "2H"])', shown(raw))
    if len(raw) != players:
        raise UnfitError("one for each who plays", f"{len(raw)} head starts for {players} players")
    return tuple(_head_start(one) for one in raw)


def _head_start(raw: object) -> HeadStart:
    expected = "cubes and happiness (1W 2H), or nothing"
    icons = parse_space(f"free -> {_line(raw, expected)}").reward
    found = tuple(icon for icon in icons if isinstance(icon, Gain | Happiness))
    if len(found) != len(icons):
        raise UnfitError(expected, shown(raw))
    return found


def _line(raw: object, expected: str) -> str:
    if not isinstance(raw, str):
        raise UnfitError(expected)
    return raw
