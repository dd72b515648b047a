"""Opening choices and going on with a placement once they are answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.shelter.board.vault import PendingShelterChoice
from companion.games.shelter.events import IncomeDue
from companion.games.shelter.words import COLOURS, NOBODY, PLACE, RECALL
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.chance import Chance
    from companion.games.shelter.board.vault import OngoingPlacement
    from companion.games.shelter.position import ShelterPosition


def ask(game: ShelterPosition, by: int, kind: str, clause: str, data: int = 0, place: int = 0) -> None:
    """Open a choice that holds nobody up."""
    choice = PendingShelterChoice(game.next_choice, by, kind, clause, data, of_placement=False)
    game.pending.append(choice.lying_at(place) if place else choice)
    game.next_choice += 1


def ask_placer(game: ShelterPosition, placement: OngoingPlacement, kind: str, clause: str, data: int = 0) -> None:
    """Open a choice of the placement under way; the turn waits for it."""
    game.pending.append(PendingShelterChoice(game.next_choice, placement.by, kind, clause, data, of_placement=True))
    game.next_choice += 1


def under_way(game: ShelterPosition) -> OngoingPlacement:
    placement = game.placement
    if placement is None:
        raise AssertionError("no placement is under way")
    return placement


def go_on(game: ShelterPosition, placement: OngoingPlacement, chance: Chance) -> None:
    """Carry out the steps of the placement until one waits for a choice or none is left."""
    program = placement.program
    while (at := placement.at) < len(program):
        placement.at = at + 1
        step, number = program[at]
        if step(game, placement, chance, number):
            return
    game.placement = None
    next_turn(game)


def next_turn(game: ShelterPosition) -> None:
    """Pass the turn clockwise to whoever has not passed and has an available dweller (R2, R3)."""
    colour, passed = game.turn, game.passed
    for _ in game.seats:
        colour = game.after[colour]
        if not passed >> colour & 1 and (game.plain[colour] or may_still_place(game, colour)):
            game.turn = colour
            return
    game.phase = RECALL
    game.turn = NOBODY
    if game.pending and not game.rules.income_late:
        _ask_for_income_again(game)


def _ask_for_income_again(game: ShelterPosition) -> None:
    """Remind everybody whose income is still open before the recall asks for it (M3)."""
    for choice in game.pending:
        if choice.kind == "income":
            game.events.append(IncomeDue(choice.by, choice.data, again=True))


def income_is_due(game: ShelterPosition, colour: int) -> bool:
    """Return whether a player must answer an open income before anything else of their own (M3)."""
    if game.rules.income_late:
        return False
    return any(choice.by == colour and choice.kind == "income" for choice in game.pending)


def refuse_while_income_is_due(game: ShelterPosition, colour: int) -> None:
    """Refuse a player's placement, pass or item until their open income is answered (M3)."""
    if income_is_due(game, colour):
        who = COLOURS[colour]
        raise Refusal("income_open", "M3", f"{who} still has to answer an income.", by=who)


def first_turn(game: ShelterPosition) -> None:
    """Begin the first turn of the round (R2)."""
    game.phase = PLACE
    game.turn = game.first
    if not may_still_place(game, game.first):
        next_turn(game)


def may_still_place(game: ShelterPosition, colour: int) -> bool:
    """Return whether a player has neither passed nor run out of available dwellers (R3, R4); by option all pass."""
    if game.passed >> colour & 1:
        return False
    if game.rules.passes_are_said:
        return True
    return game.plain[colour] > 0 or game.trained[colour] > 0 or game.hurt[colour] > 0
