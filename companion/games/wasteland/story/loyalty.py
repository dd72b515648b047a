"""W-LOYAL: a revealed agenda declares loyalty while it lies open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.wasteland.flow.rounds import refuse_unless_idle_turn
from companion.games.wasteland.flow.telling import tell
from companion.games.wasteland.story.factions import loyalty_of
from companion.games.wasteland.words import NO_CARD
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.wasteland.flow.told_chance import Fate
    from companion.games.wasteland.moves import Move
    from companion.games.wasteland.position import Position


def declare(game: Position, _fate: Fate, move: Move) -> None:
    """Reveal an agenda for loyalty, switch to another, or withdraw (W-LOYAL-1 to 3)."""
    refuse_unless_idle_turn(game, move.by)
    survivor = game.survivors[move.by]
    if not game.window or game.loyalty_set:
        raise Refusal("not_the_start", "W-TURN-4", "Loyalty is declared once, at the start of the own turn.")
    place = move.get("agenda")
    if place is None:
        if survivor.revealed == NO_CARD:
            raise Refusal("not_loyal", "W-LOYAL-3", "There is no loyalty to withdraw.")
        survivor.revealed = NO_CARD
        tell(game, "loyalty_withdrawn", move.by)
    else:
        refuse_unless_in_hand(survivor.hand, place)
        if game.box.agendas[survivor.hand[place - 1]].faction is None:
            raise Refusal("no_faction", "W-LOYAL-1", "That agenda shows no faction.", agenda=place)
        survivor.revealed = place - 1
        loyal = loyalty_of(game, move.by)
        tell(game, "loyalty", move.by, faction=None if loyal is None else loyal.value)
    game.loyalty_set = True


def refuse_unless_in_hand(hand: list[int], place: int) -> None:
    """Agendas are named by their place in the hand, never by what they are."""
    if not 1 <= place <= len(hand):
        raise Refusal("no_such_agenda", "W-AGENDA-3", f"There is no agenda {place} in that hand.", agenda=place)
