"""What an item is worth to somebody who could take it, keep it or give it away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards.effects import Act, Action, Counted, ScorePer
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.words import MOST_DWELLERS, RESOURCE_NUMBER

if TYPE_CHECKING:
    from companion.bots.worth.weights import Weights
    from companion.games.shelter.cards.contents import ItemKind
    from companion.games.shelter.game import Game

FAMILIES = ("weapon", "outfit", "pet")
TIE_BREAK = 0.02  # items are the last of the tie-breaks (E3)
REROLL = 2.5  # a roll that is made again helps like so many points
ONCE = 0.35  # an item that is discarded by its use helps once


def item_worth(game: Game, colour: int, item: ItemKind, ahead: float, weights: Weights) -> float:
    """An item in happiness: what it helps in the rounds that are left, what it scores, and what it adds to a set."""
    effect = item.effect
    worth = TIE_BREAK + _set(game, colour, item)
    rounds = ahead + 0.5
    if isinstance(effect, ScorePer):
        return worth + effect.happiness * _expected(game, colour, effect.counted, ahead) / effect.per
    if item.passive_bonus or item.roll_bonus:
        points = 1.5 * item.passive_bonus + item.roll_bonus
        return worth + weights.weapon * points * (ONCE * min(rounds, 3.0) if item.discarded else rounds)
    if item.rerolls:
        return worth + weights.weapon * REROLL * rounds
    if item.trains:
        seen = not item.letter or bool(game.vault.lettered[item.letter])
        return worth + weights.outfit * rounds * (1.0 if seen else 0.4)
    if isinstance(effect, Act) and effect.action == Action.HEAL:
        return worth + weights.injury * 0.8
    return worth + weights.pet * rounds


def _set(game: Game, colour: int, item: ItemKind) -> float:
    """What an item adds to the items in hand that score its family."""
    if item.family not in FAMILIES:
        return 0.0
    worth = 0.0
    for card in game.hands[colour].cards:
        effect = game.box.items[card >> 1].effect
        if isinstance(effect, ScorePer) and effect.counted == item.family + "s":
            worth += effect.happiness / effect.per
    return worth


def _expected(game: Game, colour: int, counted: Counted, ahead: float) -> float:
    """How much of what a card counts there may be at the end."""
    if counted in (Counted.WATER, Counted.FOOD, Counted.ENERGY):
        have = game.cubes[3 * colour + RESOURCE_NUMBER[counted.value]]
        return float(have) if not ahead else 2.0
    if counted == Counted.ROOMS:
        return min(6.0, game.vault.rooms_on(game.levels[colour]) + 0.7 * ahead)
    if counted == Counted.DWELLERS:
        return min(float(MOST_DWELLERS), dwellers_of(game, colour) + 0.4 * ahead)
    family = counted.value.removesuffix("s")
    held = sum(game.box.items[card >> 1].family == family for card in game.hands[colour].cards)
    return held + 0.15 * ahead
