"""Real decks: a step waits until the table has told what was drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.wasteland.flow.steps import ask
from companion.games.wasteland.flow.told_chance import Untold
from companion.games.wasteland.words import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.games.wasteland.flow.told_chance import Fate
    from companion.games.wasteland.position import Choice, Position, Step


def do(game: Position, fate: Fate, steps: dict[str, Callable[[Position, Fate, Step], None]]) -> None:
    """The next step. One that draws a card nobody has told yet is put back, and anybody may tell."""
    if not game.table_cards:
        step = game.work.pop()
        steps[step.do](game, fate, step)
        return
    before, events, reminders = game.copy(), len(game.events), game.reminders
    fate.begin_step()
    step = game.work.pop()
    try:
        steps[step.do](game, fate, step)
    except Untold as untold:
        told = game.events[:events]
        game.become(before)
        game.events, game.reminders = told, reminders
        ask(game, NOBODY, "drawn", "W-LIMIT-2", untold.pile, untold.options, fate.consumed)
    else:
        fate.end_step()


def options(_game: Position, choice: Choice) -> list[str]:
    """What it may have been."""
    return list(choice.data[1])


def answer(game: Position, _fate: Fate, choice: Choice, option: str) -> None:
    """The step is done again, with what is known now."""
    game.told = (*choice.data[2], option)
