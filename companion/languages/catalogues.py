"""Texts of a language, found by looking into its folder; what is missing is said in English."""

from __future__ import annotations

import re
import tomllib
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from importlib.resources.abc import Traversable

DEFAULT: Final = "en"
HEAD: Final = "language.toml"
FOLDER: Final = "languages"
"""Where an owner's languages are, beside the record."""
CODE: Final = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})?")
OTHER: Final = "other"
CARDS: Final = "cards"
"""Names of cards are missed by the pack that has the cards."""
TERMINAL: Final = "terminal"
"""What is said on a terminal is English in every language."""
RULES: Final = "rules"
"""Each file of it is a catalogue of its own: two games may call an entry the same."""
_owners: list[Path] = []
_faults: dict[str, str] = {}


class LanguageError(ValueError):
    """A plural rule that cannot be read."""


def look_in(folder: Path) -> None:
    """Find languages in an owner's folder too; they come before those of the same code that we bring."""
    if folder not in _owners:
        _owners.append(folder)
        forget()


def forget() -> None:
    """Read everything anew when it is next asked for."""
    _faults.clear()
    for cached in (_folders, language, catalogue, texts, card_texts):
        cached.cache_clear()


def faults() -> list[str]:
    """Return all that is wrong in the languages; English is said instead."""
    files = _files_of(DEFAULT)
    known = {file.partition("/")[0] for file in files}
    named = {_catalogue_of(file) for file in files} - {HEAD.removesuffix(".toml"), CARDS, TERMINAL}
    for code in codes():
        language(code)
        for name in sorted(named):
            texts(code, name)
        for file in _files_of(code):
            if file.partition("/")[0] not in known:
                _faults[f"{code} {file}"] = f"{code}/{file}: no file of a language: {', '.join(sorted(known))}"
    return sorted(_faults.values())


def codes() -> tuple[str, ...]:
    """Return the codes of all languages, English first."""
    return (DEFAULT, *sorted(set(_folders()) - {DEFAULT}))


def names() -> dict[str, str]:
    """Return every language's own name by its code."""
    return {code: language(code).name for code in codes()}


def _catalogue_of(file: str) -> str:
    """Return the catalogue that a file belongs to: the folder's, or one for itself."""
    folder, _, _ = file.partition("/")
    return (file if folder == RULES else folder).removesuffix(".toml")


@lru_cache(maxsize=1)
def _folders() -> dict[str, tuple[Traversable, ...]]:
    """The folders of each language, an owner's last: what it says counts."""
    found: dict[str, tuple[Traversable, ...]] = {}
    for root in (resources.files("companion.languages"), *_owners):
        for folder in sorted(_children(root), key=lambda one: one.name):
            known = folder.name in found
            if CODE.fullmatch(folder.name) and folder.is_dir() and (known or (folder / HEAD).is_file()):
                found[folder.name] = (*found.get(folder.name, ()), folder)
            elif isinstance(root, Path) and root in _owners:
                _faults[str(folder)] = f"{folder}: no language: a folder named by its code, such as de, with a {HEAD}"
    return found


def _children(root: Traversable) -> Iterator[Traversable]:
    try:
        is_there = root.is_dir()
    except PermissionError:  # in a folder that is closed to this user: whoever it is for, it is not for them
        is_there = False
    return root.iterdir() if is_there else iter(())


class Language:
    """A language: its own name, and which form of a noun stands behind a whole number."""

    def __init__(self, code: str, name: str, plurals: Mapping[str, str]) -> None:
        self.code = code
        self.name = name
        self._plurals = {category: _alternatives(rule) for category, rule in plurals.items()}

    @cached_property
    def forms(self) -> tuple[str, ...]:
        """The forms that whole numbers take."""
        return tuple(dict.fromkeys(self.form(number) for number in range(1000)))

    def form(self, number: int) -> str:
        """Return the CLDR category of a whole number."""
        for category, alternatives in self._plurals.items():
            if any(all(relation.holds(abs(number)) for relation in one) for one in alternatives):
                return category
        return OTHER


class _Relation:
    """One comparison of a CLDR plural rule, such as `i % 10 = 2..4`."""

    FORM: Final = re.compile(r"([nivfte])(?: % (\d+))? (!?=) ([\d.,]+)")

    def __init__(self, text: str) -> None:
        parsed = self.FORM.fullmatch(text.strip())
        if parsed is None:
            raise LanguageError(f"{text.strip()!r} is no comparison of a plural rule, such as 'i % 10 = 2..4'")
        self._operand, modulus, relation, ranges = parsed.groups()
        self._modulus = int(modulus or 0)
        self._equal = relation == "="
        self._ranges = [
            (int(low), int(high or low)) for low, _, high in (one.partition("..") for one in ranges.split(","))
        ]

    def holds(self, number: int) -> bool:
        """Return whether a whole number fulfils it: it has no fraction, so that only `n` and `i` are not nought."""
        value = number if self._operand in "ni" else 0
        value = value % self._modulus if self._modulus else value
        return any(low <= value <= high for low, high in self._ranges) is self._equal


def _alternatives(rule: str) -> list[list[_Relation]]:
    return [[_Relation(part) for part in one.split(" and ")] for one in rule.split(" or ")]


@lru_cache(maxsize=64)
def language(code: str) -> Language:
    """Return what `language.toml` says of a language."""
    head = catalogue_file(code, HEAD)
    name, plurals = head.get("name"), head.get("plurals", {})
    rules = {str(category): str(rule) for category, rule in plurals.items()} if isinstance(plurals, dict) else {}
    try:
        return Language(code, str(name or code), rules)
    except LanguageError as error:
        _faults[f"{code} {HEAD}"] = f"{code}/{HEAD}: {error}"
        return Language(code, str(name or code), {})


def catalogue_file(code: str, file: str) -> dict[str, object]:
    """Return what a file says in all folders of a language."""
    found: dict[str, object] = {}
    for folder in _folders().get(code, ()):
        path = folder.joinpath(*file.split("/"))
        if path.is_file():
            try:
                found |= tomllib.loads(path.read_text(encoding="utf-8"))
            except (OSError, ValueError, RecursionError) as error:
                _faults[str(path)] = f"{path}: {error}"
    return found


@lru_cache(maxsize=512)
def catalogue(code: str, name: str) -> Mapping[str, str]:
    """Return the texts of one catalogue (`voice`), or of a folder of them (`pages`), in one language alone."""
    files = {
        f"{name}/{file.name}"
        for folder in _folders().get(code, ())
        for file in _children(folder / name)
        if file.name.endswith(".toml")
    }
    found: dict[str, str] = {}
    for file in sorted(files) or [f"{name}.toml"]:
        found |= {key: text for key, text in catalogue_file(code, file).items() if isinstance(text, str)}
    return found


@lru_cache(maxsize=512)
def texts(code: str, name: str) -> Mapping[str, str]:
    """Return the texts of a catalogue; what the language has not, or with other fields, is English."""
    english = catalogue(DEFAULT, name)
    found = dict(english)
    for key, text in catalogue(code, name).items():
        model = english.get(key) or english.get(f"{key.partition('.')[0]}.{OTHER}")
        wrong = _wrong(text, model)
        if wrong:
            _faults[f"{code} {name} {key}"] = f"{code}/{name}: {key} = {text!r}: {wrong}"
        else:
            found[key] = text
    return found


def _wrong(text: str, model: str | None) -> str:
    """Return what is wrong with a text, beside the English one; empty where nothing is."""
    if model is None:
        return "there is no such text"
    try:
        fits = _fields(text) <= _fields(model)
    except ValueError:
        fits = False
    return "" if fits else f"expected the fields of {model!r}"


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def card_names(pack: str) -> dict[str, Traversable]:
    """Return the files with the names of a pack's cards, by language."""
    found = {}
    for code, folders in _folders().items():
        for folder in folders:
            file = folder / CARDS / f"{pack}.toml"
            if file.is_file():
                found[code] = file
    return found


@lru_cache(maxsize=64)
def card_texts(code: str, pack: str) -> Mapping[str, str]:
    """Return what stands on a pack's cards in a language, by what stands there in English."""
    told = catalogue_file(code, f"{CARDS}/{pack}.toml")
    return {english: text for english, text in told.items() if isinstance(text, str)}


def missing(code: str) -> dict[str, list[str]]:
    """Return the texts that English has and this language does not, by the file that has them in English."""
    found = {}
    own = language(code)
    for file in _files_of(DEFAULT):
        if file.startswith((f"{TERMINAL}/", f"{CARDS}/", HEAD)):
            continue
        theirs, ours = catalogue(code, _catalogue_of(file)), catalogue_file(DEFAULT, file)
        wanted = {key for key in ours if "." not in key and not isinstance(ours[key], dict)}
        counted = {key.partition(".")[0] for key in ours if "." in key}
        wanted |= {f"{key}.{form}" for key in counted for form in own.forms}
        if lacking := sorted(wanted - theirs.keys()):
            found[file] = lacking
    return found


def _files_of(code: str) -> list[str]:
    found = set()
    for root in _folders().get(code, ()):
        for one in _children(root):
            if one.is_file() and one.name.endswith(".toml"):
                found.add(one.name)
            elif one.is_dir():
                found |= {f"{one.name}/{file.name}" for file in _children(one) if file.name.endswith(".toml")}
    return sorted(found)
