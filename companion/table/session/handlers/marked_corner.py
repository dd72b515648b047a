"""The marked corner: a drawn card and thrown dice that lie there answer what is asked, once they have come to rest."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Final

from companion.games.api import CornerFace
from companion.refusal import Refusal
from companion.table.session.events import MoveRefused

if TYPE_CHECKING:
    from companion.table.session.state import SessionState
    from companion.table.sight.reading import CornerDie, Reading

MOVED: Final = 4.0
"""Millimetres that a die must have moved since it was asked for: one that lay there was not thrown for it."""
MOST: Final = 4
"""Answers that one look can give: three dice, or a card."""
Lying = tuple[str | None, tuple["CornerDie", ...]]


@dataclass(frozen=True, slots=True)
class CornerWatch:
    """What is asked, what lay in the corner when it was, and what lay there at the last look."""

    asked: int | None = None
    before: Lying = (None, ())
    last: Lying | None = None


def see(session: SessionState, reading: Reading) -> None:
    """Answer with what has come into the corner since it was asked for, once two looks agree."""
    if reading.table != "found" or reading.hand or reading.corner_unsure:
        return
    now: Lying = (reading.corner_card, reading.corner_dice)
    watch, asked = session.corner, _asked(session)
    if asked != watch.asked:
        watch = CornerWatch(asked, watch.last or now, watch.last)
    card = watch.before[0] if now[0] == watch.before[0] else None
    before = (card, watch.before[1])  # a card that was lifted may be laid down again
    agreed = watch.last is not None and _same(watch.last, now)
    session.corner = CornerWatch(asked, before, now)
    if asked is not None and agreed:
        fresh = tuple(CornerFace(die.die, die.face) for die in now[1] if _moved(before[1], die))
        if _answer(session, now[0] if now[0] != before[0] else None, fresh):
            session.corner = CornerWatch(_asked(session), now, now)


def _answer(session: SessionState, card: str | None, dice: tuple[CornerFace, ...]) -> bool:
    """Play what the game makes of it; a die or card answers one question."""
    played = False
    for _ in range(MOST):
        if card is None and not dice:
            break
        game = session.open_game
        answer = game.rules.corner_answer(game.state(), card, dice)
        if answer is None:
            break
        try:
            session.play(answer.move, "camera")
        except Refusal as refusal:
            session.events.append(MoveRefused(refusal))
            break
        played = True
        card = None if answer.used is None else card
        dice = dice if answer.used is None else tuple(one for one in dice if one is not answer.used)
    return played


def _asked(session: SessionState) -> int | None:
    """Return the question that a corner may answer."""
    if session.played is None or session.recorded.trouble is not None or session.open_game.frozen is not None:
        return None
    game = session.open_game
    return game.rules.corner_asked(game.state())


def _same(one: Lying, other: Lying) -> bool:
    names = [[(die.die, die.face) for die in dice] for _, dice in (one, other)]
    return one[0] == other[0] and names[0] == names[1]


def _moved(before: tuple[CornerDie, ...], die: CornerDie) -> bool:
    return all(hypot(die.x - old.x, die.y - old.y) > MOVED for old in before)
