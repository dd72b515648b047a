"""Every legal move now, as far as it can be listed: offers and keyed-in cards have no end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import Timing
from companion.games.wasteland.fight import fights
from companion.games.wasteland.flow import choices, conditions
from companion.games.wasteland.map import enemies
from companion.games.wasteland.moves import Move, choose
from companion.games.wasteland.story import factions, influence
from companion.games.wasteland.survivor import abilities, items
from companion.games.wasteland.words import COLOURS, ENEMIES, SLOT_OF, TURN, card_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.games.wasteland.position import Choice, Position


def moves(game: Position, seat: int | None = None) -> list[Move]:
    """The moves of everybody; claims only for the seat that asks, because they tell of a hand."""
    found: list[Move] = []
    if game.pending:
        choice = game.pending[0]
        found += [choose(choice.by, option) for option in choices.options(game, choice)]
        if choice.kind == "trade":
            found += _offers(game, choice)
    elif game.phase == ENEMIES:
        found.append(Move("reveal"))
    elif game.phase == TURN:
        found += _turn(game, game.turn)
    if seat is not None and may_claim(game, seat):
        found.append(Move("claim", seat))
    if seat is not None and seat == game.turn and game.window and not game.loyalty_set and not game.pending:
        found += [Move("loyalty", seat, agenda=place) for place in revealable(game, seat)]
    return found


def may_claim(game: Position, seat: int) -> bool:
    """Whether a claim of victory would hold now; for that seat's eyes only."""
    if game.phase not in (TURN, ENEMIES) or game.survivors[seat].eliminated or game.pending:
        return False
    return influence.influence(game, seat) >= influence.needed(game)


def _turn(game: Position, seat: int) -> Iterator[Move]:
    yield Move("end", seat)
    yield from _steps(game, seat)
    yield from _cards(game, seat)
    if game.window:
        yield from _start_of_turn(game, seat)
    yield from _triggered(game, seat)
    if game.actions:
        yield from _actions(game, seat)


def _steps(game: Position, seat: int) -> Iterator[Move]:
    here = game.survivors[seat].at
    spaces = [space for space in conditions.known_spaces(game) if space != here]
    if game.points:
        yield from (Move("step", seat, to=space) for space in spaces)
        yield from (Move("step", seat, to=space, terrain=["irradiated"]) for space in spaces[:1])
    if game.points > 1:
        yield from (Move("step", seat, to=space, terrain=["difficult"]) for space in spaces[:1])


def _cards(game: Position, seat: int) -> Iterator[Move]:
    timings = (Timing.OWN_TURN, Timing.ACTION) if game.actions else (Timing.OWN_TURN,)
    usable = [game.box.cards[card_of(held)].id for held, _ in abilities.usable(game, seat, *timings)]
    yield from (Move("use", seat, card=card) for card in dict.fromkeys(usable))
    perks = [game.box.perks[perk].id for perk in game.survivors[seat].perks]
    yield from (Move("perk", seat, card=perk) for perk in dict.fromkeys(perks))


def _start_of_turn(game: Position, seat: int) -> Iterator[Move]:
    survivor = game.survivors[seat]
    fit = [card for card in survivor.inventory if game.box.cards[card_of(card)].kind in SLOT_OF]
    yield from (Move("equip", seat, card=card) for card in items.names(game, fit))
    yield from (Move("unequip", seat, card=card) for card in items.names(game, survivor.slots))
    if not game.loyalty_set:
        yield from _loyalty(game, seat)


def _loyalty(game: Position, seat: int) -> Iterator[Move]:
    """Withdrawing is open to all eyes; which agendas could be revealed is for their owner (`private_of`)."""
    if factions.loyalty_of(game, seat) is not None:
        yield Move("loyalty", seat)


def revealable(game: Position, seat: int) -> list[int]:
    """The places of the hand that could be revealed for loyalty; for that seat's eyes only."""
    hand = game.survivors[seat].hand
    return [place for place, card in enumerate(hand, 1) if game.box.agendas[card].faction is not None]


def _triggered(game: Position, seat: int) -> Iterator[Move]:
    yield from _objectives(game, seat, triggered=True)


def _objectives(game: Position, seat: int, *, triggered: bool) -> Iterator[Move]:
    for number in game.quests:
        quest = game.box.quests.get(number)
        for place, objective in enumerate(quest.objectives if quest else (), 1):
            met = all(conditions.holds(game, seat, condition) for condition in objective.requires)
            if objective.triggered is triggered and met:
                yield Move("trigger" if triggered else "quest", seat, quest=number, objective=place)


def _actions(game: Position, seat: int) -> Iterator[Move]:
    yield Move("move", seat)
    yield Move("explore", seat)
    yield Move("explore", seat, enemies=["critter at beyond"])
    yield from _fights(game, seat)
    if not enemies.that_forbid(game, seat):
        yield Move("camp", seat)
        yield from _objectives(game, seat, triggered=False)
        if not game.encountered:
            yield from (Move("encounter", seat, icon=icon.value, level=1) for icon in game.decks_of)


def _fights(game: Position, seat: int) -> Iterator[Move]:
    ranged = fights.has_ranged_weapon(game, seat)
    for number, token in game.enemies.items():
        loyal = factions.is_loyal_to(game, seat, enemies.enemy_of(game, number).type)
        if token.active and not loyal and (ranged or token.at == game.survivors[seat].at):
            yield Move("fight", seat, enemy=number)


def _offers(game: Position, choice: Choice) -> Iterator[Move]:
    """A few of the offers that could be made."""
    survivor = game.survivors[choice.by]
    for other in game.alive():
        if other == choice.by:
            continue
        to = COLOURS[other]
        if survivor.caps:
            yield Move("offer", choice.by, to=to, give={"caps": 1})
        if survivor.hand:
            yield Move("offer", choice.by, to=to, give={"agendas": [1]})
        for card in items.names(game, survivor.held()):
            yield Move("offer", choice.by, to=to, give={"cards": [card]})
