"""What is still to be done: a stack of steps, and the one open choice that they wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion.games.wasteland.flow.homes import discard_card
from companion.games.wasteland.position import Choice, Step

if TYPE_CHECKING:
    from companion.games.wasteland.position import Position


def push(game: Position, do: str, seat: int, *data: Any) -> None:
    """Do this next; what was pushed before comes after it."""
    game.work.append(Step(do, seat, data))


def ask(game: Position, by: int, kind: str, clause: str, *data: Any) -> None:
    """Open a choice; everything else waits for it."""
    if game.pending:
        raise AssertionError(f"{kind} asked while {game.pending[0].kind} is open")
    game.pending.append(Choice(game.next_choice, by, kind, clause, data))
    game.next_choice += 1


def ask_next(game: Position, by: int, kind: str, clause: str, *data: Any) -> None:
    """Open a choice once everything pushed later is done."""
    push(game, "ask", by, kind, clause, *data)


def ask_now(game: Position, step: Step) -> None:
    """The step of `ask_next`."""
    kind, clause, *data = step.data
    ask(game, step.seat, kind, clause, *data)


def drop_work_of(game: Position, seat: int) -> None:
    """Nothing more of what this survivor was doing is carried out."""
    _send_home(game, [step for step in game.work if step.seat == seat])
    game.work = [step for step in game.work if step.seat != seat]
    game.pending = [choice for choice in game.pending if choice.by != seat]


def drop_all_work(game: Position) -> None:
    """Nothing further is resolved."""
    _send_home(game, game.work)
    game.work.clear()
    game.pending.clear()


def _send_home(game: Position, dropped: list[Step]) -> None:
    """Cards that were drawn and not yet gained are discarded."""
    for step in dropped:
        if step.do == "gain-card":
            discard_card(game, step.data[0])
