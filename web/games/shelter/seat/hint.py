"""What a fair bot would do in a beginner's place, where the host allows the question: two good moves, and why."""

from __future__ import annotations

import random
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from companion.bots.policy.advice import advise
from companion.bots.policy.greedy import Greedy
from companion.bots.policy.policy import box_of, may_decide
from companion.bots.policy.reason_texts import SILENT
from companion.games.shelter.words import COLOUR_NUMBER
from companion.table.bots.turns import game_of
from web.games.shelter import feed, odds
from web.games.shelter.cards import vault_state

if TYPE_CHECKING:
    from companion.games.shelter.cards.box import Box
    from companion.table.session.snapshots import Snapshot
    from web.base.words import Words
    from web.games.shelter.cards import PackCards

HINT: Final = "hint"
"""What the settings call it."""


@dataclass(frozen=True, slots=True)
class GoodMove:
    text: str
    why: str


class _Adviser:
    """Weighs moves for one box of cards, one request at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: tuple[Box, Greedy] | None = None

    def good_moves(self, words: Words, snapshot: Snapshot, cards: PackCards, colour: str) -> list[GoodMove]:
        game, state = game_of(snapshot), vault_state(snapshot.state)
        if game is None:
            return []
        with self._lock:
            box = box_of(game)
            if self._known is None or self._known[0] is not box:
                self._known = box, Greedy(box, random.Random(0))
            found = advise(game, COLOUR_NUMBER[colour], self._known[1])
        return [
            GoodMove(
                feed.move_text(words, state, cards, one.move.as_json()),
                "" if one.reason["why"] in SILENT else odds.because(words, cards, one.reason),
            )
            for one in found
        ]


_adviser: Final = _Adviser()


def is_offered(snapshot: Snapshot, colour: str) -> bool:
    """Return whether a seat that has to decide may ask."""
    if HINT not in snapshot.state["odds"]["shown"]:
        return False
    game = game_of(snapshot)
    return game is not None and snapshot.state["phase"] != "over" and may_decide(game, COLOUR_NUMBER[colour])


good_moves: Final = _adviser.good_moves
