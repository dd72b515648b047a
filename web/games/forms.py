"""Fields of a form: what each holds, what else it may be, and what somebody has set it to; who plays a new game."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.games.api import COLOURS
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

NUMBER, STEPS, PICK, TICK, TEXT = "number", "steps", "pick", "tick", "text"
MOST_DIGITS = 9
LONGEST_NAME = 24


@dataclass(frozen=True, slots=True)
class FormField:
    """One field: its value as a form has it, and what else it may be."""

    name: str
    label: str
    kind: str
    value: str
    options: tuple[tuple[str, str], ...] = ()
    least: int = 0


@dataclass(frozen=True, slots=True)
class FormGroup:
    title: str
    fields: list[FormField] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FormPart:
    key: str
    title: str
    colour: str
    groups: list[FormGroup]

    @property
    def values(self) -> dict[str, str]:
        """What the record has, field by field."""
        return {one.name: one.value for group in self.groups for one in group.fields}

    @property
    def mark(self) -> str:
        """A hash of the values: whoever sends the form has seen these."""
        return hashlib.sha256(repr(sorted(self.values.items())).encode()).hexdigest()[:16]

    def sent(self, form: Mapping[str, str]) -> dict[str, str]:
        """Return what the fields have been set to; a field that was not sent is as it was, but for ticks."""
        values = {}
        for group in self.groups:
            for one in group.fields:
                raw = str(form.get(one.name, "" if one.kind == TICK else one.value)).strip()
                values[one.name] = _checked(one, raw)
        return values


def _checked(one: FormField, raw: str) -> str:
    known = {value for value, _ in one.options} | {one.value}
    if one.kind in (NUMBER, STEPS) and not (raw.isdecimal() and raw.isascii() and len(raw) <= MOST_DIGITS):
        raise Refusal("malformed", None, f"{one.label} is a whole number.", field=one.name)
    if one.kind == PICK and raw not in known:
        raise Refusal("malformed", None, f"{one.label} is one of those listed.", field=one.name)
    return ("on" if raw else "") if one.kind == TICK else raw


def players_of(form: Mapping[str, str]) -> tuple[list[str], dict[str, str]]:
    """Return who plays a new game, clockwise, and the names they gave; equal places keep the order of the colours."""
    players = [colour for colour in COLOURS if form.get(f"plays_{colour}")]
    names = {colour: str(form.get(f"name_{colour}", "")).strip()[:LONGEST_NAME] for colour in players}
    seated = sorted(players, key=lambda colour: str(form.get(f"place_{colour}", "")))
    return seated, {colour: name for colour, name in names.items() if name}
