"""Real dice: what was thrown for a roll that is asked is offered to whoever rolls, and never played by itself."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from companion.table.desk import Desk
    from companion.table.reading import Reading, Thrown

ROLL: Final = "roll"
MOVED: Final = 4.0
"""Millimetres that both dice must have moved since the roll was asked: dice that lay there were not thrown for it."""


@dataclass(frozen=True, slots=True)
class Throw:
    """The roll that is asked, how the dice lay when it was, and how they lay at the last look."""

    asked: int = 0
    by: str | None = None
    before: tuple[Thrown, ...] = ()
    last: tuple[Thrown, ...] = ()
    offered: tuple[int, ...] = ()


def see(desk: Desk, reading: Reading) -> None:
    """A look at the table: dice that came to rest for this roll are offered once two looks agree on them."""
    if reading.table != "found" or reading.hand:
        return
    throw, roll = desk.throw, _asked(desk)
    if roll is None or roll["id"] != throw.asked:
        by = None if roll is None else roll["by"]
        desk.throw = Throw(0 if roll is None else roll["id"], by, reading.dice, reading.dice)
        return
    values = tuple(sorted(die.value for die in reading.dice))
    agreed = values == tuple(sorted(die.value for die in throw.last))
    fresh = len(values) == 2 and agreed and _thrown(throw.before, reading.dice)  # noqa: PLR2004 - two dice
    desk.throw = Throw(throw.asked, throw.by, throw.before, reading.dice, values if fresh else ())


def as_json(desk: Desk) -> dict[str, Any] | None:
    """The offer, as long as its roll is asked."""
    throw, roll = desk.throw, _asked(desk)
    if not throw.offered or roll is None or roll["id"] != throw.asked:
        return None
    return {"id": throw.asked, "by": throw.by, "dice": list(throw.offered)}


def _asked(desk: Desk) -> dict[str, Any] | None:
    """The roll that is asked first."""
    if desk.keeper is None or desk.sitting.frozen is not None:
        return None
    pending: list[dict[str, Any]] = desk.sitting.state()["pending"]
    return next((one for one in pending if ROLL in one["options"]), None)


def _thrown(before: tuple[Thrown, ...], now: tuple[Thrown, ...]) -> bool:
    """Whether each die lies elsewhere than any did before."""
    return all(hypot(die.x - old.x, die.y - old.y) > MOVED for die in now for old in before)
