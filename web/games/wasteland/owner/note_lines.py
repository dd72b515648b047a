"""Lines in the notation of the cards, put together by buttons: what each shows, and what a tap makes of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.cards.fields import UnfitError, one_of
from companion.cards.wasteland import in_words, notation
from companion.cards.wasteland.words import LETTERS, CardKind, EnemyType, Faction, Trait
from web.games.wasteland.owner.schema import CONDITION, CONDITIONS, EFFECTS, STEPS, TYPES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from enum import StrEnum

    from web.base.words import Words
    from web.games.wasteland.names import Names

PALETTES: Final[Mapping[str, Sequence[str]]] = {
    EFFECTS: (
        "xp 1", "caps 1", "draw loot 1", "draw asset 1", "draw agenda 1", "heal 1", "damage 1", "rads 1", "trash",
        "stage 1", "add 1", "shop 1", "become idolized", "lose well-rested", "lock super-mutant", "power star 1",
        "power shield 1", "lay star", "take star",
        "unique the-card", "reroll 1", "hit 1", "exhaust 1", "unexhaust 1", "kill 1", "manual ",
    ),
    CONDITIONS: (
        "trait idolized", "not addicted", "letter S", "letters 3", "caps 1", "armor 1", "perks 1", "has weapon",
        "equipped companion", "count magazine", "lead", "space ", "token star", "tokens star 1",
        "with-survivor", "manual ",
    ),
    TYPES: tuple(kind.value for kind in EnemyType),
    STEPS: ("test S 1", "helper-test S 1", "draw-and-fight critter", "fight critter", "pay 1", "manual "),
}  # fmt: skip
"""What can be added to a field, as it is written."""
WORDED: Final = ("manual", "space", "unique")
"""What is followed by words that somebody types."""
TURNING: Final[Mapping[str, type[StrEnum]]] = {
    "become": Trait, "lose": Trait, "lock": Trait, "lay": Faction, "take": Faction, "token": Faction,
    "tokens": Faction, "trait": Trait, "not": Trait, "has": CardKind, "equipped": CardKind,
    "count": CardKind, "draw-and-fight": EnemyType, "fight": EnemyType, "power": Faction,
}  # fmt: skip
"""What is followed by one of several words: a tap goes on to the next."""
LETTERED: Final = ("test", "helper-test", "letter")
MOST: Final = 20
"""Lines of one field."""
_AMOUNT: Final = re.compile(r"(?P<head>.*?) (?P<amount>LEVEL(?:[+-][0-9]{1,3})?|-?[0-9]{1,3}(?:-[0-9]{1,3})?)")
_LEVEL: Final = re.compile(r"LEVEL(?P<more>[+-][0-9]{1,3})?")
_READERS: Final = {
    EFFECTS: notation.effect,
    CONDITIONS: notation.condition,
    STEPS: notation.step,
    TYPES: one_of(*EnemyType),
}


@dataclass(frozen=True, slots=True)
class LineChip:
    """One line of a field: in words, and what of it can be changed."""

    nth: int
    text: str
    shown: str
    amount: str = ""
    is_level: bool | None = None
    """Whether the number is the level of the icon; None where it cannot be."""
    letters: tuple[tuple[str, bool], ...] = ()
    turns: bool = False
    words: str | None = None
    """What is typed behind its first word; None where nothing is."""


def notation_of(kind: str) -> str:
    return CONDITIONS if kind == CONDITION else kind


def chips(words: Words, names: Names, kind: str, lines: Sequence[str]) -> list[LineChip]:
    return [_chip(words, names, notation_of(kind), nth, line) for nth, line in enumerate(lines)]


def palette(words: Words, names: Names, kind: str) -> list[tuple[str, str]]:
    """Return what can be added, with its words."""
    return [(line, _added(words, names, notation_of(kind), line)) for line in PALETTES[notation_of(kind)]]


def _added(words: Words, names: Names, kind: str, line: str) -> str:
    first, _, rest = line.partition(" ")
    key = f"wadd_{first.replace('-', '_')}"
    return (
        words.text(key)
        if words.has(key) and (first in TURNING or not rest or first in WORDED)
        else shown(words, names, kind, line)
    )


def shown(words: Words, names: Names, kind: str, line: str) -> str:
    """Return a line in words; one that cannot be read as it is written."""
    try:
        read = _READERS[kind](line)
    except UnfitError:
        return line
    if kind == TYPES:
        return names.kind(line)
    if kind == EFFECTS:
        return in_words.result(words, names, read)
    if kind == STEPS:
        return in_words.step(words, names, read)
    return in_words.condition(words, names, read)


def _chip(words: Words, names: Names, kind: str, nth: int, line: str) -> LineChip:
    first, _, rest = line.partition(" ")
    if first in WORDED:
        key = f"wadd_{first}"
        return LineChip(nth, line, words.text(key), words=rest)
    match = _AMOUNT.fullmatch(line)
    amount = match["amount"] if match else ""
    may_be_level = bool(amount) and kind in (EFFECTS, STEPS) and first not in ("stage", "add")
    owned = line.split()[1] if first in LETTERED and len(line.split()) > 1 else ""
    letters = tuple((letter, letter in owned) for letter in LETTERS) if first in LETTERED else ()
    level = amount.startswith("LEVEL") if may_be_level else None
    return LineChip(
        nth, line, shown(words, names, kind, line), amount, level, letters, first in TURNING,
        None if _is_read(kind, line) else line,
    )  # fmt: skip


def _is_read(kind: str, line: str) -> bool:
    try:
        _READERS[kind](line)
    except UnfitError:
        return False
    return True


# --- what a tap does --------------------------------------------------------------------------------------------------


def typed(line: str, text: str) -> str:
    """Return a line with what somebody typed: its words, its number, or all of it where it cannot be read."""
    text = " ".join(text.split())
    first, _, _ = line.partition(" ")
    if first in WORDED:
        return f"{first} {notation.space_id(text) if first == 'space' else text}".rstrip()
    match = _AMOUNT.fullmatch(line)
    return f"{match['head']} {text}" if match and text else line if match else text


def tapped(kind: str, lines: Sequence[str], act: str, rest: str) -> list[str]:
    """Return the lines of a field after a tap; one that means nothing leaves them."""
    found = list(lines)
    if act == "add" and rest in PALETTES[notation_of(kind)] and len(found) < MOST:
        return [rest] if kind == CONDITION else [*found, rest]
    place, _, what = rest.partition(" ")
    nth = int(place) if place.isascii() and place.isdecimal() and int(place) < len(found) else None
    if nth is None:
        return found
    if act == "drop":
        del found[nth]
    elif act in CHANGES:
        found[nth] = CHANGES[act](found[nth], what)
    return found


def _counted(line: str, by: int) -> str:
    match = _AMOUNT.fullmatch(line)
    if not match:
        return line
    amount, level = match["amount"], _LEVEL.fullmatch(match["amount"])
    if level:
        more = int(level["more"] or 0) + by
        return f"{match['head']} LEVEL{more:+d}" if more else f"{match['head']} LEVEL"
    low, dash, high = amount.partition("-") if not amount.startswith("-") else (amount, "", "")
    number = int(low) + by
    if number < 0 and match["head"] not in ("caps", "rads", "hit"):
        return line
    return f"{match['head']} {number}{dash}{high}"


def _leveled(line: str, _what: str) -> str:
    """Count by the level of the icon, or by a number again."""
    match = _AMOUNT.fullmatch(line)
    if not match:
        return line
    return f"{match['head']} {1 if match['amount'].startswith('LEVEL') else 'LEVEL'}"


def _lettered(line: str, letter: str) -> str:
    """Add a letter, or take it away while there are others."""
    first, owned, *rest = [*line.split(), ""]
    if first not in LETTERED or letter not in LETTERS or not letter:
        return line
    kept = "".join(one for one in LETTERS if (one in owned) != (one == letter))
    return " ".join(part for part in (first, kept or owned, *rest) if part)


def _turned(line: str, _what: str) -> str:
    """Go on to the next word."""
    first, now, *rest = [*line.split(), ""]
    choices = [one.value for one in TURNING.get(first, ())]
    if now not in choices:
        return line
    after = choices[(choices.index(now) + 1) % len(choices)]
    return " ".join(part for part in (first, after, *rest) if part)


CHANGES: Final = {
    "more": lambda line, _what: _counted(line, 1),
    "less": lambda line, _what: _counted(line, -1),
    "level": _leveled,
    "letter": _lettered,
    "turn": _turned,
}
