"""W-END: victory, shared victory, the power end and common loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.wasteland.flow.steps import drop_all_work, push
from companion.games.wasteland.flow.telling import tell
from companion.games.wasteland.map import tokens
from companion.games.wasteland.position import Result
from companion.games.wasteland.story import influence
from companion.games.wasteland.words import COLOURS, NO_CARD, NOBODY, OVER, SETUP
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.wasteland.flow.told_chance import Fate
    from companion.games.wasteland.moves import Move
    from companion.games.wasteland.position import Choice, Position, Step

BETWEEN = frozenset({"enemy-order"})
"""Choices that stand between two effects: a victory may be claimed there."""


def claim(game: Position, _fate: Fate, move: Move) -> None:
    """A survivor with enough influence declares it; the companion checks before anything is shown (W-END-1, A-24)."""
    if game.phase in (OVER, SETUP):
        raise Refusal("game_over", "W-END-1", "There is nothing to claim now.")
    if any(choice.kind not in BETWEEN for choice in game.pending):
        raise Refusal("choice_open", "W-END-1", "First what is under way is finished.", kind=game.pending[0].kind)
    if game.survivors[move.by].eliminated or influence.influence(game, move.by) < influence.needed(game):
        raise Refusal("not_enough", "W-END-1", "The claim does not hold.", by=COLOURS[move.by])
    tell(game, "claimed", move.by)
    stop(game)
    push(game, "judge-all", NOBODY, "influence")
    _ask_owners(game, move.by)


def power_end(game: Position) -> None:
    """A faction at or past the last space ends the game at once (W-END-2, A-23)."""
    if is_ending(game):
        return
    tell(game, "power_end", NOBODY, power=list(game.power))
    stop(game)
    push(game, "judge-all", NOBODY, "power")
    _ask_owners(game)


def is_ending(game: Position) -> bool:
    """Whether the game is over, or only waits for its judgement."""
    return game.phase == OVER or any(step.do == "judge-all" for step in game.work)


def stop(game: Position) -> None:
    """Nothing further is resolved (W-AGENDA-9)."""
    drop_all_work(game)
    if game.contest is not None:
        tokens.discard(game, game.contest.kind if game.contest.drawn else NO_CARD)
    game.contest = None


def _ask_owners(game: Position, claimer: int = NOBODY) -> None:
    """The limit of agendas first (A-39), then what only the owners can say; who claims has said it before."""
    for seat in reversed([one for one in game.from_first() if one != claimer]):
        for place in reversed(range(len(game.survivors[seat].hand))):
            if influence.has_manual_at(game, seat, place):
                push(game, "ask", seat, "influence", "W-AGENDA-1", place)
    for seat in reversed(game.from_first()):
        push(game, "agenda-limit", seat)


def owner_options(game: Position, choice: Choice) -> list[str]:
    """What the condition counts now."""
    if choice.data[0] >= len(game.survivors[choice.by].hand):
        return []
    return [str(count) for count in range(10)]


def answer_owner(game: Position, _fate: Fate, choice: Choice, option: str) -> None:
    """The owner's word."""
    game.survivors[choice.by].answers[choice.data[0]] = int(option)


def judge_all(game: Position, _fate: Fate, step: Step) -> None:
    """Everyone at or above the threshold wins together; nobody there: common loss (W-END-3, W-END-4)."""
    totals = {seat: influence.influence(game, seat) for seat in game.alive()}
    winners = tuple(seat for seat, total in totals.items() if total >= influence.needed(game))
    finish(game, Result(winners, step.data[0] if winners else "common-loss", tuple(totals.items())))


def common_loss(game: Position, decided_by: str) -> None:
    """Nobody is left (W-END-5, A-27)."""
    stop(game)
    finish(game, Result((), decided_by, ()))


def finish(game: Position, result: Result) -> None:
    """The game is over."""
    game.phase, game.turn = OVER, NOBODY
    game.result = result
    tell(game, "over", NOBODY, winners=[COLOURS[seat] for seat in result.winners], decided_by=result.decided_by)
