"""One text form for everything that is written down, and the hash by which each entry holds on to the one before."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final, TypeAlias

from companion.refusal import Refusal

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"
"""Anything that JSON can say."""
JsonObject: TypeAlias = dict[str, JsonValue]
"""An object as it came from outside: nobody has looked into it yet."""
NO_HASH: Final = "0" * 64
"""What stands before the first entry of a game."""

_HASH_FIELD: Final = ',"hash":"'
_END: Final = '"}'


def text_of(value: object) -> str:
    """Serialize a value in the one form that hashes rely on: keys in order, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def is_writable(value: object) -> bool:
    """Whether something from outside can be written down and read again."""
    try:
        refuse_unless_writable(value, "")
    except Refusal:
        return False
    return True


def refuse_unless_writable(value: object, field: str) -> None:
    """What cannot be written down and read again (not a number, half a character, no end) is no part of a record."""
    try:
        text_of(value).encode()
    except (ValueError, TypeError, RecursionError) as error:
        raise Refusal("malformed", None, f"{field} cannot be written down: {error}", field=field) from error


def hash_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def sealed(text: str, hash_: str) -> str:
    """An entry's text with its hash written into it: one line of a journal."""
    return f"{text[:-1]}{_HASH_FIELD}{hash_}{_END}"


def opened(line: str) -> tuple[str, str] | None:
    """An entry's text and hash out of a line of a journal; nothing if the line is no such line."""
    text, found, hash_ = line.rpartition(_HASH_FIELD)
    if not found or len(hash_) != len(NO_HASH) + len(_END) or not hash_.endswith(_END):
        return None
    return text + "}", hash_[: -len(_END)]


def seal(value: JsonObject | dict[str, Any]) -> str:
    """Serialize an object with its hash in it, for a file that is believed as a whole or not at all."""
    text = text_of(value)
    return sealed(text, hash_of(text))


def unseal(line: object) -> dict[str, Any] | None:
    """Return the object of a sealed line; None where it is not what was written."""
    text, hash_ = (opened(line) if isinstance(line, str) else None) or ("", "")
    found: dict[str, Any] | None = json.loads(text) if text and hash_of(text) == hash_ else None
    return found
