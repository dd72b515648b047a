"""The rules reference: short entries in a reader's words, found by their ids, by what leads to them, and by search."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.games import registry
from companion.languages import catalogues

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from importlib.resources.abc import Traversable

TABLE: Final = "table"
"""The entries about the table itself, which every game has besides its own."""
TABLES: Final = {"refused-": "refusals", "do-": "buttons", "choice-": "choices", "i-": "icons"}
"""How an address names what leads to an entry, and the table that knows where to."""
CLAUSE: Final = re.compile(r"([A-Z]+(?:-[A-Z]+)?)-?\d+")
LIKE: Final = str.maketrans({"ł": "l"})
LONGEST_SEARCH: Final = 60


class RuleEntry(NamedTuple):
    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """The entries of a game, or of the table, in the order of the reader's alphabet."""

    name: str
    entries: list[RuleEntry]


class Leads(NamedTuple):
    """What leads to which entry of a game: by table, and for clauses by whole parts too."""

    tables: Mapping[str, Mapping[str, str]]
    see: Mapping[str, list[str]]

    def entry_of(self, key: str) -> str:
        """Return the entry that a refusal, button, choice, icon or clause is explained by; empty for anything else."""
        for prefix, table in TABLES.items():
            if key.startswith(prefix) and (found := self.tables.get(table, {}).get(key.removeprefix(prefix))):
                return found
        clauses = self.tables.get("clauses", {})
        named = CLAUSE.fullmatch(key)
        return clauses.get(key) or (clauses.get(named[1], "") if named else "")


@lru_cache(maxsize=16)
def leads(name: str) -> Leads:
    """Return what leads to the entries of a game or of the table; nothing for a game that brings no reference."""
    file = _file_of(name)
    found = tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    see = found.pop("see", {})
    return Leads(found, see)


def _file_of(name: str) -> Traversable:
    if name == TABLE:
        return resources.files("web.pages.rules") / "reference.toml"
    return resources.files("companion.games") / name / "reference.toml"


def entries(name: str, language: str) -> dict[str, RuleEntry]:
    """Return the entries of a game or of the table by their ids, in English where the language has none."""
    found = {}
    for key, told in catalogues.texts(language, f"rules/{name}").items():
        title, _, text = told.partition("\n")
        found[key] = RuleEntry(key, title, text)
    return found


def sections(game: str, language: str, asked: str = "") -> list[Section]:
    """Return the entries of a game and of the table: all of them, or those that a search finds, the likeliest first."""
    found = [Section(name, _sought(entries(name, language).values(), asked)) for name in (game, TABLE)]
    return [one for one in found if one.entries]


def _sought(every: Iterable[RuleEntry], asked: str) -> list[RuleEntry]:
    sought = folded(asked)
    words = sought.split()
    hits = [one for one in every if all(word in folded(f"{one.title} {one.text}") for word in words)]
    return sorted(hits, key=lambda one: (_rank(folded(one.title), sought), folded(one.title)))


def _rank(title: str, sought: str) -> int:
    return 0 if title.startswith(sought) else 1 if sought in title else 2


def folded(text: str) -> str:
    """Return a text as it is searched: without case, accents and strokes. The page's script does the same."""
    plain = unicodedata.normalize("NFKD", text.casefold()).translate(LIKE)
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def find(game: str, language: str, key: str) -> tuple[str, RuleEntry] | None:
    """Return the entry that an address means, with whose it is: this game's, the table's, or another game's."""
    for name in dict.fromkeys((game, TABLE, *registry.names())):
        known = entries(name, language)
        if (found := known.get(leads(name).entry_of(key) or key)) is not None:
            return name, found
    return None


def related(name: str, language: str, entry: str) -> list[RuleEntry]:
    known = entries(name, language)
    return [known[one] for one in leads(name).see.get(entry, []) if one in known]


def games() -> list[str]:
    """Return the games that bring entries."""
    return [name for name in registry.names() if entries(name, catalogues.DEFAULT)]
