"""What the doctor finds: a code and its fields; the words are in the catalogues."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.games.api import Json


class State(StrEnum):
    """How something is."""

    OK = "ok"
    NOTE = "note"
    """Not as it could be; people can play."""
    FAIL = "fail"
    """Does not work."""


@dataclass(frozen=True, slots=True)
class Running:
    """A companion that runs: a word for each of its parts, and what its devices have to say (`devices` of a state)."""

    parts: dict[str, str]
    devices: dict[str, Json] = field(default_factory=dict)

    def hint(self, device: str) -> Json:
        """What to do about a device, as a state shows it; empty where it has said nothing."""
        said = self.devices.get(device, {})
        return said if said.get("hint") else {}


@dataclass(frozen=True, slots=True)
class Check:
    """One line. `needed`: without it there is no playing, or something is missing that the configuration names."""

    name: str
    state: State
    code: str
    fields: dict[str, object] = field(default_factory=dict)
    needed: bool = False

    @property
    def is_bad(self) -> bool:
        """Whether the doctor should fail because of this."""
        return self.needed and self.state is State.FAIL


def ok(name: str, /, **fields: object) -> Check:
    """All is well."""
    return Check(name, State.OK, f"{name}_ok", fields)


def note(name: str, what: str, /, **fields: object) -> Check:
    """Something people can play without."""
    return Check(name, State.NOTE, f"{name}_{what}", fields)


def fail(name: str, what: str, /, *, needed: bool, **fields: object) -> Check:
    """Something does not work."""
    return Check(name, State.FAIL, f"{name}_{what}", fields, needed)
