"""House rules as pages show them: by groups, with what each book says, and which of them a game is played by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.cards.effects import Gain
from companion.cards.loader import builtin, builtin_names
from companion.games.shelter import readings
from companion.games.shelter.readings import BOOKS, GROUPS
from companion.table.bots.turns import game_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from companion.cards.effects import Happiness
    from companion.cards.pack import HeadStart, HeadStarts
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


def groups(words: Words, on: Iterable[str], head_starts: Iterable[str] = ()) -> list[RuleGroup]:
    """Return every option in its group; `head_starts` says what `even_seats` gives, a sentence for each pack."""
    chosen = frozenset(on)
    more = {"even_seats": " ".join(head_starts)}
    return [
        RuleGroup(
            words.text(f"readings_{group}"), [_option(words, key, more.get(key, ""), on=key in chosen) for key in keys]
        )
        for group, keys in GROUPS.items()
    ]


def _option(words: Words, key: str, more: str, *, on: bool) -> RuleOption:
    title, hint, books = (words.text(f"rule_{key}{part}") for part in ("", "_hint", "_books"))
    return RuleOption(key, title, f"{hint} {more}".strip(), books, readings.CLAUSE_OF[key], on)


def head_starts(words: Words, starts: HeadStarts) -> str:
    """Return what each begins with who begins with something; several starts with the chance that each is drawn."""
    different = dict.fromkeys(starts)
    if len(different) == 1:
        return _of_everybody(words, starts[0])
    return " ".join(
        words.text("even_seats_drawn", n=starts.count(one), of=len(starts), starts=_of_everybody(words, one))
        for one in different
    )


def _of_everybody(words: Words, starts: Sequence[HeadStart]) -> str:
    return " ".join(
        words.text("even_seats_of", n=number, gains=", ".join(_gain(words, one) for one in icons))
        for number, icons in enumerate(starts, 1)
        if icons
    )


def _gain(words: Words, icon: Gain | Happiness) -> str:
    what = words.text(f"icon_{icon.resource}" if isinstance(icon, Gain) else "icon_happiness")
    return f"{what} {icon.amount}"


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


def head_starts_of_ours(words: Words, players: int) -> list[str]:
    """Return for each of our packs that has head starts for so many players what they are."""
    found = ((name, head_starts(words, _starts_of(name).get(players, ((),)))) for name in builtin_names())
    return [f"{name}: {told}" for name, told in found if told]


@lru_cache(maxsize=8)
def _starts_of(pack: str) -> Mapping[int, HeadStarts]:
    return builtin(pack).head_starts


def head_starts_in_force(words: Words, snapshot: Snapshot) -> list[str]:
    game = game_of(snapshot)
    return [] if game is None else [head_starts(words, game.box.head_starts.get(len(game.seats), ((),)))]


def in_force(snapshot: Snapshot) -> list[str]:
    """Return the options that the game is played by, also one that was the rule when it was begun."""
    game = game_of(snapshot)
    if game is None:
        return []
    return [*game.rules.as_json(), *(["income_late"] if game.rules.began_late else [])]
