"""Bots as survivors at a table: whose turn it is to think, who thinks, and what is done if nobody can."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from companion.bots.wasteland import seats
from companion.bots.wasteland.helper import SurvivorHelper, SurvivorProposal
from companion.bots.wasteland.policy import Glancing
from companion.bots.wasteland.reasons import why
from companion.bots.wasteland.study import StudyRequest, study

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.bots.policy.helper_process import BotSettings
    from companion.bots.policy.reason_texts import Reason
    from companion.cards.loader import PackText
    from companion.games.json_types import MoveJson
    from companion.games.wasteland.game import WastelandGame
    from companion.games.wasteland.moves import WastelandMove


class SurvivorBench:
    """What the thread of bots asks about the second game."""

    proposal = SurvivorProposal

    def thinker(self, game: WastelandGame, bots: Mapping[str, str]) -> tuple[int, str] | None:
        """Return the bot that has something to decide, by seat and character."""
        found = ((seats.seat_of(colour), character) for colour, character in bots.items())
        return next(((seat, character) for seat, character in found if seats.may_decide(game, seat)), None)

    def for_nobody(self, game: WastelandGame) -> MoveJson | None:
        """Return the move where nobody decides: the enemies are woken by people, where there are any."""
        move = seats.move_of_the_table(game)
        return None if move is None else move.as_json()

    def new_helper(self, _cards: PackText, game: WastelandGame, moods: BotSettings) -> SurvivorHelper:
        return SurvivorHelper(game.box, moods.seed)

    def decide(self, game: WastelandGame, seat: int) -> tuple[WastelandMove, Reason]:
        """Decide at a glance, without a helper."""
        move = Glancing(random.Random()).choose(game, seat)
        return move, why(game, seat, move)

    def any_move(self, game: WastelandGame, seat: int) -> WastelandMove:
        return seats.moves_of(game, seat)[0]


BENCH = SurvivorBench()
__all__ = ["BENCH", "StudyRequest", "study"]
