"""What to do about a device: English for logs and scripts, and a code with fields for pages in other languages."""

from __future__ import annotations

from typing import Any, Self


class Hint(str):
    """A sentence that knows which one it is. Fields may be hints themselves."""

    __slots__ = ("code", "fields")
    code: str
    fields: dict[str, str]

    def __new__(cls, code: str, text: str, /, **fields: object) -> Self:
        """`text` is the English one, its fields in braces."""
        told = {name: value if isinstance(value, Hint) else str(value) for name, value in fields.items()}
        made = super().__new__(cls, text.format(**told) if told else text)
        made.code, made.fields = code, told
        return made

    def __str__(self) -> str:
        """Itself, so that an error which carries it can be asked for it."""
        return self


def as_json(hint: str) -> dict[str, Any]:
    """As a state shows it: the sentence, and what it is made of where that is known."""
    if not isinstance(hint, Hint):
        return {"hint": hint}
    fields = {name: as_json(value) if isinstance(value, Hint) else value for name, value in hint.fields.items()}
    return {"hint": str.__str__(hint), "code": hint.code, "fields": fields}
