"""What is still to be done: a stack of steps, and the one open choice that they wait for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.wasteland.box import NOBODY
from companion.games.wasteland.flow.decks import Untold, discard_card
from companion.games.wasteland.position import AskedChoice, PendingStep

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.cards.wasteland.types import Effect
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.position import WastelandPosition


def push(game: WastelandPosition, do: str, seat: int, *data: object) -> None:
    """Do this next; what was pushed before comes after it."""
    game.steps.append(PendingStep(do, seat, data))


def ask(game: WastelandPosition, by: int, kind: str, clause: str, *data: object) -> None:
    """Open a choice; everything else waits for it."""
    if game.pending:
        raise AssertionError(f"{kind} asked while {game.pending[0].kind} is open")
    game.pending.append(AskedChoice(game.next_choice, by, kind, clause, data))
    game.next_choice += 1


def ask_next(game: WastelandPosition, by: int, kind: str, clause: str, *data: object) -> None:
    """Open a choice once everything pushed later is done."""
    push(game, "ask", by, kind, clause, *data)


def ask_now(game: WastelandPosition, step: PendingStep) -> None:
    """Carry out the step of `ask_next`."""
    kind, clause, *data = step.data
    ask(game, step.seat, kind, clause, *data)


def drop_work_of(game: WastelandPosition, seat: int) -> None:
    """Drop everything that this survivor was doing."""
    _discard_ungained(game, [step for step in game.steps if step.seat == seat])
    game.steps = [step for step in game.steps if step.seat != seat]
    game.pending = [choice for choice in game.pending if choice.by != seat]


def drop_all_work(game: WastelandPosition) -> None:
    _discard_ungained(game, game.steps)
    game.steps.clear()
    game.pending.clear()


def _discard_ungained(game: WastelandPosition, dropped: list[PendingStep]) -> None:
    """Discard cards that were drawn and not yet gained."""
    for step in dropped:
        if step.do == "gain-card":
            discard_card(game, step.data[0])


UNKNOWN_LEVEL: Final = -1


def carry_out(
    game: WastelandPosition, seat: int, effects: tuple[Effect, ...], level: int = UNKNOWN_LEVEL, quest: int = 0
) -> None:
    """Carry out these results next; `level` is that of the encounter icon, `quest` the card that they stand on."""
    if effects:
        push(game, "results", seat, effects, level, quest)


def do_next(
    game: WastelandPosition,
    chance: MoveChance,
    steps: dict[str, Callable[[WastelandPosition, MoveChance, PendingStep], None]],
) -> None:
    """Carry out the next step. One that draws an untold card is rolled back, and anybody may tell the card."""
    if not game.table_cards:
        step = game.steps.pop()
        steps[step.do](game, chance, step)
        return
    before, events, reminders = game.copy(), len(game.events), game.reminders
    chance.begin_step()
    step = game.steps.pop()
    try:
        steps[step.do](game, chance, step)
    except Untold as untold:
        told = game.events[:events]
        game.become(before)
        game.events, game.reminders = told, reminders
        ask(game, NOBODY, "drawn", "W-LIMIT-2", untold.pile, untold.options, chance.consumed)
    else:
        chance.end_step()


def drawn_options(_game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return the cards that it may have been."""
    return list(choice.data[1])


def answer_drawn(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Keep what was told; the step is done again."""
    game.told = (*choice.data[2], option)
