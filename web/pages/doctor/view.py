"""What the doctor has found, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.table.ports import Hint, as_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.table.ports import Check
    from web.base.words import Words


@dataclass(frozen=True, slots=True)
class DoctorLine:
    """One line: what it is about, how that is, and what to do."""

    state: str
    title: str
    told: str
    how: str


def findings(words: Words, checks: Iterable[Check]) -> list[DoctorLine]:
    return [
        DoctorLine(check.state.value, words.text(f"doctor_name_{check.name}"), told(words, check), _how(words, check))
        for check in checks
    ]


def told(words: Words, check: Check) -> str:
    return words.text(f"doctor_{check.code}", **{name: _worded(words, value) for name, value in check.fields.items()})


def _worded(words: Words, value: Any) -> Any:
    """Say a hint in the reader's language, be it our own or another companion's."""
    if isinstance(value, Hint):
        return words.hint(as_json(value))
    return words.hint(value) if isinstance(value, dict) else value


def _how(words: Words, check: Check) -> str:
    return words.text(f"doctor_state_{check.state.value}")
