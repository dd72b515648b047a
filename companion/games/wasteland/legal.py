"""What may be done now: legal moves, open choices with their options, and what becomes of an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from companion.cards.wasteland.blanks import is_blank
from companion.cards.wasteland.words import Timing
from companion.games.wasteland import moves
from companion.games.wasteland.box import COLOURS, ENEMIES, NOBODY, OVER, SETUP, SLOT_OF, TURN, card_of
from companion.games.wasteland.fight import dice, fights, throws
from companion.games.wasteland.flow import conditions, ending, results, sequence, setup
from companion.games.wasteland.map import actions, activation, enemies, exploring
from companion.games.wasteland.moves import WastelandMove, choose
from companion.games.wasteland.story import agendas, encounters, learning, quests
from companion.games.wasteland.survivor import abilities, camp, hp, items, pegs
from companion.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.games.wasteland.flow.decks import MoveChance
    from companion.games.wasteland.position import AskedChoice, WastelandPosition


Options = Callable[["WastelandPosition", "AskedChoice"], "list[str]"]
Answer = Callable[["WastelandPosition", "MoveChance", "AskedChoice", str], None]

KINDS: Final[dict[str, tuple[Options, Answer]]] = {
    "survivor": (setup.free_survivors, setup.answer_survivor),
    "setup-space": (setup.free_spaces, setup.answer_space),
    "start-space": (hp.start_spaces, hp.answer_start_space),
    "letter": (pegs.letter_options, pegs.answer_letter),
    "perk": (pegs.perk_options, pegs.answer_perk),
    "equip": (items.equip_options, items.answer_equip),
    "discard": (items.discard_options, items.answer_discard),
    "agenda-discard": (agendas.discard_options, agendas.answer_discard),
    "fight": (fights.fight_options, fights.answer_fight),
    "test": (fights.test_options, fights.answer_test),
    "reroll": (fights.reroll_options, fights.answer_reroll),
    "during-fight": (fights.during_options, fights.answer_during),
    "die": (dice.die_options, dice.answer_die),
    "forced-fight": (fights.forced_options, fights.answer_forced),
    "enemy-order": (activation.order_options, activation.answer_order),
    "adjacent": (activation.adjacent_options, activation.answer_adjacent),
    "attack-order": (activation.attack_order_options, activation.answer_attack_order),
    "nearest": (activation.nearest_options, activation.answer_nearest),
    "moved-to": (activation.moved_options, activation.answer_moved),
    "put-on-tile": (exploring.put_options, exploring.answer_put),
    "replacement": (enemies.replacement_options, enemies.answer_replacement),
    "camp": (camp.options, camp.answer),
    "stay": (camp.stay_options, camp.answer_stay),
    "unexhaust-price": (camp.price_options, camp.answer_price),
    "trade": (camp.trade_options, camp.answer_trade),
    "offer": (camp.offer_options, camp.answer_offer),
    "shop": (camp.shop_options, camp.answer_shop),
    "option": (encounters.option_options, encounters.answer_option),
    "encounter": (encounters.done_options, encounters.answer_done),
    "by-hand": (encounters.done_options, encounters.answer_done),
    "helper": (quests.helper_options, quests.answer_helper),
    "fight-whom": (quests.whom_options, quests.answer_whom),
    "quest-card": (quests.card_options, quests.answer_card),
    "manual-step": (quests.manual_options, quests.answer_manual),
    "level": (results.level_options, results.answer_level),
    "back": (quests.back_options, quests.answer_back),
    "agenda-shown": (learning.agenda_options, learning.answer_agenda),
    "loyal-side": (learning.side_options, learning.answer_side),
    "own-letter": (learning.own_letter_options, learning.answer_own_letter),
    "turn-card": (abilities.turn_options, abilities.answer_turn),
    "kill": (abilities.kill_options, abilities.answer_kill),
    "drawn": (sequence.drawn_options, sequence.answer_drawn),
    "influence": (ending.owner_options, ending.answer_owner),
}

# Asked even where there is only one answer: a button to press, or a time for other moves.
ALWAYS_ASKED: Final = frozenset({"fight", "test", "trade", "encounter", "by-hand", "quest-card", "agenda-shown"})


def is_asked(game: WastelandPosition, choice: AskedChoice, offered: list[str]) -> bool:
    """Return whether a choice is asked with one answer too: a blank that was drawn may be a card to be named."""
    if choice.kind == "drawn" and game.phase != SETUP and any(map(is_blank, offered)):
        return True
    return choice.kind in ALWAYS_ASKED


# The table may name a space that the companion has not heard of.
FREE_TEXT: Final = frozenset({"moved-to", "replacement"})


def options(game: WastelandPosition, choice: AskedChoice) -> list[str]:
    """Return what may be answered now."""
    return KINDS[choice.kind][0](game, choice)


def only_answer(game: WastelandPosition, choice: AskedChoice, offered: list[str]) -> str | None:
    """Return the answer that is taken without asking, because nobody could want another one."""
    if len(offered) == 1 and not is_asked(game, choice, offered):
        return offered[0]
    if not game.by_itself:
        return None
    if choice.kind in ("fight", "test") and offered == ["roll"] and _rolls_unasked(game, choice):
        return "roll"
    if choice.kind == "reroll" and throws.cannot_be_bettered(game, dice.contest_of(game)):
        return "keep"
    return None


def _rolls_unasked(game: WastelandPosition, choice: AskedChoice) -> bool:
    """Return whether dice fall where nothing can come before them; before version 4 those of an attacked one waited."""
    return game.at_once or game.table_dice or game.is_own_turn(choice.by)


def nothing_left(game: WastelandPosition) -> bool:
    """Return whether the survivor on turn can do nothing but end the turn; triggered objectives need no turn."""
    if game.phase != TURN or game.actions or game.at_start_of_turn:
        return False
    return not any(_is_worth_staying(game, move) for move in _turn(game, game.turn))


def _is_worth_staying(game: WastelandPosition, move: WastelandMove) -> bool:
    if game.at_once and move.do in ("use", "perk"):
        return abilities.changes_something(game, move)
    return move.do not in ("end", "trigger")


def answer_open_choice(game: WastelandPosition, chance: MoveChance, move: WastelandMove) -> None:
    if game.phase == OVER and not game.pending:
        raise Refusal("game_over", "W-END-1", "The game is over.")
    choice = _find(game, move)
    offered = options(game, choice)
    option: str = move[moves.OPTION]
    if option not in offered and not _may_be_typed(game, choice, move):
        raise Refusal(
            "no_such_option", choice.clause, f"{option!r} is not offered here.",
            option=option, options=offered, kind=choice.kind, id=choice.id,
        )  # fmt: skip
    answer(game, chance, choice, option)


def _may_be_typed(game: WastelandPosition, choice: AskedChoice, move: WastelandMove) -> bool:
    """Return whether any name is taken. A "1" that was meant for dice is not: the choice has to be named by its id."""
    named = moves.ID.key in move.args or not game.by_the_book
    return choice.kind in FREE_TEXT and game.map is None and named


def answer(game: WastelandPosition, chance: MoveChance, choice: AskedChoice, option: str) -> None:
    game.pending.remove(choice)
    KINDS[choice.kind][1](game, chance, choice, option)


def _find(game: WastelandPosition, move: WastelandMove) -> AskedChoice:
    for choice in game.pending:
        if choice.by in (move.by, NOBODY) and move.get(moves.ID, choice.id) == choice.id:
            return choice
    who = "anybody" if move.by == NOBODY else COLOURS[move.by]
    raise Refusal("no_open_choice", "W-CORE-2", f"No such choice is open for {who}.", by=who)


def legal_moves(game: WastelandPosition, seat: int | None = None) -> list[WastelandMove]:
    """Return everybody's moves; claims only for the seat that asks, because they tell of a hand."""
    found: list[WastelandMove] = []
    if game.pending:
        choice = game.pending[0]
        found += [choose(choice.by, option) for option in options(game, choice)]
        if choice.kind == "trade":
            found += _offers(game, choice)
    elif game.phase == ENEMIES:
        found.append(WastelandMove("reveal"))
        found += [move for one in game.alive() for move in _triggered(game, one)]
    elif game.phase == TURN:
        found += _turn(game, game.turn)
        found += [move for one in game.alive() if one != game.turn for move in _triggered(game, one)]
    if seat is not None and may_claim(game, seat):
        found.append(WastelandMove("claim", seat))
    if seat is not None and seat == game.turn and game.at_start_of_turn and not game.loyalty_set and not game.pending:
        found += [WastelandMove("loyalty", seat, agenda=place) for place in revealable(game, seat)]
    return found


def may_claim(game: WastelandPosition, seat: int) -> bool:
    """Return whether a claim of victory would hold now; for that seat's eyes only."""
    if game.phase not in (TURN, ENEMIES) or game.survivors[seat].eliminated or game.pending:
        return False
    return ending.influence(game, seat) >= ending.needed(game)


def _turn(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    yield WastelandMove("end", seat)
    yield from _steps(game, seat)
    yield from _cards(game, seat)
    if game.at_start_of_turn:
        yield from _start_of_turn(game, seat)
    yield from _triggered(game, seat)
    if game.actions:
        yield from _actions(game, seat)


def _steps(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    here, found = game.survivors[seat].at, game.map
    if found is not None:
        beside = [space for space in found.neighbours.get(here, ()) if space in found.spaces]
        yield from (WastelandMove("step", seat, to=space) for space in beside if found.cost(space) <= game.points)
        yield from (WastelandMove("walk", seat, to=space) for space in actions.ways_of(game, seat))
        return
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
    perks = [perk for perk in perks if abilities.works_outside_a_fight(game, perk)]
    yield from (WastelandMove("perk", seat, card=perk) for perk in dict.fromkeys(perks))


def _start_of_turn(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    survivor = game.survivors[seat]
    fit = [card for card in survivor.inventory if game.box.cards[card_of(card)].kind in SLOT_OF]
    yield from (WastelandMove("equip", seat, card=card) for card in items.names(game, fit))
    yield from (WastelandMove("unequip", seat, card=card) for card in items.names(game, survivor.slots))
    if not game.loyalty_set:
        yield from _loyalty(game, seat)


def _loyalty(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    """Withdrawing is public; which agendas could be revealed is for their owner (`private_of`)."""
    if agendas.loyalty_of(game, seat) is not None and not agendas.is_loyal_for_good(game, seat):
        yield WastelandMove("loyalty", seat)


def revealable(game: WastelandPosition, seat: int) -> list[int]:
    """Return the places of the hand that could be revealed for loyalty; for that seat's eyes only."""
    hand = [] if agendas.is_loyal_for_good(game, seat) else game.survivors[seat].hand
    kinds = game.box.agendas
    return [n for n, card in enumerate(hand, 1) if kinds[card].faction is not None or agendas.is_by_hand(game, card)]


def _triggered(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    yield from _objectives(game, seat, triggered=True)


def _objectives(game: WastelandPosition, seat: int, *, triggered: bool) -> Iterator[WastelandMove]:
    for number in game.quests:
        quest = game.box.quests.get(number)
        if not triggered and quests.by_hand(game, number):
            yield WastelandMove("quest", seat, quest=number, objective=quests.by_hand(game, number))
        for place, objective in enumerate(quest.objectives if quest else (), 1):
            met = all(conditions.holds(game, seat, condition) for condition in objective.requires)
            if objective.triggered is triggered and met:
                yield WastelandMove("trigger" if triggered else "quest", seat, quest=number, objective=place)


def _actions(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    yield WastelandMove("move", seat)
    found = game.map
    if found is None:
        yield WastelandMove("explore", seat)
        yield WastelandMove("explore", seat, enemies=["critter at beyond"])
    else:
        beside = found.facedown_beside(game.survivors[seat].at)
        yield from (WastelandMove("explore", seat, place=place) for place in beside)
    yield from _fights(game, seat)
    if not enemies.that_forbid(game, seat):
        yield WastelandMove("camp", seat)
        yield WastelandMove("camp", seat, all=True)
        yield from _objectives(game, seat, triggered=False)
        if not game.encountered:
            yield from _encounters(game, seat)


def _encounters(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    """List what the space offers; without a map, every deck (W-ENC-1, W-ENC-7)."""
    found = game.map
    if found is None:
        yield from (WastelandMove("encounter", seat, icon=icon.value, level=1) for icon in game.decks_of)
        return
    icon = encounters.icon_at(game, game.survivors[seat].at)
    if icon is not None and icon in game.decks_of:
        yield WastelandMove("encounter", seat, icon=icon.value)


def _fights(game: WastelandPosition, seat: int) -> Iterator[WastelandMove]:
    for number, token in game.enemies.items():
        loyal = agendas.is_loyal_to(game, seat, enemies.enemy_of(game, number).type)
        if token.active and not loyal and fights.reaches(game, seat, number):
            yield WastelandMove("fight", seat, enemy=number)


def _offers(game: WastelandPosition, choice: AskedChoice) -> Iterator[WastelandMove]:
    """List a few of the offers that could be made: they have no end."""
    survivor = game.survivors[choice.by]
    for other in game.alive():
        if other == choice.by or not camp.may_trade(game, choice.by, other):
            continue
        to = COLOURS[other]
        if survivor.caps:
            yield WastelandMove("offer", choice.by, to=to, give={"caps": 1})
        if survivor.hand:
            yield WastelandMove("offer", choice.by, to=to, give={"agendas": [1]})
        for card in items.names(game, survivor.held()):
            yield WastelandMove("offer", choice.by, to=to, give={"cards": [card]})
