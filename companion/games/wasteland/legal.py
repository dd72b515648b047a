"""Every legal move now, as far as it can be listed: offers and keyed-in cards have no end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.wasteland.words import Timing
from companion.games.wasteland.fight import fights
from companion.games.wasteland.flow import choices, conditions, ending
from companion.games.wasteland.map import enemies
from companion.games.wasteland.moves import WastelandMove, choose
from companion.games.wasteland.story import factions
from companion.games.wasteland.survivor import abilities, items
from companion.games.wasteland.words import COLOURS, ENEMIES, SLOT_OF, TURN, card_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.games.wasteland.position import OpenChoice, WastelandPosition


def moves(game: WastelandPosition, seat: int | None = None) -> list[WastelandMove]:
    """The moves of everybody; claims only for the seat that asks, because they tell of a hand."""
    found: list[WastelandMove] = []
    if game.pending:
        choice = game.pending[0]
        found += [choose(choice.by, option) for option in choices.options(game, choice)]
        if choice.kind == "trade":
            found += _offers(game, choice)
    elif game.phase == ENEMIES:
        found.append(WastelandMove("reveal"))
    elif game.phase == TURN:
        found += _turn(game, game.turn)
    if seat is not None and may_claim(game, seat):
        found.append(WastelandMove("claim", seat))
    if seat is not None and seat == game.turn and game.window and not game.loyalty_set and not game.pending:
        found += [WastelandMove("loyalty", seat, agenda=place) for place in revealable(game, seat)]
    return found


def may_claim(game: WastelandPosition, seat: int) -> bool:
    """Whether a claim of victory would hold now; for that seat's eyes only."""
    if game.phase not in (TURN, ENEMIES) or game.survivors[seat].eliminated or game.pending:
        return False
    return ending.influence(game, seat) >= ending.needed(game)


def _turn(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    yield WastelandMove("end", seat)
    yield from _steps(game, seat)
    yield from _cards(game, seat)
    if game.window:
        yield from _start_of_turn(game, seat)
    yield from _triggered(game, seat)
    if game.actions:
        yield from _actions(game, seat)


def _steps(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    here = game.survivors[seat].at
    spaces = [space for space in conditions.known_spaces(game) if space != here]
    if game.points:
        yield from (WastelandMove("step", seat, to=space) for space in spaces)
        yield from (WastelandMove("step", seat, to=space, terrain=["irradiated"]) for space in spaces[:1])
    if game.points > 1:
        yield from (WastelandMove("step", seat, to=space, terrain=["difficult"]) for space in spaces[:1])


def _cards(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    timings = (Timing.OWN_TURN, Timing.ACTION) if game.actions else (Timing.OWN_TURN,)
    usable = [game.box.cards[card_of(held)].id for held, _ in abilities.usable(game, seat, *timings)]
    yield from (WastelandMove("use", seat, card=card) for card in dict.fromkeys(usable))
    perks = [game.box.perks[perk].id for perk in game.survivors[seat].perks]
    yield from (WastelandMove("perk", seat, card=perk) for perk in dict.fromkeys(perks))


def _start_of_turn(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    survivor = game.survivors[seat]
    fit = [card for card in survivor.inventory if game.box.cards[card_of(card)].kind in SLOT_OF]
    yield from (WastelandMove("equip", seat, card=card) for card in items.names(game, fit))
    yield from (WastelandMove("unequip", seat, card=card) for card in items.names(game, survivor.slots))
    if not game.loyalty_set:
        yield from _loyalty(game, seat)


def _loyalty(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    """Withdrawing is open to all eyes; which agendas could be revealed is for their owner (`private_of`)."""
    if factions.loyalty_of(game, seat) is not None:
        yield WastelandMove("loyalty", seat)


def revealable(game: WastelandPosition, seat: int) -> list[int]:
    """The places of the hand that could be revealed for loyalty; for that seat's eyes only."""
    hand = game.survivors[seat].hand
    return [place for place, card in enumerate(hand, 1) if game.box.agendas[card].faction is not None]


def _triggered(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    yield from _objectives(game, seat, triggered=True)


def _objectives(game: WastelandPosition, seat: int, *, triggered: bool) -> Iterator[WastelandMove]:
    for number in game.quests:
        quest = game.box.quests.get(number)
        for place, objective in enumerate(quest.objectives if quest else (), 1):
            met = all(conditions.holds(game, seat, condition) for condition in objective.requires)
            if objective.triggered is triggered and met:
                yield WastelandMove("trigger" if triggered else "quest", seat, quest=number, objective=place)


def _actions(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    yield WastelandMove("move", seat)
    yield WastelandMove("explore", seat)
    yield WastelandMove("explore", seat, enemies=["critter at beyond"])
    yield from _fights(game, seat)
    if not enemies.that_forbid(game, seat):
        yield WastelandMove("camp", seat)
        yield from _objectives(game, seat, triggered=False)
        if not game.encountered:
            yield from (WastelandMove("encounter", seat, icon=icon.value, level=1) for icon in game.decks_of)


def _fights(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    ranged = fights.has_ranged_weapon(game, seat)
    for number, token in game.enemies.items():
        loyal = factions.is_loyal_to(game, seat, enemies.enemy_of(game, number).type)
        if token.active and not loyal and (ranged or token.at == game.survivors[seat].at):
            yield WastelandMove("fight", seat, enemy=number)


def _offers(game: WastelandPosition, choice: OpenChoice) -> Iterator[WastelandMove]:
    """A few of the offers that could be made."""
    survivor = game.survivors[choice.by]
    for other in game.alive():
        if other == choice.by:
            continue
        to = COLOURS[other]
        if survivor.caps:
            yield WastelandMove("offer", choice.by, to=to, give={"caps": 1})
        if survivor.hand:
            yield WastelandMove("offer", choice.by, to=to, give={"agendas": [1]})
        for card in items.names(game, survivor.held()):
            yield WastelandMove("offer", choice.by, to=to, give={"cards": [card]})
