"""The order of play: a stack of steps, the one open choice that they wait for, and turns and rounds (W-TURN)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.games.wasteland.box import COLOURS, ENEMIES, NOBODY, OVER, SETUP, TURN
from companion.games.wasteland.events import PlainEvent, TurnBegun
from companion.games.wasteland.flow.decks import Untold, discard_card
from companion.games.wasteland.position import AskedChoice, PendingStep
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Container

    from companion.cards.wasteland.types import Effect
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
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


def level_here(game: WastelandPosition, seat: int) -> int:
    """Return the level of the encounter icon that a survivor stands on, where the map knows it (W-ENC-8)."""
    found = game.map
    space = found.spaces.get(game.survivors[seat].at) if found is not None else None
    return space.level if space is not None and space.level is not None else UNKNOWN_LEVEL


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
        ask(game, NOBODY, "drawn", "W-LIMIT-2", untold.pile, untold.options, chance.consumed, step.seat)
    else:
        chance.end_step()


def drawn_options(_game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return the cards that it may have been."""
    return list(choice.data[1])


def answer_drawn(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Keep what was told; the step is done again."""
    game.told = (*choice.data[2], option)


def clockwise_after(game: WastelandPosition, seat: int) -> int:
    """Return the next seat still in the game, clockwise (W-TURN-10)."""
    start = game.seats.index(seat)
    for place in range(1, len(game.seats) + 1):
        after = game.seats[(start + place) % len(game.seats)]
        if not game.survivors[after].eliminated:
            return after
    return NOBODY


def right_hand_neighbour(game: WastelandPosition, seat: int) -> int:
    """Return the seat still in the game that acts just before."""
    start = game.seats.index(seat)
    for place in range(1, len(game.seats) + 1):
        before = game.seats[(start - place) % len(game.seats)]
        if not game.survivors[before].eliminated:
            return before
    return NOBODY


def pass_deck(game: WastelandPosition) -> None:
    """Pass the agenda deck and the first player with it, at once; turns stay as they are (W-TURN-6, W-TURN-7)."""
    game.first = right_hand_neighbour(game, game.first)
    game.events.append(PlainEvent("first_player", game.first))


def begin_turn(game: WastelandPosition, seat: int) -> None:
    """Begin a turn with its actions and the moves of its start (W-TURN-2, W-TURN-4)."""
    game.phase, game.turn = TURN, seat
    game.actions = game.box.settings.actions
    game.points = 0
    game.encountered = game.loyalty_set = False
    game.used = frozenset()
    game.at_start_of_turn = True
    game.events.append(TurnBegun(seat, round=game.round))


def end(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """End the active player's turn; unused actions are lost (W-TURN-3)."""
    refuse_unless_idle_turn(game, move.by)
    push(game, "end-turn", move.by)


def end_turn(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Pass the turn clockwise, or begin the enemy phase (W-TURN-5, W-TURN-8, A-1)."""
    if game.turn != step.seat:
        return
    game.acted |= 1 << step.seat
    game.actions = game.points = 0
    game.at_start_of_turn = False
    game.turn = NOBODY
    after = clockwise_after(game, step.seat)
    if after == game.first or all(game.acted >> seat & 1 for seat in game.alive()):
        game.phase, game.waiting_turn = ENEMIES, after
        game.events.append(PlainEvent("enemy_phase_due", NOBODY))
    else:
        begin_turn(game, after)


def next_round(game: WastelandPosition, _chance: MoveChance, _step: PendingStep) -> None:
    """Continue with the turn that the enemy phase interrupted (W-TURN-7)."""
    game.acted = 0
    game.round += 1
    seat = game.waiting_turn
    if game.survivors[seat].eliminated:
        seat = clockwise_after(game, seat)
    game.waiting_turn = NOBODY
    begin_turn(game, seat)


def refuse_unless_idle_turn(game: WastelandPosition, seat: int) -> None:
    """Refuse unless it is this survivor's turn and nothing is under way."""
    if game.phase == OVER:
        raise Refusal("game_over", "W-END-1", "The game is over.")
    if game.survivors[seat].eliminated:
        raise Refusal("eliminated", "W-TURN-10", f"{COLOURS[seat]} is out of the game.", by=COLOURS[seat])
    if game.phase == ENEMIES:
        raise Refusal("enemy_phase", "W-TURN-5", "First the enemies act.", by=COLOURS[seat])
    if game.turn != seat:
        turn = None if game.turn == NOBODY else COLOURS[game.turn]
        raise Refusal("not_your_turn", "W-TURN-1", f"It is not {COLOURS[seat]}'s turn.", by=COLOURS[seat], turn=turn)
    refuse_while_asked(game)


def refuse_unless_between(game: WastelandPosition, seat: int) -> None:
    """Refuse unless nothing is under way; it may be anybody's turn, or the enemies'."""
    if game.phase in (OVER, SETUP):
        raise Refusal("game_over" if game.phase == OVER else "not_now", "W-END-1", "That is for a game that runs.")
    if game.survivors[seat].eliminated:
        raise Refusal("eliminated", "W-TURN-10", f"{COLOURS[seat]} is out of the game.", by=COLOURS[seat])
    refuse_while_asked(game)


def set_aside(game: WastelandPosition, kinds: Container[str]) -> bool:
    """Let an open choice of these kinds wait for what comes now; it is asked again afterwards."""
    if not game.pending or game.pending[0].kind not in kinds:
        return False
    choice = game.pending.pop()
    push(game, "ask", choice.by, choice.kind, choice.clause, *choice.data)
    return True


def refuse_while_asked(game: WastelandPosition) -> None:
    """Refuse while a choice is open (W-ACT-3)."""
    if game.pending:
        choice = game.pending[0]
        by = None if choice.by == NOBODY else COLOURS[choice.by]
        raise Refusal("choice_open", "W-ACT-3", "Something has to be answered first.", kind=choice.kind, by=by)
