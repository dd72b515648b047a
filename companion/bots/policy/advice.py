"""Advice for beginners: two good moves of a seat and why, from what lies open on the table alone.

It is what a fair bot would weigh: no deck is looked into, and no dice are rolled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from companion.bots.policy.greedy import LEAST
from companion.bots.policy.policy import choice_of, may_decide
from companion.bots.policy.reasons import why
from companion.games.shelter.moves import PASSES

if TYPE_CHECKING:
    from companion.bots.policy.greedy import Greedy
    from companion.bots.policy.reason_texts import Reason
    from companion.games.shelter.game import ShelterGame
    from companion.games.shelter.moves import Move

MOVES: Final = 2


class Advice(NamedTuple):
    move: Move
    reason: Reason


def advise(game: ShelterGame, seat: int, greedy: Greedy) -> list[Advice]:
    """Return two good moves of a turn, the better one first; of an open choice the one answer; nothing otherwise."""
    if not may_decide(game, seat):
        return []
    if choice_of(game, seat) is not None:
        found = [greedy.choose(game, seat)]
    else:
        ranked = sorted(greedy.ranked(greedy.outlook(game, seat)), key=lambda pair: -pair[0])
        found = _apart([move for worth, move in ranked if worth > LEAST]) or [PASSES[seat]]
    return [Advice(move, why(game, seat, move, greedy)) for move in found]


def _apart(moves: list[Move]) -> list[Move]:
    """Return the first moves that differ in more than in who goes."""
    found: dict[tuple[int, int, str], Move] = {}
    for move in moves:
        found.setdefault((move.do, move.space, move.item), move)
    return list(found.values())[:MOVES]
