"""What the bots' thread asks of a game: whose turn it is to think, who thinks, and what to do if nobody can."""

from __future__ import annotations

import random
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from companion.bots.policy.greedy import Greedy
from companion.bots.policy.helper_process import BotHelper, BotSettings, Helper, Proposal
from companion.bots.policy.policy import box_of, moves_of
from companion.bots.policy.reasons import why
from companion.table.bots.turns import QUIET, Do, Think, bots_of, game_of, what_next

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.bots.policy.policy import BotGame
    from companion.bots.policy.reason_texts import Reason
    from companion.cards.loader import PackText
    from companion.games.json_types import MoveJson
    from companion.table.session.snapshots import Snapshot


class ThinkingHelper(Protocol):
    """A helper process that proposes moves."""

    def consider(self, game: Any, seat: int, version: int, character: str) -> None: ...
    def proposal(self, patience: float = 0.0) -> Proposal | None: ...


class Deciding(Protocol):
    """Who thinks, and what is done without a helper; positions and moves are the game's own."""

    @property
    def new_helper(self) -> Callable[[PackText, Any, BotSettings], Helper]: ...
    @property
    def decide(self) -> Callable[[Any, int], tuple[Any, Reason]]: ...
    @property
    def any_move(self) -> Callable[[Any, int], Any]: ...
    @property
    def proposal(self) -> type[Proposal]: ...


class Bench(Deciding, Protocol):
    def game_of(self, snapshot: Snapshot) -> Any: ...
    def what_next(self, snapshot: Snapshot) -> Think | Do | None: ...


class OwnBench(Deciding, Protocol):
    """What a game's own bench knows beside that."""

    def thinker(self, game: Any, bots: Mapping[str, str]) -> tuple[int, str] | None: ...
    def for_nobody(self, game: Any) -> MoveJson | None: ...


class DwellerBench:
    """The bench of games whose positions `companion.bots` judges."""

    proposal = Proposal

    def game_of(self, snapshot: Snapshot) -> BotGame | None:
        return game_of(snapshot)

    def what_next(self, snapshot: Snapshot) -> Think | Do | None:
        return what_next(snapshot)

    def new_helper(self, cards: PackText, game: BotGame, moods: BotSettings) -> BotHelper:
        return BotHelper(cards.pack(), box_of(game), moods)

    def decide(self, game: BotGame, seat: int) -> tuple[Any, Reason]:
        greedy = Greedy(box_of(game), random.Random())
        move = greedy.choose(game, seat)
        return move, why(game, seat, move, greedy)

    def any_move(self, game: BotGame, seat: int) -> Any:
        return moves_of(game, seat)[0]


class OtherBench:
    """The bench of a game that brings its own, which knows positions but no table."""

    def __init__(self, own: OwnBench) -> None:
        self.new_helper, self.decide, self.any_move = own.new_helper, own.decide, own.any_move
        self.proposal = own.proposal
        self._own = own

    def game_of(self, snapshot: Snapshot) -> Any:
        return None if snapshot.position is None else snapshot.position.game

    def what_next(self, snapshot: Snapshot) -> Think | Do | None:
        """Return the first thing that a bot has to do; what is nobody's is done where all are bots."""
        bots, game = bots_of(snapshot), self.game_of(snapshot)
        if not bots or game is None or snapshot.state["phase"] in QUIET or snapshot.state["record"]["state"] != "ok":
            return None
        found = self._own.thinker(game, bots)
        if found is not None:
            return Think(*found)
        move = self._own.for_nobody(game) if len(bots) == len(snapshot.state["players"]) else None
        return None if move is None else Do(move)


DWELLERS = DwellerBench()


def bench_of(snapshot: Snapshot) -> Bench:
    """Return the bench of the game that is played."""
    position = snapshot.position
    if position is None or not position.rules.bench:
        return DWELLERS
    return OtherBench(import_module(position.rules.bench).BENCH)
