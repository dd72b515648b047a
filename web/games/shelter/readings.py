"""House rules as pages show them: by groups, with what each book says, and which of them a game is played by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.games.shelter import readings
from companion.games.shelter.readings import BOOKS, GROUPS
from companion.table.bots.turns import game_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words

OWN: Final = "own"
"""The book of a table that goes by no book, but by the readings of the companion."""


class RuleOption(NamedTuple):
    key: str
    title: str
    hint: str
    books: str
    clause: str
    on: bool


@dataclass(frozen=True, slots=True)
class RuleGroup:
    title: str
    options: list[RuleOption]

    @property
    def on(self) -> str:
        """Return the names of the options that are on."""
        return ", ".join(one.title for one in self.options if one.on)


class RuleBook(NamedTuple):
    """A set of options to begin with."""

    key: str
    title: str
    hint: str


def groups(words: Words, on: Iterable[str]) -> list[RuleGroup]:
    """Return every option in its group."""
    chosen = frozenset(on)
    return [
        RuleGroup(words.text(f"readings_{group}"), [_option(words, key, on=key in chosen) for key in keys])
        for group, keys in GROUPS.items()
    ]


def _option(words: Words, key: str, *, on: bool) -> RuleOption:
    title, hint, books = (words.text(f"rule_{key}{part}") for part in ("", "_hint", "_books"))
    return RuleOption(key, title, hint, books, readings.CLAUSE_OF[key], on)


def books(words: Words) -> list[RuleBook]:
    """Return the companion's own readings, then each book with the options that it turns on."""
    own = RuleBook(OWN, words.text(f"book_{OWN}"), words.text("book_own_hint"))
    return [own, *(RuleBook(book, words.text(f"book_{book}"), _names(words, on)) for book, on in BOOKS.items())]


def _names(words: Words, on: Iterable[str]) -> str:
    chosen = frozenset(on)
    return ", ".join(words.text(f"rule_{key}") for keys in GROUPS.values() for key in keys if key in chosen)


def agreed(words: Words, on: Iterable[str]) -> str:
    """Return a line that names the options in force, or the book whose they are; empty where there are none."""
    chosen = frozenset(on)
    book = readings.book_of(chosen)
    return words.text(f"book_{book}") if book else _names(words, chosen)


def chosen_in(form: Mapping[str, str]) -> frozenset[str]:
    """Return the options of a form: those of its book, and those that are ticked besides."""
    ticked = {key for keys in GROUPS.values() for key in keys if form.get(f"rule_{key}")}
    return BOOKS.get(form.get("book", OWN), frozenset()) | ticked


def in_force(snapshot: Snapshot) -> list[str]:
    """Return the options that the game is played by, also one that was the rule when it was begun."""
    game = game_of(snapshot)
    if game is None:
        return []
    return [*game.rules.as_json(), *(["income_late"] if game.rules.began_late else [])]
