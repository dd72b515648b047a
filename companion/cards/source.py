"""A TOML file as tables whose fields know their file and line, which tomllib does not report."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from companion.cards.pack import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from importlib.resources.abc import Traversable


Place = tuple[str | int, ...]
"""The way to a value: `("room", 3, "left")` is the left space of the fourth room."""

MOST_DIGITS: Final = 18
_LONG_NUMBER: Final = re.compile(r"\d[\d_]{999,}")
_AT: Final = re.compile(r" \(at (?:line (?P<line>\d+), column \d+|end of document)\)$")


@dataclass(frozen=True, slots=True)
class SourceField:
    """A value and where it was written."""

    raw: object
    file: str
    line: int


@dataclass(slots=True)
class Table:
    """The fields of one table; `line` is its header's (1 for a whole file)."""

    file: str
    line: int
    fields: dict[str, SourceField] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Source:
    """A file that is valid TOML."""

    file: str
    data: Mapping[str, object]
    lines: Mapping[Place, int]

    def table(self, *place: str | int) -> Table:
        """Return the table at a place; empty when there is none."""
        raw = self._at(place)
        fields = raw.items() if isinstance(raw, dict) else ()
        located = {key: SourceField(value, self.file, self.line((*place, key))) for key, value in fields}
        return Table(self.file, self.line(place), located)

    def line(self, place: Place) -> int:
        """Return the line of a place, or of what contains it."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def _at(self, place: Place) -> object:
        value: object = self.data
        for step in place:
            if isinstance(value, list) and isinstance(step, int):
                value = value[step]
            else:
                value = value.get(step) if isinstance(value, dict) else None
        return value


def parse_source(file: str, content: bytes) -> Source | Fault:
    """Parse a file's bytes, or return the one fault for which it cannot be read."""
    try:
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return Fault(file, line, "", f"byte 0x{content[error.start]:02x}", "text in UTF-8")
    try:
        data = tomllib.loads(text)
        source = Source(file, data, _lines(text))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        return _syntax_fault(file, text, str(error))
    except ValueError:  # Python reads no number of thousands of digits
        found = _LONG_NUMBER.search(text)
        return _too_long(file, text.count("\n", 0, found.start()) + 1 if found else 1)
    place = next(_long_numbers(data), None)
    return source if place is None else _too_long(file, source.line(place))


def _too_long(file: str, line: int) -> Fault:
    return Fault(file, line, "", f"a number of more than {MOST_DIGITS} digits", f"at most {MOST_DIGITS} digits")


def _long_numbers(raw: object, place: Place = ()) -> Iterator[Place]:
    """Find whole numbers that are too long to be meant; many could not even be printed."""
    if isinstance(raw, int) and abs(raw) >= 10**MOST_DIGITS:
        yield place
    elif isinstance(raw, dict):
        for key, value in raw.items():
            yield from _long_numbers(value, (*place, key))
    elif isinstance(raw, list):
        for nth, value in enumerate(raw):
            yield from _long_numbers(value, (*place, nth))


def _syntax_fault(file: str, text: str, message: str) -> Fault:
    at = _AT.search(message)
    line = int(at["line"]) if at and at["line"] else text.rstrip().count("\n") + 1
    return Fault(file, line, "", f"broken TOML ({_AT.sub('', message)})", "valid TOML")


@lru_cache(maxsize=64)
def _lines(text: str) -> Mapping[Place, int]:
    """Return every place of a valid TOML text with the line of its header or key; the same packs are read often."""
    return MappingProxyType(dict(_places(text)))


def _places(text: str) -> Iterator[tuple[Place, int]]:
    counts: dict[Place, int] = {}
    here: Place = ()
    for line, statement in _statements(text):
        raw = tomllib.loads(statement)
        if statement.lstrip().startswith("["):
            here = _header(raw, counts)
            yield here, line
            if here[-1] == 0:
                yield here[:-1], line
        else:
            yield from (((*here, *place), line) for place, _ in _walk(raw))


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield headers and `key = value`s with their first line: the shortest runs of lines that are valid TOML."""
    start, run = 1, ""
    for number, line in enumerate(text.split("\n"), 1):
        run += f"{line}\n"
        if not _is_toml(run):
            continue
        if run.strip() and not run.lstrip().startswith("#"):
            yield start, run
        start, run = number + 1, ""


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _header(raw: Mapping[str, object], counts: dict[Place, int]) -> Place:
    """Return the place that a header opens; one in double brackets opens the next table of its array."""
    *_, (place, value) = _walk(raw)
    if not isinstance(value, list):
        return _resolved(place, counts)
    array = (*_resolved(place[:-1], counts), place[-1])
    counts[array] = counts.get(array, -1) + 1
    return (*array, counts[array])


def _resolved(place: Place, counts: Mapping[Place, int]) -> Place:
    """Return the place with the index of the open table behind every array of tables."""
    full: Place = ()
    for step in place:
        full = (*full, step)
        if full in counts:
            full = (*full, counts[full])
    return full


def _walk(raw: Mapping[str, object], above: Place = ()) -> Iterator[tuple[Place, object]]:
    for key, value in raw.items():
        yield (*above, key), value
        if isinstance(value, dict):
            yield from _walk(value, (*above, key))


def read_folder(folder: Traversable, names: Iterable[str], faults: list[Fault]) -> dict[str, Source]:
    """Return the sources of the named files of a folder, as far as they can be read."""
    if not can_be_listed(folder, faults):
        return {}
    sources = {name: read_file(folder / name, faults) for name in names}
    return {name: source for name, source in sources.items() if source}


def can_be_listed(folder: Traversable, faults: list[Fault]) -> bool:
    try:
        next(iter(folder.iterdir()), None)
    except (OSError, ValueError) as error:
        faults.append(Fault(str(folder), 0, "", _reason(error), "a folder with a card pack"))
        return False
    return True


def read_file(file: Traversable, faults: list[Fault]) -> Source | None:
    try:
        content = file.read_bytes()
    except (OSError, ValueError) as error:
        faults.append(Fault(str(file), 0, "", _reason(error), "a readable file"))
        return None
    parsed = parse_source(str(file), content)
    if isinstance(parsed, Fault):
        faults.append(parsed)
        return None
    return parsed


def _reason(error: OSError | ValueError) -> str:
    reason = error.strerror if isinstance(error, OSError) else None
    return (reason or str(error)).lower()
