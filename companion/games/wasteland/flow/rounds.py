"""W-TURN: rounds, turns and the first player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.wasteland.box import COLOURS, ENEMIES, NOBODY, OVER, TURN
from companion.games.wasteland.events import PlainEvent, TurnBegun
from companion.games.wasteland.flow.step_stack import push
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import PendingStep, WastelandPosition


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


def refuse_while_asked(game: WastelandPosition) -> None:
    """Refuse while a choice is open (W-ACT-3)."""
    if game.pending:
        choice = game.pending[0]
        by = None if choice.by == NOBODY else COLOURS[choice.by]
        raise Refusal("choice_open", "W-ACT-3", "Something has to be answered first.", kind=choice.kind, by=by)
