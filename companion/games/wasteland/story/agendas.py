"""W-AGENDA: the agenda deck and the secret hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.games.wasteland.flow import ending, rounds
from companion.games.wasteland.flow.decks import shuffle_discards_in, take_top
from companion.games.wasteland.flow.steps import ask, push
from companion.games.wasteland.flow.telling import tell
from companion.games.wasteland.story import factions
from companion.games.wasteland.story.loyalty import refuse_unless_in_hand
from companion.games.wasteland.words import NO_CARD, NOBODY, OVER
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.games.wasteland.flow.told_chance import Fate
    from companion.games.wasteland.game_parts import Choice, Step
    from companion.games.wasteland.moves import Move
    from companion.games.wasteland.position import Position


def draw_agenda(game: Position, fate: Fate) -> int | None:
    """The top card; with the last one the deck is renewed and passed, and the factions advance (W-AGENDA-6, A-2)."""
    pile = game.agendas
    if not pile.cards:
        shuffle_discards_in(pile, fate)
        if not pile.cards:
            return None
    return take_top(pile.cards, fate, [agenda.id for agenda in game.box.agendas])


def run_out(game: Position, fate: Fate) -> None:
    """The last card has left: shuffle the discards, pass the deck, advance the factions."""
    if game.agendas.cards:
        return
    tell(game, "agenda_deck_ran_out", NOBODY)
    shuffle_discards_in(game.agendas, fate)
    rounds.pass_deck(game)
    factions.deck_ran_out(game)


def gain(game: Position, fate: Fate, step: Step) -> None:
    """Draw agendas into the hand, across a reshuffle if need be (W-AGENDA-5, W-AGENDA-11)."""
    survivor = game.survivors[step.seat]
    push(game, "agenda-limit", step.seat)
    for _ in range(step.data[0]):
        card = draw_agenda(game, fate)
        if card is None:
            return
        survivor.hand.append(card)
        survivor.answers.append(0)
        tell(game, "agenda_gained", step.seat, agendas=len(survivor.hand))
        run_out(game, fate)
        if ending.is_ending(game):
            return


def limit(game: Position, _fate: Fate, step: Step) -> None:
    """Over the limit the owner discards at once; the revealed agenda counts (W-AGENDA-2)."""
    if len(game.survivors[step.seat].hand) > game.box.settings.agenda_limit:
        push(game, "agenda-limit", step.seat)
        ask(game, step.seat, "agenda-discard", "W-AGENDA-2")


def discard_options(game: Position, choice: Choice) -> list[str]:
    """Places of the hand: the faces stay secret."""
    return [str(place + 1) for place in range(len(game.survivors[choice.by].hand))]


def answer_discard(game: Position, _fate: Fate, choice: Choice, option: str) -> None:
    """Onto the common discard pile (W-AGENDA-10)."""
    game.agendas.discards.append(take_from_hand(game, choice.by, int(option) - 1))
    tell(game, "agenda_discarded", choice.by, agendas=len(game.survivors[choice.by].hand))


def take_from_hand(game: Position, seat: int, place: int) -> int:
    """A card leaves the hand; a revealed one takes the loyalty with it (W-LOYAL-7, A-35)."""
    survivor = game.survivors[seat]
    survivor.answers.pop(place)
    if survivor.revealed == place:
        survivor.revealed = NO_CARD
        tell(game, "loyalty_withdrawn", seat)
    elif survivor.revealed > place:
        survivor.revealed -= 1
    game.shown = tuple(one for one in game.shown if one[0] != seat)
    return survivor.hand.pop(place)


def answer_manual(game: Position, _fate: Fate, move: Move) -> None:
    """The owner says, in private, what a condition is worth that the companion cannot check."""
    if game.phase == OVER:
        raise Refusal("game_over", "W-END-1", "The game is over.")
    survivor = game.survivors[move.by]
    place = move.get("agenda")
    refuse_unless_in_hand(survivor.hand, place)
    if move.get("count") > 9:  # noqa: PLR2004 - one digit is plenty
        raise Refusal("impossible", "W-AGENDA-1", "A condition counts 9 at most.")
    survivor.answers[place - 1] = move.get("count")
