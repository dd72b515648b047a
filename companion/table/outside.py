"""Read JSON and numbers that somebody outside has written: bounded values, or the refusal `malformed`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import SplitResult, urlsplit

from companion.refusal import Refusal

if TYPE_CHECKING:
    from pathlib import Path

MOST_DIGITS: Final = 18
LONGEST_KEY: Final = 200
DEEPEST: Final = 20
LARGEST_FILE: Final = 1024 * 1024
_TOO_LARGE: Final = 10**MOST_DIGITS


def read_json(content: bytes | str, field: str) -> Any:
    """Return the value of a JSON text; `field` names what was read in the refusal."""
    try:
        value = json.loads(content, parse_int=_whole, parse_float=_fraction, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise Refusal("malformed", None, f"{field} is no JSON.", field=field) from error
    except _TooLargeError as error:
        raise Refusal("malformed", None, f"{field}: {error}", field=field) from error
    _refuse_unless_small(value, field)
    return value


def read_object(content: bytes | str, field: str) -> dict[str, Any]:
    """Return a JSON object."""
    value = read_json(content, field)
    if not isinstance(value, dict):
        raise Refusal("malformed", None, f"{field} is no JSON object.", field=field)
    return value


def read_file(path: Path) -> Any:
    """Return the value of a small JSON file of ours, which a full card or a person may have damaged.

    What it holds instead is a ValueError, however large or deep it is.
    """
    with path.open("rb") as file:
        content = file.read(LARGEST_FILE + 1)
    if len(content) > LARGEST_FILE:
        raise ValueError(f"{path.name} has more than {LARGEST_FILE} bytes")
    try:
        return read_json(content, path.name)
    except Refusal as refusal:
        raise ValueError(refusal.message) from refusal


def read_number(text: str, field: str) -> int | None:
    """Return a whole number as it stands in an address or a header; None where there is none."""
    if not text.isdecimal() or not text.isascii():
        return None
    if len(text) > MOST_DIGITS:
        raise Refusal("malformed", None, f"{field} has more than {MOST_DIGITS} digits.", field=field)
    return int(text)


def split_address(address: str) -> SplitResult:
    """Return the parts of an address that a browser has named; of a broken one none."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


class _TooLargeError(Exception):
    """A number that is longer than any of ours; no ValueError, which is what broken JSON is."""

    def __init__(self) -> None:
        super().__init__(f"a number has at most {MOST_DIGITS} digits.")


def _whole(text: str) -> int:
    if len(text.lstrip("-")) > MOST_DIGITS:
        raise _TooLargeError
    return int(text)


def _fraction(text: str) -> float:
    value = float(text)
    digits = text.lower().partition("e")[0].lstrip("-").replace(".", "").lstrip("0")
    if len(digits) > MOST_DIGITS or not abs(value) < _TOO_LARGE:
        raise _TooLargeError
    return value


def _no_number(name: str) -> float:
    raise ValueError(name)


def _refuse_unless_small(value: object, field: str) -> None:
    """Go down level by level, so that no depth is too much for this itself."""
    level: list[object] = [value]
    depth = 0
    while level:
        if any(isinstance(one, str) and not _is_text(one) for one in level):
            raise Refusal("malformed", None, f"{field} holds half a character.", field=field)
        depth += any(isinstance(one, dict | list) for one in level)
        if depth > DEEPEST:
            raise Refusal("malformed", None, f"{field} is nested deeper than {DEEPEST} levels.", field=field)
        below: list[object] = []
        for one in level:
            if isinstance(one, dict):
                below += _keys(one, field)
                below += one.values()
            elif isinstance(one, list):
                below += one
        level = below


def _keys(one: dict[str, object], field: str) -> list[str]:
    if any(len(key) > LONGEST_KEY for key in one):
        raise Refusal("malformed", None, f"{field}: a key has at most {LONGEST_KEY} characters.", field=field)
    return list(one)


def _is_text(text: str) -> bool:
    """Whether a text can be written down: JSON may name half a character, which no file and no hash takes."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
