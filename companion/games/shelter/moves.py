"""Moves as values: one text form (JSON) that reads back equal, and tables of the common ones."""

from __future__ import annotations

from itertools import chain
from operator import getitem
from types import FunctionType
from typing import TYPE_CHECKING, Final, Required, TypedDict

from companion.games.fields import malformed
from companion.games.shelter.words import (
    COLOUR_NUMBER,
    COLOURS,
    DWELLER_NUMBER,
    DWELLERS,
    NOBODY,
    SPACE_NAMES,
    SPACE_NUMBER,
    SPACES,
    bits,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

DOES: Final = ("spawn", "place", "pass", "choose", "use", "recall", "correct")
SPAWN: Final = 0
PLACE: Final = 1
PASS: Final = 2
CHOOSE: Final = 3
USE: Final = 4
RECALL: Final = 5
CORRECT: Final = 6
NOWHERE: Final = -1
_KEYS: Final = {
    "spawn": frozenset({"by"}),
    "place": frozenset({"by", "space", "dwellers", "use"}),
    "pass": frozenset({"by"}),
    "choose": frozenset({"by", "option", "id"}),
    "use": frozenset({"by", "item"}),
    "recall": frozenset({"by"}),
    "correct": frozenset({"by", "set"}),
}
_ANY_MOVE: Final = frozenset({"do", "dice", "drawn", "if_version"})


class ShelterMove(TypedDict, total=False):
    """A `MoveJson` of this game: a move in the shape of the contract."""

    do: Required[str]
    by: str
    space: str
    dwellers: list[str]
    use: list[str]
    option: str
    id: int
    item: str
    set: dict[str, object]
    dice: list[list[int]]
    drawn: list[str]


class Move:
    """A move as engine numbers. Fields that a move does not need keep their defaults."""

    __slots__ = ("by", "change", "dice", "do", "drawn", "dwellers", "id", "item", "option", "space", "use")

    def __init__(self, do: int, by: int = NOBODY, space: int = NOWHERE, dwellers: tuple[int, ...] = ()) -> None:
        self.do = do
        self.by = by
        self.space = space
        self.dwellers = dwellers
        self.use: tuple[str, ...] = ()
        self.option = ""
        self.id = 0
        self.item = ""
        self.change: dict[str, object] | None = None
        self.dice: tuple[tuple[int, int], ...] = ()
        self.drawn: tuple[str, ...] = ()

    def as_json(self) -> ShelterMove:  # noqa: C901 - one line a field
        move: ShelterMove = {"do": DOES[self.do]}
        if self.by != NOBODY:
            move["by"] = COLOURS[self.by]
        if self.space >= 0:
            move["space"] = SPACE_NAMES[self.space]
        if self.dwellers:
            move["dwellers"] = [DWELLERS[dweller] for dweller in self.dwellers]
        if self.change is not None:
            move["set"] = self.change
        if self.use:
            move["use"] = list(self.use)
        if self.option:
            move["option"] = self.option
        if self.id:
            move["id"] = self.id
        if self.item:
            move["item"] = self.item
        if self.dice:
            move["dice"] = [list(one) for one in self.dice]
        if self.drawn:
            move["drawn"] = list(self.drawn)
        return move

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self.as_json() == other.as_json()

    def __hash__(self) -> int:
        return hash((self.do, self.by, self.space, self.dwellers, self.option, self.item))

    def __repr__(self) -> str:
        return f"Move({self.as_json()})"


IS_COMPILED: Final = not isinstance(Move.as_json, FunctionType)
"""Interpreted, a loop costs more than a chain of the standard library's; compiled, it is the other way round."""


class PlacementRow:
    """Table of all placements of one kind of dweller of one colour, indexed by the bytes of a mask of spaces."""

    def __init__(self, colour: int, dweller: int) -> None:
        self._colour = colour
        self._dwellers = (dweller,)
        self._tables: list[list[tuple[Move, ...]]] = []  # for each byte of a mask, what each value of it stands for

    def add_to(self, found: list[Move], mask: int) -> None:
        """Add the placements on every space of the mask, by one table look-up for each byte."""
        if mask >> 8 * len(self._tables):
            self._grow(mask)
        tables = self._tables
        if IS_COMPILED:
            for table in tables:
                if mask & 255:
                    found.extend(table[mask & 255])
                mask >>= 8
        else:
            found += chain.from_iterable(map(getitem, tables, mask.to_bytes(len(tables), "little")))

    def _grow(self, mask: int) -> None:
        """Add tables for as many levels as are in play; assigned at once, since other threads may be reading."""
        tables = list(self._tables)
        while mask >> 8 * len(tables):
            start = 8 * len(tables)
            at = [place(self._colour, min(start + bit, SPACES - 1), self._dwellers) for bit in range(8)]
            tables.append([tuple([at[bit] for bit in range(8) if part >> bit & 1]) for part in range(256)])
        self._tables = tables


class RarePlacementRow:
    """Table of placements of a pair, or of dwellers one of whom wears an item: seldom listed, so without an index."""

    def __init__(self, colour: int, dwellers: tuple[int, ...], item: str) -> None:
        use = (item,) if item else ()
        self._at = [place(colour, space, dwellers, use) for space in range(SPACES)]

    def on(self, mask: int) -> Iterable[Move]:
        return [self._at[space] for space in bits(mask)]


PLACEMENTS: Final = tuple(
    tuple(PlacementRow(colour, dweller) for dweller in range(len(DWELLERS))) for colour in range(len(COLOURS))
)
_rare: list[dict[tuple[str, tuple[int, ...]], RarePlacementRow]] = [{} for _ in COLOURS]
_answers: list[dict[str, Move]] = [{} for _ in (*COLOURS, "anybody")]
_uses: list[dict[str, Move]] = [{} for _ in COLOURS]
THE_SPAWN: Final = Move(SPAWN)
THE_RECALL: Final = Move(RECALL)
PASSES: Final = tuple(Move(PASS, colour) for colour in range(len(COLOURS)))


def rare_row(colour: int, dwellers: tuple[int, ...], item: str = "") -> RarePlacementRow:
    found = _rare[colour].get((item, dwellers))
    if found is None:
        found = _rare[colour][item, dwellers] = RarePlacementRow(colour, dwellers, item)
    return found


def place(colour: int, space: int, dwellers: tuple[int, ...], use: tuple[str, ...] = ()) -> Move:
    move = Move(PLACE, colour, space, dwellers)
    move.use = use
    return move


def answers(colour: int, options: list[str]) -> list[Move]:
    """Return the answers to the first open choice of a player (or of anybody), from a cache."""
    known = _answers[colour]
    return [known.get(option) or choose(colour, option) for option in options]


def choose(colour: int, option: str, choice_id: int = 0) -> Move:
    """Return an answer; one that names no choice is cached."""
    move = Move(CHOOSE, colour)
    move.option, move.id = option, choice_id
    if not choice_id:
        _answers[colour][option] = move
    return move


def use(colour: int, item: str) -> Move:
    found = _uses[colour].get(item)
    if found is None:
        found = _uses[colour][item] = Move(USE, colour)
        found.item = item
    return found


# --- reading ----------------------------------------------------------------------------------------------------------


def read(raw: object) -> Move:
    """Parse a move, or refuse it with the field that is wrong."""
    if not isinstance(raw, dict):
        raise malformed("move", raw, "an object")
    do = raw.get("do")
    if not isinstance(do, str) or do not in _KEYS:
        raise malformed("do", do, "one of " + ", ".join(DOES))
    for key in raw:
        if key not in _KEYS[do] and key not in _ANY_MOVE:
            raise malformed(str(key), key, f"a field of {do}")
    move = Move(DOES.index(do))
    if do in ("place", "pass", "use") or raw.get("by") is not None:
        move.by = _colour(raw.get("by"))
    if do == "place":
        move.space, move.option = _space(raw.get("space"))
        move.dwellers = tuple(_dweller(name) for name in _list(raw, "dwellers"))
        move.use = tuple(_text(name, "use") for name in _list(raw, "use"))
    elif do == "choose":
        move.option = _text(raw.get("option"), "option")
        move.id = _choice_id(raw.get("id"))
    elif do == "use":
        move.item = _text(raw.get("item"), "item")
    elif do == "correct":
        move.change = _object(raw.get("set"))
    move.dice = tuple(_dice(pair) for pair in _list(raw, "dice"))
    move.drawn = tuple(_text(name, "drawn") for name in _list(raw, "drawn"))
    return move


def _colour(raw: object) -> int:
    if not isinstance(raw, str) or raw not in COLOUR_NUMBER:
        raise malformed("by", raw, "one of " + ", ".join(COLOURS))
    return COLOUR_NUMBER[raw]


def _space(raw: object) -> tuple[int, str]:
    """Return a space, or nowhere and what was said instead: whose turn it is is checked before where (P1)."""
    if not isinstance(raw, str):
        raise malformed("space", raw, "a place such as 2:R1a")
    return (SPACE_NUMBER[raw], "") if raw in SPACE_NUMBER else (NOWHERE, raw[:60])


def _dweller(raw: object) -> int:
    if not isinstance(raw, str) or raw not in DWELLER_NUMBER:
        raise malformed("dwellers", raw, "plain, injured, a letter, or injured and a letter as injured+S")
    return DWELLER_NUMBER[raw]


def _list(raw: dict[str, object], key: str) -> list[object]:
    value = raw.get(key)
    if value is None:
        return []
    if not isinstance(value, list):
        raise malformed(key, value, "a list")
    return value


def _text(raw: object, field: str) -> str:
    if not isinstance(raw, str) or not raw:
        raise malformed(field, raw, "a text")
    return raw


def _choice_id(raw: object) -> int:
    if raw is None:
        return 0
    if not isinstance(raw, int) or isinstance(raw, bool) or raw < 1:
        raise malformed("id", raw, "the number of an open choice")
    return raw


def _object(raw: object) -> dict[str, object]:
    if not isinstance(raw, dict):
        raise malformed("set", raw, "an object")
    return raw


def _dice(raw: object) -> tuple[int, int]:
    pair = list(raw) if isinstance(raw, list | tuple) else []
    if len(pair) != 2 or any(type(die) is not int or not 1 <= die <= 6 for die in pair):  # noqa: PLR2004 - two dice
        raise malformed("dice", raw, "two numbers from 1 to 6")
    return pair[0], pair[1]
