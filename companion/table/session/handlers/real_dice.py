"""Real dice: a throw for the roll that is asked is offered to the player who rolls, and never played by itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import hypot
from typing import TYPE_CHECKING, Final, NotRequired, TypedDict

from companion.refusal import Refusal
from companion.table.session.events import DiceThrown, DiceUnsure

if TYPE_CHECKING:
    from companion.canonical import JsonObject
    from companion.games.api import Roll
    from companion.games.json_types import MoveJson
    from companion.table.session.intents import Speaker
    from companion.table.session.state import SessionState
    from companion.table.sight.reading import Reading, Thrown

MOVED: Final = 4.0
"""Millimetres that both dice must have moved since the roll was asked: dice that lay there were not thrown for it."""
DICE: Final = 2


@dataclass(frozen=True, slots=True)
class DiceThrow:
    """The roll that is asked, how the dice lay when it was, and what has been thrown for it since."""

    roll: Roll | None = None
    before: tuple[Thrown, ...] = ()
    last: tuple[Thrown, ...] | None = None
    """How they lay when they were last read for certain; None before that."""
    thrown: tuple[tuple[int, ...], ...] = ()
    """What may be taken: a throw, or one for every level so far."""
    unsure: int = 0
    """Looks in a row at which the dice could not be read."""


def see(session: SessionState, reading: Reading) -> None:
    """Offer dice that came to rest for the roll that is asked, once two looks agree on them."""
    if reading.table != "found" or reading.hand:
        return
    throw, roll = session.throw, _roll_asked(session)
    last = throw.last if throw.last is not None or reading.dice_unsure else reading.dice
    if roll != throw.roll:  # nobody may have looked since it was asked: what lies elsewhere now was thrown for it
        throw = DiceThrow(roll, last or (), last)
    if roll is None:
        session.throw = DiceThrow(None, last=last if reading.dice_unsure else reading.dice)
    elif reading.dice_unsure:
        session.throw = replace(throw, unsure=throw.unsure + 1, thrown=_untouched(throw))
        if session.throw.unsure == DICE:
            session.events.append(DiceUnsure(roll.by))
    else:
        _read(session, throw, reading.dice)


def _read(session: SessionState, throw: DiceThrow, dice: tuple[Thrown, ...]) -> None:
    """Decide whether two read dice, or none, are a throw."""
    values = tuple(sorted(die.value for die in dice))
    agreed = values == tuple(sorted(die.value for die in throw.last or ())) and not throw.unsure
    fresh = len(values) == DICE and agreed and _moved(throw.before, dice)
    roll, thrown = throw.roll, throw.thrown
    if roll is not None and roll.levels:
        if fresh and len(thrown) < len(roll.levels):
            session.throw = DiceThrow(roll, dice, dice, (*thrown, values))
            session.events.append(DiceThrown(values, level=roll.levels[len(thrown)]))
        else:
            session.throw = DiceThrow(roll, throw.before, dice, thrown)
        return
    session.throw = DiceThrow(roll, throw.before, dice, (values,) if fresh else ())
    if fresh and roll is not None and thrown != (values,):
        session.events.append(DiceThrown(values, by=roll.by))


def _untouched(throw: DiceThrow) -> tuple[tuple[int, ...], ...]:
    """Keep what was thrown for a level; a single roll is offered only while its dice are read."""
    return throw.thrown if throw.roll is not None and throw.roll.levels else ()


def again(session: SessionState, move: JsonObject, speaker: Speaker) -> None:
    """Drop the last throw, which fell from the table or was misread, so that it is thrown again."""
    throw = session.throw
    if throw.roll is None or throw.roll != _roll_asked(session) or not throw.thrown:
        raise Refusal("nothing_thrown", None, "No dice have been thrown for a roll that is asked.")
    if not speaker.may_speak_for(throw.roll.by):
        raise Refusal("not_yours", None, "That roll is another player's.", by=throw.roll.by)
    if move.keys() - {"do", "by"}:
        raise Refusal("malformed", None, "rethrow takes nothing.", field=min(move.keys() - {"do", "by"}))
    session.throw = DiceThrow(throw.roll, throw.last or (), throw.last, throw.thrown[:-1])


class DiceJson(TypedDict):
    """What was thrown with real dice, and the moves that would take it."""

    kind: str
    id: int | None
    by: str | None
    dice: list[list[int]]
    unsure: bool
    levels: NotRequired[list[int]]
    moves: NotRequired[list[MoveJson]]


def as_json(session: SessionState) -> DiceJson | None:
    """Return the offer, or that the dice cannot be read, as long as their roll is asked."""
    throw, roll = session.throw, _roll_asked(session)
    unsure = throw.unsure >= DICE
    if roll is None or roll != throw.roll or not (throw.thrown or unsure):
        return None
    dice = [list(values) for values in throw.thrown]
    said: DiceJson = {"kind": roll.kind, "id": roll.id, "by": roll.by, "dice": dice, "unsure": unsure}
    if roll.levels:
        said["levels"] = list(roll.levels)
    said["moves"] = [{**move, "dice": dice} for move in roll.moves] if dice else []
    return said


def _roll_asked(session: SessionState) -> Roll | None:
    """Return the roll that is asked first."""
    if session.played is None or not session.watched or session.open_game.frozen is not None:
        return None
    return session.open_game.rules.roll(session.open_game.state())


def _moved(before: tuple[Thrown, ...], now: tuple[Thrown, ...]) -> bool:
    """Whether each die lies elsewhere than any did before."""
    return all(hypot(die.x - old.x, die.y - old.y) > MOVED for die in now for old in before)
