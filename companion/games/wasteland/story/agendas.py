"""W-AGENDA, W-LOYAL and W-FACT: hands of agendas, declared loyalty, and the power of the factions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.blanks import AGENDA, is_blank
from companion.cards.wasteland.words import EnemyType
from companion.games.wasteland import moves
from companion.games.wasteland.box import FACTIONS, NO_CARD, NOBODY, OVER, SHIELD, STAR
from companion.games.wasteland.events import FactionAdvanced, HandEvent, LoyaltyDeclared, PlainEvent
from companion.games.wasteland.flow import ending, sequence
from companion.games.wasteland.flow.decks import shuffle_discards_in, take_top
from companion.games.wasteland.flow.sequence import ask, push, refuse_unless_idle_turn
from companion.games.wasteland.flow.ways import LuckyAgendas
from companion.refusal import Refusal

if TYPE_CHECKING:
    from companion.cards.wasteland.types import Enemy
    from companion.cards.wasteland.words import Faction
    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.moves import WastelandMove
    from companion.games.wasteland.position import AskedChoice, PendingStep, WastelandPosition


def advance(game: WastelandPosition, *steps: tuple[int, int]) -> None:
    """Advance factions; at or past the last space the game ends (W-FACT-3, W-END-2), together when both are there."""
    for faction, spaces in steps:
        game.power[faction] += spaces
        if game.ways.shared:
            game.power[faction] = min(game.power[faction], last_space(game))
        game.events.append(FactionAdvanced(NOBODY, faction=FACTIONS[faction].value, power=game.power[faction]))
    at_the_end = [power >= last_space(game) for power in game.power]
    if all(at_the_end) if game.ways.shared else any(at_the_end):
        ending.power_end(game)


def last_space(game: WastelandPosition) -> int:
    return len(game.scenario.track) - 1


def deck_ran_out(game: WastelandPosition) -> None:
    """Advance both factions; solo only the one with less power, on a tie both (W-AGENDA-6, W-SOLO-4)."""
    star, shield = game.power
    if len(game.seats) > 1 or star == shield:
        advance(game, (STAR, 1), (SHIELD, 1))
    else:
        advance(game, (STAR if star < shield else SHIELD, 1))


def grow_by_agenda(game: WastelandPosition) -> None:
    """Together, advance the factions whose marks the revealed agenda shows (W-ALL-3)."""
    shown = {kind.value for kind in game.box.agendas[game.revealed_agenda].activates}
    grown = [number for number, faction in enumerate(FACTIONS) if faction.value in shown]
    if game.ways.shared and grown:
        advance(game, *((faction, 1) for faction in grown))


def grow_by_death(game: WastelandPosition, _chance: MoveChance, _step: PendingStep) -> None:
    """Advance the weaker faction after a survivor's death, both where they are equal (W-ALL-4)."""
    least = min(game.power)
    advance(game, *((faction, 1) for faction, power in enumerate(game.power) if power == least))


def level_of(game: WastelandPosition, enemy: Enemy) -> int:
    """Return the level; a letter is looked up at the faction's present position (W-ENEMY-28)."""
    if not enemy.level_letter:
        return enemy.level
    position = min(game.power[_number(enemy.type)], last_space(game))
    space = game.scenario.track[position]
    return space.x if enemy.level_letter == "X" else space.y


def _number(kind: EnemyType) -> int:
    return SHIELD if kind is EnemyType.SHIELD else STAR


def loyalty_of(game: WastelandPosition, seat: int) -> Faction | None:
    """Return the faction whose agenda lies faceup before the survivor (W-LOYAL-1)."""
    survivor = game.survivors[seat]
    if survivor.revealed == NO_CARD:
        return None
    return game.box.agendas[survivor.hand[survivor.revealed]].faction


def is_loyal_to(game: WastelandPosition, seat: int, kind: EnemyType) -> bool:
    """Return whether enemies of this type are of the survivor's own faction (W-LOYAL-4 to 6)."""
    loyal = loyalty_of(game, seat)
    return loyal is not None and loyal.value == kind.value


def declare_loyalty(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Reveal an agenda for loyalty, switch to another, or withdraw (W-LOYAL-1 to 3)."""
    refuse_unless_idle_turn(game, move.by)
    survivor = game.survivors[move.by]
    if not game.at_start_of_turn or game.loyalty_set:
        raise Refusal("not_the_start", "W-TURN-4", "Loyalty is declared once, at the start of the own turn.")
    if is_loyal_for_good(game, move.by):
        raise Refusal("loyal_for_good", "W-LUCK-3", "By the house rule loyalty is for good.")
    place = move.get(moves.AGENDA, None)
    if place is None:
        if survivor.revealed == NO_CARD:
            raise Refusal("not_loyal", "W-LOYAL-3", "There is no loyalty to withdraw.")
        survivor.revealed = NO_CARD
        game.events.append(PlainEvent("loyalty_withdrawn", move.by))
    else:
        refuse_unless_in_hand(survivor.hand, place)
        if is_by_hand(game, survivor.hand[place - 1]):
            ask(game, move.by, "loyal-side", "W-LOYAL-1", place - 1)
            return
        if game.box.agendas[survivor.hand[place - 1]].faction is None:
            raise Refusal("no_faction", "W-LOYAL-1", "That agenda shows no faction.", agenda=place)
        be_loyal(game, move.by, place - 1)
    game.loyalty_set = True


def is_loyal_for_good(game: WastelandPosition, seat: int) -> bool:
    """Return whether a house rule forbids to change a loyalty that was declared (W-LUCK-3)."""
    return game.ways.agendas is LuckyAgendas.LOYAL and game.survivors[seat].revealed != NO_CARD


def be_loyal(game: WastelandPosition, seat: int, place: int) -> None:
    """Lay an agenda of a hand faceup: its owner is loyal to its faction (W-LOYAL-1)."""
    game.survivors[seat].revealed = place
    loyal = loyalty_of(game, seat)
    game.events.append(LoyaltyDeclared(seat, faction=None if loyal is None else loyal.value))
    game.loyalty_set = True


def is_by_hand(game: WastelandPosition, card: int) -> bool:
    """Return whether a real card stands behind this one that nobody entered."""
    return game.box.agendas[card].id == AGENDA


def refuse_unless_in_hand(hand: list[int], place: int) -> None:
    """Agendas are named by their place in the hand, never by what they are."""
    if not 1 <= place <= len(hand):
        raise Refusal("no_such_agenda", "W-AGENDA-3", f"There is no agenda {place} in that hand.", agenda=place)


def draw_agenda(game: WastelandPosition, chance: MoveChance) -> int | None:
    """Draw the top card, after the discards were shuffled in where the deck is empty."""
    pile = game.agendas
    if not pile.cards:
        shuffle_discards_in(pile, chance)
        if not pile.cards:
            return None
    card = take_top(pile.cards, chance, [agenda.id for agenda in game.box.agendas])
    is_real = is_blank(game.box.agendas[card].id)
    return game.box.agenda_number[AGENDA] if is_real else card


def run_out(game: WastelandPosition, chance: MoveChance) -> None:
    """Renew and pass the deck and advance the factions when the last card has left (W-AGENDA-6, A-2)."""
    if game.agendas.cards:
        return
    game.events.append(PlainEvent("agenda_deck_ran_out", NOBODY))
    shuffle_discards_in(game.agendas, chance)
    sequence.pass_deck(game)
    deck_ran_out(game)


def gain(game: WastelandPosition, chance: MoveChance, step: PendingStep) -> None:
    """Draw agendas into the hand, across a reshuffle if need be (W-AGENDA-5, W-AGENDA-11)."""
    survivor = game.survivors[step.seat]
    push(game, "agenda-limit", step.seat)
    for _ in range(step.data[0]):
        card = draw_agenda(game, chance)
        if card is None:
            return
        survivor.hand.append(card)
        survivor.answers.append(0)
        game.events.append(HandEvent("agenda_gained", step.seat, agendas=len(survivor.hand)))
        run_out(game, chance)
        if ending.is_ending(game):
            return


def limit(game: WastelandPosition, _chance: MoveChance, step: PendingStep) -> None:
    """Ask an owner above the limit to discard; the revealed agenda counts (W-AGENDA-2)."""
    if len(game.survivors[step.seat].hand) > game.box.settings.agenda_limit:
        push(game, "agenda-limit", step.seat)
        ask(game, step.seat, "agenda-discard", "W-AGENDA-2")


def discard_options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return places of the hand: the faces stay secret."""
    return [str(place + 1) for place in range(len(game.survivors[choice.by].hand))]


def answer_discard(game: WastelandPosition, _chance: MoveChance, choice: AskedChoice, option: str) -> None:
    """Put the agenda on the common discard pile (W-AGENDA-10)."""
    game.agendas.discards.append(take_from_hand(game, choice.by, int(option) - 1))
    game.events.append(HandEvent("agenda_discarded", choice.by, agendas=len(game.survivors[choice.by].hand)))


def take_from_hand(game: WastelandPosition, seat: int, place: int) -> int:
    """Take a card from the hand; a revealed one takes the loyalty with it (W-LOYAL-7, A-35)."""
    survivor = game.survivors[seat]
    survivor.answers.pop(place)
    if survivor.revealed == place:
        survivor.revealed = NO_CARD
        game.events.append(PlainEvent("loyalty_withdrawn", seat))
    elif survivor.revealed > place:
        survivor.revealed -= 1
    game.shown = tuple(one for one in game.shown if one[0] != seat)
    return survivor.hand.pop(place)


def answer_manual(game: WastelandPosition, _chance: MoveChance, move: WastelandMove) -> None:
    """Keep what the owner says, in private, a condition is worth that the companion cannot check."""
    if game.phase == OVER:
        raise Refusal("game_over", "W-END-1", "The game is over.")
    survivor = game.survivors[move.by]
    place = move[moves.AGENDA]
    refuse_unless_in_hand(survivor.hand, place)
    if move[moves.COUNT] > 9:  # noqa: PLR2004 - one digit is plenty
        raise Refusal("impossible", "W-AGENDA-1", "A condition counts 9 at most.")
    survivor.answers[place - 1] = move[moves.COUNT]
