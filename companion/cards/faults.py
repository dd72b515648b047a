"""What is wrong with a pack, all of it at once: where, what was found, what was expected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One fault. Line 0 is the file as a whole; without a card, `card` is empty."""

    file: str
    line: int
    card: str
    found: str
    expected: str

    def __str__(self) -> str:
        line = f"{self.file}:{self.line}: {self.card or '-'}: found {self.found}, expected {self.expected}"
        return "".join(character if character.isprintable() else "?" for character in line)


class PackFaults(ValueError):  # noqa: N818 - it is the list of faults, not one error
    """A pack that cannot be used, with every fault that it has."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(sorted(set(faults)))
        super().__init__(self.faults)

    def __str__(self) -> str:
        return "\n".join(map(str, self.faults))
