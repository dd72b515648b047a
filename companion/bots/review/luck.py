"""Luck apart from choices: what the dice brought everybody, beside what they bring on average.

Every roll counts by the chance that it had when it was made: whoever fights more often has more rolls, not more luck.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

from companion.bots.worth.odds import AT_LEAST, threatened
from companion.games.shelter.board.tracks import left_in_deck
from companion.games.shelter.events import FightRolled, ThreatRolled
from companion.games.shelter.words import NOBODY, THREATS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from companion.games.shelter.events import Event
    from companion.games.shelter.game import ShelterGame


class RollsJson(TypedDict):
    """So many rolls, how many of them came, and how many could be expected."""

    rolls: int
    came: int
    expected: float


class LuckJson(TypedDict):
    """A player's dice: fights, threats on the own level, and both together in standard deviations (more is luckier)."""

    fights: RollsJson
    threats: RollsJson
    deviations: float


@dataclass(slots=True)
class Rolls:
    rolls: int = 0
    came: int = 0
    expected: float = 0.0
    variance: float = 0.0

    def add(self, chance: float, *, came: bool) -> None:
        self.rolls += 1
        self.came += came
        self.expected += chance
        self.variance += chance * (1 - chance)

    def as_json(self) -> RollsJson:
        return {"rolls": self.rolls, "came": self.came, "expected": round(self.expected, 2)}


@dataclass(slots=True)
class Luck:
    """The rolls of one player: hits in fights are good, threats on the own level are not."""

    fights: Rolls = field(default_factory=Rolls)
    threats: Rolls = field(default_factory=Rolls)

    def as_json(self) -> LuckJson:
        better = self.fights.came - self.fights.expected - self.threats.came + self.threats.expected
        variance = self.fights.variance + self.threats.variance
        deviations = better / variance**0.5 if variance else 0.0
        return {
            "fights": self.fights.as_json(),
            "threats": self.threats.as_json(),
            "deviations": round(deviations, 2),
        }


def note(luck: dict[int, Luck], before: ShelterGame, events: Iterable[Event]) -> None:
    """Count the rolls of one move by the chance that each had; `before` is the game as it was."""
    cards = left_in_deck(before, THREATS) + len(before.discards[THREATS])
    for event in events:
        if isinstance(event, FightRolled):
            needed = max(0, event.number - event.bonus)
            luck[event.by].fights.add(AT_LEAST[needed], came=sum(event.dice) >= needed)
        elif isinstance(event, ThreatRolled) and cards:
            roll, owner = event.roll, before.owners[event.roll.level]
            if owner != NOBODY:
                luck[owner].threats.add(float(threatened(before, roll.level)), came=roll.space >= 0)
            cards -= roll.space >= 0
