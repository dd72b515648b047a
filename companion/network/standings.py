"""The standings of an evening: wins first, then happiness, then what breaks a tie in the game itself (E3)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BREAK_OF_DAY: Final = time(5)
"""An evening ends when nobody plays any more, not at midnight."""
TIE_BREAKS: Final = ("happiness", "cubes", "dwellers", "items")


def began(now: datetime) -> datetime:
    """The last five o'clock in the morning, where we are."""
    today = datetime.combine(now.date(), BREAK_OF_DAY, now.tzinfo)
    return today if now >= today else today - timedelta(days=1)


@dataclass(slots=True)
class Standing:
    """Somebody's evening."""

    name: str
    table: str
    colour: str
    rank: int = 0
    games: int = 0
    wins: int = 0
    sums: Counter[str] = field(default_factory=Counter)

    @property
    def measure(self) -> tuple[int, ...]:
        """What they are ranked by."""
        return (self.wins, *(self.sums[kind] for kind in TIE_BREAKS))

    def as_json(self) -> dict[str, Any]:
        """For pages and exports."""
        return {
            "rank": self.rank,
            "name": self.name,
            "table": self.table,
            "colour": self.colour,
            "games": self.games,
            "wins": self.wins,
            **{kind: self.sums[kind] for kind in TIE_BREAKS},
        }


def standings(results: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Everybody who has finished a game: a typed name is the same at every table, a bare colour is its table's."""
    people: dict[tuple[str, str], Standing] = {}
    for result in results:
        for colour, score in result["players"].items():
            named = score["name"] != colour.capitalize() and bool(score["name"])
            key = ("", score["name"].casefold()) if named else (result["table"], colour)
            found = people.setdefault(key, Standing(score["name"] if named else "", result["table"], colour))
            found.table = found.table if found.table == result["table"] else ""
            found.colour = found.colour if found.colour == colour else ""
            found.games += 1
            found.wins += score["won"]
            found.sums.update({kind: score[kind] for kind in TIE_BREAKS})
    return [one.as_json() for one in _ranked(list(people.values()))]


def _ranked(people: Sequence[Standing]) -> list[Standing]:
    """Who is equal in everything shares a rank."""
    order = sorted(people, key=lambda one: (*(-number for number in one.measure), one.name.casefold(), one.table))
    for place, one in enumerate(order, 1):
        before = order[place - 2] if place > 1 else None
        one.rank = before.rank if before is not None and before.measure == one.measure else place
    return order
