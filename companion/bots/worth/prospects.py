"""What a space promises, read off its face once: the icons of its cost and reward, added up by kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards import effects as fx
from companion.cards import item_effects
from companion.cards.item_effects import Counted
from companion.games.shelter.cards.program import price_of
from companion.games.shelter.turn.rewards import dwellers_of
from companion.games.shelter.words import ANY_LETTER, DWELLER_NUMBER, MOST_DWELLERS, RESOURCE_NUMBER

if TYPE_CHECKING:
    from companion.bots.worth.weights import Weights
    from companion.games.shelter.board.vault import Face, Price
    from companion.games.shelter.cards.box import Box, ItemKind
    from companion.games.shelter.game import ShelterGame


class Prospect:
    """A face in the words of somebody who thinks about standing there."""

    def __init__(self, number: int, face: Face) -> None:
        self.number = number
        self.face = face
        self.price: Price = face.price
        self.pays_item = face.items
        self.injures = face.injures
        self.cubes = [0, 0, 0]
        self.any = 0
        self.happiness = 0
        self.dwellers = 0
        self.items = 0
        self.first = False
        self.heals = False
        self.readies = 0
        self.refreshes = 0
        self.builds = 0
        self.letters: tuple[int, ...] = ()
        self.exchanges: list[tuple[Price, Price]] = []
        for icon in face.space.reward:
            self._add(icon)
        self.pure_training = not (any(self.cubes) or self.any)

    def _add(self, icon: fx.RewardIcon) -> None:
        match icon:
            case fx.Gain():
                self.cubes[RESOURCE_NUMBER[icon.resource.value]] += icon.amount
            case fx.GainAny():
                self.any += icon.amount
            case fx.Happiness():
                self.happiness += icon.amount
            case fx.NewDweller():
                self.dwellers += 1
            case fx.TakeItem():
                self.items += 1
            case fx.Train():
                self.letters = (DWELLER_NUMBER[icon.letter.value] if icon.letter else ANY_LETTER,)
            case fx.Exchange():
                self.exchanges.append((price_of([icon.left]), price_of([icon.right])))
            case _:
                self._add_rarer(icon)

    def _add_rarer(self, icon: fx.FirstPlayer | fx.Heal | fx.Ready | fx.Refresh | fx.Build) -> None:
        match icon:
            case fx.FirstPlayer():
                self.first = True
            case fx.Heal():
                self.heals = True
            case fx.Ready():
                self.readies += 1
            case fx.Refresh():
                self.refreshes += 1
            case fx.Build():
                self.builds += 1


class Prospects:
    """The prospects of every face of a box."""

    def __init__(self, box: Box) -> None:
        self.of: dict[Face, Prospect] = {}
        faces = [box.top_elevator, *dict.fromkeys(box.elevators), *box.threats]
        for room in box.rooms:
            faces += room.faces
        for face in faces:
            self.of[face] = Prospect(len(self.of), face)


FAMILIES = ("weapon", "outfit", "pet")
TIE_BREAK = 0.02  # items are the last of the tie-breaks (E3)
REROLL = 2.5  # a roll that is made again helps like so many points
ONCE = 0.35  # an item that is discarded by its use helps once


def item_worth(game: ShelterGame, colour: int, item: ItemKind, ahead: float, weights: Weights) -> float:
    """An item in happiness: what it helps in the rounds that are left, what it scores, and what it adds to a set."""
    rounds = ahead + 0.5
    match item.effect:
        case item_effects.ScorePer(counted, per, happiness):
            helps = happiness * _expected(game, colour, counted, ahead) / per
        case item_effects.RollBonus():
            points = 1.5 * item.passive_bonus + item.roll_bonus
            helps = weights.weapon * points * (ONCE * min(rounds, 3.0) if item.discarded else rounds)
        case item_effects.Reroll():
            helps = weights.weapon * REROLL * rounds
        case item_effects.CountsAsTrained():
            seen = not item.letter or bool(game.vault.lettered[item.letter])
            helps = weights.outfit * rounds * (1.0 if seen else 0.4)
        case item_effects.Act(action=item_effects.Action.HEAL):
            helps = weights.injury * 0.8
        case _:  # what nobody has judged helps once a round, like the pets
            helps = weights.pet * rounds
    return TIE_BREAK + _set(game, colour, item) + helps


def _set(game: ShelterGame, colour: int, item: ItemKind) -> float:
    """What an item adds to the items in hand that score its family."""
    if item.family not in FAMILIES:
        return 0.0
    worth = 0.0
    for card in game.hands[colour].cards:
        scores = game.box.items[card >> 1].scores
        if scores is not None and scores.counted == item.family + "s":
            worth += scores.happiness / scores.per
    return worth


def _expected(game: ShelterGame, colour: int, counted: Counted, ahead: float) -> float:
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
